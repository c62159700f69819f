#include "broad/pairs_find.h"

#include "base/scratch_call.h"
#include "broad/box_rows.h"
#include "broad/linear_octree.h"
#include "broad/linear_octree_variants.h"
#include "broad/pair_store.h"
#include "broad/search_stats.h"

#include <inttypes.h>

typedef struct Search {
    imp_Context *context;
    impi_SearchWork work;
    impi_BoxRows rows;
    impi_Octree octree;
    impi_PairStore store;
} Search;

static imp_Status check_boxes(imp_Context *context, const imp_BoxArray *boxes)
{
    if (!boxes)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "boxes are null");
    if (boxes->count && !boxes->float_boxes == !boxes->boxes)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "boxes are to be given as floats or as doubles, in exactly one of the two arrays");
    if (boxes->count >= UINT32_MAX)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE, "%zu boxes are more than 2^32 - 2",
                         boxes->count);
    return IMP_STATUS_OK;
}

// After work that was left undone: it was ended, or memory was short.
static imp_Status fail_undone(imp_Context *context)
{
    imp_Status status = impi_watch_status(context);
    return status == IMP_STATUS_OK ? impi_fail_out_of_memory(context) : status;
}

static imp_Status fail_bad_box(imp_Context *context, size_t index)
{
    return impi_fail(context, IMP_STATUS_BAD_NUMBER, index,
                     "box %zu is not finite, or its min exceeds its max", index);
}

// Boxes in octree order, ready to be searched.
static imp_Status build_octree(Search *search)
{
    size_t first_bad = SIZE_MAX;
    size_t room = (search->rows.count + IMPI_LANES - 1) / IMPI_LANES * IMPI_LANES;
    impi_box_rows_choose_map(&search->rows);
    search->octree.order = impi_arena_allocate_array(search->work.scratch, room, sizeof(uint32_t));
    if (!search->octree.order ||
        !impi_octree_sort(&search->work, &search->rows, search->octree.order, &first_bad))
        return fail_undone(search->context);
    if (first_bad != SIZE_MAX)
        return fail_bad_box(search->context, first_bad);
    void *levels = impi_arena_allocate(search->work.scratch, impi_octree_levels_size(room));
    if (!levels)
        return impi_fail_out_of_memory(search->context);
    impi_octree_lay_out(&search->octree, room, levels);
    search->store.reusable = levels;
    search->store.reusable_size = impi_octree_levels_size(room);
    return IMP_STATUS_OK;
}

// Find all pairs and keep up to `limit` of them in the store; its total tells how many there are.
static imp_Status search_pairs(Search *search, uint64_t limit)
{
    bool exact;
    imp_SearchStats *stats = search->context->search_stats;
    uint64_t start = impi_search_stats_begin(stats);
    imp_Status status = build_octree(search);
    if (status != IMP_STATUS_OK)
        return status;
    impi_search_stats_stage(stats, IMP_SEARCH_SORT, &start);
    impi_octree_fill(&search->work, &search->rows, &search->octree, &exact);
    impi_search_stats_stage(stats, IMP_SEARCH_FILL, &start);
    search->store.limit = limit;
    search->store.double_rows = exact ? NULL : search->rows.double_rows;
    bool count_only = limit == 0 && exact;
    impi_PairTaker taker = {count_only ? NULL : impi_pair_store_take, &search->store,
                            search->store.index_bits, NULL};
    impi_SearchCounts counts = impi_octree_search(&search->work, &search->octree, &taker);
    impi_search_stats_stage(stats, IMP_SEARCH_PAIRS, &start);
    impi_search_stats_count(stats, &search->octree, true, counts.block_pairs);
    if (count_only)
        search->store.total = counts.pairs;
    status = impi_watch_status(search->context);
    if (status == IMP_STATUS_OK && search->store.out_of_memory)
        status = impi_fail_out_of_memory(search->context);
    return status;
}

static void search_begin(Search *search, imp_Context *context, const imp_BoxArray *boxes, impi_Arena *arena)
{
    search->context = context;
    search->work = (impi_SearchWork){&context->executor, impi_octree_kernel(), arena, NULL, &context->watch};
    search->rows = (impi_BoxRows){boxes->float_boxes, boxes->boxes, boxes->count, {0, 0, 0}, 1};
    impi_pair_store_init(&search->store, arena, boxes->count);
}

static imp_Status find_pairs(Search *search, imp_IndexPair *pairs, size_t capacity, uint64_t *count)
{
    imp_Status status = search_pairs(search, capacity);
    if (status != IMP_STATUS_OK)
        return status;
    uint64_t total = search->store.total;
    if (total > capacity && (pairs || capacity)) {
        *count = total;
        return impi_fail(search->context, IMP_STATUS_BUFFER_SHORT, IMP_NOWHERE,
                         "%" PRIu64 " pairs do not fit into a buffer for %zu", total, capacity);
    }
    if (capacity && !impi_pair_store_sort(&search->store, &search->work, NULL, pairs))
        return fail_undone(search->context);
    *count = total;
    return IMP_STATUS_OK;
}

imp_Status imp_pairs_find(imp_Context *context, const imp_BoxArray *boxes, imp_IndexPair *pairs,
                          size_t capacity, uint64_t *count)
{
    Search search;
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    if (!count || (capacity && !pairs))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "the count or the pairs are null");
    status = check_boxes(context, boxes);
    if (status != IMP_STATUS_OK)
        return status;
    if (boxes->count == 0) {
        *count = 0;
        return IMP_STATUS_OK;
    }
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    search_begin(&search, context, boxes, &context->scratch);
    status = find_pairs(&search, pairs, capacity, count);
    impi_pair_store_destroy(&search.store);
    // Scratch stays as it is, since a search may be the only one: one chunk would take as much again.
    return impi_scratch_call_keep(context, guard, status);
}

imp_Status impi_pairs_find(imp_Context *context, const imp_BoxArray *boxes, impi_Arena *arena,
                           const imp_IndexPair **pairs, size_t *count)
{
    Search search;
    imp_Status status = check_boxes(context, boxes);
    if (status != IMP_STATUS_OK)
        return status;
    if (boxes->count == 0) {
        *pairs = NULL;
        *count = 0;
        return IMP_STATUS_OK;
    }
    search_begin(&search, context, boxes, arena);
    status = search_pairs(&search, UINT64_MAX);
    imp_IndexPair *sorted = NULL;
    if (status == IMP_STATUS_OK) {
        sorted = impi_arena_allocate_array(arena, search.store.kept, sizeof *sorted);
        if (!sorted || !impi_pair_store_sort(&search.store, &search.work, NULL, sorted))
            status = fail_undone(context);
    }
    if (status == IMP_STATUS_OK) {
        *pairs = sorted;
        *count = search.store.kept;
    }
    impi_pair_store_destroy(&search.store);
    return status;
}

imp_Status imp_pairs_list(imp_Context *context, const imp_BoxArray *boxes, const imp_IndexPair **pairs,
                          size_t *count)
{
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    if (!pairs || !count)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "the count or the pairs are null");
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_keep(context, guard,
                                  impi_pairs_find(context, boxes, &context->scratch, pairs, count));
}

imp_Status imp_pairs_measure(imp_Context *context, imp_SearchStats *stats)
{
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    context->search_stats = stats;
    return IMP_STATUS_OK;
}
