#include "command_list.h"

#include "kit/argument_text.h"
#include "kit/nearest_name.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define MAX_COMMANDS 32 // and questions, for suggestions

static const Command *find_command(const char *name)
{
    for (size_t i = 0; command_list(i); ++i)
        if (strcmp(command_list(i)->name, name) == 0)
            return command_list(i);
    return NULL;
}

static ProgramQuestion find_question(const char *word)
{
    for (size_t i = 0; program_word_list(i); ++i)
        if (strcmp(program_word_list(i)->word, word) == 0)
            return program_word_list(i)->question;
    return NO_QUESTION;
}

static CommandResult refuse_command(const char *name, bool is_alone)
{
    // Whoever begins with files wants them compared, or to know what one is like.
    if (impi_file_is_native(name))
        return command_fail("'%s' is a file, no command; did you mean 'impinge %s %s%s'?", name,
                            is_alone ? "info" : "check", name, is_alone ? "" : " ...");
    const char *names[MAX_COMMANDS];
    size_t count = 0;
    for (size_t i = 0; command_list(i) && count < MAX_COMMANDS; ++i)
        names[count++] = command_list(i)->name;
    for (size_t i = 0; program_word_list(i) && count < MAX_COMMANDS; ++i)
        names[count++] = program_word_list(i)->word;
    const char *nearest = impi_nearest_name(name, names, count);
    const char *what = name[0] == '-' ? "option" : "command";
    if (nearest)
        return command_fail("unknown %s '%s', did you mean '%s'?", what, name, nearest);
    return command_fail("unknown %s '%s'; 'impinge --help' lists the commands", what, name);
}

static void put_help(impi_Text *output)
{
    impi_text_put(output, "impinge: exact collision detection for triangle meshes\n"
                          "\n"
                          "usage: impinge COMMAND [ARGUMENTS]\n"
                          "\n"
                          "commands:\n");
    for (size_t i = 0; command_list(i); ++i)
        impi_text_printf(output, "  %-12s%s\n", command_list(i)->name, command_list(i)->summary);
    impi_text_put(output, "\n"
                          "'impinge COMMAND --help' explains a command, with examples.\n"
                          "'impinge version', --version or -V tells the version.\n"
                          "Exit status: 0 done, 2 error (one line on standard error tells which);\n"
                          "'check' exits with 1 when something touches, or is nearer than it should be,\n"
                          "'sweep' when something meets on its way, and 'run --fail-on' when it finds\n"
                          "that.\n");
}

static CommandResult refuse_part(const Command *command, const char *word)
{
    const char *names[MAX_COMMANDS];
    size_t count = 0;
    for (; command->part(count) && count < MAX_COMMANDS; ++count)
        names[count] = command_word(command->part(count));
    const char *nearest = impi_nearest_name(word, names, count);
    if (nearest)
        return command_fail("unknown command '%s %s', did you mean '%s %s'?", command->name, word,
                            command->name, nearest);
    return command_fail("unknown command '%s %s'; 'impinge %s --help' lists them", command->name, word,
                        command->name);
}

// The part that a word stands for; null after saying that it is none.
static const Command *find_part(const Command *command, const char *word)
{
    for (size_t i = 0; command->part(i); ++i)
        if (strcmp(command_word(command->part(i)), word) == 0)
            return command->part(i);
    refuse_part(command, word);
    return NULL;
}

static CommandResult run_command(const Command *command, int count, char **arguments, impi_Text *output)
{
    Options options;
    CommandResult result = COMMAND_DONE;
    switch (options_parse(&command->options, count, arguments, &options)) {
    case OPTIONS_OK:
        result = command->run(&options, output);
        break;
    case OPTIONS_HELP:
        command_help(command, output);
        break;
    case OPTIONS_BAD:
        result = command_fail("%s: %s; see 'impinge %s --help'", command->name, options.error, command->name);
        break;
    }
    options_free(&options);
    return result;
}

static CommandResult dispatch(int argc, char **argv, impi_Text *output)
{
    if (argc < 2)
        return command_fail("no command; 'impinge --help' lists them");
    const char *name = argv[1];
    ProgramQuestion question = find_question(name);
    bool asks_for_help = question == HELP_QUESTION;
    if (question == VERSION_QUESTION) {
        impi_text_printf(output, "impinge %s\n", imp_version());
        return COMMAND_DONE;
    }
    if (asks_for_help && argc == 2) {
        put_help(output);
        return COMMAND_DONE;
    }
    if (asks_for_help)
        name = argv[2];
    const Command *command = find_command(name);
    if (!command)
        return refuse_command(name, argc == 2);
    // What stands behind the name of the command.
    int skipped = asks_for_help ? 3 : 2;
    const char *word = argc > skipped ? argv[skipped] : NULL;
    if (command->part && word && find_question(word) == HELP_QUESTION)
        asks_for_help = true;
    else if (command->part && word) {
        command = find_part(command, word);
        ++skipped;
    } else if (command->part && !asks_for_help)
        return command_fail("%s: a command is missing; 'impinge %s --help' lists them", name, name);
    if (!command)
        return COMMAND_FAILED;
    if (asks_for_help) {
        command_help(command, output);
        return COMMAND_DONE;
    }
    return run_command(command, argc - skipped, argv + skipped, output);
}

static CommandResult print_output(const impi_Text *output)
{
    if (output->out_of_memory)
        return command_fail("out of memory");
    size_t size = output->bytes.count;
    if (size == 0)
        return COMMAND_DONE;
    int error = fwrite(output->bytes.data, 1, size, stdout) == size ? 0 : errno;
    // Some file systems tell only when a file is closed that there was no room.
    if (fclose(stdout) != 0 && !error)
        error = errno;
    return error ? command_fail("standard output: %s", strerror(error)) : COMMAND_DONE;
}

int main(int argc, char **argv)
{
    impi_Text output;
    if (argc > 0)
        command_program = argv[0];
    // A limit on the size of files is to be an error that we report, not the end of the program.
    signal(SIGXFSZ, SIG_IGN);
    impi_text_begin(&output);
    CommandResult result = dispatch(argc, argv, &output);
    if (result != COMMAND_FAILED && print_output(&output) == COMMAND_FAILED)
        result = COMMAND_FAILED;
    command_end_remarks(result != COMMAND_FAILED);
    impi_text_free(&output);
    return (int)result;
}
