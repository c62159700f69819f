#!/bin/sh
# Install into an empty prefix, then build and run an example against it as a user would: once through the
# CMake package, once through pkg-config. The name that programs are linked to says which versions run the same
# binaries: those with the same minor number before 1.0, with the same major number from then on.
set -eu
source=$1 build=$2 cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >/dev/null
library=$(find "$work/prefix" -name 'libimpinge.so')

cmake -S "$source/examples" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_C_COMPILER="$cc" >/dev/null
cmake --build "$work/build" >/dev/null
"$work/build/impinge-tour" >/dev/null

export PKG_CONFIG_PATH="$(dirname "$library")/pkgconfig"
version=$(pkg-config --modversion impinge)
case $version in
    0.*) wanted=libimpinge.so.${version%.*} ;;
    *) wanted=libimpinge.so.${version%%.*} ;;
esac
soname=$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
[ "$soname" = "$wanted" ] || { echo "version $version is linked to as '$soname' instead of '$wanted'"; exit 1; }

$cc -std=c17 "$source/examples/tour.c" $(pkg-config --cflags --libs impinge) -o "$work/tour"
LD_LIBRARY_PATH="$(dirname "$library")" "$work/tour" >/dev/null
echo "installed, found by CMake and pkg-config, example runs"
