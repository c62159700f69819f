/// What shells need to complete command lines of impinge: a script for each, made from the tables of options,
/// so that there is nothing to keep in step.
#ifndef IMPINGE_APPS_COMPLETION_H
#define IMPINGE_APPS_COMPLETION_H

#include "command.h"

/// What can stand in a place of a command line. It is read from the name that help has for the value: FILE
/// and PAIRS.npy are files, DIR is a folder, mm|cm|m are words, anything else is nobody's to guess.
typedef struct CompletionPlace {
    const char *name; ///< of the value in help, "FILE"; not ended by a null byte
    size_t name_length;
    bool takes_files, takes_folders;
    const char *(*choice)(size_t index); ///< further words, or null
} CompletionPlace;

/// Value number `index` of an option, counting from 0.
CompletionPlace completion_of_value(const OptionSpec *spec, int index);

/// An argument of a command, whichever.
CompletionPlace completion_of_argument(const Command *command);

bool completion_has_words(const CompletionPlace *place);

/// The words that can stand there, each after `separator` but for the first.
void completion_put_words(const CompletionPlace *place, const char *separator, impi_Text *output);

/// Option number `index` of a command, counting from 0, --help being the last. False past it.
bool completion_option(const Command *command, size_t index, OptionSpec *spec);

/// Text for within single quotes, in one line: `special` characters after a backslash, a single quote as
/// `quote`.
void completion_put_quoted(const char *text, size_t length, const char *special, const char *quote,
                           impi_Text *output);

void completion_put_bash(impi_Text *output);
void completion_put_zsh(impi_Text *output);
void completion_put_fish(impi_Text *output);

#endif
