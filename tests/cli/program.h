/// Runs the program itself, named by IMPINGE_BIN, in a folder of its own. Define _XOPEN_SOURCE as 700 before
/// the first include.
#ifndef IMPINGE_TESTS_CLI_PROGRAM_H
#define IMPINGE_TESTS_CLI_PROGRAM_H

#include "harness.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_OUTPUT (1 << 20)

static struct {
    char folder[64];
    char out[MAX_OUTPUT], err[MAX_OUTPUT];
} run_state;

static inline int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info, (void)kind, (void)walk;
    return remove(path);
}

static inline void remove_folder(void)
{
    if (chdir("/") == 0)
        nftw(run_state.folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static inline void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    if (!CHECK(file != NULL))
        return;
    CHECK(fwrite(text, 1, strlen(text), file) == strlen(text));
    CHECK(fclose(file) == 0);
}

static inline bool read_file(const char *name, char *text)
{
    FILE *file = fopen(name, "rb");
    text[0] = 0;
    if (!file)
        return false;
    text[fread(text, 1, MAX_OUTPUT - 1, file)] = 0;
    fclose(file);
    return true;
}

static const char box_obj[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                              "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

/// Enter a folder of the test's own with a box in it. False where there is no program to run.
static inline bool prepare(void)
{
    if (!getenv("IMPINGE_BIN")) {
        test_skip("IMPINGE_BIN does not name the program");
        return false;
    }
    if (!run_state.folder[0]) {
        strcpy(run_state.folder, "/tmp/impinge-cli-XXXXXX");
        if (!CHECK(mkdtemp(run_state.folder) != NULL) || !CHECK(chdir(run_state.folder) == 0))
            return false;
        atexit(remove_folder);
        write_file("box.obj", box_obj);
    }
    return true;
}

/// Run it with arguments as a shell reads them; the exit status is returned.
static inline int run(const char *arguments)
{
    char line[4096];
    snprintf(line, sizeof line, "\"$IMPINGE_BIN\" %s >.out 2>.err", arguments);
    int status = system(line);
    read_file(".out", run_state.out);
    read_file(".err", run_state.err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The same for CSV of pairs of bodies, without its last columns, the names; none of them holds a comma.
static inline int run_unnamed(const char *arguments)
{
    static const char columns[] = ",name_a,name_b";
    int status = run(arguments);
    char *to = run_state.out, *line = run_state.out;
    size_t heading = strcspn(line, "\n"), ending = strlen(columns);
    CHECK(heading > ending && strncmp(line + heading - ending, columns, ending) == 0);
    for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        int commas = 0;
        char *kept = end;
        while (kept > line && commas < 2)
            commas += *--kept == ',';
        CHECK_INT(commas, 2);
        memmove(to, line, (size_t)(kept - line));
        to += kept - line;
        *to++ = '\n';
    }
    *to = 0;
    return status;
}

/// One line on standard error that begins with impinge: and has `message_part` in it, nothing else, and 2.
static inline void check_fails(const char *arguments, const char *message_part)
{
    CHECK_INT(run(arguments), 2);
    CHECK_TEXT(run_state.out, "");
    CHECK(strncmp(run_state.err, "impinge: ", 9) == 0);
    CHECK_CONTAINS(run_state.err, message_part);
    const char *line_end = strchr(run_state.err, '\n');
    CHECK(line_end && line_end[1] == 0);
}

#endif
