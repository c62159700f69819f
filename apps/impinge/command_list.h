/// What can follow the name of the program: its commands, and questions about itself.
#ifndef IMPINGE_APPS_COMMAND_LIST_H
#define IMPINGE_APPS_COMMAND_LIST_H

#include "command.h"

typedef enum ProgramQuestion { NO_QUESTION, HELP_QUESTION, VERSION_QUESTION } ProgramQuestion;

typedef struct ProgramWord {
    const char *word;    ///< "--help"
    const char *summary; ///< a few words
    ProgramQuestion question;
} ProgramWord;

/// By number, in the order of help; null past the last.
const Command *command_list(size_t index);

/// All that have options: the parts of a command instead of it.
const Command *command_leaf(size_t index);

const ProgramWord *program_word_list(size_t index);

#endif
