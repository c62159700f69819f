#!/bin/sh
# Run the tests of a build with IMPINGE_COVERAGE and tell how many lines of src/ they run: a table by room, then the
# files with the most lines that no test reaches. Which lines those are stands in BUILD/report/index.html.
#   scripts/coverage.sh BUILD
set -eu
build=$1
find "$build" -name '*.gcda' -delete # counts of earlier runs
preset=$(basename "$build")
ctest --preset "$preset" || { echo "coverage: a test failed" >&2; exit 1; }
mkdir -p "$build/report"
# Lines that the preprocessor or the compiler has left out are not counted, neither here nor there.
gcovr --root . --filter 'src/' --exclude-unreachable-branches --csv "$build/report/files.csv" \
    --html-details "$build/report/index.html" "$build" >/dev/null
awk -F, '
    NR > 1 {
        split($1, path, "/")
        room = path[2]
        if (!(room in lines)) rooms[++room_count] = room
        lines[room] += $2; run[room] += $3; all += $2; all_run += $3
        missed[$1] = $2 - $3
    }
    function row(name, total, covered) {
        printf "%-12s %7d %7d %7.1f %%\n", name, total, total - covered, 100 * covered / total
    }
    END {
        printf "%-12s %7s %7s %9s\n", "src/", "lines", "not run", "run"
        for (i = 1; i <= room_count; ++i) row(rooms[i], lines[rooms[i]], run[rooms[i]])
        row("all", all, all_run)
        print "\nmost lines not run:"
        for (file in missed) if (missed[file]) printf "%5d  %s\n", missed[file], file | "sort -k1,1nr -k2 | head -n 20"
    }' "$build/report/files.csv"
