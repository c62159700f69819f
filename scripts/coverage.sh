#!/bin/sh
# Run the tests of a build with IMPINGE_COVERAGE and tell how many lines of src/ they run: a table by room, then the
# files with the most lines that no test reaches. Which lines those are stands in BUILD/report/index.html.
#   scripts/coverage.sh BUILD
set -eu
build=$1
find "$build" -name '*.gcda' -delete # counts of earlier runs
ctest --preset "$(basename "$build")" || { echo "coverage: a test failed" >&2; exit 1; }

# lcov, because gcovr stops where a header of kernels defines a function of the same name twice.
lcov --quiet --capture --directory "$build" --include "$PWD/src/*" --output-file "$build/lines.info" 2>/dev/null
genhtml --quiet --prefix "$PWD" --output-directory "$build/report" "$build/lines.info" 2>/dev/null

awk -F '[:,]' -v root="$PWD/src/" '
    $1 == "SF" { file = substr($2, length(root) + 1) }
    $1 == "DA" { runs[file "," $2] += $3 }
    function row(name, lines, missed) {
        return sprintf("%-12s %7d %7d %7.1f %%", name, lines, missed, 100 * (lines - missed) / lines)
    }
    END {
        for (key in runs) {
            split(key, place, ",")
            room = place[1]
            sub(/\/.*/, "", room)
            ++lines[room]
            missed[room] += runs[key] == 0
            missed_in[place[1]] += runs[key] == 0
            ++all
            all_missed += runs[key] == 0
        }
        printf "%-12s %7s %7s %9s\n", "src/", "lines", "not run", "run"
        fflush()
        for (room in lines) print row(room, lines[room], missed[room]) | "sort"
        close("sort")
        print row("all", all, all_missed)
        print "\nmost lines not run:"
        fflush()
        order = "sort -k1,1nr -k2 | head -n 20"
        for (file in missed_in) if (missed_in[file]) printf "%5d  src/%s\n", missed_in[file], file | order
    }' "$build/lines.info"
