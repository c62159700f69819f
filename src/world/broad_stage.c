#include "world/broad_stage.h"

#include "base/radix_sort.h"
#include "broad/linear_octree_variants.h"
#include "shape/bounds.h"

#include <assert.h>
#include <float.h>
#include <math.h>

// Where there are very many pairs, so many are looked at before the next ones are found.
#define NEXT_PAIRS 4096

void impi_broad_stage_init(impi_BroadStage *stage, const imp_Allocator *allocator)
{
    *stage = (impi_BroadStage){0};
    impi_box_table_init(&stage->boxes, allocator, false, (impi_PairFilter){0, 0, 0});
    impi_coherent_search_init(&stage->search);
}

void impi_broad_stage_destroy(const imp_Allocator *allocator, impi_BroadStage *stage)
{
    impi_array_free(allocator, &stage->pairs, sizeof *stage->pairs.data);
    impi_coherent_search_destroy(allocator, &stage->search);
    impi_box_table_destroy(&stage->boxes);
}

// Not less than half, whatever is lost of the smallest numbers.
static double half_of(double margin)
{
    return margin - 0.5 * margin;
}

// Bounds end at the largest double, as vertices do.
static double clamp(double x)
{
    return fmin(fmax(x, -DBL_MAX), DBL_MAX);
}

static void set_box(const impi_BroadAsk *ask, const impi_Body *body, impi_BoxTable *boxes)
{
    imp_Box box = impi_box_widen(&body->bounds, half_of(ask->margin));
    const double row[6] = {clamp(box.min.x), clamp(box.min.y), clamp(box.min.z),
                           clamp(box.max.x), clamp(box.max.y), clamp(box.max.z)};
    impi_box_table_set(boxes, body->slot, (impi_BoxSource){.double_rows = row}, 0);
}

imp_Status impi_bounds_stage(imp_Context *context, const impi_BroadAsk *ask, impi_Body *const *changed,
                             size_t count, impi_BoxTable *boxes)
{
    assert(ask->margin >= 0 && ask->margin <= DBL_MAX);
    imp_Status status = impi_bodies_bound(context, ask->budget, changed, count);
    for (size_t i = 0; i < count && status == IMP_STATUS_OK; ++i)
        set_box(ask, changed[i], boxes);
    return status;
}

void impi_bounds_stage_widen(const impi_BroadAsk *ask, impi_Body *const *bodies, size_t count,
                             impi_BroadStage *stage)
{
    for (size_t i = 0; i < count; ++i)
        set_box(ask, bodies[i], &stage->boxes);
    stage->margin = ask->margin;
}

static void drop_ignored(impi_IndexPairs *pairs, const impi_IgnoredPairs *ignored)
{
    size_t kept = 0, next = 0;
    if (ignored->count == 0)
        return;
    for (size_t i = 0; i < pairs->count; ++i) {
        uint64_t key = impi_slot_pair(pairs->data[i].a, pairs->data[i].b);
        while (next < ignored->count && ignored->data[next] < key)
            ++next;
        pairs->data[kept] = pairs->data[i];
        kept += next == ignored->count || ignored->data[next] != key;
    }
    pairs->count = kept;
}

static void drop_refused(impi_IndexPairs *pairs, const impi_BroadAsk *ask)
{
    size_t kept = 0;
    if (!ask->filter.passes)
        return;
    for (size_t i = 0; i < pairs->count; ++i) {
        imp_IndexPair pair = pairs->data[i];
        pairs->data[kept] = pair;
        kept += ask->filter.passes(impi_body_id(ask->slots, pair.a), impi_body_id(ask->slots, pair.b),
                                   ask->filter.user);
    }
    pairs->count = kept;
}

// Halves of the margin on both boxes are rounded twice, which may be an ulp too much.
static void drop_distant(impi_IndexPairs *pairs, const impi_Body *bodies, double margin)
{
    size_t kept = 0;
    if (margin == 0)
        return;
    for (size_t i = 0; i < pairs->count; ++i) {
        imp_Box near = impi_box_widen(&bodies[pairs->data[i].a - 1].bounds, margin);
        pairs->data[kept] = pairs->data[i];
        kept += impi_boxes_meet(&near, &bodies[pairs->data[i].b - 1].bounds);
    }
    pairs->count = kept;
}

static imp_Status finish(imp_Context *context, bool done, impi_BroadStage *stage, const impi_BroadAsk *ask)
{
    if (impi_budget_is_cancelled(ask->budget))
        return impi_fail_cancelled(context);
    if (!done)
        return impi_fail_out_of_memory(context);
    drop_ignored(&stage->pairs, ask->ignored);
    drop_distant(&stage->pairs, ask->bodies, ask->margin);
    drop_refused(&stage->pairs, ask);
    return IMP_STATUS_OK;
}

static impi_SearchWork octree_work(imp_Context *context, const impi_BroadAsk *ask)
{
    return (impi_SearchWork){&context->executor, impi_octree_kernel(), &context->scratch, ask->budget, NULL};
}

imp_Status impi_broad_stage(imp_Context *context, impi_BroadStage *stage, const impi_BroadAsk *ask)
{
    impi_SearchWork work = octree_work(context, ask);
    bool done = impi_coherent_search_pairs(&stage->search, &stage->boxes, &work, context->search_stats,
                                           &stage->pairs);
    stage->next_slot = 0;
    return finish(context, done, stage, ask);
}

imp_Status impi_broad_stage_first(imp_Context *context, impi_BroadStage *stage, const impi_BroadAsk *ask)
{
    bool is_complete = true;
    impi_SearchWork work = octree_work(context, ask);
    bool done = impi_coherent_search_few(&stage->search, &stage->boxes, &work, context->search_stats,
                                         &stage->pairs, &is_complete);
    stage->next_slot = is_complete ? 0 : 1;
    if (done && !is_complete)
        return impi_broad_stage_next(context, stage, ask);
    return finish(context, done, stage, ask);
}

// The pairs of one slot with later ones, in order. `keys` and `spare` hold as many numbers as the table has
// rows. False when out of memory.
static bool add_pairs_of_slot(const imp_Allocator *allocator, impi_BroadStage *stage, uint32_t slot,
                              uint64_t *keys, uint64_t *spare)
{
    uint32_t *others = (uint32_t *)spare;
    size_t count = impi_coherent_search_others(&stage->search, &stage->boxes, slot, others);
    if (!impi_array_reserve(allocator, &stage->pairs, sizeof *stage->pairs.data, stage->pairs.count + count))
        return false;
    for (size_t i = 0; i < count; ++i)
        keys[i] = others[i];
    const uint64_t *sorted = impi_radix_sort_packed(keys, spare, count, 0, 32);
    for (size_t i = 0; i < count; ++i)
        stage->pairs.data[stage->pairs.count++] = (imp_IndexPair){slot, (uint32_t)sorted[i]};
    return true;
}

imp_Status impi_broad_stage_next(imp_Context *context, impi_BroadStage *stage, const impi_BroadAsk *ask)
{
    size_t row_count = stage->boxes.row_count;
    uint32_t slot = stage->next_slot;
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    uint64_t *keys = impi_arena_allocate_array(&context->scratch, row_count, sizeof *keys);
    uint64_t *spare = impi_arena_allocate_array(&context->scratch, row_count, sizeof *spare);
    bool done = keys && spare;
    stage->pairs.count = 0;
    while (done && slot < row_count && stage->pairs.count < NEXT_PAIRS &&
           !impi_budget_is_cancelled(ask->budget))
        done = add_pairs_of_slot(&context->allocator, stage, slot++, keys, spare);
    stage->next_slot = slot < row_count ? slot : 0;
    impi_arena_rewind(&context->scratch, mark);
    return finish(context, done, stage, ask);
}
