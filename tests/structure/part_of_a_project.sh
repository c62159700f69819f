#!/bin/sh
# The library as a part of another project, by add_subdirectory and by FetchContent: a shared and a static one, and
# nothing else; no npm. Then what that project installs, through the CMake package and pkg-config, statically.
#   part_of_a_project.sh SOURCE CC
set -eu
source=$1 cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "$1"
    exit 1
}

# Whoever runs npm or node is found out.
mkdir "$work/bin"
for program in npm node nodejs; do
    printf '#!/bin/sh\ntouch "%s/npm-ran"\nexit 1\n' "$work" >"$work/bin/$program"
    chmod +x "$work/bin/$program"
done
export PATH="$work/bin:$PATH"

sed -n '/^## Install/,/^## Platforms/p' "$source/README.md" | sed -n '/^```c$/,/^```$/p' | sed '/^```/d' >"$work/first.c"
write_project() { # how impinge is found
    mkdir -p "$work/project"
    cp "$work/first.c" "$work/project"
    cat >"$work/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
$1
add_executable(first first.c)
target_link_libraries(first PRIVATE impinge::impinge)
add_executable(first_static first.c)
target_link_libraries(first_static PRIVATE impinge::static)
END
}
configure() { # build folder, options...
    folder=$1
    shift
    cmake -S "$work/project" -B "$folder" -G Ninja -DCMAKE_C_COMPILER="$cc" -DIMPINGE_STATIC=ON "$@" >"$work/log" 2>&1 ||
        { cat "$work/log"; fail "it can't be configured"; }
}
build() { # folder
    cmake --build "$1" >"$work/log" 2>&1 || { tail -n 40 "$work/log"; fail "it can't be built"; }
}
check_targets() { # folder
    ninja -C "$1" -t targets all | sed 's/:.*//' >"$work/targets"
    ! grep -e '^test-' -e /tests/ -e bench -e experiments -e web/ -e page/ -e 'bin/impinge$' -e man/impinge -e impinge-tour \
        "$work/targets" || fail "that is more than the library"
}

write_project "include(FetchContent)
FetchContent_Declare(impinge SOURCE_DIR \"$source\")
FetchContent_MakeAvailable(impinge)"
configure "$work/fetched"
check_targets "$work/fetched"

# With the command, if asked for, and still without npm.
configure "$work/fetched" -DIMPINGE_COMMAND=ON
ninja -C "$work/fetched" -t targets all | grep -q 'bin/impinge:' || fail "the command can't be asked for"
ninja -C "$work/fetched" -t targets all | grep -q -e '^test-' -e impinge-bench && fail "the command brings tests along"

write_project "add_subdirectory(\"$source\" impinge)"
configure "$work/build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0
check_targets "$work/build"
build "$work/build"
[ "$("$work/build/first")" = "$("$work/build/first_static")" ] || fail "the programs differ"
! ldd "$work/build/first_static" | grep -q libimpinge || fail "the static program needs the shared library"
[ ! -e "$work/npm-ran" ] || fail "npm or node was run"

# Through what that project installs.
cmake --install "$work/build" --prefix "$work/prefix" >/dev/null
archive=$(find "$work/prefix" -name 'libimpinge.a')
[ -n "$archive" ] || fail "the static library is not installed"
[ ! -e "$work/prefix/bin/impinge" ] || fail "the command is installed"
write_project "find_package(impinge REQUIRED)"
configure "$work/found" -DCMAKE_PREFIX_PATH="$work/prefix"
build "$work/found"
"$work/found/first_static" >"$work/printed"
PKG_CONFIG_PATH="$(dirname "$archive")/pkgconfig"
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
"$cc" -static -std=c17 "$work/first.c" $(pkg-config --static --cflags --libs impinge) -o "$work/first" 2>"$work/log" ||
    { cat "$work/log"; fail "pkg-config --static does not tell enough"; }
"$work/first" | diff "$work/printed" - || fail "the static program prints something else"
! ldd "$work/first" 2>/dev/null | grep -q libimpinge || fail "pkg-config --static links the shared library"
echo "a part of a project, shared and static, without npm; installed from there"
