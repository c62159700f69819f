#!/bin/sh
# What `make install` does after the build.
#   scripts/install.sh BUILD PREFIX DESTDIR STATIC
# DESTDIR is empty, or a folder that stands for the root; with STATIC ON the static library is installed too.
set -eu
build=$1 prefix=$2 root=$3 static=$4
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
case $root in /* | '') ;; *) root=$PWD/$root ;; esac

place=$root$prefix
while [ ! -e "$place" ]; do place=$(dirname "$place"); done
if [ ! -w "$place" ]; then
    echo "install.sh: $place can't be written: try 'sudo make install', or PREFIX=\$HOME/.local" >&2
    exit 2
fi

# On Debian the folder of libraries depends on the prefix, so CMake has to know it.
cmake --preset release -DCMAKE_INSTALL_PREFIX="$prefix" -DIMPINGE_STATIC="$static" >/dev/null
cmake --build --preset release --target impinge_product
"$(dirname "$0")/install-files.sh" "$build" "$prefix" "$root"

echo "$("$build/bin/impinge" --version) is installed in $root$prefix; 'make uninstall PREFIX=$prefix${root:+ DESTDIR=$root}' removes it"
[ -z "$root" ] || exit 0
[ "$(id -u)" != 0 ] || ! command -v ldconfig >/dev/null || ldconfig
case $prefix in
    /usr | /usr/local) ;;
    *)
        library=$(dirname "$(grep 'libimpinge\.so$' "$build/install_manifest.txt")")
        echo "Programs find it there with these settings:"
        echo "  export PKG_CONFIG_PATH=$library/pkgconfig LD_LIBRARY_PATH=$library"
        ;;
esac
