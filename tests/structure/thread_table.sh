#!/bin/sh
# Every public function is named in docs/threads.md, once, and nothing else is.
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat "$source"/include/impinge/*.h | tr '\n' ' ' | grep -oE '(IMP_API|IMP_CHECKED) [^;(#]*\(' | grep -oE 'imp_[a-z0-9_]+\($' |
    tr -d '(' | sort >"$work/declared"
grep -oE '`imp_[a-z0-9_]+`' "$source/docs/threads.md" | tr -d '`' | sort >"$work/listed"
diff "$work/declared" "$work/listed" || {
    echo "< is public and not in docs/threads.md, > is in docs/threads.md once too often"
    exit 1
}
echo "$(wc -l <"$work/declared") functions, each in the table"
[ -s "$work/declared" ]
