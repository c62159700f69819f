#!/bin/sh
# Whoever ignores the status of a public function is warned, in C17 and (where there is a C++ compiler) in C++17.
set -eu
source=$1 build=$2 cc=$3
unmarked=$(grep -n 'IMP_API imp_Status' "$source"/include/impinge/*.h || true)
[ -z "$unmarked" ] || { echo "IMP_CHECKED is missing: $unmarked"; exit 1; }

flags="-Wall -Werror -fsyntax-only -I$source/include -I$build/include"
compiles() {
    printf '#include <impinge/base.h>\nint main(void) { %s }\n' "$1" >"$work/user.c"
    $cc -std=c17 $flags "$work/user.c" 2>"$work/complaint" || return 1
    ! command -v c++ >/dev/null || c++ -std=c++17 $flags -x c++ "$work/user.c" 2>"$work/complaint"
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compiles 'return imp_context_create(NULL, NULL) == IMP_STATUS_OK;' || { cat "$work/complaint"; exit 1; }
! compiles 'imp_context_create(NULL, NULL);' || { echo "nobody warns of an ignored status"; exit 1; }
grep -q 'unused' "$work/complaint" || { cat "$work/complaint"; exit 1; }
echo "$(grep -c '^IMP_CHECKED' "$source"/include/impinge/*.h | awk -F: '{n += $2} END {print n}') functions return a status"
