/// Files that a command line names: by themselves, by folders, by patterns, or as standard input.
#ifndef IMPINGE_APPS_INPUT_FILES_H
#define IMPINGE_APPS_INPUT_FILES_H

#include "command.h"

/// How standard input is named in what is printed.
#define STANDARD_INPUT_NAME "standard input"

/// Of what is left out; longer ones are cut.
#define MAX_REASON (2 * IMP_MAX_ERROR_MESSAGE)

typedef struct InputFiles {
    char **paths; // each a file; "-" is standard input
    size_t count, capacity;
    bool keeps_going;                // what can't be read is left out, with a remark
    size_t left_out_count;           // files, folders and patterns
    char first_left_out[MAX_REASON]; // why it was
} InputFiles;

/// Of a folder, all files in it and below whose extension is that of a format that is read natively, in the
/// order of their paths; links to folders and hidden files are left out. What is no file and has characters
/// of a pattern stands for all that it matches. A leading "./" is dropped from paths. With `keeps_going`,
/// folders that can't be read or hold no such file, and patterns that match nothing, are left out. Says what
/// is wrong; free them in any case.
CommandResult input_files_list(const char *const *arguments, size_t count, bool keeps_going,
                               InputFiles *files);

/// Remark that something is left out, and why; fail with that where all is to be read.
CommandResult input_files_leave_out(InputFiles *files, const char *reason);

void input_files_free(InputFiles *files);

#endif
