#!/bin/sh
# Each public header compiles alone, as C17 and (where there is a C++ compiler) as C++17.
set -eu
source=$1 build=$2 cc=$3
flags="-Wall -Wextra -Wpedantic -Werror -fsyntax-only -I$source/include -I$build/include"
for header in "$source"/include/impinge/*.h; do
    name=impinge/$(basename "$header")
    echo "#include <$name>" | $cc -std=c17 $flags -x c -
    if command -v c++ >/dev/null; then
        echo "#include <$name>" | c++ -std=c++17 $flags -x c++ -
    fi
    echo "$name"
done
