#include "command_list.h"
#include "completion.h"

#include <string.h>

static void put_text(const char *text, const char *special, impi_Text *output)
{
    completion_put_quoted(text, strlen(text), special, "'\\''", output);
}

// ":name:action", as _arguments takes it.
static void put_place(const CompletionPlace *place, impi_Text *output)
{
    bool has_words = completion_has_words(place), has_paths = place->takes_files || place->takes_folders;
    const char *paths = place->takes_files ? "_files" : "_files -/";
    impi_text_put(output, ":");
    completion_put_quoted(place->name, place->name_length, ":\\", "'\\''", output);
    impi_text_put(output, ":");
    if (has_words && has_paths)
        impi_text_put(output, "_alternative \"words:word:");
    if (has_words) {
        impi_text_put(output, "(");
        completion_put_words(place, " ", output);
        impi_text_put(output, ")");
    }
    if (has_words && has_paths)
        impi_text_printf(output, "\" \"files:file:%s\"", paths);
    else if (has_paths)
        impi_text_put(output, paths);
    else if (!has_words)
        impi_text_put(output, " ");
}

// One spelling of an option; `other` is the one that it excludes, empty where there is none.
static void put_spelling(const OptionSpec *spec, const char *spelling, const char *other, impi_Text *output)
{
    impi_text_put(output, "                '");
    if (spec->repeatable)
        impi_text_put(output, "*");
    else if (other[0])
        impi_text_printf(output, "(%s)", other);
    impi_text_printf(output, "%s[", spelling);
    put_text(spec->help, "[]\\", output);
    impi_text_put(output, "]");
    for (int index = 0; index < spec->value_count; ++index) {
        CompletionPlace place = completion_of_value(spec, index);
        put_place(&place, output);
    }
    impi_text_put(output, "' \\\n");
}

static void put_option(const OptionSpec *spec, impi_Text *output)
{
    char letter[] = {'-', spec->letter, spec->value_count == 1 ? '+' : 0, 0};
    char letter_name[] = {'-', spec->letter, 0};
    impi_Text name;
    impi_text_begin(&name);
    impi_text_printf(&name, "--%s%s", spec->name, spec->value_count == 1 ? "=" : "");
    impi_text_append(&name, "", 1);
    if (name.out_of_memory) {
        output->out_of_memory = true;
    } else {
        put_spelling(spec, name.bytes.data, spec->letter ? letter_name : "", output);
        name.bytes.data[strlen("--") + strlen(spec->name)] = 0;
        if (spec->letter)
            put_spelling(spec, letter, name.bytes.data, output);
    }
    impi_text_free(&name);
}

static void put_leaf(const Command *command, impi_Text *output)
{
    OptionSpec spec;
    CompletionPlace place = completion_of_argument(command);
    impi_text_printf(output, "        %s)\n            _arguments -S \\\n", command_word(command));
    for (size_t i = 0; completion_option(command, i, &spec); ++i)
        put_option(&spec, output);
    impi_text_put(output, "                '*");
    put_place(&place, output);
    impi_text_put(output, "'\n            ;;\n");
}

static void put_summary(const Command *command, impi_Text *output)
{
    impi_text_printf(output, "        '%s:", command_word(command));
    put_text(command->summary, "\\", output);
    impi_text_put(output, "'\n");
}

// What is behind the name of the command, which is the first word.
static void put_command(const Command *command, impi_Text *output)
{
    if (!command->part) {
        put_leaf(command, output);
        return;
    }
    impi_text_printf(output, "        %s)\n        commands=(\n", command->name);
    for (size_t i = 0; command->part(i); ++i)
        put_summary(command->part(i), output);
    impi_text_put(output, "        )\n"
                          "        if ((CURRENT == 2)); then\n"
                          "            _describe -t commands command commands\n"
                          "            return\n"
                          "        fi\n"
                          "        shift words\n"
                          "        ((--CURRENT))\n"
                          "        case $words[1] in\n");
    for (size_t i = 0; command->part(i); ++i)
        put_leaf(command->part(i), output);
    impi_text_put(output, "        esac\n        ;;\n");
}

void completion_put_zsh(impi_Text *output)
{
    impi_text_put(output,
                  "#compdef impinge\n"
                  "# Completion of command lines of impinge in zsh, printed by 'impinge completion zsh'.\n"
                  "_impinge()\n"
                  "{\n"
                  "    local -a commands questions\n"
                  "    commands=(\n");
    for (size_t i = 0; command_list(i); ++i)
        put_summary(command_list(i), output);
    impi_text_put(output, "    )\n    questions=(\n");
    for (size_t i = 0; program_word_list(i); ++i) {
        impi_text_printf(output, "        '%s:", program_word_list(i)->word);
        put_text(program_word_list(i)->summary, "\\", output);
        impi_text_put(output, "'\n");
    }
    impi_text_put(output, "    )\n"
                          "    if ((CURRENT == 2)); then\n"
                          "        _describe -t commands command commands -- questions\n"
                          "        return\n"
                          "    fi\n"
                          "    shift words\n"
                          "    ((--CURRENT))\n"
                          "    case $words[1] in\n");
    for (size_t i = 0; command_list(i); ++i)
        put_command(command_list(i), output);
    impi_text_put(output, "        help) _describe -t commands command commands ;;\n"
                          "    esac\n"
                          "}\n"
                          "\n"
                          "# Loaded by its name it completes at once, sourced it says what for.\n"
                          "if [[ $funcstack[1] == _impinge ]]; then\n"
                          "    _impinge \"$@\"\n"
                          "else\n"
                          "    compdef _impinge impinge\n"
                          "fi\n");
}
