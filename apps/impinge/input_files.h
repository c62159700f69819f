/// Files that a command line names: by themselves, by folders, by patterns, or as standard input.
#ifndef IMPINGE_APPS_INPUT_FILES_H
#define IMPINGE_APPS_INPUT_FILES_H

#include "command.h"

/// How standard input is named in what is printed.
#define STANDARD_INPUT_NAME "standard input"

typedef struct InputFiles {
    char **paths; // each a file; "-" is standard input
    size_t count, capacity;
} InputFiles;

/// Of a folder, all files in it and below whose extension is that of a format that is read natively, in the
/// order of their paths; links to folders and hidden files are left out. What is no file and has characters
/// of a pattern stands for all that it matches. Says what is wrong; free them in any case.
CommandResult input_files_list(const char *const *arguments, size_t count, InputFiles *files);

void input_files_free(InputFiles *files);

#endif
