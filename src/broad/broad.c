// The broad phase that stays: boxes by slot, a search that knows the last one, and the pairs of the last
// update.
#include "base/call.h"
#include "base/slot_table.h"
#include "broad/box_table.h"
#include "broad/coherent_search.h"
#include "broad/linear_octree_variants.h"

#include <stdatomic.h>
#include <string.h>

#define MOVES_PER_TASK 16384

typedef struct Answer {
    impi_IndexPairs pairs, begun, ended;
    imp_BroadResult result;
} Answer;

struct imp_Broad {
    imp_Context *context;
    impi_SlotTable slots;
    impi_BoxTable table;
    impi_CoherentSearch search;
    IMPI_ARRAY(uint8_t) is_new; // by slot: given away since the last update
    size_t new_count;

    Answer answers[2]; // of the last update, and the one in the making
    unsigned current;
};

// What boxes have unless told otherwise: one category, nothing ignored.
static const impi_PairFilter plain_filter = {1, 0, 0};

static imp_Status check_broad(const imp_Broad *broad)
{
    return impi_context_check(broad ? broad->context : NULL);
}

// ---- making and ending

static imp_Status reserve_boxes(imp_Broad *broad, size_t count)
{
    const imp_Allocator *allocator = &broad->context->allocator;
    if (count >= UINT32_MAX - broad->slots.slots.count)
        return impi_fail(broad->context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                         "with %zu boxes more there would be more than 2^32 - 2", count);
    size_t slot_count = impi_slot_table_size_with(&broad->slots, count);
    if (!impi_slot_table_reserve(allocator, &broad->slots, count) ||
        !impi_array_reserve(allocator, &broad->is_new, sizeof(uint8_t), slot_count + 1) ||
        !impi_box_table_reserve(&broad->table, slot_count))
        return impi_fail_out_of_memory(broad->context);
    return IMP_STATUS_OK;
}

imp_Status imp_broad_create(imp_Context *context, const imp_BroadDef *def, imp_Broad **broad)
{
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    imp_BroadDef wanted = def ? *def : (imp_BroadDef){0};
    if (!broad || (wanted.precision != IMP_BROAD_DOUBLE && wanted.precision != IMP_BROAD_FLOAT))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "there is no room for the broad phase, or its precision is unknown");
    if (wanted.expected_count >= UINT32_MAX)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE, "%zu boxes are more than 2^32 - 2",
                         wanted.expected_count);
    status = IMPI_CHECK_RESERVED(context, &wanted);
    if (status != IMP_STATUS_OK)
        return status;
    imp_Broad *made = impi_allocate(&context->allocator, sizeof *made);
    if (!made)
        return impi_fail_out_of_memory(context);
    *made = (imp_Broad){.context = context};
    impi_box_table_init(&made->table, &context->allocator, wanted.precision == IMP_BROAD_FLOAT, plain_filter);
    impi_coherent_search_init(&made->search);
    status = reserve_boxes(made, wanted.expected_count);
    if (status != IMP_STATUS_OK) {
        imp_broad_destroy(made);
        return status;
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
    if (!broad || impi_context_is_lost(broad->context))
        return;
    const imp_Allocator *allocator = &broad->context->allocator;
    answer_destroy(allocator, &broad->answers[0]);
    answer_destroy(allocator, &broad->answers[1]);
    impi_array_free(allocator, &broad->is_new, sizeof(uint8_t));
    impi_coherent_search_destroy(allocator, &broad->search);
    impi_box_table_destroy(&broad->table);
    impi_slot_table_destroy(allocator, &broad->slots);
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
    size_t bad = impi_box_source_find_bad(source, 0, count);
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
    return impi_box_table_reserve_filter(&broad->table, filter) ? IMP_STATUS_OK
                                                                : impi_fail_out_of_memory(broad->context);
}

static imp_BroadId add_row(imp_Broad *broad, impi_BoxSource source, size_t row, impi_PairFilter filter)
{
    uint32_t slot = impi_slot_table_take(&broad->slots);
    while (broad->is_new.count <= slot)
        broad->is_new.data[broad->is_new.count++] = 0;
    broad->is_new.data[slot] = 1;
    ++broad->new_count;
    impi_box_table_add(&broad->table, slot, filter);
    impi_box_table_set(&broad->table, slot, source, row);
    return (imp_BroadId){slot, impi_slot_generation(&broad->slots, slot)};
}

static bool holds(const imp_Broad *broad, imp_BroadId id)
{
    return impi_slot_table_holds(&broad->slots, id.slot, id.generation);
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
    imp_Status status = check_broad(broad);
    if (status != IMP_STATUS_OK)
        return status;
    if (!box || !id)
        return impi_fail(broad->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "the box or the id is null");
    double row[6];
    impi_BoxSource source = one_box(box, row);
    impi_PairFilter filter = {category_bits, ignore_bits, 0};
    impi_FloatGuard guard = impi_call_begin(broad->context);
    status = check_source(broad, source, 1);
    if (status == IMP_STATUS_OK)
        status = reserve_boxes(broad, 1);
    if (status == IMP_STATUS_OK)
        status = reserve_filter(broad, filter);
    if (status == IMP_STATUS_OK)
        *id = add_row(broad, source, 0, filter);
    return impi_call_end(broad->context, guard, status);
}

imp_Status imp_broad_add_many(imp_Broad *broad, const imp_BoxArray *boxes, imp_BroadId *ids)
{
    imp_Status status = check_broad(broad);
    if (status != IMP_STATUS_OK)
        return status;
    status = check_array(broad, boxes, ids);
    if (status != IMP_STATUS_OK)
        return status;
    impi_BoxSource source = {boxes->float_boxes, boxes->boxes};
    impi_FloatGuard guard = impi_call_begin(broad->context);
    status = check_source(broad, source, boxes->count);
    if (status == IMP_STATUS_OK)
        status = reserve_boxes(broad, boxes->count);
    for (size_t i = 0; status == IMP_STATUS_OK && i < boxes->count; ++i)
        ids[i] = add_row(broad, source, i, plain_filter);
    return impi_call_end(broad->context, guard, status);
}

imp_Status imp_broad_move(imp_Broad *broad, imp_BroadId id, const imp_Box *box)
{
    imp_Status status = check_broad(broad);
    if (status != IMP_STATUS_OK)
        return status;
    if (!box)
        return impi_fail(broad->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "the box is null");
    if (!holds(broad, id))
        return fail_no_such_box(broad, id, id.slot);
    double row[6];
    impi_BoxSource source = one_box(box, row);
    impi_FloatGuard guard = impi_call_begin(broad->context);
    status = check_source(broad, source, 1);
    if (status == IMP_STATUS_OK)
        impi_box_table_set(&broad->table, id.slot, source, 0);
    return impi_call_end(broad->context, guard, status);
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
    while (id < end && holds(job->broad, job->ids[id]))
        ++id;
    if (id < end)
        note_bad(&job->first_bad_id, id);
    size_t box = impi_box_source_find_bad(job->source, begin, end);
    if (box < end)
        note_bad(&job->first_bad_box, box);
}

static void make_moves(size_t begin, size_t end, size_t block, void *argument)
{
    (void)block;
    MoveJob *job = argument;
    impi_box_table_set_many(&job->broad->table, job->ids, job->source, begin, end);
}

static imp_Status move_many(imp_Broad *broad, const imp_BroadId *ids, const imp_BoxArray *boxes)
{
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

imp_Status imp_broad_move_many(imp_Broad *broad, const imp_BroadId *ids, const imp_BoxArray *boxes)
{
    imp_Status status = check_broad(broad);
    if (status == IMP_STATUS_OK)
        status = check_array(broad, boxes, ids);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_call_begin(broad->context);
    return impi_call_end(broad->context, guard, move_many(broad, ids, boxes));
}

imp_Status imp_broad_set_filter(imp_Broad *broad, imp_BroadId id, uint64_t category_bits,
                                uint64_t ignore_bits)
{
    imp_Status status = check_broad(broad);
    if (status != IMP_STATUS_OK)
        return status;
    if (!holds(broad, id))
        return fail_no_such_box(broad, id, id.slot);
    impi_PairFilter filter = {category_bits, ignore_bits, 0};
    impi_FloatGuard guard = impi_call_begin(broad->context);
    status = reserve_filter(broad, filter);
    if (status == IMP_STATUS_OK)
        impi_box_table_set_filter(&broad->table, id.slot, filter);
    return impi_call_end(broad->context, guard, status);
}

imp_Status imp_broad_remove(imp_Broad *broad, imp_BroadId id)
{
    imp_Status status = check_broad(broad);
    if (status != IMP_STATUS_OK)
        return status;
    if (!holds(broad, id))
        return fail_no_such_box(broad, id, id.slot);
    impi_FloatGuard guard = impi_call_begin(broad->context);
    impi_box_table_remove(&broad->table, id.slot);
    impi_slot_table_give_back(&broad->slots, id.slot);
    return impi_call_end(broad->context, guard, IMP_STATUS_OK);
}

bool imp_broad_is_valid(const imp_Broad *broad, imp_BroadId id)
{
    return check_broad(broad) == IMP_STATUS_OK && holds(broad, id);
}

size_t imp_broad_get_count(const imp_Broad *broad)
{
    return check_broad(broad) == IMP_STATUS_OK ? broad->slots.used_count : 0;
}

// ---- update

static bool update(imp_Broad *broad)
{
    imp_Context *context = broad->context;
    Answer *before = &broad->answers[broad->current], *after = &broad->answers[broad->current ^ 1];
    impi_SearchWork work = {&context->executor, impi_octree_kernel(), &context->scratch, NULL, NULL};
    impi_arena_reset(&context->scratch);
    if (!impi_coherent_search_pairs(&broad->search, &broad->table, &work, context->search_stats,
                                    &after->pairs) ||
        !impi_pair_changes(&context->allocator, &before->pairs, &after->pairs,
                           broad->new_count ? broad->is_new.data : NULL, &after->begun, &after->ended))
        return false;
    after->result = (imp_BroadResult){after->pairs.data,  after->pairs.count, after->begun.data,
                                      after->begun.count, after->ended.data,  after->ended.count};
    if (broad->new_count > 0)
        memset(broad->is_new.data, 0, broad->is_new.count);
    broad->new_count = 0;
    broad->current ^= 1;
    return true;
}

imp_Status imp_broad_update(imp_Broad *broad, const imp_BroadResult **result)
{
    imp_Status status = check_broad(broad);
    if (status != IMP_STATUS_OK)
        return status;
    if (!result)
        return impi_fail(broad->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "there is no room for the result");
    impi_FloatGuard guard = impi_call_begin(broad->context);
    if (update(broad))
        *result = &broad->answers[broad->current].result;
    else
        status = impi_fail_out_of_memory(broad->context);
    return impi_call_end(broad->context, guard, status);
}
