#!/bin/sh
# Remove what `make install` installed: the files of the list that it keeps, and the folders that it made, as
# far as nothing else is in them.
#   scripts/uninstall.sh PREFIX DESTDIR
set -eu
. "$(dirname "$0")/install-place.sh"
prefix=$(absolute_place "$1") root=$(absolute_place "$2")
list=$root$prefix/share/impinge/installed
if [ ! -f "$list" ]; then
    echo "uninstall.sh: nothing is installed in $root$prefix (there is no $list); PREFIX tells where to look" >&2
    exit 2
fi
entries=$(LC_ALL=C sort -r "$list") # what is in a folder comes before the folder
printf '%s\n' "$entries" | while IFS= read -r entry; do
    case $entry in
        */) rmdir "$root$entry" 2>/dev/null || true ;;
        *) rm -f "$root$entry" ;;
    esac
done
[ -n "$root" ] || [ "$(id -u)" != 0 ] || ! command -v ldconfig >/dev/null || ldconfig
echo "impinge is removed from $root$prefix"
