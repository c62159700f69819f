#!/bin/sh
# Is a build slower than another? Runs an area of both builds' impinge-bench in turn, several rounds, only systems of
# ours, and prints for each line the medians of both, the median of the rounds' ratios new/old and their quartiles.
# A line is `slower` when its median is more than 3 % up and three quarters of the rounds agree that it is up at
# all; the exit status is 1 then.
#   scripts/compare-bench.sh OLD_BUILD NEW_BUILD AREA [--rounds N] [options of impinge-bench]
set -eu
[ $# -ge 3 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
old=$1 new=$2 area=$3
shift 3
rounds=7
if [ "${1:-}" = --rounds ]; then
    rounds=$2
    shift 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Builds from before --only measure their peers too.
measure() {
    which=$1 build=$2 round=$3
    shift 3
    program=$build/bin/impinge-bench
    if "$program" --help | grep -q -e --only; then
        set -- "$@" --only impinge
    fi
    "$program" "$area" "$@" >"$work/out" 2>"$work/messages" || {
        echo "compare-bench.sh: $program $area failed: $(tail -n 1 "$work/messages")" >&2
        exit 2
    }
    awk -F, -v which="$which" -v round="$round" '$3 ~ /^impinge(-|$)/ && $6 != "percent" {
        print which "," round "," $1 " " $2 " " $3 " " $4 "," $5 "," $6 "," $7 }' "$work/out" >>"$work/lines"
}

round=1
while [ "$round" -le "$rounds" ]; do # who is first changes, so that neither always finds a warm machine
    if [ $((round % 2)) = 1 ]; then
        measure old "$old" "$round" "$@"
        measure new "$new" "$round" "$@"
    else
        measure new "$new" "$round" "$@"
        measure old "$old" "$round" "$@"
    fi
    round=$((round + 1))
done

awk -F, -v rounds="$rounds" '
    function sort(list, count,    i, k, value) {
        for (i = 2; i <= count; ++i) {
            value = list[i]
            for (k = i - 1; k >= 1 && list[k] > value; --k) list[k + 1] = list[k]
            list[k + 1] = value
        }
    }
    function middle(list, count) {
        return count % 2 ? list[(count + 1) / 2] : (list[count / 2] + list[count / 2 + 1]) / 2
    }
    function median_of(which, key,    list, count, round) {
        count = 0
        for (round = 1; round <= rounds; ++round) list[++count] = times[which, round, key]
        sort(list, count)
        return middle(list, count)
    }
    {
        if (!($3 in unit)) keys[++key_count] = $3
        times[$1, $2, $3] = $4
        unit[$3] = $5
        has[$1, $3] = 1
        pairs[$1, $3] = $6
    }
    END {
        printf "%-44s %10s %10s %-8s %7s %7s %7s\n", "scene regime system threads", "old", "new", "unit", "ratio", "low", "high"
        for (i = 1; i <= key_count; ++i) {
            key = keys[i]
            if (!has["old", key] || !has["new", key]) {
                printf "%-44s only in the %s build\n", key, has["old", key] ? "old" : "new"
                continue
            }
            for (round = 1; round <= rounds; ++round) ratios[round] = times["new", round, key] / times["old", round, key]
            sort(ratios, rounds)
            quarter = int((rounds - 1) / 4)
            low = ratios[1 + quarter]
            high = ratios[rounds - quarter]
            ratio = middle(ratios, rounds)
            is_slower = ratio > 1.03 && low > 1
            slower += is_slower
            printf "%-44s %10.4g %10.4g %-8s %7.3f %7.3f %7.3f%s%s\n", key, median_of("old", key), median_of("new", key),
                unit[key], ratio, low, high, is_slower ? "  slower" : "",
                pairs["old", key] == pairs["new", key] ? "" : "  other pairs: " pairs["old", key] " and " pairs["new", key]
        }
        printf "%d of %d lines more than 3 %% slower, %d rounds\n", slower, key_count, rounds
        exit slower > 0
    }' "$work/lines"
