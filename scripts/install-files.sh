#!/bin/sh
# Install what is built, and keep a list of it where it is, in PREFIX/share/impinge/installed: the files, and
# the folders that were not there before, which end in a slash. scripts/uninstall.sh goes by it.
#   scripts/install-files.sh BUILD PREFIX DESTDIR
# DESTDIR is empty, or a folder that stands for the root.
set -eu
build=$1 prefix=$2 root=$3
list=$prefix/share/impinge/installed
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ ! -d "$root$prefix" ] || (cd "$root$prefix" && find . -type d) | sed "s|^\.|$prefix|" >"$work/folders"
DESTDIR=$root cmake --install "$build" --prefix "$prefix" >/dev/null
{ cat "$build/install_manifest.txt" && echo && echo "$list"; } >"$work/files"
awk -v prefix="$prefix" -v folders="$work/folders" '
    BEGIN { while ((getline folder <folders) > 0) there[folder] = 1 }
    NF {
        print
        for (folder = $0; sub("/[^/]*$", "", folder) && length(folder) >= length(prefix);)
            if (!(folder in there))
                print folder "/"
    }' "$work/files" >"$work/list"
mkdir -p "$(dirname "$root$list")"
[ ! -f "$root$list" ] || cat "$root$list" >>"$work/list" # what an earlier version left stays ours
LC_ALL=C sort -u "$work/list" >"$root$list"
