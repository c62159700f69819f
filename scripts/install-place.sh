# shellcheck shell=sh
# For install.sh and uninstall.sh, which must name the same place in the same way.
absolute_place() { # folder: from the root, without slashes at its end; nothing stays nothing
    case $1 in /* | '') place=$1 ;; *) place=$PWD/$1 ;; esac
    while :; do
        case $place in ?*/) place=${place%/} ;; *) break ;; esac
    done
    printf '%s\n' "$place"
}
