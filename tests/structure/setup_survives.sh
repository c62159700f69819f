#!/bin/sh
# scripts/setup.sh on machines that lack something, played by scripts that stand for apt-get, dpkg-query, sudo and id.
#   setup_survives.sh SOURCE
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "$1"
    [ ! -f "$work/said" ] || cat "$work/said"
    exit 1
}
mkdir -p "$work/project/scripts"
cp "$source/scripts/setup.sh" "$work/project/scripts"

# A program of the machine: name, what it does.
program() {
    printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
# A fresh machine: nothing is installed; apt can install whatever is not in $work/unknown.
machine() { # user
    rm -rf "$work/bin" "$work/installed" "$work/project/build"
    mkdir "$work/bin"
    : >"$work/installed"
    : >"$work/asked"
    for tool in sh env grep tail dirname mkdir cat; do
        ln -s "$(command -v $tool)" "$work/bin/$tool"
    done
    program id "echo $1"
    # shellcheck disable=SC2016
    program dpkg-query 'for package; do :; done
        grep -q -x -F "$package" "'"$work"'/installed" && echo "install ok installed"'
    # shellcheck disable=SC2016
    program apt-get 'echo "$*" >>"'"$work"'/asked"
        [ "$1" = install ] || exit 0
        for package; do
            case $package in install | -*) continue ;; esac
            if grep -q -x -F -e "$package" "'"$work"'/unknown"; then
                echo "E: Unable to locate package $package" >&2
                exit 100
            fi
        done
        for package; do echo "$package" >>"'"$work"'/installed"; done'
}
setup() { # task; the exit status is in $status
    status=0
    (cd "$work/project" && PATH="$work/bin" scripts/setup.sh "$1") >"$work/said" 2>&1 || status=$?
}

: >"$work/unknown"
machine 0
setup test
[ "$status" = 0 ] || fail "a bare machine can't be set up"
grep -q -x chromium "$work/installed" || fail "chromium is not installed"
setup test
[ "$(wc -l <"$work/asked")" = 2 ] || fail "apt is asked although all is there"

printf '%s\n' npm chromium >"$work/unknown"
machine 0
setup test
[ "$status" = 0 ] || fail "without npm and chromium nothing goes on"
for package in gcc g++ mandoc nodejs; do
    grep -q -x -F $package "$work/installed" || fail "$package is not installed"
done
for package in npm chromium; do
    grep -q "going on without $package: E: Unable to locate" "$work/said" || fail "nothing is said of $package"
done
: >"$work/asked"
setup test
[ "$status" = 0 ] && [ ! -s "$work/asked" ] || fail "apt is asked again for what it does not have"

echo cmake >"$work/unknown"
machine 0
setup build
[ "$status" = 2 ] && grep -q 'could not install.* cmake' "$work/said" || fail "without cmake it goes on"

: >"$work/unknown"
machine 1000
setup build
[ "$status" = 2 ] && grep -q "as root" "$work/said" || fail "who is not root is not told"
printf '%s\n' gcc libc6-dev cmake ninja-build >"$work/installed"
setup build
[ "$status" = 0 ] && grep -q "going on without libassimp-dev" "$work/said" || fail "who is not root can't go on"

# Another kind of machine.
rm "$work/bin/apt-get"
setup build
[ "$status" = 2 ] && grep -q "no Debian machine" "$work/said" || fail "another system is not told"
for tool in cc cmake ninja; do
    program $tool :
done
setup build
[ "$status" = 0 ] || fail "another system that has all it needs is refused"
echo "machines that lack something are set up as far as they can be"
