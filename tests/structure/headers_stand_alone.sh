#!/bin/sh
# Each public header compiles alone, as C17 and (where there is a C++ compiler) as C++17; mpi.h where there is MPI.
#   headers_stand_alone.sh SOURCE BUILD CC [MPI_INCLUDE_FOLDER...]
set -eu
source=$1 build=$2 cc=$3
shift 3
flags="-Wall -Wextra -Wpedantic -Werror -fsyntax-only -I$source/include -I$build/include"
for folder in "$@"; do
    flags="$flags -isystem $folder"
done
for header in "$source"/include/impinge/*.h; do
    name=impinge/$(basename "$header")
    [ $# -gt 0 ] || [ "$name" != impinge/mpi.h ] || { echo "left out: $name, MPI is not installed"; continue; }
    echo "#include <$name>" | $cc -std=c17 $flags -x c -
    if command -v c++ >/dev/null; then
        echo "#include <$name>" | c++ -std=c++17 $flags -x c++ -
    fi
    echo "$name"
done
