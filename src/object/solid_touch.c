// They touch when a triangle of the mesh shares a point with the solid. It is not enough to compare the
// surfaces and, where these do not touch, to locate one vertex of each component: the posed faces of the
// solid are not quite the boundary of the hull of its posed vertices, because each vertex is rounded by
// itself, and a triangle may reach into the gap. So triangles are tested as hulls of three points, all of
// those that can touch: a block of faces whose box misses that of the solid, or whose vertices have a
// separating vector, has no triangle that touches.
//
// Faces of the solid are triangles between its posed vertices, hence part of the hull: where surfaces touch,
// the verdict is touch as well, and where it is not, no faces need be compared.
#include "object/solid_touch.h"

#include "object/convex_exact.h"
#include "object/separating_vector.h"
#include "shape/convex.h"
#include "shape/few_points.h"

size_t impi_solid_touch_memory(const impi_Body *solid)
{
    const imp_Convex *convex = (const imp_Convex *)solid->shape;
    size_t lanes = (size_t)convex->support.block_count * IMPI_SUPPORT_LANES;
    return impi_convex_exact_memory(lanes + IMPI_MAX_FEW_POINTS);
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
imp_Status impi_solid_touches_mesh(impi_Arena *arena, impi_Budget *budget, const impi_Body *solid,
                                   const imp_Box *box, const impi_Body *mesh, const impi_BlockTree *tree,
                                   bool *touches, bool *is_cut_short)
{
    MeshSearch search = {.budget = budget,
                         .arena = arena,
                         .solid = impi_convex_polytope((const imp_Convex *)solid->shape, &solid->transform),
                         .mesh = mesh};
    impi_block_tree_visit(tree, box, test_block, &search);
    *touches = search.touches;
    *is_cut_short = search.is_cut_short;
    return search.status;
}
