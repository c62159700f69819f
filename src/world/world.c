// Bodies: their slots, poses and shapes, and which of them have changed.
#include "world/world.h"

#include "object/target.h"
#include "shape/convex.h"
#include "shape/mesh.h"

#include <math.h>
#include <string.h>

static const imp_Allocator *allocator_of(const imp_World *world)
{
    return &world->context->allocator;
}

impi_Body *impi_world_find_body(const imp_World *world, imp_BodyId id)
{
    return impi_slot_table_holds(&world->slots, id.slot, id.generation) ? &world->bodies.data[id.slot - 1]
                                                                        : NULL;
}

imp_Status impi_world_fail_no_body(const imp_World *world, imp_BodyId id)
{
    return impi_fail(world->context, IMP_STATUS_BAD_INDEX, id.slot,
                     "body %u (generation %u) is not in this world", (unsigned)id.slot,
                     (unsigned)id.generation);
}

// The pose or shape of a body has changed. There is room in the list for all slots.
static void note_change(imp_World *world, uint32_t slot)
{
    if (!(world->changes.data[slot] & IMPI_CHANGE_BOUNDS))
        world->unbounded.data[world->unbounded.count++] = slot;
    world->changes.data[slot] = IMPI_CHANGE_BOUNDS | IMPI_CHANGE_ANSWER;
    world->has_changed = true;
}

// ---- coming and going

bool impi_world_reserve(imp_World *world, size_t count)
{
    const imp_Allocator *allocator = allocator_of(world);
    size_t slots = impi_slot_table_size_with(&world->slots, count);
    return impi_slot_table_reserve(allocator, &world->slots, count) &&
           impi_array_reserve(allocator, &world->bodies, sizeof *world->bodies.data, slots) &&
           impi_array_reserve(allocator, &world->user_data, sizeof *world->user_data.data, slots) &&
           impi_array_reserve(allocator, &world->changes, sizeof *world->changes.data, slots + 1) &&
           impi_array_reserve(allocator, &world->unbounded, sizeof *world->unbounded.data, slots) &&
           impi_box_table_reserve(&world->broad.boxes, slots);
}

static imp_Status check_def(imp_Context *context, const imp_BodyDef *def)
{
    if (!def->mesh == !def->convex)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "a body is a mesh or a convex polytope; %s given",
                         def->mesh ? "both are" : "none is");
    if (def->spheres &&
        imp_sphere_tree_get_mesh(def->spheres) != (def->mesh ? def->mesh : imp_convex_get_mesh(def->convex)))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "the spheres given with a body are of another mesh");
    if (!(def->importance >= 0) || !isfinite(def->importance))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "an importance of %g is negative or not finite", def->importance);
    return IMPI_CHECK_RESERVED(context, def);
}

static imp_Status find_room(imp_World *world, impi_PairFilter filter)
{
    if (world->slots.slots.count + 1 >= UINT32_MAX)
        return impi_fail(world->context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                         "a world holds at most 2^32 - 2 bodies");
    if (!impi_world_reserve(world, 1) || !impi_box_table_reserve_filter(&world->broad.boxes, filter))
        return impi_fail_out_of_memory(world->context);
    return IMP_STATUS_OK;
}

static uint32_t take_slot(imp_World *world)
{
    uint32_t slot = impi_slot_table_take(&world->slots);
    world->bodies.count = world->user_data.count = world->slots.slots.count;
    while (world->changes.count <= slot)
        world->changes.data[world->changes.count++] = 0;
    return slot;
}

imp_Status impi_world_add_body(imp_World *world, const imp_BodyDef *def, imp_BodyId *id)
{
    impi_Body body;
    impi_PairFilter filter = {def->category_bits, def->ignore_bits, def->group};
    imp_Status status = check_def(world->context, def);
    if (status == IMP_STATUS_OK)
        status = find_room(world, filter);
    if (status != IMP_STATUS_OK)
        return status;
    impi_Shape *shape = def->mesh ? &def->mesh->shape : &def->convex->shape;
    impi_arena_reset(&world->context->scratch);
    status = impi_body_make(world->context, shape, &def->pose, &body);
    if (status != IMP_STATUS_OK)
        return status;
    body.spheres = imp_sphere_tree_retain(def->spheres);
    body.importance = def->importance > 0 ? def->importance : 1;
    body.slot = take_slot(world);
    body.generation = impi_slot_generation(&world->slots, body.slot);
    world->bodies.data[body.slot - 1] = body;
    world->user_data.data[body.slot - 1] = def->user_data;
    impi_box_table_add(&world->broad.boxes, body.slot, filter);
    note_change(world, body.slot);
    *id = (imp_BodyId){body.slot, body.generation};
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
    impi_configurations_forget(&world->configurations, id.slot);
    impi_body_release(allocator_of(world), &world->bodies.data[id.slot - 1]);
    impi_box_table_remove(&world->broad.boxes, id.slot);
    impi_slot_table_give_back(&world->slots, id.slot);
    world->has_changed = true;
    forget_ignored_pairs(world, id.slot);
}

void impi_world_destroy(imp_World *world)
{
    const imp_Allocator *allocator = allocator_of(world);
    impi_configurations_destroy(allocator, &world->configurations);
    for (uint32_t slot = 1; slot <= world->bodies.count; ++slot)
        if (impi_slot_table_is_used(&world->slots, slot))
            impi_body_release(allocator, &world->bodies.data[slot - 1]);
    impi_answer_destroy(allocator, &world->answers[0]);
    impi_answer_destroy(allocator, &world->answers[1]);
    impi_answer_destroy(allocator, &world->first);
    impi_clearance_destroy(allocator, &world->clearance);
    impi_sweep_destroy(allocator, &world->sweep);
    impi_object_stage_destroy(allocator, &world->object);
    impi_broad_stage_destroy(allocator, &world->broad);
    impi_array_free(allocator, &world->bodies, sizeof *world->bodies.data);
    impi_array_free(allocator, &world->user_data, sizeof *world->user_data.data);
    impi_array_free(allocator, &world->changes, sizeof *world->changes.data);
    impi_array_free(allocator, &world->unbounded, sizeof *world->unbounded.data);
    impi_array_free(allocator, &world->ignored_pairs, sizeof *world->ignored_pairs.data);
    impi_slot_table_destroy(allocator, &world->slots);
    impi_release(allocator, world, sizeof *world);
}

// ---- motion

static imp_Status check_poses(const imp_World *world, const imp_BodyId *ids, const imp_Pose *poses,
                              size_t count, imp_Transform *transforms)
{
    for (size_t i = 0; i < count; ++i) {
        const impi_Body *body = impi_world_find_body(world, ids[i]);
        imp_Status status = body ? impi_body_check_pose(world->context, body, &poses[i], &transforms[i])
                                 : impi_world_fail_no_body(world, ids[i]);
        if (status != IMP_STATUS_OK) {
            world->context->error.index = i;
            return status;
        }
    }
    return IMP_STATUS_OK;
}

bool impi_is_same_pose(const imp_Pose *a, const imp_Pose *b)
{
    return a->translation.x == b->translation.x && a->translation.y == b->translation.y &&
           a->translation.z == b->translation.z && a->rotation.w == b->rotation.w &&
           a->rotation.x == b->rotation.x && a->rotation.y == b->rotation.y && a->rotation.z == b->rotation.z;
}

// A body that is told to be where it is stays at rest. No verdict depends on the signs of zeros.
static void move_body(imp_World *world, impi_Body *body, const imp_Pose *pose, const imp_Transform *transform)
{
    if (impi_is_same_pose(&body->pose, pose)) {
        body->pose = *pose;
        return;
    }
    impi_body_move(body, pose, transform);
    note_change(world, body->slot);
}

imp_Status impi_world_set_pose(imp_World *world, impi_Body *body, const imp_Pose *pose)
{
    imp_Transform transform;
    imp_Status status = impi_body_check_pose(world->context, body, pose, &transform);
    if (status == IMP_STATUS_OK)
        move_body(world, body, pose, &transform);
    return status;
}

imp_Status impi_world_set_poses(imp_World *world, const imp_BodyId *ids, const imp_Pose *poses, size_t count)
{
    impi_Arena *arena = &world->context->scratch;
    impi_arena_reset(arena);
    imp_Transform *transforms = impi_arena_allocate_array(arena, count, sizeof *transforms);
    if (!transforms)
        return impi_fail_out_of_memory(world->context);
    imp_Status status = check_poses(world, ids, poses, count, transforms);
    for (size_t i = 0; status == IMP_STATUS_OK && i < count; ++i)
        move_body(world, &world->bodies.data[ids[i].slot - 1], &poses[i], &transforms[i]);
    return status;
}

imp_Status impi_world_set_vertices(imp_World *world, impi_Body *body, const double *vertices, size_t count)
{
    imp_Status status = impi_body_deform(world->context, body, vertices, count);
    if (status == IMP_STATUS_OK)
        note_change(world, body->slot);
    return status;
}

imp_Status impi_world_advance(imp_World *world, double t)
{
    imp_Status status = IMP_STATUS_OK;
    if (!(t >= 0 && t <= 1))
        return impi_fail(world->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "a time of %g is not between 0 and 1", t);
    for (uint32_t slot = 1; slot <= world->bodies.count && status == IMP_STATUS_OK; ++slot)
        if (impi_slot_table_is_used(&world->slots, slot))
            status = impi_body_prepare_advance(world->context, &world->bodies.data[slot - 1], t);
    for (uint32_t slot = 1; slot <= world->bodies.count && status == IMP_STATUS_OK; ++slot)
        if (impi_slot_table_is_used(&world->slots, slot) &&
            impi_body_advance(&world->bodies.data[slot - 1], t))
            note_change(world, slot);
    return status;
}

// ---- what is never compared

imp_Status impi_world_set_filter(imp_World *world, const impi_Body *body, impi_PairFilter filter)
{
    if (!impi_box_table_reserve_filter(&world->broad.boxes, filter))
        return impi_fail_out_of_memory(world->context);
    impi_box_table_set_filter(&world->broad.boxes, body->slot, filter);
    world->has_changed = true;
    return IMP_STATUS_OK;
}

static uint64_t pair_key(uint32_t slot_a, uint32_t slot_b)
{
    uint32_t low = slot_a < slot_b ? slot_a : slot_b, high = slot_a < slot_b ? slot_b : slot_a;
    return impi_slot_pair(low, high);
}

// The index of the first key that is not less.
static size_t find_ignored(const impi_IgnoredPairs *pairs, uint64_t key)
{
    size_t low = 0, high = pairs->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (pairs->data[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool impi_world_ignores(const imp_World *world, uint32_t slot_a, uint32_t slot_b)
{
    uint64_t key = pair_key(slot_a, slot_b);
    size_t index = find_ignored(&world->ignored_pairs, key);
    return index < world->ignored_pairs.count && world->ignored_pairs.data[index] == key;
}

imp_Status impi_world_ignore_pair(imp_World *world, imp_BodyId a, imp_BodyId b, bool ignore)
{
    impi_IgnoredPairs *pairs = &world->ignored_pairs;
    uint64_t key = pair_key(a.slot, b.slot);
    size_t index = find_ignored(pairs, key);
    bool known = index < pairs->count && pairs->data[index] == key;
    if (ignore == known)
        return IMP_STATUS_OK;
    if (ignore && !impi_array_reserve(allocator_of(world), pairs, sizeof key, pairs->count + 1))
        return impi_fail_out_of_memory(world->context);
    size_t behind = pairs->count - index;
    if (ignore) {
        memmove(pairs->data + index + 1, pairs->data + index, behind * sizeof key);
        pairs->data[index] = key;
        ++pairs->count;
    } else {
        memmove(pairs->data + index, pairs->data + index + 1, (behind - 1) * sizeof key);
        --pairs->count;
    }
    world->has_changed = true;
    return IMP_STATUS_OK;
}
