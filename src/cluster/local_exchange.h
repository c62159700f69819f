/// All ranks in one process, a thread each: for tests, and for models of what more machines would do.
#ifndef IMPINGE_CLUSTER_LOCAL_EXCHANGE_H
#define IMPINGE_CLUSTER_LOCAL_EXCHANGE_H

#include "cluster/exchange.h"

#include <stdbool.h>

/// What a rank does. It may not end before the others without having done the same calls.
typedef void (*impi_RankFn)(impi_Exchange *exchange, void *argument);

typedef enum impi_LocalTurns {
    IMPI_LOCAL_TOGETHER, // ranks run as the system lets them
    IMPI_LOCAL_IN_TURN,  // only one at a time: what a rank does between two calls is as fast as on a machine
                         // of its own
} impi_LocalTurns;

/// Run as many ranks and wait for all of them. False, with nothing run, when memory or threads can't be had.
bool impi_local_ranks_run(uint32_t rank_count, impi_LocalTurns turns, impi_RankFn work, void *argument);

#endif
