#!/bin/sh
# What `make install` does.
#   scripts/install.sh BUILD PREFIX DESTDIR STATIC
# DESTDIR is empty, or a folder that stands for the root; with STATIC ON the static library is installed too.
# Who owns the build builds what is not built yet. Anybody else, as root in `sudo make install`, only installs what is
# there, so that nothing in the build becomes root's.
set -eu
scripts=$(dirname "$0")
. "$scripts/install-place.sh"
build=$1 prefix=$(absolute_place "$2") root=$(absolute_place "$3") static=$4

place=$root$prefix
while [ ! -e "$place" ]; do place=$(dirname "$place"); done
if [ ! -w "$place" ]; then
    echo "install.sh: $place can't be written: try 'sudo make install', or PREFIX=\$HOME/.local" >&2
    exit 2
fi

cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
fits() { # is the build one for this place?
    [ -f "$build/CMakeCache.txt" ] && [ "$(cached IMPINGE_STATIC)" = "$static" ] || return 1
    # On Debian the folder of libraries is another one below /usr than elsewhere.
    case $(cached CMAKE_INSTALL_PREFIX):$prefix in
        /usr:/usr) ;;
        /usr:* | *:/usr) return 1 ;;
    esac
}
owned=$build
[ -e "$owned" ] || owned=$(dirname "$build")
if [ -n "$(find "$owned" -prune -user "$(id -u)")" ]; then
    make --no-print-directory build PREFIX="$prefix" STATIC="$static"
elif ! fits; then
    echo "install.sh: that is not built yet; run this first, not as root: make build PREFIX='$prefix' STATIC=$static" >&2
    exit 2
fi
"$scripts/install-files.sh" "$build" "$prefix" "$root"

echo "$("$build/bin/impinge" --version) is installed in $root$prefix; 'make uninstall PREFIX=$prefix${root:+ DESTDIR=$root}' removes it"
[ -z "$root" ] || exit 0
[ "$(id -u)" != 0 ] || ! command -v ldconfig >/dev/null || ldconfig
case $prefix in
    /usr | /usr/local) ;;
    *)
        library=$(dirname "$(grep 'libimpinge\.so$' "$prefix/share/impinge/installed")")
        echo "Programs find it there with these settings:"
        echo "  export PKG_CONFIG_PATH=$library/pkgconfig LD_LIBRARY_PATH=$library"
        ;;
esac
