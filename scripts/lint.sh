#!/bin/sh
# Layout, clang-tidy and cppcheck over our sources; quiet when all is well.
set -eu
build=$1
git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format --dry-run -Werror
git ls-files 'src/*.c' 'apps/*.c' 'scenes/*.c' | grep -v -e '_avx2\.c$' -e '_avx512\.c$' |
    xargs -P "$(nproc)" -n 4 clang-tidy --quiet --warnings-as-errors='*' -p "$build" 2>/dev/null
cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
    --suppress=missingIncludeSystem --suppress=unknownMacro -I include -I src -I "$build/include" \
    src apps/impinge apps/impinge-mpi
echo "lint: nothing to complain about"
