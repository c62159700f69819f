#!/bin/sh
# The large random counts. Prints each program's own report; stops at the first failure.
set -eu
build=$1
run() {
    name=$1
    shift
    echo "== $name $*"
    "$build/tests/$name" "$@"
}
run test-property-orientation --count 10000000
run test-property-triangle_triangle --count 10000000
run test-property-segment_triangle --count 3000000
run test-property-triangle_box --count 3000000
