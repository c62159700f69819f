// Ranks print nothing but through rank 0, at the end: what was found, or the one error on which all agree.
#include "commands.h"
#include "kit/text.h"
#include "rank_job.h"
#include "ranks.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const Command *const commands[] = {&rank_command_check, &rank_command_pairs};
#define COMMAND_COUNT (sizeof commands / sizeof *commands)

impi_Text rank_notes;

// ---- all ranks are the same

typedef struct Identity {
    char version[32];
    uint64_t arguments; // a hash of them
} Identity;

static Identity identity_of(int argc, char **argv)
{
    Identity own = {.arguments = 14695981039346656037u}; // FNV-1a
    snprintf(own.version, sizeof own.version, "%s", imp_version());
    for (int i = 1; i < argc; ++i)
        for (const char *at = argv[i];; ++at) {
            own.arguments = (own.arguments ^ (unsigned char)*at) * 1099511628211u;
            if (!*at)
                break;
        }
    return own;
}

static CommandResult check_identity(int rank, int argc, char **argv)
{
    Identity own = identity_of(argc, argv), first = own;
    MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (strcmp(first.version, own.version) != 0)
        return command_fail("rank %d runs version %s, rank 0 version %s", rank, own.version, first.version);
    if (first.arguments != own.arguments)
        return command_fail("rank %d has other arguments than rank 0", rank);
    return COMMAND_DONE;
}

// ---- commands

static void put_help(impi_Text *output)
{
    impi_text_put(output, "impinge-mpi: exact collision detection on many processes\n"
                          "\n"
                          "usage: mpirun -n N impinge-mpi COMMAND [ARGUMENTS]\n"
                          "\n"
                          "commands:\n");
    for (size_t i = 0; i < COMMAND_COUNT; ++i)
        impi_text_printf(output, "  %-12s%s\n", commands[i]->name, commands[i]->summary);
    impi_text_put(output,
                  "\n"
                  "'impinge-mpi COMMAND --help' explains a command, with examples. 'impinge pairs\n"
                  "--ranks N' starts mpirun for you.\n"
                  "'impinge-mpi --version' tells the version.\n"
                  "Exit status: 0 done, 2 error (one line on standard error tells which); of check, 1\n"
                  "when something touches.\n");
}

static bool is_word(const char *word, const char *name, const char *option, const char *letter)
{
    return strcmp(word, name) == 0 || strcmp(word, option) == 0 || strcmp(word, letter) == 0;
}

static const Command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; ++i)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static CommandResult run_command(const Command *command, int count, char **arguments, impi_Text *output)
{
    Options options;
    OptionsResult parsed = options_parse(&command->options, count, arguments, &options);
    CommandResult result = COMMAND_DONE;
    if (parsed == OPTIONS_BAD)
        result =
            command_fail("%s: %s; see 'impinge-mpi %s --help'", command->name, options.error, command->name);
    // Memory may have run out on one rank.
    result = rank_errors_agree(result);
    if (result == COMMAND_DONE && parsed == OPTIONS_HELP)
        command_help(command, output);
    else if (result == COMMAND_DONE)
        result = command->run(&options, output);
    options_free(&options);
    return result;
}

static CommandResult dispatch(int argc, char **argv, impi_Text *output)
{
    if (argc < 2)
        return command_fail("no command; 'impinge-mpi --help' lists them");
    if (is_word(argv[1], "version", "--version", "-V")) {
        impi_text_printf(output, "impinge-mpi %s\n", imp_version());
        return COMMAND_DONE;
    }
    if (is_word(argv[1], "help", "--help", "-h")) {
        put_help(output);
        return COMMAND_DONE;
    }
    const Command *command = find_command(argv[1]);
    if (!command)
        return command_fail("unknown command '%s'; 'impinge-mpi --help' lists them", argv[1]);
    return run_command(command, argc - 2, argv + 2, output);
}

// ---- printing

static CommandResult print(bool is_framed, CommandResult result, const impi_Text *output)
{
    const char *error = rank_errors_line();
    bool has_failed = result == COMMAND_FAILED;
    size_t out_size = has_failed ? 0 : output->bytes.count;
    const char *notes = has_failed ? error : rank_notes.bytes.data;
    size_t notes_size = has_failed ? strlen(error) : rank_notes.bytes.count;
    if (!is_framed && has_failed) {
        command_catch_errors(NULL, 0);
        return command_fail("%s", error);
    }
    if (is_framed)
        printf(RANKS_FRAME_FORMAT, imp_version(), (int)result, out_size, notes_size);
    if (out_size > 0)
        fwrite(output->bytes.data, 1, out_size, stdout);
    if (notes_size > 0)
        fwrite(notes, 1, notes_size, is_framed ? stdout : stderr);
    return result;
}

static CommandResult finish(bool is_framed, CommandResult result, const impi_Text *output)
{
    if (result != COMMAND_FAILED && (output->out_of_memory || rank_notes.out_of_memory))
        result = command_fail("out of memory");
    result = print(is_framed, result, output);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        command_catch_errors(NULL, 0);
        result = command_fail("standard output: can't be written");
    }
    return result;
}

int main(int argc, char **argv)
{
    int rank, given;
    impi_Text output;
    // A limit on the size of files is to be an error that we report, not the end of the program.
    signal(SIGXFSZ, SIG_IGN);
    command_family = "impinge-mpi";
    rank_errors_catch();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    impi_text_begin(&output);
    impi_text_begin(&rank_notes);
    bool is_framed = argc > 1 && strcmp(argv[1], RANKS_FRAME) == 0;
    CommandResult result = rank_errors_agree(check_identity(rank, argc, argv));
    if (result == COMMAND_DONE)
        result = dispatch(argc - is_framed, argv + is_framed, &output);
    if (rank == 0)
        result = finish(is_framed, result, &output);
    int status = (int)result;
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    impi_text_free(&output);
    impi_text_free(&rank_notes);
    MPI_Finalize();
    return status;
}
