#!/bin/sh
# Build the fuzzers with clang and run each for SECONDS (default 60), one after the other, starting from
# fuzz/corpus. What they find beyond it is kept in build/fuzz/found and starts the next run. Ends with status
# 1 at the first finding, whose input is written to build/fuzz.
set -eu
seconds=${1:-60}
root=$(cd "$(dirname "$0")/.." && pwd)
build=${FUZZ_BUILD_DIR:-$root/build/fuzz}

if ! command -v clang >/dev/null; then
    echo "fuzz: clang is not installed (packages clang and libclang-rt-dev)" >&2
    exit 2
fi
cmake -S "$root/fuzz" -B "$build" -G Ninja -DCMAKE_C_COMPILER=clang >/dev/null
cmake --build "$build" >/dev/null
for format in $(cat "$build/fuzzers"); do
    mkdir -p "$build/found/$format"
    echo "fuzz: $format for $seconds s"
    if ! "$build/fuzz-$format" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix="$build/$format-" "$build/found/$format" "$root/fuzz/corpus/$format" \
        >"$build/$format.log" 2>&1; then
        tail -n 40 "$build/$format.log" >&2
        echo "fuzz: $format has a finding; see $build" >&2
        exit 1
    fi
    tail -n 1 "$build/$format.log"
done
