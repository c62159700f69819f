// mpirun prints whatever it likes, on both streams of its own and of the ranks: so what impinge-mpi has to
// say comes framed (ranks.h), and all else is thrown away.
#define _XOPEN_SOURCE 700 // readlink

#include "ranks.h"

#include "arguments.h"
#include "rank_process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_RANKS      100000
#define MAX_PATH       4096
#define PROGRAM        "impinge-mpi"
#define FIXED_WORDS    16 // of the command line, besides options and arguments
#define MAX_FRAME_LINE 128

// Beside the running program, so that it is of the same version, or wherever mpirun finds it.
static void find_program(char path[MAX_PATH])
{
    ssize_t length = readlink("/proc/self/exe", path, MAX_PATH - sizeof PROGRAM);
    char *name = NULL;
    if (length > 0) {
        path[length] = 0;
        name = strrchr(path, '/');
    }
    if (name)
        strcpy(name + 1, PROGRAM);
    if (!name || access(path, X_OK) != 0)
        strcpy(path, PROGRAM);
}

static bool is_in_path(const char *program)
{
    const char *path = getenv("PATH");
    char name[MAX_PATH];
    if (strchr(program, '/'))
        return access(program, X_OK) == 0;
    for (const char *folder = path; folder && *folder;) {
        int length = (int)strcspn(folder, ":");
        snprintf(name, sizeof name, "%.*s/%s", length, folder, program);
        if (access(name, X_OK) == 0)
            return true;
        folder += length + (folder[length] == ':');
    }
    return false;
}

static CommandResult check_programs(const char *program)
{
    if (!is_in_path("mpirun"))
        return command_fail(
            "--ranks needs mpirun, which is not in PATH: install Debian's openmpi-bin, or another "
            "Open MPI");
    if (!is_in_path(program))
        return command_fail("--ranks needs " PROGRAM
                            ", which is neither beside this program nor in PATH: build "
                            "impinge where libopenmpi-dev and openmpi-bin are installed");
    return COMMAND_DONE;
}

// ---- the command line

typedef struct Words {
    const char **words;
    char *texts; // --name=value
    size_t count, used;
} Words;

static void put_word(Words *line, const char *word)
{
    line->words[line->count++] = word;
}

static void put_option(Words *line, const OptionUse *use)
{
    char *text = line->texts + line->used;
    int length = use->values[0] ? sprintf(text, "--%s=%s", use->spec->name, use->values[0])
                                : sprintf(text, "--%s", use->spec->name);
    line->used += (size_t)length + 1;
    put_word(line, text);
}

// A scheduler tells mpirun where to run and how much.
static bool has_scheduler(void)
{
    static const char *const names[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "PE_HOSTFILE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (getenv(names[i]))
            return true;
    return false;
}

static bool is_for_launcher(const OptionUse *use)
{
    return strcmp(use->spec->name, "ranks") == 0 || strcmp(use->spec->name, "hostfile") == 0;
}

static bool make_words(const Command *command, const Options *options, const char *program, Words *line)
{
    const char *hostfile = options_value(options, "hostfile");
    size_t size = 0;
    for (size_t i = 0; i < options->use_count; ++i)
        size += strlen(options->uses[i].spec->name) +
                sizeof "--=" + (options->uses[i].values[0] ? strlen(options->uses[i].values[0]) : 0);
    line->texts = malloc(size + 1);
    line->words = calloc(options->use_count + options->argument_count + FIXED_WORDS, sizeof *line->words);
    if (!line->texts || !line->words)
        return false;
    static const char *const begin[] = {"mpirun", "--quiet", "--bind-to", "none"};
    for (size_t i = 0; i < sizeof begin / sizeof *begin; ++i)
        put_word(line, begin[i]);
    if (hostfile) {
        put_word(line, "--hostfile");
        put_word(line, hostfile);
    } else if (!has_scheduler()) {
        put_word(line, "--oversubscribe");
    }
    put_word(line, "-n");
    put_word(line, options_value(options, "ranks"));
    put_word(line, program);
    put_word(line, RANKS_FRAME);
    put_word(line, command->name);
    for (size_t i = 0; i < options->use_count; ++i)
        if (!is_for_launcher(&options->uses[i]))
            put_option(line, &options->uses[i]);
    put_word(line, "--");
    for (size_t i = 0; i < options->argument_count; ++i)
        put_word(line, options->arguments[i]);
    return true;
}

// ---- what came

// Takes the frame apart. False when there is none, or not all of it.
static bool read_frame(const impi_Text *got, int *status, impi_Text *output, impi_Text *errors)
{
    char line[MAX_FRAME_LINE], *next = line + sizeof PROGRAM;
    const char *bytes = got->bytes.data,
               *end = got->bytes.count ? memchr(bytes, '\n', got->bytes.count) : NULL;
    size_t length = end ? (size_t)(end - bytes) + 1 : 0;
    if (length <= sizeof PROGRAM || length >= sizeof line)
        return false;
    memcpy(line, bytes, length);
    line[length] = 0;
    if (strncmp(line, PROGRAM " ", sizeof PROGRAM) != 0)
        return false;
    next += strcspn(next, " "); // the version
    *status = (int)strtol(next, &next, 10);
    size_t out_size = strtoull(next, &next, 10), error_size = strtoull(next, &next, 10);
    size_t left = got->bytes.count - length;
    if (*next != '\n' || left < out_size || left - out_size < error_size)
        return false;
    impi_text_append(output, bytes + length, out_size);
    impi_text_append(errors, bytes + length + out_size, error_size);
    return true;
}

// It would not say the same.
static bool is_other_version(const impi_Text *got)
{
    const char *wanted = imp_version(), *start = got->bytes.data;
    size_t length = strlen(wanted);
    return got->bytes.count > sizeof PROGRAM + length && strncmp(start, PROGRAM " ", sizeof PROGRAM) == 0 &&
           (strncmp(start + sizeof PROGRAM, wanted, length) != 0 || start[sizeof PROGRAM + length] != ' ');
}

static CommandResult fail_lost(int status)
{
    if (status > 128)
        return command_fail("a rank was lost: it was ended by signal %d", status - 128);
    return command_fail(
        "mpirun failed with status %d before all ranks were done; run it yourself to see why: "
        "mpirun -n 1 " PROGRAM " --version",
        status);
}

// An error is a single line, and nothing is printed with it.
static CommandResult take_result(const impi_Text *got, int process_status, impi_Text *output)
{
    int status;
    impi_Text errors;
    impi_text_begin(&errors);
    size_t before = output->bytes.count;
    CommandResult result;
    if (is_other_version(got)) {
        result = command_fail(PROGRAM " is of another version than this program, which is %s", imp_version());
    } else if (!read_frame(got, &status, output, &errors)) {
        result = got->out_of_memory ? command_fail("out of memory") : fail_lost(process_status);
    } else if (status == COMMAND_FAILED) {
        output->bytes.count = before;
        result = command_fail("%.*s", (int)errors.bytes.count, errors.bytes.data);
    } else {
        result = (CommandResult)status;
        if (errors.bytes.count > 0)
            fwrite(errors.bytes.data, 1, errors.bytes.count, stderr);
    }
    impi_text_free(&errors);
    return result;
}

CommandResult ranks_run(const Command *command, const Options *options, impi_Text *output)
{
    char program[MAX_PATH];
    uint32_t rank_count;
    int process_status;
    const char *hostfile = options_value(options, "hostfile");
    Words line = {0};
    impi_Text got;
    impi_text_begin(&got);
    find_program(program);
    CommandResult result = COMMAND_FAILED;
    if (!argument_integer("ranks", options_value(options, "ranks"), 1, MAX_RANKS, &rank_count))
        goto cleanup;
    if (check_programs(program) != COMMAND_DONE)
        goto cleanup;
    if (hostfile && access(hostfile, R_OK) != 0) {
        command_fail("%s: can't open it: %s", hostfile, strerror(errno));
        goto cleanup;
    }
    if (!make_words(command, options, program, &line))
        command_fail("out of memory");
    else if (rank_process_run(line.words, &got, &process_status) == COMMAND_DONE)
        result = take_result(&got, process_status, output);
cleanup:
    free(line.words);
    free(line.texts);
    impi_text_free(&got);
    return result;
}
