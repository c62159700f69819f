#!/bin/sh
# Each filter is a row of the table, has a section in docs/filters.md, and names tests there that exist.
set -eu
source=$1
failed=0
fail() {
    echo "$1"
    failed=1
}

# Look at one tree; how many filters it has goes to $checked.
check_tree() {
    tree=$1
    checked=0
    for file in "$tree"/src/object/*.c; do
        for filter in $(sed -n 's/^const impi_Filter \(impi_[a-z_]*\) = .*/\1/p' "$file"); do
            checked=$((checked + 1))
            grep -q "&$filter," "$tree/src/world/filters.c" || fail "$file: $filter is not in the table"
        done
        for name in $(sed -n '/^const impi_Filter/,/};/s/.*\.name = "\([^"]*\)".*/\1/p' "$file"); do
            section=$(sed -n "/^## $name\$/,/^## /p" "$tree/docs/filters.md")
            [ -n "$section" ] || fail "docs/filters.md has no section \"$name\""
            tests=$(printf '%s' "$section" | tr '\n' ' ' | sed 's/.*Tested by//' | grep -o '`[a-z]*/[a-z_]*`' | tr -d '`')
            [ -n "$tests" ] || fail "docs/filters.md names no test of \"$name\""
            for test in $tests; do
                [ -f "$tree/tests/$test.c" ] || fail "docs/filters.md: $test of \"$name\" is no test"
            done
        done
    done
}

# A filter that is nowhere else must be noticed, or this test proves nothing.
wrong=$(mktemp -d)
trap 'rm -rf "$wrong"' EXIT
mkdir -p "$wrong/src/object" "$wrong/src/world" "$wrong/docs"
printf 'const impi_Filter impi_lonely_filter = {.name = "lonely",\n};\n' >"$wrong/src/object/lonely.c"
: >"$wrong/src/world/filters.c"
: >"$wrong/docs/filters.md"
check_tree "$wrong" >/dev/null
[ "$failed" = 1 ] || { echo "a filter without a row was not noticed"; exit 1; }
failed=0

check_tree "$source"
echo "$checked filters checked"
[ "$checked" -gt 0 ] && exit $failed
