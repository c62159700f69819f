/// Work of many processes, the ranks of one job: which boxes of all of them overlap, and what it took.
/// <impinge/mpi.h> has the calls.
#ifndef IMPINGE_RANKS_H
#define IMPINGE_RANKS_H

#include <impinge/broad.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What the time of a rank goes to.
typedef enum imp_RankPart {
    IMP_RANK_READ,    ///< boxes are checked, and files read
    IMP_RANK_SPLIT,   ///< space is divided among the ranks, and boxes travel to theirs
    IMP_RANK_BALANCE, ///< work is estimated, and space divided anew where it lies unevenly
    IMP_RANK_HALO,    ///< boxes travel to ranks whose boxes they may overlap
    IMP_RANK_SEARCH,  ///< boxes are put in order, and pairs are found
    IMP_RANK_ORDER,   ///< pairs travel to where they stand in the sorted list
    IMP_RANK_WRITE,   ///< files are written
    IMP_RANK_PART_COUNT,
} imp_RankPart;

/// What one rank did. Zero it to begin anew; sums over all calls since then.
typedef struct imp_RankStats {
    uint64_t work_ns[IMP_RANK_PART_COUNT];     ///< nanoseconds between calls of the exchange
    uint64_t exchange_ns[IMP_RANK_PART_COUNT]; ///< nanoseconds in them, waiting for others included
    uint64_t bytes[IMP_RANK_PART_COUNT];       ///< that it sent
    uint64_t messages[IMP_RANK_PART_COUNT];    ///< that it sent
    uint64_t box_count;                        ///< that it had to search, those of others not counted
    uint64_t halo_count;                       ///< boxes of others that it compared with its own
    uint64_t block_pairs;                      ///< blocks of boxes that it compared
    uint64_t pair_count;                       ///< that it found
    uint64_t move_count;                       ///< how often space was divided anew
} imp_RankStats;

/// Stretch of a sorted list that is spread over the ranks in their order.
typedef struct imp_RankPairs {
    const imp_IndexPair
        *pairs; ///< by the numbers of boxes in the order of ranks; null when they are only counted
    size_t count;
    uint64_t first; ///< where in the list of all the stretch begins
    uint64_t total; ///< pairs of all ranks
} imp_RankPairs;

/// Zero fields mean defaults.
typedef struct imp_RankDef {
    /// Pairs are only counted: imp_RankPairs.total.
    bool count_only;
    /// With two sets of boxes: how many of all boxes, in the order of ranks, are of the first one. Pairs are
    /// then a box of either set. 0: one set.
    uint64_t first_set_count;
    imp_RankStats *stats; ///< of this rank, where they are wanted
    uint64_t reserved[4]; ///< zero
} imp_RankDef;

#ifdef __cplusplus
}
#endif

#endif
