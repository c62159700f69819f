/// The steps of Lucchesi, Egbert & Harris' linear octree, which slaves and masters share out: of threads
/// (lucchesi_octree.h), or of ranks (lucchesi_messages.h).
#ifndef IMPINGE_EXPERIMENTS_LUCCHESI_STEPS_H
#define IMPINGE_EXPERIMENTS_LUCCHESI_STEPS_H

#include "base/array.h"

#include <impinge/broad.h>

/// How many digits an octal code has: as many as fit into an unsigned integer of 32 bits.
#define LUCCHESI_MAX_LEVEL 9

#define LUCCHESI_PROCESSORS_PER_MACHINE 2

/// Parts of a run; in their order.
typedef enum LucchesiPart {
    LUCCHESI_ENCODE,        // slave: octants of each object ("ResolveObject" in the paper)
    LUCCHESI_SORT,          // slave: qsort
    LUCCHESI_MACHINE_MERGE, // networked slave: the lists of its processors ("MergeSlaveResults")
    LUCCHESI_MASTER_MERGE,  // master: the lists of the machines
    LUCCHESI_WALK,          // master: common paths; boxes are compared at once
    LUCCHESI_DISTINCT,      // master: repeated pairs removed, which the paper leaves open
    LUCCHESI_PART_COUNT,
} LucchesiPart;

/// How sorted lists are merged, which the paper leaves open.
typedef enum LucchesiMerge {
    LUCCHESI_MERGE_HEADS, // the smallest of all heads is looked for at each step, as the printed program
                          // suggests
    LUCCHESI_MERGE_HEAP,  // the heads are kept in a heap
} LucchesiMerge;

/// An octal code has a digit from 1 to 8 for each level, then zeros, so that the order of the numbers is a
/// pre-order walk of the octree: 123000000 stands before 123400000.
typedef struct LucchesiEntry {
    uint32_t code, object;
} LucchesiEntry;

typedef IMPI_ARRAY(LucchesiEntry) LucchesiList;

/// The octree that all slaves have.
typedef struct LucchesiRoot {
    double origin[3];
    double edges[LUCCHESI_MAX_LEVEL + 1]; // of the octants of each level; level 0 is the root
} LucchesiRoot;

/// Boxes are rows of min x, y, z, max x, y, z, finite and in order.
void lucchesi_choose_root(const double *boxes, size_t count, LucchesiRoot *root);

/// Add the octants of each box to the list. The first one has the number `first_object`. False when out of
/// memory.
bool lucchesi_encode(const imp_Allocator *allocator, const LucchesiRoot *root, const double *boxes,
                     uint32_t first_object, size_t count, LucchesiList *list);
void lucchesi_sort(const LucchesiList *list);

/// A sorted list that is being merged with others: its head is the first entry not yet taken.
typedef struct LucchesiRun {
    const LucchesiEntry *head, *end;
} LucchesiRun;

/// There is room for all of them.
void lucchesi_merge_runs(LucchesiMerge merge, LucchesiRun *runs, size_t run_count, LucchesiEntry *merged);

typedef struct LucchesiPairs {
    IMPI_ARRAY(imp_IndexPair) pairs;
    uint64_t candidate_count; // shared octants, repeated pairs among them
} LucchesiPairs;

/// Pairs of boxes that share octants, and touch. False when out of memory.
bool lucchesi_walk(const imp_Allocator *allocator, const double *boxes, const LucchesiList *list,
                   LucchesiPairs *found);

/// Sort pairs and keep one of each. Returns how many are left.
size_t lucchesi_remove_repeated(imp_IndexPair *pairs, size_t count);

#endif
