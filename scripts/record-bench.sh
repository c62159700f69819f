#!/bin/sh
# Run an area of the benchmarks and keep what it prints in bench/results/, with what is needed to judge it.
#   scripts/record-bench.sh BUILD AREA [options of impinge-bench]
set -eu
[ $# -ge 2 ] || { echo "usage: scripts/record-bench.sh BUILD AREA [options of impinge-bench]" >&2; exit 2; }
build=$1 area=$2
shift 2
program=$build/bin/impinge-bench
[ -x "$program" ] || { echo "record-bench.sh: there is no $program; run 'cmake --build $build --target impinge-bench'" >&2; exit 2; }

cached() {
    sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"
}
compiler() {
    echo "$("$(cached CMAKE_C_COMPILER)" --version | head -n 1), $(cached CMAKE_BUILD_TYPE)," \
        "flags: $(cached "CMAKE_C_FLAGS_$(cached CMAKE_BUILD_TYPE | tr '[:lower:]' '[:upper:]')")"
}
cpu() {
    echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores," \
        "governor $(cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor 2>/dev/null || echo unknown)," \
        "load $(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown)"
}
peers() {
    command -v dpkg-query >/dev/null || { echo "versions unknown: no dpkg"; return; }
    for package in libassimp-dev libbullet-dev libccd-dev libcgal-dev libembree-dev libfcl-dev libode-dev libqhull-dev; do
        dpkg-query -W -f '${Status} ${Package} ${Version}\n' "$package" 2>/dev/null
    done | sed -n 's/^install ok installed //p' | paste -s -d , | sed 's/,/, /g'
}
changes() {
    [ -z "$(git status --porcelain)" ] || echo ', and changes that are not committed'
}

mkdir -p bench/results
out=bench/results/$(date -u +%Y-%m-%d)-$area.csv
unfinished=$(mktemp)
trap 'rm -f "$unfinished"' EXIT
{
    echo "# commit   $(git rev-parse --short HEAD)$(changes)"
    echo "# compiler $(compiler)"
    echo "# cpu      $(cpu)"
    echo "# system   $(uname -sr), $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release 2>/dev/null)"
    echo "# peers    $(peers)"
    echo "# date     $(date -u +%Y-%m-%dT%H:%MZ)"
    echo "# command  impinge-bench $area $*"
} >"$unfinished"
"$program" "$area" "$@" >>"$unfinished"
echo "# load     $(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown) at the end" >>"$unfinished"
cp "$unfinished" "$out"
echo "$out"
