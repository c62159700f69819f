#!/bin/sh
# Includes flow one way: base -> geom -> shape -> broad, object, feature -> world -> io -> apps.
# Files below src/ME may include "base/..." up to their own room, never a later one.
set -eu
source=$1
failed=0
rank() {
    case "$1" in
        base) echo 0 ;; geom) echo 1 ;; shape) echo 2 ;; broad | object | feature) echo 3 ;;
        world) echo 4 ;; io) echo 5 ;; kit | playback) echo 6 ;; *) echo 99 ;;
    esac
}
checked=0
for file in "$source"/src/*/*.[ch]; do
    room=$(basename "$(dirname "$file")")
    [ "$(rank "$room")" != 99 ] || { echo "$file: src/$room is no room of the design"; failed=1; }
    for include in $(sed -n 's/^#include "\(.*\)".*/\1/p' "$file"); do
        checked=$((checked + 1))
        other=${include%%/*}
        if [ "$(rank "$other")" -gt "$(rank "$room")" ]; then
            echo "$file: includes $include, which is downstream of src/$room"
            failed=1
        elif [ "$other" != "$room" ] && [ "$(rank "$other")" = "$(rank "$room")" ]; then
            echo "$file: includes $include, a neighbour of src/$room"
            failed=1
        fi
    done
done
if grep -rn '#include "' "$source/include"; then
    echo "public headers include with <impinge/...> only"
    failed=1
fi
echo "$checked includes checked"
[ "$checked" -gt 0 ] && exit $failed
