/// Commands that run as many processes, the ranks of a job: `impinge` starts them and waits.
#ifndef IMPINGE_APPS_RANKS_H
#define IMPINGE_APPS_RANKS_H

#include "command.h"

/// In the table of a command that impinge-mpi has, too.
#define RANKS_OPTIONS                                                                                        \
    {.name = "ranks",                                                                                        \
     .value_count = 1,                                                                                       \
     .values = "N",                                                                                          \
     .help = "N processes, started by Open MPI, find the same together"},                                    \
    {                                                                                                        \
        .name = "hostfile", .value_count = 1, .values = "FILE",                                              \
        .help = "with --ranks: machines to run them on, as mpirun takes them"                                \
    }

/// How impinge-mpi tells impinge what it has to print, with RANKS_FRAME as its first argument: this line on
/// standard output with version, exit status, and bytes for standard output and error, which follow.
#define RANKS_FRAME        "--framed"
#define RANKS_FRAME_FORMAT "impinge-mpi %s %d %zu %zu\n"

/// Run the command with the same options and arguments, but for RANKS_OPTIONS, on as many ranks as --ranks
/// says. Says what is wrong.
CommandResult ranks_run(const Command *command, const Options *options, impi_Text *output);

#endif
