/// The commands of impinge-mpi. Each runs on all ranks; what they put into `output` on rank 0 is printed, and
/// all of them return the same.
#ifndef IMPINGE_APPS_COMMANDS_H
#define IMPINGE_APPS_COMMANDS_H

#include "command.h"

extern const Command rank_command_check, rank_command_pairs;

/// What rank 0 prints on standard error if nothing fails.
extern impi_Text rank_notes;

#endif
