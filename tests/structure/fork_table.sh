#!/bin/sh
# Every public function that gets a context, a world, a broad phase or a query is called in tests/unit/fork.c, which
# checks what it does in a forked child. MPI does not let processes fork, so those of mpi.h are left out.
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find "$source/include/impinge" -name '*.h' ! -name mpi.h -exec cat {} + | tr '\n' ' ' | grep -oE '(IMP_API|IMP_CHECKED) [^;#]*;' |
    grep -E 'imp_(Context|World|Broad|Query) \*' | grep -oE 'imp_[a-z0-9_]+\(' | sort -u >"$work/declared"
grep -oE 'imp_[a-z0-9_]+\(' "$source/tests/unit/fork.c" | sort -u >"$work/called"
comm -23 "$work/declared" "$work/called" >"$work/missing"
if [ -s "$work/missing" ]; then
    echo "not called in tests/unit/fork.c:"
    cat "$work/missing"
    exit 1
fi
echo "$(wc -l <"$work/declared") functions, each in the test"
[ -s "$work/declared" ]
