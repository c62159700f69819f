// The public face of worlds: arguments checked, the host's floating-point mode set aside.
#include "base/scratch_call.h"
#include "object/body_self_pairs.h"
#include "object/target.h"
#include "world/world.h"

static imp_Status check_world(const imp_World *world)
{
    return impi_context_check(world ? world->context : NULL);
}

static imp_Status fail_no_room(const imp_World *world)
{
    return impi_fail(world->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "no room for the answer is given");
}

imp_Status imp_world_create(imp_Context *context, const imp_WorldDef *def, imp_World **world)
{
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    if (!world)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "no room for the world is given");
    static const imp_WorldDef defaults = {0};
    if (!def)
        def = &defaults;
    status = IMPI_CHECK_RESERVED(context, def);
    if (status != IMP_STATUS_OK)
        return status;
    imp_World *made = impi_allocate(&context->allocator, sizeof *made);
    if (!made)
        return impi_fail_out_of_memory(context);
    *made = (imp_World){.context = context};
    impi_broad_stage_init(&made->broad, &context->allocator);
    impi_object_stage_init(&made->object, &context->allocator);
    impi_configurations_init(&made->configurations);
    impi_sweep_init(&made->sweep, &context->allocator);
    if (!impi_world_reserve(made, def->expected_body_count)) {
        impi_world_destroy(made);
        return impi_fail_out_of_memory(context);
    }
    *world = made;
    return IMP_STATUS_OK;
}

void imp_world_destroy(imp_World *world)
{
    if (world && !impi_context_is_lost(world->context))
        impi_world_destroy(world);
}

imp_Status imp_world_add_body(imp_World *world, const imp_BodyDef *def, imp_BodyId *body)
{
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    if (!def || !body)
        return impi_fail(world->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "a body's def or id is null");
    impi_FloatGuard guard = impi_call_begin(world->context);
    return impi_call_end(world->context, guard, impi_world_add_body(world, def, body));
}

imp_Status imp_world_remove_body(imp_World *world, imp_BodyId body)
{
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    if (!impi_world_find_body(world, body))
        return impi_world_fail_no_body(world, body);
    impi_FloatGuard guard = impi_call_begin(world->context);
    impi_world_remove_body(world, body);
    return impi_call_end(world->context, guard, IMP_STATUS_OK);
}

size_t imp_world_get_body_count(const imp_World *world)
{
    return check_world(world) == IMP_STATUS_OK ? world->slots.used_count : 0;
}

bool imp_body_is_valid(const imp_World *world, imp_BodyId body)
{
    return check_world(world) == IMP_STATUS_OK && impi_world_find_body(world, body);
}

imp_Status imp_body_set_pose(imp_World *world, imp_BodyId body, imp_Pose pose)
{
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    impi_Body *found = impi_world_find_body(world, body);
    if (!found)
        return impi_world_fail_no_body(world, body);
    impi_FloatGuard guard = impi_call_begin(world->context);
    return impi_call_end(world->context, guard, impi_world_set_pose(world, found, &pose));
}

imp_Status imp_world_set_poses(imp_World *world, const imp_BodyId *bodies, const imp_Pose *poses,
                               size_t count)
{
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    if (count > 0 && (!bodies || !poses))
        return impi_fail(world->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "bodies or poses are null");
    impi_FloatGuard guard = impi_call_begin(world->context);
    return impi_call_end(world->context, guard, impi_world_set_poses(world, bodies, poses, count));
}

imp_Status imp_body_get_pose(const imp_World *world, imp_BodyId body, imp_Pose *pose)
{
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    if (!pose)
        return fail_no_room(world);
    const impi_Body *found = impi_world_find_body(world, body);
    if (!found)
        return impi_world_fail_no_body(world, body);
    *pose = found->pose;
    return IMP_STATUS_OK;
}

imp_Status imp_body_set_vertices(imp_World *world, imp_BodyId body, const double *vertices, size_t count)
{
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    impi_Body *found = impi_world_find_body(world, body);
    if (!found)
        return impi_world_fail_no_body(world, body);
    impi_FloatGuard guard = impi_call_begin(world->context);
    return impi_call_end(world->context, guard, impi_world_set_vertices(world, found, vertices, count));
}

imp_Status imp_body_self_pairs(imp_World *world, imp_BodyId body, imp_FacePair *pairs, size_t capacity,
                               size_t *count)
{
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    if (!count || (capacity > 0 && !pairs))
        return fail_no_room(world);
    const impi_Body *found = impi_world_find_body(world, body);
    if (!found)
        return impi_world_fail_no_body(world, body);
    impi_FloatGuard guard = impi_scratch_call_begin(world->context);
    return impi_scratch_call_end(world->context, guard,
                                 impi_body_self_pairs(world->context, found, pairs, capacity, count));
}

imp_Status imp_body_set_filter(imp_World *world, imp_BodyId body, uint64_t category_bits,
                               uint64_t ignore_bits)
{
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    impi_Body *found = impi_world_find_body(world, body);
    if (!found)
        return impi_world_fail_no_body(world, body);
    impi_PairFilter filter = impi_box_table_get_filter(&world->broad.boxes, body.slot);
    filter.category_bits = category_bits;
    filter.ignore_bits = ignore_bits;
    impi_FloatGuard guard = impi_call_begin(world->context);
    return impi_call_end(world->context, guard, impi_world_set_filter(world, found, filter));
}

imp_Status imp_body_set_user_data(imp_World *world, imp_BodyId body, void *user_data)
{
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    if (!impi_world_find_body(world, body))
        return impi_world_fail_no_body(world, body);
    world->user_data.data[body.slot - 1] = user_data;
    return IMP_STATUS_OK;
}

imp_Status imp_body_get_user_data(const imp_World *world, imp_BodyId body, void **user_data)
{
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    if (!user_data)
        return fail_no_room(world);
    if (!impi_world_find_body(world, body))
        return impi_world_fail_no_body(world, body);
    *user_data = world->user_data.data[body.slot - 1];
    return IMP_STATUS_OK;
}

imp_Status imp_body_get_mesh(const imp_World *world, imp_BodyId body, imp_Mesh **mesh)
{
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    if (!mesh)
        return fail_no_room(world);
    const impi_Body *found = impi_world_find_body(world, body);
    if (!found)
        return impi_world_fail_no_body(world, body);
    *mesh = impi_body_surface(found);
    return IMP_STATUS_OK;
}

imp_Status imp_body_get_convex(const imp_World *world, imp_BodyId body, imp_Convex **convex)
{
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    if (!convex)
        return fail_no_room(world);
    const impi_Body *found = impi_world_find_body(world, body);
    if (!found)
        return impi_world_fail_no_body(world, body);
    *convex = impi_body_is_convex(found) ? (imp_Convex *)found->shape : NULL;
    return IMP_STATUS_OK;
}

imp_Status imp_world_ignore_pair(imp_World *world, imp_BodyId a, imp_BodyId b, bool ignore)
{
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    if (!impi_world_find_body(world, a))
        return impi_world_fail_no_body(world, a);
    if (!impi_world_find_body(world, b))
        return impi_world_fail_no_body(world, b);
    if (a.slot == b.slot)
        return impi_fail(world->context, IMP_STATUS_BAD_ARGUMENT, a.slot,
                         "a pair needs two different bodies");
    impi_FloatGuard guard = impi_call_begin(world->context);
    return impi_call_end(world->context, guard, impi_world_ignore_pair(world, a, b, ignore));
}

imp_Status imp_world_set_pair_filter(imp_World *world, imp_PairFilterFn filter, void *user)
{
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    world->pair_filter = (impi_CallerFilter){filter, user};
    world->has_changed = true;
    return IMP_STATUS_OK;
}

imp_Status imp_world_detect(imp_World *world, const imp_DetectDef *def, const imp_Report **report)
{
    static const imp_DetectDef defaults = {0};
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    if (!report)
        return fail_no_room(world);
    impi_FloatGuard guard = impi_call_begin(world->context);
    return impi_call_end(world->context, guard, impi_world_detect(world, def ? def : &defaults, report));
}

imp_Status imp_world_refine(imp_World *world, const imp_RefineDef *def, const imp_Report **report)
{
    static const imp_RefineDef defaults = {0};
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    if (!report)
        return fail_no_room(world);
    impi_FloatGuard guard = impi_call_begin(world->context);
    return impi_call_end(world->context, guard, impi_world_refine(world, def ? def : &defaults, report));
}

imp_Status imp_world_distance(imp_World *world, imp_BodyId a, imp_BodyId b, const imp_DistanceDef *def,
                              imp_Distance *result)
{
    static const imp_DistanceDef defaults = {0};
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    if (!result)
        return fail_no_room(world);
    impi_Body *body_a = impi_world_find_body(world, a), *body_b = impi_world_find_body(world, b);
    if (!body_a || !body_b)
        return impi_world_fail_no_body(world, body_a ? b : a);
    impi_FloatGuard guard = impi_call_begin(world->context);
    return impi_call_end(world->context, guard,
                         impi_world_distance(world, body_a, body_b, def ? def : &defaults, result));
}

imp_Status imp_world_clearance(imp_World *world, const imp_ClearanceDef *def,
                               const imp_ClearanceReport **report)
{
    static const imp_ClearanceDef defaults = {0};
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    if (!report)
        return fail_no_room(world);
    impi_FloatGuard guard = impi_call_begin(world->context);
    return impi_call_end(world->context, guard, impi_world_clearance(world, def ? def : &defaults, report));
}

imp_Status imp_world_detect_configurations(imp_World *world, const imp_ConfigurationsDef *def,
                                           const imp_ConfigurationsReport **report)
{
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    if (!def || !report)
        return impi_fail_null(world->context);
    impi_FloatGuard guard = impi_scratch_call_begin(world->context);
    return impi_scratch_call_end(world->context, guard, impi_world_detect_configurations(world, def, report));
}

imp_Status imp_body_set_target(imp_World *world, imp_BodyId body, const imp_TargetDef *def)
{
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    impi_Body *found = impi_world_find_body(world, body);
    if (!found)
        return impi_world_fail_no_body(world, body);
    impi_FloatGuard guard = impi_call_begin(world->context);
    return impi_call_end(world->context, guard, impi_body_set_target(world->context, found, def));
}

imp_Status imp_world_sweep(imp_World *world, const imp_SweepDef *def, const imp_SweepReport **report)
{
    static const imp_SweepDef defaults = {0};
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    if (!report)
        return fail_no_room(world);
    impi_FloatGuard guard = impi_call_begin(world->context);
    return impi_call_end(world->context, guard, impi_world_sweep(world, def ? def : &defaults, report));
}

imp_Status imp_world_advance(imp_World *world, double t)
{
    imp_Status status = check_world(world);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_call_begin(world->context);
    return impi_call_end(world->context, guard, impi_world_advance(world, t));
}
