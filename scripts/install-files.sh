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

[ ! -d "$root$prefix" ] || (cd "$root$prefix" && find . -type d) >"$work/folders"
rm -f "$build/install_manifest.txt" # it may be of another user
# A build that was not finished is not installed by halves.
if ! DESTDIR=$work/trial cmake --install "$build" --prefix "$prefix" >/dev/null 2>"$work/errors"; then
    cat "$work/errors" >&2
    echo "install-files.sh: not all is built; run 'make build' first, not as root" >&2
    exit 2
fi
DESTDIR=$root cmake --install "$build" --prefix "$prefix" >/dev/null
{ cat "$build/install_manifest.txt" && printf '\n%s\n' "$list"; } >"$work/files"
rm "$build/install_manifest.txt" # in the build of another user it would be in the way
# In the environment the prefix stays as it is, whatever characters it has.
prefix=$prefix awk -v folders="$work/folders" '
    BEGIN {
        prefix = ENVIRON["prefix"]
        while ((getline folder <folders) > 0)
            there[prefix substr(folder, 2)] = 1
    }
    NF {
        print
        for (folder = $0; sub("/[^/]*$", "", folder) && length(folder) >= length(prefix);)
            if (!(folder in there))
                print folder "/"
    }' "$work/files" >"$work/list"
mkdir -p "$(dirname "$root$list")"
[ ! -f "$root$list" ] || cat "$root$list" >>"$work/list" # what an earlier version left stays ours
LC_ALL=C sort -u "$work/list" >"$root$list"
