#include "world/broad_stage.h"

#include "broad/linear_octree_variants.h"
#include "shape/bounds.h"

#include <assert.h>
#include <float.h>
#include <math.h>

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

imp_Status impi_bounds_stage(imp_Context *context, const impi_BroadAsk *ask, impi_Body *const *changed,
                             size_t count, impi_BoxTable *boxes)
{
    assert(ask->margin >= 0 && ask->margin <= DBL_MAX);
    imp_Status status = impi_bodies_bound(context, ask->budget, changed, count);
    for (size_t i = 0; i < count && status == IMP_STATUS_OK; ++i) {
        imp_Box box = impi_box_widen(&changed[i]->bounds, half_of(ask->margin));
        const double row[6] = {clamp(box.min.x), clamp(box.min.y), clamp(box.min.z),
                               clamp(box.max.x), clamp(box.max.y), clamp(box.max.z)};
        impi_box_table_set(boxes, changed[i]->slot, (impi_BoxSource){.double_rows = row}, 0);
    }
    return status;
}

static void drop_ignored(impi_IndexPairs *pairs, const impi_IgnoredPairs *ignored)
{
    size_t kept = 0, next = 0;
    if (ignored->count == 0)
        return;
    for (size_t i = 0; i < pairs->count; ++i) {
        uint64_t key = (uint64_t)pairs->data[i].a << 32 | pairs->data[i].b;
        while (next < ignored->count && ignored->data[next] < key)
            ++next;
        pairs->data[kept] = pairs->data[i];
        kept += next == ignored->count || ignored->data[next] != key;
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

imp_Status impi_broad_stage(imp_Context *context, impi_BroadStage *stage, const impi_BroadAsk *ask)
{
    impi_SearchWork work = {&context->executor, impi_octree_kernel(), &context->scratch, ask->budget, NULL};
    bool done = impi_coherent_search_pairs(&stage->search, &stage->boxes, &work, context->search_stats,
                                           &stage->pairs);
    if (impi_budget_is_cancelled(ask->budget))
        return impi_fail_cancelled(context);
    if (!done)
        return impi_fail_out_of_memory(context);
    drop_ignored(&stage->pairs, ask->ignored);
    drop_distant(&stage->pairs, ask->bodies, ask->margin);
    return IMP_STATUS_OK;
}
