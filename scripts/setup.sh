#!/bin/sh
# Install the Debian packages that a task needs and that are not there yet.
#   scripts/setup.sh build|test|clang|fuzz|coverage|bench|experiments|lint
# Without the needed ones a task fails. Without the wished ones it does less, and says so; those that could not be
# installed are named in build/not-installed and not tried again while they stand there.
set -eu

needed="gcc libc6-dev cmake ninja-build"
wished="libassimp-dev libqhull-dev libopenmpi-dev openmpi-bin"
# npm may come from elsewhere than Debian; then its package would only be in the way.
command -v npm >/dev/null || wished="$wished nodejs npm"
tools="g++ binutils pkg-config"
test="libgmp-dev liboctomap-dev assimp-utils gnuplot-nox chromium mandoc zsh fish"
case "${1:-build}" in
    build) ;;
    test) needed="$needed $tools" wished="$wished $test" ;;
    clang) needed="$needed clang libclang-rt-dev" ;;
    fuzz) needed="$needed clang libclang-rt-dev" wished="$wished libgmp-dev" ;;
    coverage) needed="$needed $tools lcov" wished="$wished $test" ;;
    bench) wished="$wished g++ libgmp-dev libmpfr-dev libcgal-dev libccd-dev libfcl-dev libembree-dev libbullet-dev libode-dev libopenmpi-dev openmpi-bin" ;;
    experiments) needed="$needed gnuplot-nox" wished="$wished g++ libccd-dev libopenmpi-dev openmpi-bin" ;;
    lint) needed="$needed clang-format clang-tidy cppcheck" ;;
    *) echo "setup.sh: unknown task '$1' (build, test, clang, fuzz, coverage, bench, experiments or lint)" >&2; exit 2 ;;
esac

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    for program in cc cmake ninja; do
        command -v $program >/dev/null && continue
        echo "setup.sh: this is no Debian machine; please install by hand what matches: $needed, and if you can: $wished" >&2
        exit 2
    done
    exit 0
fi

refused=$(dirname "$0")/../build/not-installed
missing() { # packages...: those that are neither there nor refused
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' && continue
        grep -q -x -F "$package" "$refused" 2>/dev/null || printf ' %s' "$package"
    done
}
install_packages() { # packages...
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}
do_without() { # package, why
    mkdir -p "$(dirname "$refused")"
    echo "$1" >>"$refused"
    echo "setup.sh: going on without $1: $2 (remove build/not-installed to try again)"
}

# shellcheck disable=SC2086
needed=$(missing $needed) wished=$(missing $wished)
[ -n "$needed$wished" ] || exit 0
as_root=""
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
        [ -z "$needed" ] || { echo "setup.sh: run 'apt-get install$needed$wished' as root" >&2; exit 2; }
        for package in $wished; do
            do_without "$package" "only root can install it"
        done
        exit 0
    fi
    as_root=sudo
fi
echo "Installing Debian packages:$needed$wished"
$as_root apt-get update -qq || echo "setup.sh: apt could not renew its lists, and goes on with those it has" >&2
# All at once is faster than one by one, which tells which of them can't be installed.
# shellcheck disable=SC2086
install_packages $needed $wished 2>/dev/null && exit 0
# shellcheck disable=SC2086
[ -z "$needed" ] || install_packages $needed || { echo "setup.sh: apt could not install$needed" >&2; exit 2; }
for package in $wished; do
    why=$(install_packages "$package" 2>&1) || do_without "$package" "$(echo "$why" | grep '^E:' | tail -n 1)"
done
