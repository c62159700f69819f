#!/bin/sh
# Install the Debian packages that a task needs and that are not there yet.
#   scripts/setup.sh build|test|clang|fuzz|coverage|bench|experiments|lint
set -eu

build="gcc libc6-dev cmake ninja-build pkg-config libassimp-dev"
# npm may come from elsewhere than Debian; then its package would only be in the way.
command -v npm >/dev/null || build="$build nodejs npm"
test="g++ binutils libgmp-dev assimp-utils chromium"
case "${1:-build}" in
    build) packages="$build" ;;
    test) packages="$build $test" ;;
    clang) packages="$build clang libclang-rt-dev" ;;
    fuzz) packages="$build clang libclang-rt-dev libgmp-dev" ;;
    coverage) packages="$build $test lcov" ;;
    bench) packages="$build g++ libgmp-dev libmpfr-dev libcgal-dev libccd-dev libfcl-dev libembree-dev libbullet-dev libode-dev" ;;
    experiments) packages="$build gnuplot-nox g++ libccd-dev" ;;
    lint) packages="$build clang-format clang-tidy cppcheck" ;;
    *) echo "setup.sh: unknown task '$1' (build, test, clang, fuzz, coverage, bench, experiments or lint)" >&2; exit 2 ;;
esac

missing=""
for package in $packages; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

if ! command -v apt-get >/dev/null; then
    echo "setup.sh: this is no Debian machine; please install by hand what matches:$missing" >&2
    exit 2
fi
echo "Installing Debian packages:$missing"
as_root=""
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "setup.sh: run 'apt-get install$missing' as root" >&2; exit 2; }
    as_root=sudo
fi
$as_root apt-get update -qq
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null || {
    echo "setup.sh: apt could not install$missing" >&2
    exit 2
}
