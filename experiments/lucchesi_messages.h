/// Lucchesi, Egbert & Harris' master and slaves as ranks that share nothing and send each other messages:
/// through the same exchange as impinge's own ranks, and so on MPI or in one process.
#ifndef IMPINGE_EXPERIMENTS_LUCCHESI_MESSAGES_H
#define IMPINGE_EXPERIMENTS_LUCCHESI_MESSAGES_H

#include "cluster/exchange.h"
#include "lucchesi_steps.h"

/// What all ranks know from the beginning.
typedef struct LucchesiJob {
    size_t box_count;
    LucchesiRoot root;
    LucchesiMerge merge;
} LucchesiJob;

/// Nanoseconds of a rank: processor time of its work, and by the clock in calls of the exchange.
typedef struct LucchesiRankTimes {
    uint64_t part_ns[LUCCHESI_PART_COUNT], call_ns[LUCCHESI_PART_COUNT];
} LucchesiRankTimes;

/// What the master has at the end.
typedef struct LucchesiFound {
    LucchesiPairs found; // sorted, each once; to be freed with the allocator
    uint64_t code_count; // octants of all objects
} LucchesiFound;

/// All ranks call this together. Rank 0 is the master and has the boxes, rows of min x, y, z, max x, y, z;
/// those of others are null. It is a slave, too, as all are; every second rank is the networked slave of its
/// machine. What takes time is added to `times` as it ends; what is sent belongs to the part before it. False
/// when a rank is out of memory: on all of them, or on the master alone when that is in the walk.
bool lucchesi_messages_find(const impi_Exchange *exchange, const imp_Allocator *allocator,
                            const LucchesiJob *job, const double *boxes, LucchesiRankTimes *times,
                            LucchesiFound *result);

#endif
