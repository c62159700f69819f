#!/bin/sh
# The shared library exports the functions that public headers declare, and nothing else; libimpinge-mpi, where it is
# built, those of mpi.h as well.
#   exported_symbols.sh SOURCE LIBRARY CC [MPI_LIBRARY]
set -eu
export LC_ALL=C
source=$1 library=$2 cc=$3 mpi_library=${4-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

exported() { nm -D --defined-only "$1" | awk '$2 ~ /[A-Z]/ {print $3}' | sort; }

declared() { # headers...
    cat "$@" | tr '\n' ' ' | grep -oE 'IMP_(API|CHECKED) [^;(]*\(' | grep -oE 'imp_[a-z0-9_]+\($' | tr -d '(' | sort
}
find "$source/include/impinge" -name '*.h' ! -name mpi.h >"$work/headers"
# shellcheck disable=SC2046
declared $(cat "$work/headers") >"$work/declared"
declared "$source"/include/impinge/*.h >"$work/all"
[ -s "$work/declared" ]

# A library with something private in it is found.
echo 'int imp_version(void); int imp_version(void) { return 0; } int impi_stray; void stray(void); void stray(void) {}' \
    >"$work/stray.c"
$cc -shared -fPIC "$work/stray.c" -o "$work/stray.so"
[ "$(exported "$work/stray.so" | comm -13 "$work/declared" - | tr '\n' ' ')" = "impi_stray stray " ]

compare() { # library, names
    exported "$1" | diff "$2" - || {
        echo "$1: < is declared and not exported, > is exported and not declared in a public header"
        exit 1
    }
}
compare "$library" "$work/declared"
[ -z "$mpi_library" ] || compare "$mpi_library" "$work/all"
echo "$(wc -l <"$work/declared") functions, all of them declared"
