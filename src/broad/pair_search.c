// Two sets are searched in one octree, in which all boxes of one set stand before all of the other:
//
//     groups of 256 lanes   | larger set      .. padding | smaller set           |
//                             walk, each for itself  ->    what they are paired with
//
// So a group has boxes of one set only, and pairs within a set are never looked at. The larger set walks,
// because threads share the groups that do.
#include "broad/pair_search.h"

#include "broad/linear_octree_variants.h"
#include "broad/search_stats.h"

#include <string.h>

#define GROUP_LANES (IMPI_LANES * IMPI_LANES)

// ---- what is given

static imp_Status check_array(imp_Context *context, const imp_BoxArray *boxes)
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

imp_Status impi_box_sets_check(imp_Context *context, const impi_BoxSets *sets)
{
    imp_Status status = check_array(context, sets->boxes);
    if (status != IMP_STATUS_OK || !sets->others)
        return status;
    status = check_array(context, sets->others);
    if (status != IMP_STATUS_OK)
        return status;
    if (sets->boxes->count + sets->others->count >= UINT32_MAX)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                         "%zu and %zu boxes together are more than 2^32 - 2", sets->boxes->count,
                         sets->others->count);
    return IMP_STATUS_OK;
}

static void copy_doubles(const imp_BoxArray *boxes, double *to)
{
    for (size_t i = 0; i < 6 * boxes->count; ++i)
        to[i] = boxes->boxes ? boxes->boxes[i] : (double)boxes->float_boxes[i];
}

static void copy_floats(const imp_BoxArray *boxes, float *to)
{
    if (boxes->count)
        memcpy(to, boxes->float_boxes, boxes->count * 6 * sizeof *to);
}

// The rows of both sets in one array: floats when both have floats. False when out of memory.
static bool join_rows(impi_PairSearch *search, const impi_BoxSets *sets)
{
    size_t count = search->rows.count, first_length = 6 * sets->boxes->count;
    bool has_doubles =
        (sets->boxes->count && sets->boxes->boxes) || (sets->others->count && sets->others->boxes);
    void *rows = impi_arena_allocate_array(search->work.scratch, count,
                                           6 * (has_doubles ? sizeof(double) : sizeof(float)));
    if (rows && has_doubles) {
        copy_doubles(sets->boxes, rows);
        copy_doubles(sets->others, (double *)rows + first_length);
        search->rows.double_rows = rows;
    } else if (rows) {
        copy_floats(sets->boxes, rows);
        copy_floats(sets->others, (float *)rows + first_length);
        search->rows.float_rows = rows;
    }
    return rows;
}

// ---- order

// After work that was left undone: it was ended, or memory was short.
static imp_Status fail_undone(imp_Context *context)
{
    imp_Status status = impi_watch_status(context);
    return status == IMP_STATUS_OK ? impi_fail_out_of_memory(context) : status;
}

static imp_Status fail_bad_box(const impi_PairSearch *search, int set, size_t index)
{
    const char *which = !search->is_between ? "" : set == 0 ? " of the first set" : " of the second set";
    return impi_fail(search->context, IMP_STATUS_BAD_NUMBER, index,
                     "box %zu%s is not finite, or its min exceeds its max", index, which);
}

// The boxes of one set into `order`, which has room for `room` of them.
static imp_Status sort_set(const impi_PairSearch *search, int set, uint32_t *order, size_t room)
{
    impi_BoxRows rows = search->rows;
    size_t first = set == 0 ? 0 : search->set_counts[0], first_bad = SIZE_MAX;
    rows.count = search->set_counts[set];
    if (rows.float_rows)
        rows.float_rows += 6 * first;
    else
        rows.double_rows += 6 * first;
    for (size_t i = rows.count; i < room; ++i)
        order[i] = IMPI_NO_BOX;
    if (rows.count == 0)
        return IMP_STATUS_OK;
    if (!impi_octree_sort(&search->work, &rows, order, &first_bad))
        return fail_undone(search->context);
    if (first_bad != SIZE_MAX)
        return fail_bad_box(search, set, first_bad);
    for (size_t i = 0; first > 0 && i < rows.count; ++i)
        order[i] += (uint32_t)first;
    return IMP_STATUS_OK;
}

static size_t round_up(size_t count, size_t multiple)
{
    return (count + multiple - 1) / multiple * multiple;
}

// Boxes in octree order, ready to be filled in.
static imp_Status build_octree(impi_PairSearch *search)
{
    const size_t *counts = search->set_counts;
    int larger = counts[1] > counts[0];
    size_t first_room = round_up(counts[larger], search->is_between ? GROUP_LANES : IMPI_LANES);
    size_t room = first_room + round_up(counts[!larger], IMPI_LANES);
    size_t starts[2] = {larger ? first_room : 0, larger ? 0 : first_room};
    uint32_t *order = impi_arena_allocate_array(search->work.scratch, room, sizeof *order);
    if (!order)
        return impi_fail_out_of_memory(search->context);
    for (int set = 0; set < 2; ++set) {
        size_t end = starts[set] == 0 ? first_room : room;
        imp_Status status = sort_set(search, set, order + starts[set], end - starts[set]);
        if (status != IMP_STATUS_OK)
            return status;
    }
    void *levels = impi_arena_allocate(search->work.scratch, impi_octree_levels_size(room));
    if (!levels)
        return impi_fail_out_of_memory(search->context);
    search->octree.order = order;
    impi_octree_lay_out(&search->octree, room, levels);
    if (search->is_between)
        search->octree.split_group = first_room / GROUP_LANES;
    search->store.reusable = levels;
    search->store.reusable_size = impi_octree_levels_size(room);
    return IMP_STATUS_OK;
}

// ---- search

static imp_Status search_octree(impi_PairSearch *search, uint64_t limit)
{
    bool exact;
    imp_SearchStats *stats = search->context->search_stats;
    uint64_t start = impi_search_stats_begin(stats);
    impi_box_rows_choose_map(&search->rows);
    imp_Status status = build_octree(search);
    if (status != IMP_STATUS_OK)
        return status;
    if (search->is_between && (search->set_counts[0] == 0 || search->set_counts[1] == 0))
        return IMP_STATUS_OK;
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

imp_Status impi_pair_search_run(impi_PairSearch *search, imp_Context *context, const impi_BoxSets *sets,
                                uint64_t limit, impi_Arena *arena)
{
    size_t other_count = sets->others ? sets->others->count : 0, count = sets->boxes->count + other_count;
    search->context = context;
    search->work = (impi_SearchWork){&context->executor, impi_octree_kernel(), arena, NULL, &context->watch};
    search->rows = (impi_BoxRows){sets->boxes->float_boxes, sets->boxes->boxes, count, {0, 0, 0}, 1};
    search->set_counts[0] = sets->boxes->count;
    search->set_counts[1] = other_count;
    search->is_between = sets->others != NULL;
    impi_pair_store_init(&search->store, arena, count);
    if (count == 0)
        return IMP_STATUS_OK;
    if (sets->others) {
        search->rows.float_rows = NULL;
        search->rows.double_rows = NULL;
        if (!join_rows(search, sets))
            return impi_fail_out_of_memory(context);
    }
    return search_octree(search, limit);
}

void impi_pair_search_end(impi_PairSearch *search)
{
    impi_pair_store_destroy(&search->store);
}

imp_Status impi_pair_search_write(impi_PairSearch *search, imp_IndexPair *pairs)
{
    if (!impi_pair_store_sort(&search->store, &search->work, NULL, pairs))
        return fail_undone(search->context);
    for (size_t i = 0; search->is_between && i < search->store.kept; ++i)
        pairs[i].b -= (uint32_t)search->set_counts[0];
    return IMP_STATUS_OK;
}
