# What zsh makes of command lines when tab is pressed behind them, in an interactive shell on a terminal of its own.
#   zsh -f completions.zsh SCRIPT LINE...
# prints the completed lines.
zmodload zsh/zpty
script=$1 result=$(mktemp)
shift
zpty shell zsh -f -i
zpty -w shell "autoload -Uz compinit && compinit -u -D; source ${(q)script}"
zpty -w shell "complete_and_tell() { zle expand-or-complete; print -r -- \$BUFFER >${(q)result} }"
zpty -w shell "zle -N complete_and_tell; bindkey '^I' complete_and_tell"
for line in "$@"; do
    : >$result
    zpty -w -n shell "$line"$'\t'
    for ((i = 0; i < 200; ++i)); do
        [[ -s $result ]] && break
        sleep 0.05
    done
    cat $result
    zpty -w -n shell $'\C-U'
done
zpty -d shell
rm -f $result
