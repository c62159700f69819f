#!/bin/sh
# Install the Debian packages that a task needs and that are not there yet.
#   scripts/setup.sh build|test|bench|experiments|lint|fuzz
set -eu

build="gcc libc6-dev cmake ninja-build pkg-config libassimp-dev"
# npm may come from elsewhere than Debian; then its package would only be in the way.
command -v npm >/dev/null || build="$build nodejs npm"
case "${1:-build}" in
    build) packages="$build" ;;
    test) packages="$build g++ clang libclang-rt-dev libgmp-dev libassimp-dev assimp-utils chromium" ;;
    bench) packages="$build g++ libgmp-dev libmpfr-dev libcgal-dev libccd-dev libfcl-dev libembree-dev libbullet-dev libode-dev libassimp-dev" ;;
    experiments) packages="$build gnuplot-nox g++ libccd-dev" ;;
    lint) packages="$build clang-format clang-tidy cppcheck" ;;
    fuzz) packages="$build clang libclang-rt-dev" ;;
    *) echo "setup.sh: unknown task '$1' (build, test, bench, experiments, lint or fuzz)" >&2; exit 2 ;;
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
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
