// Stage "object" for pairs with a convex body, which is a solid: the hull of its posed vertices. Such pairs
// are decided here, whole, before faces are looked at.
//
// Two solids: by their separating vector, beginning with what the last detect found out about the pair.
//
// A solid and a mesh touch when a triangle of the mesh shares a point with the solid. It is not enough to
// compare the surfaces and, where these do not touch, to locate one vertex of each component: the posed faces
// of the solid are not quite the boundary of the hull of its posed vertices, because each vertex is rounded
// by itself, and a triangle may reach into the gap. So triangles are tested as hulls of three points, all of
// those that can touch: a block of faces whose box misses that of the solid, or whose vertices have a
// separating vector, has no triangle that touches.
//
// Faces of the solid are triangles between its posed vertices, hence part of the hull: where surfaces touch,
// the verdict is touch as well, and where it is not, no faces need be compared.
#include "object/convex_exact.h"
#include "object/separating_vector.h"
#include "shape/convex.h"
#include "shape/few_points.h"
#include "world/detection.h"

#define PAIRS_PER_TASK 16

size_t impi_solids_arena_size(const imp_World *world)
{
    size_t most = 0;
    for (size_t i = 0; i < world->bodies.count; ++i) {
        const impi_Body *body = &world->bodies.data[i];
        if (!body->alive || !impi_body_is_solid(body))
            continue;
        size_t lanes = (size_t)body->convex->support.block_count * IMPI_SUPPORT_LANES;
        most = lanes > most ? lanes : most;
    }
    size_t most_other = most > IMPI_MAX_FEW_POINTS ? most : IMPI_MAX_FEW_POINTS;
    return most ? impi_convex_exact_memory(most + most_other) : 0;
}

static const impi_Body *body_of(const imp_World *world, uint32_t slot)
{
    return &world->bodies.data[slot - 1];
}

static bool are_both_solid(const imp_World *world, const impi_PairWork *pair)
{
    return impi_body_is_solid(body_of(world, pair->slot_a)) &&
           impi_body_is_solid(body_of(world, pair->slot_b));
}

imp_Status impi_solids_prepare(imp_World *world)
{
    impi_Detection *detection = world->detection;
    size_t count = 0;
    for (size_t i = 0; i < detection->pairs.count; ++i)
        count += are_both_solid(world, &detection->pairs.data[i]);
    if (!impi_pair_states_begin(&world->context->allocator, &detection->states, count))
        return impi_fail_out_of_memory(world->context);
    for (size_t i = 0; i < detection->pairs.count; ++i) {
        impi_PairWork *pair = &detection->pairs.data[i];
        if (are_both_solid(world, pair))
            pair->state = impi_pair_states_add(&detection->states, impi_world_id_of(world, pair->slot_a),
                                               impi_world_id_of(world, pair->slot_b));
    }
    return IMP_STATUS_OK;
}

static impi_Polytope solid_of(const impi_Body *body)
{
    return impi_convex_polytope(body->convex, &body->transform);
}

// A search for a triangle of a mesh that touches a solid.
typedef struct MeshSearch {
    impi_Arena *arena;
    impi_Polytope solid;
    const impi_Body *mesh;
    imp_ConvexState state;
    imp_Status status;
    bool touches;
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
    const impi_FaceBlock *block = &search->mesh->tree->blocks.blocks[number];
    const imp_Vec3 *vertices = impi_body_vertices(search->mesh) + block->first_vertex;
    (void)box;
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

static imp_Status test_mesh(impi_Arena *arena, const impi_Body *solid, const impi_Body *mesh, bool *touches)
{
    MeshSearch search = {.arena = arena, .solid = solid_of(solid), .mesh = mesh};
    impi_block_tree_visit(&mesh->surface.tree, &solid->surface.bounds, test_block, &search);
    *touches = search.touches;
    return search.status;
}

static imp_Status test_solids(impi_Arena *arena, const impi_Body *a, const impi_Body *b,
                              imp_ConvexState *state, bool *touches)
{
    impi_Polytope solid_a = solid_of(a), solid_b = solid_of(b);
    imp_ConvexResult result = {.touch = false};
    imp_Status status = impi_convex_test(arena, &solid_a, &solid_b, state, &result);
    *touches = result.touch;
    return status;
}

typedef struct SolidJob {
    imp_World *world;
    const imp_DetectDef *def;
    size_t begin; // the first body pair
} SolidJob;

static imp_Status test_pair(const SolidJob *job, impi_Arena *arena, impi_PairWork *pair)
{
    const impi_Body *a = body_of(job->world, pair->slot_a), *b = body_of(job->world, pair->slot_b);
    bool touches = false;
    imp_Status status = IMP_STATUS_OK;
    if (!impi_body_is_solid(b))
        status = test_mesh(arena, a, b, &touches);
    else if (!impi_body_is_solid(a))
        status = test_mesh(arena, b, a, &touches);
    else
        status =
            test_solids(arena, a, b, impi_pair_state(&job->world->detection->states, pair->state), &touches);
    pair->relations = touches ? IMP_RELATION_TOUCH : 0;
    pair->wants_faces = touches && job->def->mode != IMP_DETECT_BODIES;
    return status;
}

static bool has_solid(const imp_World *world, const impi_PairWork *pair)
{
    return impi_body_is_solid(body_of(world, pair->slot_a)) ||
           impi_body_is_solid(body_of(world, pair->slot_b));
}

// Poses are checked when they are set, so nothing but memory can be lacking.
static void test_pairs(size_t begin, size_t end, size_t block, void *argument)
{
    const SolidJob *job = argument;
    impi_Detection *detection = job->world->detection;
    impi_Scratch *scratch = impi_scratch_pool_take(&detection->scratch);
    imp_Status status = scratch ? IMP_STATUS_OK : IMP_STATUS_OUT_OF_MEMORY;
    (void)block;
    for (size_t i = begin; i < end && status == IMP_STATUS_OK; ++i) {
        impi_PairWork *pair = &detection->pairs.data[job->begin + i];
        if (has_solid(job->world, pair))
            status = test_pair(job, &scratch->arena, pair);
    }
    if (status != IMP_STATUS_OK)
        atomic_store_explicit(&detection->out_of_memory, true, memory_order_relaxed);
    if (scratch)
        impi_scratch_pool_give_back(&detection->scratch, scratch);
}

imp_Status impi_detect_solids(imp_World *world, const imp_DetectDef *def, size_t begin, size_t end)
{
    SolidJob job = {world, def, begin};
    if (!world->detection->has_solids)
        return IMP_STATUS_OK;
    impi_parallel_for(&world->context->executor, end - begin, PAIRS_PER_TASK, test_pairs, &job);
    if (atomic_load(&world->detection->out_of_memory))
        return impi_fail_out_of_memory(world->context);
    return IMP_STATUS_OK;
}
