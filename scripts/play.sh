#!/bin/sh
# What `make run` plays, with a page to look at; where the build has no page, why not and how to mend that.
#   scripts/play.sh BUILD
set -eu
build=$1
mkdir -p "$build/demo"
set -- run shuttles --plot "$build/demo/shuttles.svg"
[ -f "$build/page-left-out" ] || set -- "$@" --html "$build/demo/shuttles.html"
"$build/bin/impinge" "$@"
if [ -f "$build/page-left-out" ]; then
    echo
    cat "$build/page-left-out"
fi
