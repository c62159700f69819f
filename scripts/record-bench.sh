#!/bin/sh
# Run benchmark areas and keep what they print, with what is needed to judge it, in bench/results/.
#   scripts/record-bench.sh BUILD AREA [options of impinge-bench]
set -eu
build=$1 area=$2
shift 2
out=bench/results/$(date +%Y-%m-%d)-$area.csv
mkdir -p bench/results
{
    echo "# commit   $(git rev-parse --short HEAD)$(git diff --quiet || echo ' and changes')"
    echo "# compiler $(cc --version | head -n 1), flags: $(sed -n 's/^CMAKE_C_FLAGS_RELEASE:STRING=//p' "$build/CMakeCache.txt")"
    echo "# cpu      $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
    echo "# date     $(date -u +%Y-%m-%dT%H:%MZ), load $(cut -d' ' -f1 /proc/loadavg)"
    echo "# command  impinge-bench $area $*"
    "$build/bin/impinge-bench" "$area" "$@" 2>/dev/null
} >"$out"
echo "$out"
