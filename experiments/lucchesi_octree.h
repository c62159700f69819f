/// All pairs of boxes by the linear octree of Lucchesi, Egbert & Harris, in the paper's own form: for
/// comparison with ours (src/broad), which answers the same question.
#ifndef IMPINGE_EXPERIMENTS_LUCCHESI_OCTREE_H
#define IMPINGE_EXPERIMENTS_LUCCHESI_OCTREE_H

#include "lucchesi_steps.h"

/// Nanoseconds of processor time; those of slaves and machines are the longest of any.
typedef struct LucchesiTimes {
    double part_ns[LUCCHESI_PART_COUNT];
    double measured_ns; // wall clock, from the first part to the walk
    double modelled_ns; // the slowest machine, then the master: what as many processors would need, with a
                        // network that costs nothing
} LucchesiTimes;

typedef struct LucchesiResult {
    imp_IndexPair *pairs; // sorted; to be freed
    size_t pair_count;
    uint64_t code_count;      // octants of all objects
    uint64_t candidate_count; // shared octants, repeated pairs among them
    LucchesiTimes times;
} LucchesiResult;

/// `boxes` are rows of min x, y, z, max x, y, z, finite and in order. Slaves run on the threads of the
/// context, one after the other where there are fewer threads than slaves. False when out of memory.
bool lucchesi_find_pairs(imp_Context *context, const double *boxes, size_t count, uint32_t slave_count,
                         LucchesiMerge merge, LucchesiResult *result);

#endif
