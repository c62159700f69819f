// Filter "convex-mesh": does a solid touch a mesh?
//
// They touch when a triangle of the mesh shares a point with the solid. It is not enough to compare the
// surfaces and, where these do not touch, to locate one vertex of each component: the posed faces of the
// solid are not quite the boundary of the hull of its posed vertices, because each vertex is rounded by
// itself, and a triangle may reach into the gap. So triangles are tested as hulls of three points, all of
// those that can touch: a block of faces whose box misses that of the solid, or whose vertices have a
// separating vector, has no triangle that touches.
//
// Faces of the solid are triangles between its posed vertices, hence part of the hull: where surfaces touch,
// the verdict is touch as well, and where it is not, no faces need be compared.
#include "object/convex_exact.h"
#include "object/pair_tasks.h"
#include "object/posed_surface.h"
#include "object/separating_vector.h"
#include "shape/convex.h"
#include "shape/few_points.h"

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
        const imp_Convex *convex = (const imp_Convex *)tell_apart(impi_run_pair(run, i)).solid->shape;
        size_t lanes = (size_t)convex->support.block_count * IMPI_SUPPORT_LANES;
        most = lanes > most ? lanes : most;
    }
    return impi_convex_exact_memory(most + IMPI_MAX_FEW_POINTS);
}

// A search for a triangle of a mesh that touches a solid.
typedef struct MeshSearch {
    impi_Budget *budget;
    impi_Arena *arena;
    impi_Polytope solid;
    const impi_Body *mesh;
    imp_ConvexState state;
    imp_Status status;
    bool touches, is_cut_short;
    impi_FewPoints few;
} MeshSearch;

// Does the solid touch the hull of some vertices in the mesh's frame? What was tested last are other
// vertices, but the direction that parted them is a good guess.
static bool test_points(MeshSearch *search, const imp_Vec3 *points, size_t count)
{
    imp_ConvexResult result = {.touch = false};
    search->state.witness_count = 0;
    impi_few_points_lay_out(&search->few, points, count);
    impi_Polytope hull = {&search->few.set, points, count, &search->mesh->transform};
    search->status = impi_convex_test(search->arena, &search->solid, &hull, &search->state, &result);
    return search->status == IMP_STATUS_OK && result.touch;
}

static bool test_block(uint32_t number, const imp_Box *box, void *argument)
{
    MeshSearch *search = argument;
    const impi_FaceBlock *block = &search->mesh->blocks->blocks.blocks[number];
    const imp_Vec3 *vertices = impi_body_vertices(search->mesh) + block->first_vertex;
    (void)box;
    search->is_cut_short = impi_budget_is_over(search->budget);
    if (search->is_cut_short)
        return false;
    if (!test_points(search, vertices, block->vertex_count))
        return search->status == IMP_STATUS_OK;
    for (unsigned i = 0; i < block->face_count && !search->touches; ++i) {
        const imp_Vec3 corners[3] = {vertices[block->corners[0][i]], vertices[block->corners[1][i]],
                                     vertices[block->corners[2][i]]};
        search->touches = test_points(search, corners, 3);
        if (search->status != IMP_STATUS_OK)
            return false;
    }
    return !search->touches;
}

// Poses are checked when they are set, so nothing but memory can be lacking.
static imp_Status test_pair(const impi_FilterRun *run, impi_Arena *arena, impi_PairWork *pair)
{
    SolidAndMesh bodies = tell_apart(pair);
    MeshSearch search = {
        .budget = run->budget,
        .arena = arena,
        .solid = impi_convex_polytope((const imp_Convex *)bodies.solid->shape, &bodies.solid->transform),
        .mesh = bodies.mesh};
    impi_block_tree_visit(&impi_surface_of(bodies.mesh)->tree, &bodies.solid->bounds, test_block, &search);
    if (search.status != IMP_STATUS_OK)
        return search.status;
    pair->relations |= search.touches ? IMP_RELATION_TOUCH : 0u;
    pair->answered |= search.is_cut_short ? 0u : IMP_QUESTION_TOUCH;
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
