#include "command_list.h"
#include "completion.h"

#include <string.h>

static const char beginning[] =
    "# Completion of command lines of impinge in fish, printed by 'impinge completion fish'.\n"
    "function __impinge_has_command\n"
    "    set -l words (commandline -opc)\n"
    "    set -l last (math (count $argv) + 1)\n"
    "    test (count $words) -ge $last; and test \"$words[2..$last]\" = \"$argv\"\n"
    "end\n"
    "function __impinge_lacks_word\n"
    "    set -l words (commandline -opc)\n"
    "    test (count $words) -eq 2; and test \"$words[2]\" = $argv[1]\n"
    "end\n"
    "function __impinge_lacks_command\n"
    "    test (count (commandline -opc)) -eq 1\n"
    "end\n"
    "complete -c impinge -f\n";

static void put_description(const char *text, impi_Text *output)
{
    impi_text_put(output, " -d '");
    completion_put_quoted(text, strlen(text), "\\", "\\'", output);
    impi_text_put(output, "'\n");
}

// After a condition: what can stand in a place. Fish joins files, folders and words by itself.
static void put_place(const CompletionPlace *place, impi_Text *output)
{
    if (place->takes_files)
        impi_text_put(output, " -F");
    else
        impi_text_put(output, " -f");
    if (!completion_has_words(place) && (place->takes_files || !place->takes_folders))
        return;
    impi_text_put(output, " -a '");
    completion_put_words(place, " ", output);
    if (place->takes_folders && !place->takes_files)
        impi_text_put(output, "(__fish_complete_directories)");
    impi_text_put(output, "'");
}

static void put_option(const Command *command, const OptionSpec *spec, impi_Text *output)
{
    impi_text_printf(output, "complete -c impinge -n '__impinge_has_command %s' -l %s", command->name,
                     spec->name);
    if (spec->letter)
        impi_text_printf(output, " -s %c", spec->letter);
    if (spec->value_count > 0) {
        CompletionPlace place = completion_of_value(spec, 0); // fish knows no second one
        impi_text_put(output, " -r");
        put_place(&place, output);
    }
    put_description(spec->help, output);
}

static void put_word(const char *condition, const char *word, const char *summary, impi_Text *output)
{
    impi_text_printf(output, "complete -c impinge -n '%s' -a '%s'", condition, word);
    put_description(summary, output);
}

static void put_parts(const Command *command, impi_Text *output)
{
    impi_Text condition;
    impi_text_begin(&condition);
    impi_text_printf(&condition, "__impinge_lacks_word %s", command->name);
    impi_text_append(&condition, "", 1);
    output->out_of_memory |= condition.out_of_memory;
    for (size_t i = 0; command->part && command->part(i) && !condition.out_of_memory; ++i)
        put_word(condition.bytes.data, command_word(command->part(i)), command->part(i)->summary, output);
    impi_text_free(&condition);
}

void completion_put_fish(impi_Text *output)
{
    OptionSpec spec;
    impi_text_put(output, beginning);
    for (size_t i = 0; command_list(i); ++i) {
        put_word("__impinge_lacks_command", command_list(i)->name, command_list(i)->summary, output);
        put_word("__impinge_has_command help", command_list(i)->name, command_list(i)->summary, output);
    }
    for (size_t i = 0; program_word_list(i); ++i)
        put_word("__impinge_lacks_command", program_word_list(i)->word, program_word_list(i)->summary,
                 output);
    for (size_t i = 0; command_list(i); ++i)
        put_parts(command_list(i), output);
    for (size_t i = 0; command_leaf(i); ++i) {
        CompletionPlace place = completion_of_argument(command_leaf(i));
        impi_text_printf(output, "complete -c impinge -n '__impinge_has_command %s'", command_leaf(i)->name);
        put_place(&place, output);
        impi_text_put(output, "\n");
        for (size_t k = 0; completion_option(command_leaf(i), k, &spec); ++k)
            put_option(command_leaf(i), &spec, output);
    }
}
