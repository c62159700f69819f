#!/bin/sh
# Every public function stands in the table of the chaos test, whose programs must then reach it, and nothing
# else does. Those of mpi.h need processes that MPI has started: tests/cli/ranks.c runs them.
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find "$source/include/impinge" -name '*.h' ! -name mpi.h -exec cat {} + | tr '\n' ' ' | grep -oE '(IMP_API|IMP_CHECKED) [^;(#]*\(' | grep -oE 'imp_[a-z0-9_]+\($' |
    tr -d '(' | sort >"$work/declared"
grep -oE '^ +F\(imp_[a-z0-9_]+' "$source/tests/chaos/functions.h" | grep -oE 'imp_[a-z0-9_]+' | sort >"$work/listed"
diff "$work/declared" "$work/listed" || {
    echo "< is public and not in tests/chaos/functions.h, > is there once too often"
    exit 1
}
# A row without a call would be found only by programs that run for long.
cat "$source"/tests/chaos/*.c | tr '\n' ' ' >"$work/steps"
while read -r function; do
    grep -qE "CALL(_VALUE|_VOID)?\([^;]*\b$function\b" "$work/steps" || {
        echo "$function is in the table, but no step of the chaos test calls it"
        exit 1
    }
done <"$work/declared"
echo "$(wc -l <"$work/declared") functions, each in the table and called"
[ -s "$work/declared" ]
