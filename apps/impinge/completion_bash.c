#include "command_list.h"
#include "completion.h"

static const char beginning[] =
    "# Completion of command lines of impinge in bash, printed by 'impinge completion bash'.\n"
    "\n"
    "# Complete \"$current\" from words.\n"
    "_impinge_words()\n"
    "{\n"
    "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W \"$1\" -- \"$current\")\n"
    "}\n"
    "\n"
    "# Complete \"$current\" as a path: -f for files, -d for folders.\n"
    "_impinge_paths()\n"
    "{\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen \"$1\" -- \"$current\")\n"
    "}\n"
    "\n"
    "_impinge()\n"
    "{\n"
    "    local current=${COMP_WORDS[COMP_CWORD]} last=$((COMP_CWORD - 1)) command=${COMP_WORDS[1]} options=\n"
    "    COMPREPLY=()\n"
    "    if ((COMP_CWORD == 1)); then\n";

static const char values_beginning[] = "    # Bash takes --name=VALUE for three words.\n"
                                       "    if [[ $current == = ]]; then\n"
                                       "        current=\n"
                                       "    elif [[ ${COMP_WORDS[last]} == = ]]; then\n"
                                       "        ((--last))\n"
                                       "    fi\n";

static void put_place(const CompletionPlace *place, const char *indentation, impi_Text *output)
{
    if (completion_has_words(place)) {
        impi_text_printf(output, "%s_impinge_words \"", indentation);
        completion_put_words(place, " ", output);
        impi_text_put(output, "\"\n");
    }
    if (place->takes_files || place->takes_folders)
        impi_text_printf(output, "%s_impinge_paths %s\n", indentation, place->takes_files ? "-f" : "-d");
}

// The branches for value number `index` of options: what follows the option by so many words.
static void put_values(int index, impi_Text *output)
{
    OptionSpec spec;
    impi_text_printf(output, "    case \"$command ${COMP_WORDS[last - %d]}\" in\n", index);
    for (size_t i = 0; command_leaf(i); ++i)
        for (size_t k = 0; completion_option(command_leaf(i), k, &spec); ++k) {
            if (spec.value_count <= index)
                continue;
            CompletionPlace place = completion_of_value(&spec, index);
            impi_text_printf(output, "        \"%s --%s\"", command_leaf(i)->name, spec.name);
            if (spec.letter)
                impi_text_printf(output, " | \"%s -%c\"", command_leaf(i)->name, spec.letter);
            impi_text_put(output, ")\n");
            put_place(&place, "            ", output);
            impi_text_put(output, "            return\n            ;;\n");
        }
    impi_text_put(output, "    esac\n");
}

// Where two words make a command, the second is completed, and both are compared from then on.
static void put_parts(impi_Text *output)
{
    impi_text_put(output, "    case $command in\n");
    for (size_t i = 0; command_list(i); ++i) {
        const Command *command = command_list(i);
        if (!command->part)
            continue;
        impi_text_printf(output, "        %s)\n            if ((COMP_CWORD == 2)); then\n", command->name);
        impi_text_put(output, "                _impinge_words \"");
        for (size_t k = 0; command->part(k); ++k)
            impi_text_printf(output, "%s ", command_word(command->part(k)));
        impi_text_put(output, "--help -h\"\n                return\n            fi\n"
                              "            command=\"$command ${COMP_WORDS[2]}\" ;;\n");
    }
    impi_text_put(output, "    esac\n");
}

static void put_options(impi_Text *output)
{
    OptionSpec spec;
    impi_text_put(output, "    case $command in\n");
    for (size_t i = 0; command_leaf(i); ++i) {
        impi_text_printf(output, "        \"%s\") options=\"", command_leaf(i)->name);
        for (size_t k = 0; completion_option(command_leaf(i), k, &spec); ++k) {
            impi_text_printf(output, "%s--%s", k ? " " : "", spec.name);
            if (spec.letter)
                impi_text_printf(output, " -%c", spec.letter);
        }
        impi_text_put(output, "\" ;;\n");
    }
    impi_text_put(output, "    esac\n"
                          "    if [[ $current == -* ]]; then\n"
                          "        _impinge_words \"$options\"\n"
                          "        return\n"
                          "    fi\n");
}

static void put_arguments(impi_Text *output)
{
    impi_text_put(output, "    case $command in\n");
    for (size_t i = 0; command_leaf(i); ++i) {
        CompletionPlace place = completion_of_argument(command_leaf(i));
        impi_text_printf(output, "        \"%s\")\n", command_leaf(i)->name);
        put_place(&place, "            ", output);
        impi_text_put(output, "            ;;\n");
    }
    impi_text_put(output, "        help) _impinge_words \"");
    for (size_t i = 0; command_list(i); ++i)
        impi_text_printf(output, "%s%s", i ? " " : "", command_list(i)->name);
    impi_text_put(output, "\" ;;\n    esac\n");
}

void completion_put_bash(impi_Text *output)
{
    impi_text_put(output, beginning);
    impi_text_put(output, "        _impinge_words \"");
    for (size_t i = 0; command_list(i); ++i)
        impi_text_printf(output, "%s ", command_list(i)->name);
    for (size_t i = 0; program_word_list(i); ++i)
        impi_text_printf(output, "%s%s", i ? " " : "", program_word_list(i)->word);
    impi_text_put(output, "\"\n        return\n    fi\n");
    put_parts(output);
    impi_text_put(output, values_beginning);
    for (int index = MAX_OPTION_VALUES - 1; index >= 0; --index)
        put_values(index, output);
    put_options(output);
    put_arguments(output);
    impi_text_put(output, "}\ncomplete -F _impinge impinge\n");
}
