// The broad phase that stays: boxes by slot, the order of the last sort, and the pairs of the last update.
//
// An update sorts the boxes anew only when it pays. Between sorts the order is kept and bounds are refitted;
// boxes that moved make blocks overlap more than just after the sort. Each update adds the surplus of
// overlapping blocks to an account, and when what it has cost reaches the price of a sort, the next update
// sorts. So time lost to an old order is never more than that spent on sorting, whatever the motion. The
// account counts work, not time, so that runs are repeatable.
//
// While boxes move slowly even the search is saved. A search for boxes made larger by a margin gives
// candidates, sorted; as long as every box stays within its larger one, an update only has to test these.
// When a box leaves, the next update makes new candidates. If that happens so soon that they did not pay,
// several updates search for the boxes themselves before the next attempt, twice as many each time.
#include "base/context.h"
#include "base/float_guard.h"
#include "broad/box_table.h"
#include "broad/candidates.h"
#include "broad/linear_octree.h"
#include "broad/linear_octree_variants.h"
#include "broad/pair_changes.h"
#include "broad/pair_store.h"
#include "broad/search_stats.h"

#include <stdatomic.h>
#include <string.h>

// Sorting one box costs as much as comparing this many blocks, measured.
#define BLOCK_PAIRS_PER_SORTED_BOX 0.35

// New boxes wait in unsorted blocks behind the others, each of which may overlap everything.
#define MAX_UNSORTED_BOXES 128

#define MOVES_PER_TASK 16384

// Margin of the larger boxes, in longest sides. Twice as much means twice as many candidates, roughly.
#define REACH 0.25

// Candidates have to serve this many updates, or the next attempt is put off; for how many updates at most.
#define MIN_SERVED  2
#define MAX_PUT_OFF 64

// More candidates than this for each box are not worth keeping.
#define MAX_CANDIDATES_PER_BOX 6

typedef struct Answer {
    impi_IndexPairs pairs, begun, ended;
    imp_BroadResult result;
} Answer;

struct imp_Broad {
    imp_Context *context;
    impi_BoxTable table;

    impi_Octree octree;
    IMPI_ARRAY(uint32_t) order; // of slots; the octree's
    void *levels;
    size_t levels_size;
    size_t added_since_sort;
    bool is_sorted;
    double origin[3], scale;        // of the search coordinates since the last sort
    uint64_t sorted_block_pairs[2]; // just after the sort, searching boxes and larger boxes; 0: not yet
    double surplus_block_pairs;

    impi_IndexPairs candidates; // valid while the table says that boxes are within reach
    bool has_candidates;
    uint32_t served, put_off, next_put_off; // updates

    Answer answers[2]; // of the last update, and the one in the making
    unsigned current;
};

// ---- making and ending

imp_Status imp_broad_create(imp_Context *context, const imp_BroadDef *def, imp_Broad **broad)
{
    if (!context)
        return IMP_STATUS_BAD_ARGUMENT;
    imp_BroadDef wanted = def ? *def : (imp_BroadDef){IMP_BROAD_DOUBLE, 0};
    if (!broad || (wanted.precision != IMP_BROAD_DOUBLE && wanted.precision != IMP_BROAD_FLOAT))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "the place for the broad phase is null, or its precision unknown");
    if (wanted.expected_count >= UINT32_MAX)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE, "%zu boxes are more than 2^32 - 2",
                         wanted.expected_count);
    imp_Broad *made = impi_allocate(&context->allocator, sizeof *made);
    if (!made)
        return impi_fail_out_of_memory(context);
    *made = (imp_Broad){.context = context, .next_put_off = 1, .put_off = 1};
    if (!impi_box_table_init(&made->table, &context->allocator, wanted.precision == IMP_BROAD_FLOAT,
                             wanted.expected_count)) {
        impi_release(&context->allocator, made, sizeof *made);
        return impi_fail_out_of_memory(context);
    }
    *broad = made;
    return IMP_STATUS_OK;
}

static void answer_destroy(const imp_Allocator *allocator, Answer *answer)
{
    impi_array_free(allocator, &answer->pairs, sizeof(imp_IndexPair));
    impi_array_free(allocator, &answer->begun, sizeof(imp_IndexPair));
    impi_array_free(allocator, &answer->ended, sizeof(imp_IndexPair));
}

void imp_broad_destroy(imp_Broad *broad)
{
    if (!broad)
        return;
    const imp_Allocator *allocator = &broad->context->allocator;
    answer_destroy(allocator, &broad->answers[0]);
    answer_destroy(allocator, &broad->answers[1]);
    impi_release(allocator, broad->levels, broad->levels_size);
    impi_array_free(allocator, &broad->order, sizeof(uint32_t));
    impi_array_free(allocator, &broad->candidates, sizeof(imp_IndexPair));
    impi_box_table_destroy(&broad->table);
    impi_release(allocator, broad, sizeof *broad);
}

// ---- boxes

static imp_Status fail_no_such_box(imp_Broad *broad, imp_BroadId id, uint64_t index)
{
    return impi_fail(broad->context, IMP_STATUS_BAD_INDEX, index, "no box has slot %u and generation %u",
                     id.slot, id.generation);
}

static imp_Status fail_bad_box(imp_Broad *broad, size_t index)
{
    return impi_fail(broad->context, IMP_STATUS_BAD_NUMBER, index,
                     "box %zu is not finite, or its min exceeds its max", index);
}

static imp_Status check_source(imp_Broad *broad, impi_BoxSource source, size_t count)
{
    size_t bad = impi_box_source_find_bad(source, 0, count, broad->table.is_float);
    return bad == count ? IMP_STATUS_OK : fail_bad_box(broad, bad);
}

static imp_Status check_array(imp_Broad *broad, const imp_BoxArray *boxes, const imp_BroadId *ids)
{
    if (!boxes || (boxes->count && (!ids || !boxes->float_boxes == !boxes->boxes)))
        return impi_fail(broad->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "ids or boxes are null, or boxes are given both as floats and as doubles");
    return IMP_STATUS_OK;
}

static imp_Status reserve_filter(imp_Broad *broad, impi_PairFilter filter)
{
    bool is_plain = filter.category_bits == IMPI_PLAIN_FILTER.category_bits &&
                    filter.ignore_bits == IMPI_PLAIN_FILTER.ignore_bits;
    return is_plain || impi_box_table_use_filters(&broad->table) ? IMP_STATUS_OK
                                                                 : impi_fail_out_of_memory(broad->context);
}

static imp_Status reserve_boxes(imp_Broad *broad, size_t count)
{
    if (count >= UINT32_MAX - broad->table.slots.count)
        return impi_fail(broad->context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                         "with %zu boxes more there would be more than 2^32 - 2", count);
    if (!impi_box_table_reserve(&broad->table, count))
        return impi_fail_out_of_memory(broad->context);
    return IMP_STATUS_OK;
}

static imp_BroadId add_row(imp_Broad *broad, impi_BoxSource source, size_t row, impi_PairFilter filter)
{
    uint32_t slot = impi_box_table_add(&broad->table, source, row, filter);
    ++broad->added_since_sort;
    return (imp_BroadId){slot, broad->table.slots.data[slot].generation};
}

static impi_BoxSource one_box(const imp_Box *box, double row[6])
{
    memcpy(row, (double[6]){box->min.x, box->min.y, box->min.z, box->max.x, box->max.y, box->max.z},
           6 * sizeof *row);
    return (impi_BoxSource){NULL, row};
}

imp_Status imp_broad_add(imp_Broad *broad, const imp_Box *box, uint64_t category_bits, uint64_t ignore_bits,
                         imp_BroadId *id)
{
    if (!broad)
        return IMP_STATUS_BAD_ARGUMENT;
    if (!box || !id)
        return impi_fail(broad->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "the box or the id is null");
    double row[6];
    impi_BoxSource source = one_box(box, row);
    impi_PairFilter filter = {category_bits, ignore_bits};
    impi_FloatGuard guard = impi_float_guard_enter();
    imp_Status status = check_source(broad, source, 1);
    if (status == IMP_STATUS_OK)
        status = reserve_boxes(broad, 1);
    if (status == IMP_STATUS_OK)
        status = reserve_filter(broad, filter);
    if (status == IMP_STATUS_OK)
        *id = add_row(broad, source, 0, filter);
    impi_float_guard_leave(guard);
    return status;
}

imp_Status imp_broad_add_many(imp_Broad *broad, const imp_BoxArray *boxes, imp_BroadId *ids)
{
    if (!broad)
        return IMP_STATUS_BAD_ARGUMENT;
    imp_Status status = check_array(broad, boxes, ids);
    if (status != IMP_STATUS_OK)
        return status;
    impi_BoxSource source = {boxes->float_boxes, boxes->boxes};
    impi_FloatGuard guard = impi_float_guard_enter();
    status = check_source(broad, source, boxes->count);
    if (status == IMP_STATUS_OK)
        status = reserve_boxes(broad, boxes->count);
    for (size_t i = 0; status == IMP_STATUS_OK && i < boxes->count; ++i)
        ids[i] = add_row(broad, source, i, IMPI_PLAIN_FILTER);
    impi_float_guard_leave(guard);
    return status;
}

imp_Status imp_broad_move(imp_Broad *broad, imp_BroadId id, const imp_Box *box)
{
    if (!broad)
        return IMP_STATUS_BAD_ARGUMENT;
    if (!box)
        return impi_fail(broad->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "the box is null");
    if (!impi_box_table_holds(&broad->table, id))
        return fail_no_such_box(broad, id, id.slot);
    double row[6];
    impi_BoxSource source = one_box(box, row);
    impi_FloatGuard guard = impi_float_guard_enter();
    imp_Status status = check_source(broad, source, 1);
    if (status == IMP_STATUS_OK)
        impi_box_table_set(&broad->table, id.slot, source, 0);
    impi_float_guard_leave(guard);
    return status;
}

typedef struct MoveJob {
    imp_Broad *broad;
    const imp_BroadId *ids;
    impi_BoxSource source;
    atomic_size_t first_bad_id, first_bad_box; // SIZE_MAX when there is none
} MoveJob;

static void note_bad(atomic_size_t *first, size_t index)
{
    size_t known = atomic_load(first);
    while (index < known && !atomic_compare_exchange_weak(first, &known, index)) {
    }
}

static void check_moves(size_t begin, size_t end, size_t block, void *argument)
{
    (void)block;
    MoveJob *job = argument;
    size_t id = begin;
    while (id < end && impi_box_table_holds(&job->broad->table, job->ids[id]))
        ++id;
    if (id < end)
        note_bad(&job->first_bad_id, id);
    size_t box = impi_box_source_find_bad(job->source, begin, end, job->broad->table.is_float);
    if (box < end)
        note_bad(&job->first_bad_box, box);
}

static void make_moves(size_t begin, size_t end, size_t block, void *argument)
{
    (void)block;
    MoveJob *job = argument;
    impi_box_table_set_many(&job->broad->table, job->ids, job->source, begin, end);
}

imp_Status imp_broad_move_many(imp_Broad *broad, const imp_BroadId *ids, const imp_BoxArray *boxes)
{
    if (!broad)
        return IMP_STATUS_BAD_ARGUMENT;
    imp_Status status = check_array(broad, boxes, ids);
    if (status != IMP_STATUS_OK)
        return status;
    const imp_Executor *executor = &broad->context->executor;
    MoveJob job = {broad, ids, {boxes->float_boxes, boxes->boxes}, SIZE_MAX, SIZE_MAX};
    impi_parallel_for(executor, boxes->count, MOVES_PER_TASK, check_moves, &job);
    size_t bad_id = atomic_load(&job.first_bad_id), bad_box = atomic_load(&job.first_bad_box);
    if (bad_id != SIZE_MAX)
        return fail_no_such_box(broad, ids[bad_id], bad_id);
    if (bad_box != SIZE_MAX)
        return fail_bad_box(broad, bad_box);
    impi_parallel_for(executor, boxes->count, MOVES_PER_TASK, make_moves, &job);
    return IMP_STATUS_OK;
}

imp_Status imp_broad_set_filter(imp_Broad *broad, imp_BroadId id, uint64_t category_bits,
                                uint64_t ignore_bits)
{
    if (!broad)
        return IMP_STATUS_BAD_ARGUMENT;
    if (!impi_box_table_holds(&broad->table, id))
        return fail_no_such_box(broad, id, id.slot);
    impi_PairFilter filter = {category_bits, ignore_bits};
    imp_Status status = reserve_filter(broad, filter);
    if (status == IMP_STATUS_OK)
        impi_box_table_set_filter(&broad->table, id.slot, filter);
    return status;
}

imp_Status imp_broad_remove(imp_Broad *broad, imp_BroadId id)
{
    if (!broad)
        return IMP_STATUS_BAD_ARGUMENT;
    if (!impi_box_table_holds(&broad->table, id))
        return fail_no_such_box(broad, id, id.slot);
    impi_box_table_remove(&broad->table, id.slot);
    return IMP_STATUS_OK;
}

bool imp_broad_is_valid(const imp_Broad *broad, imp_BroadId id)
{
    return broad && impi_box_table_holds(&broad->table, id);
}

size_t imp_broad_get_count(const imp_Broad *broad)
{
    return broad ? broad->table.box_count : 0;
}

// ---- update

static bool wants_sort(const imp_Broad *broad)
{
    return !broad->is_sorted || broad->added_since_sort > MAX_UNSORTED_BOXES ||
           broad->surplus_block_pairs >= BLOCK_PAIRS_PER_SORTED_BOX * (double)broad->table.box_count;
}

// Free slots are in the order too, so that one that is given away again has its place.
static bool sort_slots(imp_Broad *broad, const impi_OctreeWork *work)
{
    impi_BoxRows rows = impi_box_table_rows(&broad->table);
    broad->is_sorted = false;
    impi_box_rows_choose_map(&rows);
    memcpy(broad->origin, rows.origin, sizeof rows.origin);
    broad->scale = rows.scale;
    if (!impi_octree_sort(work, &rows, broad->order.data, NULL))
        return false;
    broad->order.count = rows.count;
    broad->added_since_sort = 0;
    broad->is_sorted = true;
    return true;
}

// Bring the order up to date, with every slot in it once and empty places up to a whole block.
static bool update_order(imp_Broad *broad, const impi_OctreeWork *work, bool sort)
{
    size_t slot_count = broad->table.slots.count;
    size_t place_count = (slot_count + IMPI_LANES - 1) / IMPI_LANES * IMPI_LANES;
    const imp_Allocator *allocator = work->scratch->allocator;
    if (!impi_array_reserve(allocator, &broad->order, sizeof(uint32_t), place_count) ||
        (sort && !sort_slots(broad, work)))
        return false;
    while (broad->order.count < slot_count) {
        broad->order.data[broad->order.count] = (uint32_t)broad->order.count;
        ++broad->order.count;
    }
    for (size_t place = slot_count; place < place_count; ++place)
        broad->order.data[place] = IMPI_NO_BOX;
    broad->octree.order = broad->order.data;
    size_t size = impi_octree_levels_size(place_count);
    if (size > broad->levels_size) {
        void *levels = impi_allocate(allocator, size);
        if (!levels)
            return false;
        impi_release(allocator, broad->levels, broad->levels_size);
        broad->levels = levels;
        broad->levels_size = size;
    }
    impi_octree_lay_out(&broad->octree, place_count, broad->levels);
    return true;
}

static void keep_account(imp_Broad *broad, bool sorted, bool is_reach, uint64_t block_pairs)
{
    if (sorted) {
        broad->sorted_block_pairs[0] = broad->sorted_block_pairs[1] = 0;
        broad->surplus_block_pairs = 0;
    }
    uint64_t *at_sort = &broad->sorted_block_pairs[is_reach];
    if (*at_sort == 0)
        *at_sort = block_pairs;
    else if (block_pairs > *at_sort)
        broad->surplus_block_pairs += (double)(block_pairs - *at_sort);
}

// Pairs of the boxes, or of the larger boxes.
static bool search(imp_Broad *broad, const impi_OctreeWork *work, bool is_reach, impi_IndexPairs *pairs)
{
    bool exact, sort = wants_sort(broad);
    impi_PairStore store;
    imp_SearchStats *stats = broad->context->search_stats;
    uint64_t start = impi_search_stats_begin(stats);
    if (!update_order(broad, work, sort))
        return false;
    impi_search_stats_stage(stats, IMP_SEARCH_SORT, &start);
    impi_BoxRows rows =
        is_reach ? impi_box_table_reach_rows(&broad->table) : impi_box_table_rows(&broad->table);
    memcpy(rows.origin, broad->origin, sizeof rows.origin);
    rows.scale = broad->scale;
    impi_octree_fill(work, &rows, &broad->octree, &exact);
    impi_search_stats_stage(stats, IMP_SEARCH_FILL, &start);
    impi_pair_store_init(&store, work->scratch, rows.count);
    store.double_rows = exact ? NULL : rows.double_rows;
    store.reusable = broad->levels; // each search fills them anew
    store.reusable_size = broad->levels_size;
    store.filters = broad->table.has_filters ? broad->table.filters.data : NULL;
    impi_PairTaker taker = {impi_pair_store_take, &store, store.index_bits};
    impi_SearchCounts counts = impi_octree_search(work, &broad->octree, &taker);
    impi_search_stats_stage(stats, IMP_SEARCH_PAIRS, &start);
    impi_search_stats_count(stats, &broad->octree, sort, counts.block_pairs);
    keep_account(broad, sort, is_reach, counts.block_pairs);
    bool done = !store.out_of_memory && impi_index_pairs_renew(work->scratch->allocator, pairs, store.kept) &&
                impi_pair_store_sort(&store, work->executor, (void *)pairs->data, pairs->data);
    if (done)
        pairs->count = store.kept;
    impi_pair_store_destroy(&store);
    return done;
}

// Candidates have become invalid: were they worth it?
static void judge_candidates(imp_Broad *broad)
{
    if (!broad->has_candidates)
        return;
    if (broad->served >= MIN_SERVED)
        broad->next_put_off = 1;
    else
        broad->put_off = broad->next_put_off;
    broad->next_put_off = broad->next_put_off < MAX_PUT_OFF / 2 ? 2 * broad->next_put_off : MAX_PUT_OFF;
    broad->has_candidates = false;
}

static bool make_candidates(imp_Broad *broad, const impi_OctreeWork *work)
{
    broad->served = 0;
    broad->has_candidates = true;
    return impi_box_table_make_reach(&broad->table, work->executor, REACH) &&
           search(broad, work, true, &broad->candidates);
}

static bool find_pairs(imp_Broad *broad, const impi_OctreeWork *work, impi_IndexPairs *pairs)
{
    bool is_valid = atomic_load(&broad->table.is_within_reach);
    if (!is_valid) {
        judge_candidates(broad);
        if (broad->put_off > 0) {
            --broad->put_off;
            return search(broad, work, false, pairs);
        }
        if (!make_candidates(broad, work)) {
            atomic_store(&broad->table.is_within_reach, false);
            return false;
        }
    }
    ++broad->served;
    impi_BoxRows rows = impi_box_table_rows(&broad->table);
    if (!impi_candidates_test(work->executor, work->scratch, &rows, &broad->candidates, pairs))
        return false;
    if (broad->candidates.count > MAX_CANDIDATES_PER_BOX * broad->table.box_count)
        atomic_store(&broad->table.is_within_reach, false);
    return true;
}

static bool update(imp_Broad *broad)
{
    imp_Context *context = broad->context;
    Answer *before = &broad->answers[broad->current], *after = &broad->answers[broad->current ^ 1];
    impi_OctreeWork work = {&context->executor, impi_octree_kernel(), &context->scratch};
    impi_arena_reset(&context->scratch);
    if (!find_pairs(broad, &work, &after->pairs) ||
        !impi_pair_changes(&context->allocator, &before->pairs, &after->pairs,
                           broad->table.new_count ? broad->table.is_new.data : NULL, &after->begun,
                           &after->ended))
        return false;
    after->result = (imp_BroadResult){after->pairs.data,  after->pairs.count, after->begun.data,
                                      after->begun.count, after->ended.data,  after->ended.count};
    impi_box_table_clear_new(&broad->table);
    broad->current ^= 1;
    return true;
}

imp_Status imp_broad_update(imp_Broad *broad, const imp_BroadResult **result)
{
    if (!broad)
        return IMP_STATUS_BAD_ARGUMENT;
    if (!result)
        return impi_fail(broad->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "the place for the result is null");
    impi_FloatGuard guard = impi_float_guard_enter();
    bool done = update(broad);
    impi_float_guard_leave(guard);
    if (!done)
        return impi_fail_out_of_memory(broad->context);
    *result = &broad->answers[broad->current].result;
    return IMP_STATUS_OK;
}
