#!/bin/sh
# The pages that `man` shows: mandoc has nothing to say against them, each command has one, and each option of a
# command is in its page. Skipped where mandoc is not installed.
#   manual_pages.sh SOURCE FOLDER_WITH_PAGES IMPINGE
set -eu
source=$1 pages=$2 impinge=$3
command -v mandoc >/dev/null || { echo "skipped: mandoc is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0
complain() {
    echo "$1"
    wrong=$((wrong + 1))
}

make_page() { # markdown file
    LC_ALL=C awk -v version=1.2.3 -v date=2026-01-31 -v pages="impinge impinge-check" \
        -f "$source/scripts/manual-page.awk" "$1"
}

# What Markdown can hold that could be taken for something else by man, each in its place.
cat >"$work/hard.md" <<'END'
# impinge hard

What is hard.

```text
impinge hard [--a|--b]
```

.A line with a dot, `a\nb`, *one*, **two**, [three](x.md), [four](https://four.org), 2 * 3 * 4.

## First part

| name | meaning |
|---|---|
| `a\|b` | a bar |

- an item that
  goes on
- ![no picture](picture.svg)

| a | b | c |
|---|---|---|
| 1 | 2 | 3 |

```console
.dot
'quote' -- a\b
```
END
make_page "$work/hard.md" >"$work/hard.1"
mandoc -Tlint "$work/hard.1" || complain "mandoc complains of the hard page"
mandoc -Tutf8 "$work/hard.1" | sed 's/.\x08//g' >"$work/hard.txt"
for line in 'impinge-hard - what is hard' 'impinge hard \[--a|--b\]' '\.A line with a dot, a\\nb, one, two, three, four' \
    'FIRST PART' ' a|b  *a bar' 'an item that goes on' ' 1  *b: 2; c: 3' ' \.dot' " 'quote' -- a\\\\b" 'impinge(1), impinge-check(1)'; do
    grep -q -e "$line" "$work/hard.txt" || complain "the hard page lacks '$line'"
done
# This shows that mandoc would complain.
printf '.SH NAME\nnothing\n' >"$work/wrong.1"
! mandoc -Tlint "$work/wrong.1" >/dev/null || complain "mandoc accepts a page without a title"

count=0
for page in "$pages"/*.1; do
    count=$((count + 1))
    mandoc -Tlint "$page" || complain "mandoc complains of $page"
done

list_commands() { # words...: what their help lists
    "$impinge" "$@" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}
help_on() { # a command: its help, and that of each that a second word makes of it
    "$impinge" "$1" --help
    for word in $(list_commands "$1"); do
        "$impinge" "$1" "$word" --help
    done
}
options=0
for command in $(list_commands); do
    page=$pages/impinge-$command.1
    [ -f "$page" ] || { complain "'impinge $command' has no page in the manual"; continue; }
    mandoc -Tutf8 "$page" | sed 's/.\x08//g' >"$work/text"
    for section in NAME SYNOPSIS DESCRIPTION "SEE ALSO"; do
        grep -q "^$section" "$work/text" || complain "$page has no section $section"
    done
    for option in $(help_on "$command" | sed -n 's/^  \(-., \|    \)--\([a-z0-9-]*\).*/\2/p'); do
        options=$((options + 1))
        [ "$option" = help ] || grep -q -e "--$option\\b" "$work/text" || complain "$page does not tell of --$option"
    done
done
echo "$count pages, $options options, $wrong wrong"
[ "$count" -gt 8 ] && [ "$options" -gt 20 ] && [ "$wrong" = 0 ]
