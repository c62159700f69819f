// Filter "separating-vector": do two solids touch? By their separating vector, beginning with what the last
// detect found out about the pair. A convex body is a solid, the hull of its posed vertices.
#include "object/convex_exact.h"
#include "object/pair_tasks.h"
#include "object/separating_vector.h"
#include "shape/convex.h"

static size_t lane_count(const impi_Body *body)
{
    return (size_t)((const imp_Convex *)body->shape)->support.block_count * IMPI_SUPPORT_LANES;
}

static size_t scratch_size(const impi_FilterRun *run)
{
    size_t most = 0;
    for (size_t i = 0; i < run->count; ++i) {
        const impi_PairWork *pair = impi_run_pair(run, i);
        size_t lanes = lane_count(pair->a) + lane_count(pair->b);
        most = lanes > most ? lanes : most;
    }
    return impi_convex_exact_memory(most);
}

// Poses are checked when they are set, so nothing but memory can be lacking.
static imp_Status test_pair(const impi_FilterRun *run, impi_Arena *arena, impi_PairWork *pair)
{
    impi_Polytope a = impi_convex_polytope((const imp_Convex *)pair->a->shape, &pair->a->transform);
    impi_Polytope b = impi_convex_polytope((const imp_Convex *)pair->b->shape, &pair->b->transform);
    imp_ConvexResult result = {.touch = false};
    imp_Status status = impi_convex_test(arena, &a, &b, pair->state, &result);
    (void)run;
    if (status != IMP_STATUS_OK)
        return status;
    pair->relations |= result.touch ? IMP_RELATION_TOUCH : 0u;
    pair->answered |= IMP_QUESTION_TOUCH;
    return IMP_STATUS_OK;
}

static imp_Status run_pairs(impi_FilterRun *run)
{
    return impi_pair_tasks_run(run, IMPI_SHORT_PAIRS_PER_TASK, test_pair);
}

const impi_Filter impi_separating_vector_filter = {
    .name = "separating-vector",
    .takes_touch = {IMPI_KIND_BIT(IMPI_SHAPE_CONVEX), IMPI_KIND_BIT(IMPI_SHAPE_CONVEX)},
    .scratch_size = scratch_size,
    .run = run_pairs};
