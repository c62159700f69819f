// Filter "convex-mesh": does a solid touch a mesh? See object/solid_touch.h.
#include "object/pair_tasks.h"
#include "object/posed_surface.h"
#include "object/solid_touch.h"

// The two bodies of a pair by what they are.
typedef struct SolidAndMesh {
    impi_Body *solid, *mesh;
} SolidAndMesh;

static SolidAndMesh tell_apart(const impi_PairWork *pair)
{
    return impi_body_is_convex(pair->a) ? (SolidAndMesh){pair->a, pair->b} : (SolidAndMesh){pair->b, pair->a};
}

static size_t scratch_size(const impi_FilterRun *run)
{
    size_t most = 0;
    for (size_t i = 0; i < run->count; ++i) {
        size_t size = impi_solid_touch_memory(tell_apart(impi_run_pair(run, i)).solid);
        most = size > most ? size : most;
    }
    return most;
}

static imp_Status test_pair(const impi_FilterRun *run, impi_Arena *arena, impi_PairWork *pair)
{
    SolidAndMesh bodies = tell_apart(pair);
    bool touches, is_cut_short;
    imp_Status status =
        impi_solid_touches_mesh(arena, run->budget, bodies.solid, &bodies.solid->bounds, bodies.mesh,
                                &impi_surface_of(bodies.mesh)->tree, &touches, &is_cut_short);
    if (status != IMP_STATUS_OK)
        return status;
    pair->relations |= touches ? IMP_RELATION_TOUCH : 0u;
    pair->answered |= is_cut_short ? 0u : IMP_QUESTION_TOUCH;
    return IMP_STATUS_OK;
}

static imp_Status run_pairs(impi_FilterRun *run)
{
    for (size_t i = 0; i < run->count; ++i) {
        imp_Status status = impi_surface_require(run->context, tell_apart(impi_run_pair(run, i)).mesh);
        if (status != IMP_STATUS_OK)
            return status;
    }
    return impi_pair_tasks_run(run, IMPI_SHORT_PAIRS_PER_TASK, test_pair);
}

const impi_Filter impi_convex_mesh_filter = {
    .name = "convex-mesh",
    .takes_touch = {IMPI_KIND_BIT(IMPI_SHAPE_CONVEX), IMPI_KIND_BIT(IMPI_SHAPE_MESH)},
    .scratch_size = scratch_size,
    .run = run_pairs};
