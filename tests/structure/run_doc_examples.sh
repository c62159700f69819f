#!/bin/sh
# The examples of the documentation, tried as a reader would try them.
#   run_doc_examples.sh SOURCE BUILD LIBRARY_FOLDER CC FILE.md...
# - A ```c block with a main function is a whole program: it is built against the library, run, and must exit
#   with 0. A ```text block right after it is what it prints. Other C blocks are fragments and are left alone.
# - A ```console block shows commands ("$ command", continued by lines that begin with "> ") and what each
#   prints, on standard output and error together. The exit status is not looked at: an error shows in the
#   output. Blocks that call make are left alone.
# In shown output ... stands for any text. The examples of one file share a folder, which is empty at first
# but for build/ and examples/ of the project.
set -eu
source=$1 build=$2 library=$3 cc=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH="$build/bin:$PATH"
programs=0 commands=0 wrong=0

complain() { # where, what, file with details
    echo "$1: $2"
    sed 's/^/    /' "$3"
    wrong=$((wrong + 1))
}

# Each block becomes a file NUMBER.KIND, with its place in NUMBER.where; NUMBER.output names the block that
# shows what a program prints.
split_blocks() { # markdown file, folder
    awk -v folder="$2" -v name="${1#"$source"/}" '
        /^```/ && !inside {
            inside = 1
            number = sprintf("%03d", ++count)
            kind = substr($0, 4) == "" ? "plain" : substr($0, 4)
            path = folder "/" number "." kind
            printf "" >path
            print name ":" NR >(folder "/" number ".where")
            # Only blank lines may stand between a program and what it prints.
            if (kind == "text" && follows_c)
                print number >(folder "/" last_c ".output")
            next
        }
        /^```/ { inside = 0; follows_c = kind == "c"; last_c = number; close(path); next }
        inside { print >path }
        !inside && NF { follows_c = 0 }' "$1"
}

compare() { # file with what was printed, file with what the reader is shown, where, which
    pattern=$(sed 's/[][\\*?]/\\&/g; s/\.\.\./*/g' "$2")
    # shellcheck disable=SC2254
    case $(cat "$1") in
        $pattern) return ;;
    esac
    { echo "shown:" && cat "$2" && echo "printed:" && cat "$1"; } >"$work/difference"
    complain "$3" "$4 prints something else" "$work/difference"
}

run_program() { # folder of blocks, number, folder to run in
    where=$(cat "$1/$2.where")
    programs=$((programs + 1))
    if ! $cc -std=c17 -Wall -Wextra -Wpedantic -Werror -I"$source/include" -I"$build/include" "$1/$2.c" \
        -L"$library" -limpinge -lm -Wl,-rpath,"$library" -o "$1/$2.program" >"$1/$2.got" 2>&1; then
        complain "$where" "the program does not compile" "$1/$2.got"
    elif ! (cd "$3" && "$1/$2.program") >"$1/$2.got" 2>&1 </dev/null; then
        complain "$where" "the program exits with an error" "$1/$2.got"
    elif [ -f "$1/$2.output" ]; then
        compare "$1/$2.got" "$1/$(cat "$1/$2.output").text" "$where" "the program"
    fi
}

# One script that runs the commands of a block in turn, each with its output in a file of its own.
write_session() { # block
    awk -v path="$1" '
        function end_command() { if (number) print "} >" path "." number ".got 2>&1 </dev/null" }
        /^\$ / {
            end_command()
            ++number
            print "{ " substr($0, 3)
            printf "" >(path "." number ".shown")
            print >(path "." number ".command")
            in_command = 1
            next
        }
        /^> / && in_command { print substr($0, 3); next }
        number { in_command = 0; print >(path "." number ".shown") }
        END { end_command() }' "$1" >"$1.session"
}

run_session() { # folder of blocks, number, folder to run in
    block=$1/$2.console
    ! grep -q '^\$ make' "$block" || return 0
    write_session "$block"
    (cd "$3" && sh "$block.session") || true
    for command in "$block".*.command; do
        [ -f "$command" ] || continue
        commands=$((commands + 1))
        stem=${command%.command}
        [ -f "$stem.got" ] || echo "(not run)" >"$stem.got"
        compare "$stem.got" "$stem.shown" "$(cat "$1/$2.where")" "$(cat "$command")"
    done
}

files=0
for file in "$@"; do
    files=$((files + 1))
    blocks=$work/$files.blocks folder=$work/$files.folder
    mkdir "$blocks" "$folder"
    ln -s "$build" "$folder/build"
    ln -s "$source/examples" "$folder/examples"
    split_blocks "$file" "$blocks"
    for where in "$blocks"/*.where; do
        [ -f "$where" ] || continue
        number=$(basename "$where" .where)
        if [ -f "$blocks/$number.c" ] && grep -q '^int main(' "$blocks/$number.c"; then
            run_program "$blocks" "$number" "$folder"
        elif [ -f "$blocks/$number.console" ]; then
            run_session "$blocks" "$number" "$folder"
        fi
    done
done
echo "$programs programs and $commands commands in $files files, $wrong wrong"
[ "$programs" -gt 0 ] && [ "$wrong" = 0 ]
