/// All pairs of boxes that overlap, among very many: once (imp_pairs_find), or frame by frame (imp_Broad).
///
/// Boxes are closed, so touching counts. Answers are exact, complete, sorted, and the same for any number of
/// threads. See docs/broad-phase.md for how it works and what it costs.
#ifndef IMPINGE_BROAD_H
#define IMPINGE_BROAD_H

#include <impinge/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Two boxes by number: a < b, or between two sets a in the first and b in the second.
typedef struct imp_IndexPair {
    uint32_t a, b;
} imp_IndexPair;

/// Rows of six numbers: min x, y, z, max x, y, z. Set exactly one of the two arrays.
typedef struct imp_BoxArray {
    const float *float_boxes;
    const double *boxes;
    size_t count;
} imp_BoxArray;

/// Find every pair of boxes that share a point, sorted by a, then b. `*count` is the true total, also above
/// 2^32. If it exceeds `capacity`, no pair is written and the status is IMP_STATUS_BUFFER_SHORT; with a
/// capacity of 0 and null `pairs`, pairs are only counted, which needs no memory for them, and the status is
/// IMP_STATUS_OK.
/// A box that is not finite or whose min exceeds its max is refused (IMP_STATUS_BAD_NUMBER, with the index),
/// as are more than 2^32 - 2 boxes (IMP_STATUS_TOO_LARGE).
IMP_CHECKED imp_Status imp_pairs_find(imp_Context *context, const imp_BoxArray *boxes, imp_IndexPair *pairs,
                                      size_t capacity, uint64_t *count);

/// The same without a buffer: `*pairs` lie in scratch memory of the context, valid until the next call of any
/// function that gets the context or works in it, getters aside. They may be null when there are none.
IMP_CHECKED imp_Status imp_pairs_list(imp_Context *context, const imp_BoxArray *boxes,
                                      const imp_IndexPair **pairs, size_t *count);

/// Pairs between two sets: every box of `boxes_a` with every box of `boxes_b` that it shares a point with,
/// sorted by the number in the first set, then by that in the second. Pairs within a set are neither looked
/// for nor counted. One set may have floats and the other doubles, which are compared as such. Else as
/// imp_pairs_find; the two sets together have at most 2^32 - 2 boxes, and the index of a bad box is that in
/// its set, which the message names.
IMP_CHECKED imp_Status imp_pairs_find_between(imp_Context *context, const imp_BoxArray *boxes_a,
                                              const imp_BoxArray *boxes_b, imp_IndexPair *pairs,
                                              size_t capacity, uint64_t *count);

/// The same without a buffer, as imp_pairs_list.
IMP_CHECKED imp_Status imp_pairs_list_between(imp_Context *context, const imp_BoxArray *boxes_a,
                                              const imp_BoxArray *boxes_b, const imp_IndexPair **pairs,
                                              size_t *count);

typedef enum imp_SearchStage {
    IMP_SEARCH_SORT,  ///< boxes in an order in which near ones are neighbours
    IMP_SEARCH_FILL,  ///< blocks of boxes, blocks of blocks, and their bounds
    IMP_SEARCH_PAIRS, ///< pairs, in no order yet
    IMP_SEARCH_STAGE_COUNT,
} imp_SearchStage;

#define IMP_MAX_SEARCH_LEVELS 9
#define IMP_SEARCH_BLOCK_SIZE 16 ///< how many boxes, or blocks, a block has room for

/// What searches for pairs did, for whoever wonders where time goes: sums over all of them; zero it to begin
/// anew.
typedef struct imp_SearchStats {
    uint64_t search_count;
    uint64_t sort_count;  ///< searches that put boxes in order; others found the order of an earlier one good
    uint64_t block_pairs; ///< lowest blocks that were compared, because their bounds overlap
    uint64_t stage_ns[IMP_SEARCH_STAGE_COUNT];    ///< nanoseconds
    uint32_t level_count;                         ///< of the last search, as are the counts of blocks
    uint64_t block_counts[IMP_MAX_SEARCH_LEVELS]; ///< from the lowest level upwards
} imp_SearchStats;

/// From now on add what the searches of a context do to `stats`: those of imp_pairs_find, imp_pairs_list,
/// their `_between` forms, imp_Broad and worlds. Null ends that. `stats` must stay until then, or until the
/// end of the context.
IMP_CHECKED imp_Status imp_pairs_measure(imp_Context *context, imp_SearchStats *stats);

/// Boxes that stay and move. Each update tells which pairs overlap, and what has changed since the last one.
/// One caller at a time; it works in the context that it was made in.
typedef struct imp_Broad imp_Broad;

/// Names a box. All zero names none. Slots are used again, ids are not.
typedef struct imp_BroadId {
    uint32_t slot;       ///< counts from 1
    uint32_t generation; ///< how often the slot was given away
} imp_BroadId;

typedef enum imp_BroadPrecision {
    IMP_BROAD_DOUBLE = 0,
    IMP_BROAD_FLOAT, ///< boxes are kept in single precision, which is faster and takes half the memory;
                     ///< doubles are rounded outward; beyond the largest float, to infinity
} imp_BroadPrecision;

typedef struct imp_BroadDef {
    imp_BroadPrecision precision;
    size_t expected_count; ///< advice; 0 is fine
    uint64_t reserved[4];  ///< zero
} imp_BroadDef;

/// `def` may be null, which means all defaults.
IMP_CHECKED imp_Status imp_broad_create(imp_Context *context, const imp_BroadDef *def, imp_Broad **broad);

/// Null is fine.
IMP_API void imp_broad_destroy(imp_Broad *broad);

/// A pair is left out when one box's `category_bits` and the other's `ignore_bits` have a bit in common.
/// IMP_STATUS_BAD_NUMBER for a box that is not finite or whose min exceeds its max.
IMP_CHECKED imp_Status imp_broad_add(imp_Broad *broad, const imp_Box *box, uint64_t category_bits,
                                     uint64_t ignore_bits, imp_BroadId *id);

/// Many at once, all in one category and ignoring nothing (category_bits 1, ignore_bits 0). `ids` has room
/// for `boxes->count`. When one box is refused, with its index, none is added.
IMP_CHECKED imp_Status imp_broad_add_many(imp_Broad *broad, const imp_BoxArray *boxes, imp_BroadId *ids);

/// IMP_STATUS_BAD_INDEX when there is no such box (any more), here and below.
IMP_CHECKED imp_Status imp_broad_move(imp_Broad *broad, imp_BroadId id, const imp_Box *box);

/// Many at once: boxes->count ids, no two of them the same. When one is refused, with its index, none is
/// moved.
IMP_CHECKED imp_Status imp_broad_move_many(imp_Broad *broad, const imp_BroadId *ids,
                                           const imp_BoxArray *boxes);

IMP_CHECKED imp_Status imp_broad_set_filter(imp_Broad *broad, imp_BroadId id, uint64_t category_bits,
                                            uint64_t ignore_bits);

IMP_CHECKED imp_Status imp_broad_remove(imp_Broad *broad, imp_BroadId id);

IMP_API bool imp_broad_is_valid(const imp_Broad *broad, imp_BroadId id);

/// How many boxes there are.
IMP_API size_t imp_broad_get_count(const imp_Broad *broad);

/// Pairs of slots, a < b, each list sorted. `begun` are pairs that the last update did not have, `ended`
/// those that it had and that are no more. When a slot was given to another box in between, its pairs end,
/// and may begin again.
typedef struct imp_BroadResult {
    const imp_IndexPair *pairs;
    size_t pair_count;
    const imp_IndexPair *begun;
    size_t begun_count;
    const imp_IndexPair *ended;
    size_t ended_count;
} imp_BroadResult;

/// `*result` points to memory of the broad phase and is valid until the next update or its end. After a
/// failure (IMP_STATUS_OUT_OF_MEMORY) the last result is still valid and the next update compares with it.
IMP_CHECKED imp_Status imp_broad_update(imp_Broad *broad, const imp_BroadResult **result);

#ifdef __cplusplus
}
#endif

#endif
