#!/bin/sh
# Install into an empty prefix and use it as a user would: the example of README's "Install" through pkg-config, the
# tour through the CMake package, the command, its pages and completions. The name that programs are linked to says
# which versions run the same binaries: those with the same minor number before 1.0, with the same major number from
# then on. At the end nothing is left of it but what was there before.
#   installed_library.sh SOURCE BUILD CC
set -eu
source=$1 build=$2 cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
fail() {
    echo "$1"
    exit 1
}

# Something of somebody else is there already.
mkdir -p "$prefix/bin" "$prefix/share/man"
: >"$prefix/bin/other"
(cd "$prefix" && find . | LC_ALL=C sort) >"$work/before"
"$source/scripts/install-files.sh" "$build" "$prefix" ''
library=$(find "$prefix" -name 'libimpinge.so')
for file in bin/impinge include/impinge/impinge.h include/impinge/version.h share/man/man1/impinge.1 \
    share/man/man1/impinge-check.1 share/bash-completion/completions/impinge share/zsh/site-functions/_impinge \
    share/fish/vendor_completions.d/impinge.fish; do
    [ -s "$prefix/$file" ] || fail "$file is not installed"
done
for file in bin/impinge-mpi include/impinge/mpi.h share/man/man1/impinge-mpi.1; do
    [ -e "$prefix/$file" ] || [ ! -x "$build/bin/impinge-mpi" ] || fail "$file is not installed"
done
! find "$prefix" | grep -q -e impinge-bench -e impinge_static || fail "what is for us alone is installed"

cmake -S "$source/examples" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" >/dev/null
cmake --build "$work/build" >/dev/null
"$work/build/impinge-tour" >/dev/null

export PKG_CONFIG_PATH="$(dirname "$library")/pkgconfig"
version=$(pkg-config --modversion impinge)
case $version in
    0.*) wanted=libimpinge.so.${version%.*} ;;
    *) wanted=libimpinge.so.${version%%.*} ;;
esac
soname=$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
[ "$soname" = "$wanted" ] || fail "version $version is linked to as '$soname' instead of '$wanted'"
[ "$("$prefix/bin/impinge" -V)" = "impinge $version" ] || fail "the command is of another version"

# The program of the README, with the line that it is built with there.
install_section() { sed -n '/^## Install/,/^## Platforms/p' "$source/README.md"; }
install_section | sed -n '/^```c$/,/^```$/p' | sed '/^```/d' >"$work/first.c"
install_section | sed -n 's/^\$ cc /"$cc" -std=c17 /p' >"$work/line"
printed=$(install_section | sed -n '/^```text$/,/^```$/p' | sed '/^```/d')
(cd "$work" && . ./line)
[ "$(LD_LIBRARY_PATH="$(dirname "$library")" "$work/first")" = "$printed" ] || fail "first.c prints something else"

# Installed twice it goes at once.
"$source/scripts/install-files.sh" "$build" "$prefix" ''
"$source/scripts/uninstall.sh" "$prefix" '' >/dev/null
(cd "$prefix" && find . | LC_ALL=C sort) | diff "$work/before" - || fail "uninstalling left or took something"
! "$source/scripts/uninstall.sh" "$prefix" '' 2>/dev/null || fail "it can be uninstalled twice"

# A packager's way.
"$source/scripts/install-files.sh" "$build" /opt/impinge "$work/stage"
[ -x "$work/stage/opt/impinge/bin/impinge" ] || fail "DESTDIR is not heeded"
"$source/scripts/uninstall.sh" /opt/impinge "$work/stage" >/dev/null
[ -z "$(find "$work/stage" ! -type d)" ] || fail "files are left below DESTDIR"

# Slashes at the end and characters that mean something to tools are part of no trouble.
odd="$work/a|b&c d"
mkdir "$odd"
"$source/scripts/install-files.sh" "$build" "$odd/x" ''
[ ! -e "$build/install_manifest.txt" ] || fail "the build folder holds what an install by root would leave there"
"$source/scripts/uninstall.sh" "$odd/x//" '' >/dev/null
[ -z "$(find "$odd" -mindepth 1)" ] || fail "something is left below '$odd'"
echo "installed, found by CMake and pkg-config, examples run, uninstalled"
