/// The bodies of a manifest compared by many ranks, told as `impinge check` tells of bodies.
#ifndef IMPINGE_APPS_MPI_RANK_CHECK_H
#define IMPINGE_APPS_MPI_RANK_CHECK_H

#include "cluster/exchange.h"
#include "options.h"

#include "command.h"

/// The options that it has; --threads is for each rank.
extern const OptionTable rank_check_options;

/// All ranks call this together, with the same options. Rank 0 puts what is to be printed into its output;
/// its result is that of `impinge check`. Others have COMMAND_DONE then. What is wrong with the work is known
/// to all and said by rank 0, what is wrong with the options by each; all fail. `thread_count` is for when
/// the options do not say.
CommandResult rank_check_run(const impi_Exchange *exchange, uint32_t thread_count, const Options *options,
                             impi_Text *output);

#endif
