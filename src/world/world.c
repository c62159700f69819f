// Bodies: their slots, poses and shapes.
#include "world/world.h"

#include "geom/pose.h"
#include "geom/predicates.h"
#include "geom/scalar.h"
#include "shape/bounds.h"
#include "world/detection.h"

#include <math.h>
#include <string.h>

static const imp_Allocator *allocator_of(const imp_World *world)
{
    return &world->context->allocator;
}

impi_Body *impi_world_find_body(const imp_World *world, imp_BodyId id)
{
    if (id.slot == 0 || id.slot > world->bodies.count)
        return NULL;
    impi_Body *body = &world->bodies.data[id.slot - 1];
    return body->alive && body->generation == id.generation ? body : NULL;
}

void impi_body_outdate(impi_Body *body)
{
    body->stale = true;
    if (++body->motion == 0) { // after 2^32 motions a block could seem to be posed
        memset(body->posed_at, 0, body->tree->blocks.block_count * sizeof *body->posed_at);
        body->motion = 1;
    }
}

static double largest_size(const imp_Vec3 *v)
{
    return impi_larger(impi_larger(fabs(v->x), fabs(v->y)), fabs(v->z));
}

// A shape in its body's frame: all vertices that faces use, in any order.
typedef struct Shape {
    const imp_Vec3 *vertices;
    size_t count;
    double largest_coordinate;
} Shape;

static double mesh_largest_coordinate(const imp_Mesh *mesh)
{
    imp_Box bounds = imp_mesh_get_bounds(mesh);
    return impi_larger(largest_size(&bounds.min), largest_size(&bounds.max));
}

static Shape body_shape(const impi_Body *body)
{
    return (Shape){impi_body_vertices(body), body->tree->blocks.vertex_count, body->largest_coordinate};
}

// Does a pose keep all vertices finite? The largest coordinate settles it nearly always: rows have unit
// length, so no sum of products exceeds three times that.
static bool stays_finite(const imp_Transform *transform, const Shape *shape)
{
    if (3 * shape->largest_coordinate + largest_size(&transform->translation) <= 1e308)
        return true;
    for (size_t i = 0; i < shape->count; ++i) {
        imp_Vec3 posed = impi_transform_apply(transform, shape->vertices[i]);
        if (!impi_vec3_is_finite(&posed))
            return false;
    }
    return true;
}

static imp_Status check_pose(imp_Context *context, const imp_Pose *pose, const Shape *shape,
                             imp_Transform *transform)
{
    if (impi_pose_transform(pose, transform) != IMP_STATUS_OK)
        return impi_fail(context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE,
                         "pose (%g %g %g, %g %g %g %g) is not finite or its rotation is not of unit length",
                         pose->translation.x, pose->translation.y, pose->translation.z, pose->rotation.w,
                         pose->rotation.x, pose->rotation.y, pose->rotation.z);
    if (!stays_finite(transform, shape))
        return impi_fail(context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE,
                         "pose moves a vertex beyond the largest double");
    return IMP_STATUS_OK;
}

static void release_shape(const imp_Allocator *allocator, const impi_FaceBlocks *blocks, impi_Deformation *shape)
{
    impi_release(allocator, shape->vertices, blocks->vertex_count * sizeof *shape->vertices);
    impi_release(allocator, shape->boxes, impi_group_count(blocks->block_count) * sizeof *shape->boxes);
}

static void release_body(const imp_World *world, impi_Body *body)
{
    const imp_Allocator *allocator = allocator_of(world);
    if (body->tree) {
        const impi_FaceBlocks *blocks = &body->tree->blocks;
        size_t count = blocks->block_count;
        impi_release(allocator, body->posed_at, count * sizeof *body->posed_at);
        impi_release(allocator, body->posed, blocks->vertex_count * sizeof *body->posed);
        impi_release(allocator, body->posed_boxes, count * sizeof *body->posed_boxes);
        impi_release(allocator, body->tree_storage, impi_block_tree_size(count) * sizeof *body->tree_storage);
        release_shape(allocator, blocks, &body->deformed);
        release_shape(allocator, blocks, &body->spare);
    }
    imp_mesh_release(body->mesh);
    imp_convex_release(body->convex);
}

// Everything that a rigid body needs, so that nothing is allocated for it later.
static imp_Status allocate_body(imp_World *world, impi_Body *body)
{
    const imp_Allocator *allocator = allocator_of(world);
    imp_Status status = impi_mesh_blocks(world->context, body->mesh, &body->tree);
    if (status != IMP_STATUS_OK)
        return status;
    const impi_FaceBlocks *blocks = &body->tree->blocks;
    size_t count = blocks->block_count;
    body->posed_at = impi_allocate_array(allocator, count, sizeof *body->posed_at);
    body->posed = impi_allocate_array(allocator, blocks->vertex_count, sizeof *body->posed);
    body->posed_boxes = impi_allocate_array(allocator, count, sizeof *body->posed_boxes);
    body->tree_storage =
        impi_allocate_array(allocator, impi_block_tree_size(count), sizeof *body->tree_storage);
    if (!body->posed_at || !body->posed || !body->posed_boxes || !body->tree_storage)
        return impi_fail_out_of_memory(world->context);
    memset(body->posed_at, 0, count * sizeof *body->posed_at);
    body->surface.blocks = blocks;
    body->surface.vertices = body->posed;
    body->surface.boxes = body->posed_boxes;
    impi_block_tree_init(&body->surface.tree, count, body->tree_storage);
    return IMP_STATUS_OK;
}

static imp_Status make_body(imp_World *world, const imp_BodyDef *def, impi_Body *body)
{
    imp_Mesh *mesh = def->convex ? imp_convex_get_mesh(def->convex) : def->mesh;
    *body = (impi_Body){.alive = true,
                        .stale = true,
                        .mesh = imp_mesh_retain(mesh),
                        .convex = imp_convex_retain(def->convex),
                        .pose = def->pose,
                        .category_bits = def->category_bits,
                        .ignore_bits = def->ignore_bits,
                        .user_data = def->user_data,
                        .largest_coordinate = mesh_largest_coordinate(mesh),
                        .motion = 1};
    imp_Status status = allocate_body(world, body);
    Shape shape = {0};
    if (status == IMP_STATUS_OK) {
        shape = body_shape(body);
        status = check_pose(world->context, &def->pose, &shape, &body->transform);
    }
    if (status != IMP_STATUS_OK)
        release_body(world, body);
    return status;
}

// A free slot, or a new one at the end. The list of free slots is given room for all, so that removing a
// body never allocates.
static imp_Status find_slot(imp_World *world, uint32_t *slot)
{
    const imp_Allocator *allocator = allocator_of(world);
    if (world->free_slots.count > 0) {
        *slot = world->free_slots.data[world->free_slots.count - 1];
        return IMP_STATUS_OK;
    }
    size_t needed = world->bodies.count + 1;
    if (needed >= UINT32_MAX)
        return impi_fail(world->context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                         "a world holds at most 2^32 - 2 bodies");
    if (!impi_array_reserve(allocator, &world->bodies, sizeof *world->bodies.data, needed) ||
        !impi_array_reserve(allocator, &world->free_slots, sizeof *world->free_slots.data, needed))
        return impi_fail_out_of_memory(world->context);
    *slot = (uint32_t)needed;
    return IMP_STATUS_OK;
}

imp_Status impi_world_add_body(imp_World *world, const imp_BodyDef *def, imp_BodyId *id)
{
    impi_Body body;
    uint32_t slot = 0;
    if (!def->mesh == !def->convex)
        return impi_fail(world->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "a body is a mesh or a convex polytope; %s given",
                         def->mesh ? "both are" : "none is");
    impi_arena_reset(&world->context->scratch);
    imp_Status status = find_slot(world, &slot);
    if (status == IMP_STATUS_OK)
        status = make_body(world, def, &body);
    if (status != IMP_STATUS_OK)
        return status;
    if (slot > world->bodies.count)
        world->bodies.data[world->bodies.count++] = (impi_Body){0};
    else
        --world->free_slots.count;
    impi_Body *place = &world->bodies.data[slot - 1];
    body.generation = place->generation + 1;
    *place = body;
    ++world->body_count;
    *id = (imp_BodyId){slot, body.generation};
    return IMP_STATUS_OK;
}

static void forget_ignored_pairs(imp_World *world, uint32_t slot)
{
    size_t kept = 0;
    for (size_t i = 0; i < world->ignored_pairs.count; ++i) {
        uint64_t pair = world->ignored_pairs.data[i];
        if (pair >> 32 != slot && (uint32_t)pair != slot)
            world->ignored_pairs.data[kept++] = pair;
    }
    world->ignored_pairs.count = kept;
}

void impi_world_remove_body(imp_World *world, imp_BodyId id)
{
    impi_Body *body = impi_world_find_body(world, id);
    release_body(world, body);
    *body = (impi_Body){.generation = body->generation};
    if (id.generation < UINT32_MAX) // a slot that has run out of generations is never given away again
        world->free_slots.data[world->free_slots.count++] = id.slot;
    --world->body_count;
    forget_ignored_pairs(world, id.slot);
}

imp_Status impi_body_set_pose(imp_World *world, impi_Body *body, const imp_Pose *pose)
{
    imp_Transform transform;
    Shape shape = body_shape(body);
    imp_Status status = check_pose(world->context, pose, &shape, &transform);
    if (status != IMP_STATUS_OK)
        return status;
    body->pose = *pose;
    body->transform = transform;
    impi_body_outdate(body);
    return IMP_STATUS_OK;
}

static imp_Status find_bad_vertex(imp_Context *context, const imp_Transform *transform,
                                  const imp_Vec3 *vertices, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 posed = impi_transform_apply(transform, vertices[i]);
        bool finite = impi_vec3_is_finite(&vertices[i]);
        if (!finite || !impi_vec3_is_finite(&posed))
            return impi_fail(context, IMP_STATUS_BAD_NUMBER, i, "vertex %zu (%g %g %g) is not finite%s", i,
                             vertices[i].x, vertices[i].y, vertices[i].z,
                             finite ? " where the pose puts it" : "");
    }
    return IMP_STATUS_OK;
}

static bool allocate_shape(const imp_Allocator *allocator, const impi_FaceBlocks *blocks, impi_Deformation *shape)
{
    if (!shape->vertices)
        shape->vertices = impi_allocate_array(allocator, blocks->vertex_count, sizeof *shape->vertices);
    if (!shape->boxes)
        shape->boxes =
            impi_allocate_array(allocator, impi_group_count(blocks->block_count), sizeof *shape->boxes);
    return shape->vertices && shape->boxes;
}

static imp_Status restore_vertices(imp_World *world, impi_Body *body)
{
    const impi_FaceBlocks *blocks = &body->tree->blocks;
    Shape shape = {body->tree->vertices, blocks->vertex_count, mesh_largest_coordinate(body->mesh)};
    imp_Status status = check_pose(world->context, &body->pose, &shape, &body->transform);
    if (status != IMP_STATUS_OK)
        return status;
    body->is_deformed = false;
    body->largest_coordinate = shape.largest_coordinate;
    impi_body_outdate(body);
    return IMP_STATUS_OK;
}

// The largest coordinate settles nearly always that all vertices are finite and stay so where the pose puts
// them. Looking for it walks through them in order, which also brings them near: blocks then take them in any
// order.
static imp_Status check_vertices(imp_Context *context, const imp_Transform *transform,
                                 const imp_Vec3 *vertices, size_t count, double *largest_coordinate)
{
    *largest_coordinate = impi_largest_coordinate(&vertices->x, 3 * count);
    if (3 * *largest_coordinate + largest_size(&transform->translation) <= 1e308)
        return IMP_STATUS_OK;
    return find_bad_vertex(context, transform, vertices, count);
}

imp_Status impi_body_set_vertices(imp_World *world, impi_Body *body, const double *vertices, size_t count)
{
    const imp_Allocator *allocator = allocator_of(world);
    const impi_FaceBlocks *blocks = &body->tree->blocks;
    size_t expected = imp_mesh_get_vertex_count(body->mesh);
    double largest_coordinate;
    if (impi_body_is_solid(body))
        return impi_fail(world->context, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE,
                         "a convex body cannot be deformed: it may not stay convex");
    if (!vertices && count == 0)
        return restore_vertices(world, body);
    if (!vertices || count != expected)
        return impi_fail(world->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "%zu vertices given for a mesh of %zu", vertices ? count : 0, expected);
    if (!allocate_shape(allocator, blocks, &body->deformed) ||
        !allocate_shape(allocator, blocks, &body->spare))
        return impi_fail_out_of_memory(world->context);
    const imp_Vec3 *points = (const imp_Vec3 *)vertices;
    imp_Status status = check_vertices(world->context, &body->transform, points, count, &largest_coordinate);
    if (status != IMP_STATUS_OK)
        return status;
    impi_gather_blocks(blocks, points, body->spare.vertices, body->spare.boxes);
    impi_Deformation gathered = body->spare;
    body->spare = body->deformed;
    body->deformed = gathered;
    body->is_deformed = true;
    body->largest_coordinate = largest_coordinate;
    impi_body_outdate(body);
    return IMP_STATUS_OK;
}

static uint64_t pair_key(uint32_t slot_a, uint32_t slot_b)
{
    uint32_t low = slot_a < slot_b ? slot_a : slot_b, high = slot_a < slot_b ? slot_b : slot_a;
    return (uint64_t)low << 32 | high;
}

// The place of the first key that is not less.
static size_t find_ignored(const imp_World *world, uint64_t key)
{
    size_t low = 0, high = world->ignored_pairs.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (world->ignored_pairs.data[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_key_at(const imp_World *world, size_t place, uint64_t key)
{
    return place < world->ignored_pairs.count && world->ignored_pairs.data[place] == key;
}

bool impi_world_is_pair_ignored(const imp_World *world, uint32_t slot_a, uint32_t slot_b)
{
    uint64_t key = pair_key(slot_a, slot_b);
    return world->ignored_pairs.count > 0 && is_key_at(world, find_ignored(world, key), key);
}

imp_Status impi_world_ignore_pair(imp_World *world, imp_BodyId a, imp_BodyId b, bool ignore)
{
    uint64_t key = pair_key(a.slot, b.slot);
    size_t place = find_ignored(world, key);
    bool known = is_key_at(world, place, key);
    if (ignore == known)
        return IMP_STATUS_OK;
    if (ignore && !impi_array_reserve(allocator_of(world), &world->ignored_pairs, sizeof key,
                                      world->ignored_pairs.count + 1))
        return impi_fail_out_of_memory(world->context);
    uint64_t *keys = world->ignored_pairs.data;
    size_t behind = world->ignored_pairs.count - place;
    if (ignore) {
        memmove(keys + place + 1, keys + place, behind * sizeof *keys);
        keys[place] = key;
        ++world->ignored_pairs.count;
    } else {
        memmove(keys + place, keys + place + 1, (behind - 1) * sizeof *keys);
        --world->ignored_pairs.count;
    }
    return IMP_STATUS_OK;
}

void impi_world_destroy(imp_World *world)
{
    imp_Context *context = world->context;
    const imp_Allocator *allocator = &context->allocator;
    for (size_t i = 0; i < world->bodies.count; ++i) {
        if (world->bodies.data[i].alive)
            release_body(world, &world->bodies.data[i]);
    }
    impi_detection_destroy(allocator, world->detection);
    impi_array_free(allocator, &world->bodies, sizeof *world->bodies.data);
    impi_array_free(allocator, &world->free_slots, sizeof *world->free_slots.data);
    impi_array_free(allocator, &world->ignored_pairs, sizeof *world->ignored_pairs.data);
    impi_release(allocator, world, sizeof *world);
}
