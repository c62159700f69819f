#!/bin/sh
# The completions that the program prints, loaded and used by the shells they are for. A shell that is not
# installed is left out; without any the test is skipped.
#   completions.sh SOURCE IMPINGE
set -eu
source=$1 impinge=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tried="" wrong=0
mkdir "$work/folder" "$work/folder/below"
: >"$work/folder/a b.ply"
cd "$work/folder"

expect() { # shell, command line, what it is completed to, what was wanted
    [ "$3" = "$4" ] && return
    echo "$1 completes '$2' to '$3' instead of '$4'"
    wrong=$((wrong + 1))
}
has_shell() {
    command -v "$1" >/dev/null || { echo "left out: $1 is not installed"; return 1; }
    tried="$tried $1"
    "$impinge" completion "$1" >"$work/$1"
}

# Words of a command line, the last of which is completed; the candidates, sorted.
in_bash() {
    bash -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _impinge; printf "%s\n" "${COMPREPLY[@]}"' \
        "$work/bash" "$@" | LC_ALL=C sort | paste -s -d , -
}
if has_shell bash; then
    bash -n "$work/bash"
    expect bash 'impinge ch' "$(in_bash impinge ch)" check
    expect bash 'impinge check --pi' "$(in_bash impinge check --pi)" --picture
    expect bash 'impinge check --method ' "$(in_bash impinge check --method '')" exact-boxes,posed-boxes,smith-1994
    expect bash 'impinge check --method=sm' "$(in_bash impinge check --method = sm)" smith-1994
    expect bash 'impinge check -o a' "$(in_bash impinge check -o a)" 'a b.ply'
    expect bash 'impinge check ' "$(in_bash impinge check '')" 'a b.ply,below'
    expect bash 'impinge check --pose ' "$(in_bash impinge check --pose '')" ''
    expect bash 'impinge run --pictures ' "$(in_bash impinge run --pictures '')" below
    expect bash 'impinge run shu' "$(in_bash impinge run shu)" shuttles
    expect bash 'impinge help inf' "$(in_bash impinge help inf)" info
    expect bash 'impinge octree co' "$(in_bash impinge octree co)" combine,convert
    expect bash 'impinge octree build --ru' "$(in_bash impinge octree build --ru)" --rule
    expect bash 'impinge octree build --rule in' "$(in_bash impinge octree build --rule in)" inner
    expect bash 'impinge octree move --rule ' "$(in_bash impinge octree move --rule '')" centre,overlap,touch
    expect bash 'impinge octree combine uni' "$(in_bash impinge octree combine uni)" union
    expect bash 'impinge octree info ' "$(in_bash impinge octree info '')" 'a b.ply,below'
    expect bash 'impinge completion ' "$(in_bash impinge completion '')" bash,fish,zsh
fi

in_fish() { # a command line
    fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$work/fish" "$1" | cut -f 1 | LC_ALL=C sort |
        paste -s -d , -
}
if has_shell fish; then
    export HOME="$work" XDG_CONFIG_HOME="$work" XDG_DATA_HOME="$work"
    expect fish 'impinge ch' "$(in_fish 'impinge ch')" check
    expect fish 'impinge check --pi' "$(in_fish 'impinge check --pi')" --picture
    expect fish 'impinge check --method ' "$(in_fish 'impinge check --method ')" exact-boxes,posed-boxes,smith-1994
    expect fish 'impinge check -o a' "$(in_fish 'impinge check -o a')" 'a b.ply'
    expect fish 'impinge run --pictures ' "$(in_fish 'impinge run --pictures ')" below/
    expect fish 'impinge run shu' "$(in_fish 'impinge run shu')" shuttles
    expect fish 'impinge octree co' "$(in_fish 'impinge octree co')" combine,convert
    expect fish 'impinge octree build --ru' "$(in_fish 'impinge octree build --ru')" --rule
    expect fish 'impinge octree move --rule ' "$(in_fish 'impinge octree move --rule ')" centre,overlap,touch
    expect fish 'impinge octree combine uni' "$(in_fish 'impinge octree combine uni')" union
    expect fish 'impinge help inf' "$(in_fish 'impinge help inf')" info
fi

in_zsh() { # a command line
    zsh -f "$source/tests/structure/completions.zsh" "$work/zsh" "$1"
}
if has_shell zsh; then
    zsh -n "$work/zsh"
    completer=$(zsh -f -c 'autoload -Uz compinit && compinit -u -D; source "$0"; print $_comps[impinge]' "$work/zsh")
    expect zsh 'impinge' "$completer" _impinge
    if ! zsh -f -c 'zmodload zsh/zpty && zpty try true' 2>/dev/null; then
        echo "left out: zsh can't complete here, where there is no pseudo terminal"
    else
        expect zsh 'impinge ch' "$(in_zsh 'impinge ch')" 'impinge check '
        expect zsh 'impinge check --pi' "$(in_zsh 'impinge check --pi')" 'impinge check --picture='
        expect zsh 'impinge check --method sm' "$(in_zsh 'impinge check --method sm')" 'impinge check --method smith-1994 '
        expect zsh 'impinge check -o a' "$(in_zsh 'impinge check -o a')" 'impinge check -o a\ b.ply '
        expect zsh 'impinge octree comb' "$(in_zsh 'impinge octree comb')" 'impinge octree combine '
        expect zsh 'impinge octree build --ru' "$(in_zsh 'impinge octree build --ru')" 'impinge octree build --rule='
        expect zsh 'impinge octree move --rule ov' "$(in_zsh 'impinge octree move --rule ov')" 'impinge octree move --rule overlap '
        expect zsh 'impinge run shu' "$(in_zsh 'impinge run shu')" 'impinge run shuttles '
    fi
fi

[ -n "$tried" ] || exit 77
# All options of all commands reach all shells.
list_commands() { # words...: what their help lists
    "$impinge" "$@" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}
options=0
for command in $(for first in $(list_commands); do
    echo "$first"
    list_commands "$first" | sed "s/^/$first,/"
done); do
    # shellcheck disable=SC2086 # two words
    for option in $("$impinge" $(echo "$command" | tr , ' ') --help | sed -n 's/^  \(-., \|    \)--\([a-z0-9-]*\).*/\2/p'); do
        options=$((options + 1))
        for shell in $tried; do
            grep -q -e "-l $option " -e "--$option\\b" "$work/$shell" || {
                echo "$shell knows nothing of impinge $command --$option"
                wrong=$((wrong + 1))
            }
        done
    done
done
echo "shells:$tried; $options options, $wrong wrong"
[ "$options" -gt 20 ] && [ "$wrong" = 0 ]
