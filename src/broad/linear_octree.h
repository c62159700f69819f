/// The linear octree over boxes: boxes in the order of a walk through an octree, sixteen to a block, and the
/// bounds of blocks of blocks above them.
///
/// Two steps: impi_octree_sort decides the order, impi_octree_fill copies boxes and bounds into it. When
/// boxes move a little the order stays good for some time, and filling alone is enough.
#ifndef IMPINGE_BROAD_LINEAR_OCTREE_H
#define IMPINGE_BROAD_LINEAR_OCTREE_H

#include "broad/box_rows.h"
#include "broad/search_work.h"

#include <stdatomic.h>

#define IMPI_LANES 16

struct impi_KeyWindow; // linear_octree_variants.h

/// Sixteen boxes, one to a lane. Lanes without a box hold NaN, which overlaps nothing.
typedef struct impi_Lanes {
    _Alignas(64) float min[3][IMPI_LANES];
    float max[3][IMPI_LANES];
} impi_Lanes;

#define IMPI_NO_BOX            UINT32_MAX
#define IMPI_OCTREE_MAX_LEVELS 9

/// Level 0 holds the boxes, a block of sixteen to an impi_Lanes; lane j of node i on level k + 1 is the
/// bounds of node 16 i + j on level k. The topmost level has one node. There are always two levels or more.
typedef struct impi_Octree {
    uint32_t *order;   // the box in each lane: lane j of block i is 16 i + j; IMPI_NO_BOX behind the end
    size_t lane_count; // a multiple of 16
    // 0: all boxes are searched for pairs among them. Else boxes in nodes of level 1 before this one are
    // paired with those in the others, of which there is at least one, but these not among themselves.
    size_t split_group;
    bool pairs_before_split; // boxes before the split are paired among themselves, too
    unsigned level_count;
    impi_Lanes *levels[IMPI_OCTREE_MAX_LEVELS];
    size_t node_counts[IMPI_OCTREE_MAX_LEVELS];
} impi_Octree;

/// How many bytes the levels over `lane_count` lanes take.
size_t impi_octree_levels_size(size_t lane_count);

/// Lay the levels out in `storage` (impi_octree_levels_size bytes, aligned to 64), without a split.
void impi_octree_lay_out(impi_Octree *octree, size_t lane_count, void *storage);

/// Use fewer or more of the lanes that it was laid out for: levels stay where they are, so what was filled
/// stays filled, but for bounds from level 2 up. There are at least 16.
void impi_octree_use(impi_Octree *octree, size_t lane_count);

/// Write the boxes into `order` (room for their count rounded up to 16) in octree order, and IMPI_NO_BOX
/// behind them. Rows that hold no box (see box_rows.h) come last. With a `first_bad` that is not null, such a
/// row is bad input: the first one's index is written there (SIZE_MAX when all are good) and the order is not
/// made. False when out of memory or ended.
bool impi_octree_sort(const impi_SearchWork *work, const impi_BoxRows *rows, uint32_t *order,
                      size_t *first_bad);

/// Keys that were made before, by the window of these and other boxes, all of which are good.
typedef struct impi_GivenKeys {
    const struct impi_KeyWindow *window;
    const uint32_t *keys;
    // Written: where in the order each class of sizes begins; IMPI_SIZE_CLASSES and one more, the boxes'
    // count.
    size_t *class_starts;
} impi_GivenKeys;

/// The same with keys that are given.
bool impi_octree_sort_given(const impi_SearchWork *work, const impi_BoxRows *rows,
                            const impi_GivenKeys *given, uint32_t *order);

/// Copy boxes and bounds into the levels; when the work is ended meanwhile, not all. `*exact` tells whether
/// the search coordinates are the boxes' own numbers, so that what overlaps in the search overlaps in truth.
void impi_octree_fill(const impi_SearchWork *work, const impi_BoxRows *rows, impi_Octree *octree,
                      bool *exact);

/// The same for blocks from `first_block` (a multiple of 16) on, when those before it are filled; bounds
/// from level 2 up are made anew.
void impi_octree_fill_from(const impi_SearchWork *work, const impi_BoxRows *rows, impi_Octree *octree,
                           size_t first_block, bool *exact);

/// A batch of pairs found: smaller index << index_bits | larger index each. It may be reordered or
/// overwritten. Called from several threads at once.
typedef void (*impi_PairsFn)(uint64_t *pairs, size_t count, void *argument);

/// What a search counted.
typedef struct impi_SearchCounts {
    uint64_t pairs;       // in count-only searches
    uint64_t block_pairs; // blocks whose bounds overlap: a measure of how good the order is
} impi_SearchCounts;

/// How pairs are given out.
typedef struct impi_PairTaker {
    impi_PairsFn found; // null: only count them
    void *argument;
    unsigned index_bits;          // enough for the index of every box, at most 32
    const atomic_bool *is_enough; // when set meanwhile, no more are wanted; null: all are
} impi_PairTaker;

static inline bool impi_pairs_are_enough(const impi_PairTaker *taker)
{
    return taker->is_enough && atomic_load_explicit(taker->is_enough, memory_order_relaxed);
}

/// Hand every pair of boxes (with a split, of one from either side) whose search coordinates overlap to the
/// taker, once. When the work is ended meanwhile, or the taker has enough, some may be missing.
impi_SearchCounts impi_octree_search(const impi_SearchWork *work, const impi_Octree *octree,
                                     const impi_PairTaker *taker);

/// How many pairs of blocks that search would compare for every `step`-th node of level 1 that it begins at,
/// from the first on; `counts` has room for them. Nothing is known of those left out when the work is ended.
void impi_octree_count_block_pairs(const impi_SearchWork *work, const impi_Octree *octree, size_t step,
                                   uint64_t *counts);

/// How many nodes of level 1 a search begins at.
static inline size_t impi_octree_walk_count(const impi_Octree *octree)
{
    return octree->split_group ? octree->split_group : octree->node_counts[1];
}

#endif
