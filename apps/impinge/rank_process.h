/// The process that starts ranks: run, and what it prints.
#ifndef IMPINGE_APPS_RANK_PROCESS_H
#define IMPINGE_APPS_RANK_PROCESS_H

#include "command.h"

/// Run a program found in PATH, with words up to null, without input, as root as well. What it prints on
/// standard output is put into `output`; on standard error, thrown away. `*status` is that of a shell: 128
/// and the signal that ended it. It ends when this process does. Says what is wrong.
CommandResult rank_process_run(const char *const *words, impi_Text *output, int *status);

#endif
