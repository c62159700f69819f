#include "command.h"

#include "kit/nearest_name.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const Command *const commands[] = {&command_check, &command_run,   &command_info, &command_convert,
                                          &command_hull,  &command_pairs, &command_demo};

#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static const Command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; ++i)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static CommandResult refuse_command(const char *name)
{
    const char *names[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; ++i)
        names[i] = commands[i]->name;
    const char *nearest = impi_nearest_name(name, names, COMMAND_COUNT);
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
    for (size_t i = 0; i < COMMAND_COUNT; ++i)
        impi_text_printf(output, "  %-10s%s\n", commands[i]->name, commands[i]->summary);
    impi_text_put(output, "\n"
                          "'impinge COMMAND --help' explains a command, with examples.\n"
                          "'impinge --version' tells the version.\n"
                          "Exit status: 0 done, 2 error (one line on standard error tells which);\n"
                          "'check' exits with 1 when something touches, or is nearer than it should be.\n");
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
    bool asks_for_help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0;
    if (strcmp(name, "--version") == 0) {
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
        return refuse_command(name);
    if (asks_for_help) {
        command_help(command, output);
        return COMMAND_DONE;
    }
    return run_command(command, argc - 2, argv + 2, output);
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
