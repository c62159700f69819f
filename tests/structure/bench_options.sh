#!/bin/sh
# What scripts rely on in impinge-bench: --list, --only, and the columns. No time is looked at.
set -eu
bench=$1
fail() {
    echo "$1"
    exit 1
}
for area in $("$bench" --list); do
    "$bench" --help | grep -q "^  $area " || fail "--help does not list $area"
done

status=0
message=$("$bench" sort --only impinge,nobody 2>&1) || status=$?
[ "$status" = 2 ] || fail "a system that does not exist ends with status $status"
case $message in
    *"'nobody'"*impinge,qsort*) ;;
    *) fail "a system that does not exist is refused with: $message" ;;
esac

lines=$("$bench" sort --quick --only impinge)
case $lines in
    scene,regime,system,threads,median,unit,pairs,agrees,*) ;;
    *) fail "other columns: $lines" ;;
esac
echo "$lines" | awk -F, '
    NR == 1 { columns = NF }
    NF != columns { print "columns are missing: " $0; exit 1 }
    NR > 1 && $3 != "impinge" { print "not asked for: " $0; exit 1 }
    END { if (NR != 2) { print NR " lines instead of 2"; exit 1 } }'
echo "$("$bench" --list | wc -l) areas"
