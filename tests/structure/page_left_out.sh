#!/bin/sh
# Where npm fails or is not there, the page of `impinge run --html` is left out and everything else is made. Why, in
# npm's own words, and how to mend it is told after `make run` has played, and by --html. Nobody asks a network here:
# npm is a script that fails.
#   page_left_out.sh SOURCE IMPINGE CC
set -eu
source=$1 impinge=$2 cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
reason="npm error request to https://registry.example/three failed, reason: self-signed certificate in certificate chain"
fail() {
    echo "$1"
    exit 1
}
configure() {
    cmake -S "$source" -B "$work/build" -G Ninja -DCMAKE_C_COMPILER="$cc" -DIMPINGE_DEVELOPER=OFF "$@" >"$work/log" 2>&1
}
has() { # file, text
    grep -q -F -e "$2" "$1" || { cat "$1"; fail "$1 lacks '$2'"; }
}

mkdir "$work/bin"
cat >"$work/bin/npm" <<END
#!/bin/sh
echo again >>"$work/asked"
echo "npm error code SELF_SIGNED_CERT_IN_CHAIN" >&2
echo "npm error errno SELF_SIGNED_CERT_IN_CHAIN" >&2
echo "$reason" >&2
exit 1
END
printf '#!/bin/sh\nexit 0\n' >"$work/bin/node"
chmod +x "$work/bin/npm" "$work/bin/node"
export PATH="$work/bin:$PATH"

configure || { cat "$work/log"; fail "it can't be configured where npm fails"; }
has "$work/log" "$reason"
has "$work/build/page-left-out" "$reason"
has "$work/build/page-left-out" "npm config set cafile FILE"
has "$work/build/page-left-out" "rm $work/build/web/failed"
configure
[ "$(wc -l <"$work/asked")" = 1 ] || fail "npm is asked again and again"

# Who insists on the page gets no build without it, and npm is asked again.
! configure -DIMPINGE_WEB=ON || fail "IMPINGE_WEB=ON goes on without the page"
has "$work/log" "self-signed certificate"
[ "$(wc -l <"$work/asked")" = 2 ] || fail "IMPINGE_WEB=ON does not ask npm"
configure -DIMPINGE_WEB=AUTO

# The program knows why.
object=apps/impinge/CMakeFiles/impinge_command_parts.dir/run_page_template.c.o
ninja -C "$work/build" "$object" >"$work/log" 2>&1 || { cat "$work/log"; fail "it can't be built"; }
grep -q -a -F "self-signed certificate in certificate chain" "$work/build/$object" || fail "--html does not tell why"

# The run is played, and ends well.
mkdir -p "$work/build/bin"
ln -s "$impinge" "$work/build/bin/impinge"
"$source/scripts/play.sh" "$work/build" >"$work/played" || fail "the run is not played"
has "$work/played" "Frames: "
has "$work/played" "$reason"
[ -f "$work/build/demo/shuttles.svg" ] || fail "the run has no plot"

# What mends it is heeded: an npm that works; node does not bundle here, so that is what is wrong next.
printf '#!/bin/sh\nexit 0\n' >"$work/bin/npm"
printf '#!/bin/sh\necho "Error: esbuild is not there" >&2\nexit 1\n' >"$work/bin/node"
rm "$work/build/web/failed"
configure || { cat "$work/log"; fail "it can't be configured where node fails"; }
has "$work/build/page-left-out" "Error: esbuild is not there"

# No npm at all, as CMake has it when it finds none.
rm -r "$work/build" "$work/bin/npm"
configure -DNPM_PROGRAM=NO || { cat "$work/log"; fail "it can't be configured without npm"; }
has "$work/build/page-left-out" "npm is not installed"
echo "left out, told why and how to mend it"
