/// All pairs of boxes by the linear octree of Lucchesi, Egbert & Harris, in the paper's own form: for
/// comparison with ours (src/broad), which answers the same question.
#ifndef IMPINGE_EXPERIMENTS_LUCCHESI_OCTREE_H
#define IMPINGE_EXPERIMENTS_LUCCHESI_OCTREE_H

#include <impinge/broad.h>

/// How many digits an octal code has: as many as fit into an unsigned integer of 32 bits.
#define LUCCHESI_MAX_LEVEL 9

/// Parts of a run, in nanoseconds of processor time; those of slaves and machines are the longest of any.
typedef enum LucchesiPart {
    LUCCHESI_ENCODE,        // slave: octants of each object ("ResolveObject" in the paper)
    LUCCHESI_SORT,          // slave: qsort
    LUCCHESI_MACHINE_MERGE, // networked slave: the lists of its processors ("MergeSlaveResults")
    LUCCHESI_MASTER_MERGE,  // master: the lists of the machines
    LUCCHESI_WALK,          // master: common paths; boxes are compared at once
    LUCCHESI_DISTINCT,      // master: repeated pairs removed, which the paper leaves open
    LUCCHESI_PART_COUNT,
} LucchesiPart;

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

/// How sorted lists are merged, which the paper leaves open.
typedef enum LucchesiMerge {
    LUCCHESI_MERGE_HEADS, // the smallest of all heads is looked for at each step, as the printed program
                          // suggests
    LUCCHESI_MERGE_HEAP,  // the heads are kept in a heap
} LucchesiMerge;

/// `boxes` are rows of min x, y, z, max x, y, z, finite and in order. Slaves run on the threads of the
/// context, one after the other where there are fewer threads than slaves. False when out of memory.
bool lucchesi_find_pairs(imp_Context *context, const double *boxes, size_t count, uint32_t slave_count,
                         LucchesiMerge merge, LucchesiResult *result);

#endif
