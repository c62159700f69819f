// Targets of bodies, and bodies on their way to them.
#include "object/target.h"

#include "geom/pose.h"
#include "geom/predicates.h"
#include "geom/scalar.h"
#include "shape/bounds.h"

#include <math.h>
#include <string.h>

void impi_target_release(const imp_Allocator *allocator, impi_Body *body)
{
    if (!body->target)
        return;
    impi_deformation_release(allocator, &body->blocks->blocks, &body->target->shape);
    impi_release(allocator, body->target, sizeof *body->target);
    body->target = NULL;
}

// ---- setting one

static imp_Status check_def(imp_Context *context, const impi_Body *body, const imp_TargetDef *def)
{
    if (def->path < IMP_PATH_AUTO || def->path > IMP_PATH_RIGID)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "unknown kind of path %d",
                         (int)def->path);
    if (!impi_vec3_is_finite(&def->axis))
        return impi_fail(context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE, "axis (%g %g %g) is not finite",
                         def->axis.x, def->axis.y, def->axis.z);
    if (!impi_vec3_is_finite(&def->pivot))
        return impi_fail(context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE, "pivot (%g %g %g) is not finite",
                         def->pivot.x, def->pivot.y, def->pivot.z);
    if (def->vertices || def->vertex_count > 0) {
        imp_Status status = impi_body_check_vertex_count(context, body, def->vertices, def->vertex_count);
        if (status != IMP_STATUS_OK)
            return status;
    }
    if (def->path == IMP_PATH_RIGID && def->vertices)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "a body does not deform on a rigid path");
    if (def->turns != 0 && (def->path == IMP_PATH_STRAIGHT || def->vertices))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "there are no whole turns on a straight path");
    return IMPI_CHECK_RESERVED(context, def);
}

// The pose and, if it has any, the vertices of a target.
static imp_Status check_place(imp_Context *context, const impi_Body *body, const imp_TargetDef *def,
                              imp_Transform *transform, double *largest_coordinate)
{
    const impi_VertexList none = {NULL, 0, 0};
    if (!def->vertices)
        return impi_body_check_pose(context, body, &def->pose, transform);
    imp_Status status = impi_pose_check(context, &def->pose, &none, transform);
    if (status != IMP_STATUS_OK)
        return status;
    return impi_vertices_check(context, transform, (const imp_Vec3 *)def->vertices, def->vertex_count,
                               largest_coordinate);
}

static bool allocate_target(const imp_Allocator *allocator, impi_Body *body, bool deforms)
{
    if (!body->target) {
        body->target = impi_allocate(allocator, sizeof *body->target);
        if (!body->target)
            return false;
        *body->target = (impi_Target){.is_set = false};
    }
    return !deforms || impi_deformation_allocate(allocator, &body->blocks->blocks, &body->target->shape);
}

static void take_away(impi_Target *target)
{
    target->is_set = false;
    ++target->change;
}

imp_Status impi_body_set_target(imp_Context *context, impi_Body *body, const imp_TargetDef *def)
{
    imp_Transform transform;
    double largest_coordinate = 0;
    if (!def) {
        if (body->target)
            take_away(body->target);
        return IMP_STATUS_OK;
    }
    imp_Status status = check_def(context, body, def);
    if (status == IMP_STATUS_OK)
        status = check_place(context, body, def, &transform, &largest_coordinate);
    if (status != IMP_STATUS_OK)
        return status;
    if (!allocate_target(&context->allocator, body, def->vertices))
        return impi_fail_out_of_memory(context);
    impi_Target *target = body->target;
    *target = (impi_Target){.is_set = true,
                            .deforms = def->vertices,
                            .path = def->path,
                            .pose = def->pose,
                            .transform = transform,
                            .shape = target->shape,
                            .largest_coordinate = largest_coordinate,
                            .pivot = def->pivot,
                            .turns = def->turns,
                            .axis = def->axis,
                            .change = target->change + 1};
    if (def->vertices)
        impi_gather_blocks(&body->blocks->blocks, (const imp_Vec3 *)def->vertices, target->shape.vertices,
                           target->shape.boxes);
    return IMP_STATUS_OK;
}

// ---- what it means

static bool is_same_rotation(const imp_Transform *a, const imp_Transform *b)
{
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            if (a->rows[row][column] != b->rows[row][column])
                return false;
    return true;
}

static bool turns(const impi_Body *body, const impi_Target *target)
{
    return target->turns != 0 || !is_same_rotation(&body->transform, &target->transform);
}

imp_PathKind impi_body_path(const impi_Body *body)
{
    const impi_Target *target = impi_body_target(body);
    bool is_straight =
        !target || target->path == IMP_PATH_STRAIGHT || target->deforms || !turns(body, target);
    return is_straight ? IMP_PATH_STRAIGHT : IMP_PATH_RIGID;
}

imp_Status impi_target_rigid_path(const impi_Body *body, const impi_Target *target, impi_RigidPath *path)
{
    impi_RigidPathDef def = {.from = body->pose,
                             .to = target->pose,
                             .pivot = target->pivot,
                             .turns = target->turns,
                             .axis = target->axis};
    return impi_rigid_path_make(&def, path);
}

// Whole turns from a rotation to the same one need an axis; a way may be longer than the largest double.
static imp_Status check_rigid_path(imp_Context *context, const impi_Body *body, const impi_Target *target)
{
    impi_RigidPath path;
    imp_Status status = impi_target_rigid_path(body, target, &path);
    if (status == IMP_STATUS_BAD_ARGUMENT)
        return impi_fail(context, status, body->slot,
                         "body %u makes %d whole turns: there can be at most %d, and they need an axis where "
                         "both rotations are the same",
                         (unsigned)body->slot, (int)target->turns, IMPI_MAX_TURNS);
    if (status != IMP_STATUS_OK)
        return impi_fail(context, status, body->slot, "the way of body %u is longer than the largest double",
                         (unsigned)body->slot);
    return IMP_STATUS_OK;
}

bool impi_body_changes_shape(const impi_Body *body)
{
    const impi_Target *target = impi_body_target(body);
    return target && impi_body_path(body) == IMP_PATH_STRAIGHT && (target->deforms || turns(body, target));
}

imp_Status impi_body_check_target(imp_Context *context, const impi_Body *body)
{
    const impi_Target *target = impi_body_target(body);
    imp_Transform transform;
    if (!target || target->deforms)
        return IMP_STATUS_OK;
    imp_Status status = impi_body_check_pose(context, body, &target->pose, &transform);
    if (status != IMP_STATUS_OK)
        context->error.index = body->slot;
    else if (impi_body_path(body) == IMP_PATH_RIGID)
        status = check_rigid_path(context, body, target);
    return status;
}

// ---- on the way

// Widths of more than the largest double are infinite.
static double between(double from, double to, double t)
{
    double width = to - from;
    double x = isfinite(width) ? from + t * width : (1 - t) * from + t * to;
    return from <= to ? impi_larger(impi_smaller(x, to), from) : impi_larger(impi_smaller(x, from), to);
}

static imp_Vec3 point_between(imp_Vec3 from, imp_Vec3 to, double t)
{
    return (imp_Vec3){between(from.x, to.x, t), between(from.y, to.y, t), between(from.z, to.z, t)};
}

// What the target's rotation does to a vertex, seen in the frame of the body's rotation now.
static imp_Vec3 turn_back(const imp_Transform *now, const imp_Transform *then, imp_Vec3 v)
{
    const double turned[3] = {(then->rows[0][0] * v.x + then->rows[0][1] * v.y) + then->rows[0][2] * v.z,
                              (then->rows[1][0] * v.x + then->rows[1][1] * v.y) + then->rows[1][2] * v.z,
                              (then->rows[2][0] * v.x + then->rows[2][1] * v.y) + then->rows[2][2] * v.z};
    return (imp_Vec3){
        (now->rows[0][0] * turned[0] + now->rows[1][0] * turned[1]) + now->rows[2][0] * turned[2],
        (now->rows[0][1] * turned[0] + now->rows[1][1] * turned[1]) + now->rows[2][1] * turned[2],
        (now->rows[0][2] * turned[0] + now->rows[1][2] * turned[1]) + now->rows[2][2] * turned[2]};
}

static void blend_vertices(const impi_Body *body, const impi_Target *target, double t)
{
    const imp_Vec3 *from = impi_body_vertices(body), *to = target->deforms ? target->shape.vertices : from;
    bool is_turned = !is_same_rotation(&body->transform, &target->transform);
    for (size_t i = 0; i < body->blocks->blocks.vertex_count; ++i) {
        imp_Vec3 end = is_turned ? turn_back(&body->transform, &target->transform, to[i]) : to[i];
        body->spare.vertices[i] = point_between(from[i], end, t);
    }
    impi_bound_blocks(&body->blocks->blocks, body->spare.vertices, body->spare.boxes);
}

static imp_Pose pose_between(const impi_Body *body, const impi_Target *target, double t)
{
    impi_RigidPath path;
    if (impi_body_path(body) == IMP_PATH_RIGID &&
        impi_target_rigid_path(body, target, &path) == IMP_STATUS_OK)
        return impi_rigid_path_pose(&path, t);
    return t == 1 ? target->pose
                  : (imp_Pose){point_between(body->pose.translation, target->pose.translation, t),
                               body->pose.rotation};
}

// What can't be placed between both ends.
static imp_Status refuse(imp_Context *context, const impi_Body *body, const impi_Target *target, double t)
{
    imp_Transform transform;
    imp_Pose pose = pose_between(body, target, t);
    if (impi_body_path(body) == IMP_PATH_RIGID) {
        imp_Status status = impi_body_check_pose(context, body, &pose, &transform);
        if (status != IMP_STATUS_OK)
            context->error.index = body->slot;
        return status;
    }
    if (impi_body_changes_shape(body) && impi_body_is_convex(body))
        return impi_fail(context, IMP_STATUS_BAD_SHAPE, body->slot,
                         "body %u, which is convex, turns on a straight path: it may not stay convex",
                         (unsigned)body->slot);
    return IMP_STATUS_OK;
}

// New vertices into the spare shape, if the body changes its shape until then.
static bool takes_spare(const impi_Body *body, const impi_Target *target, double t)
{
    return t == 1 ? target->deforms : t > 0 && impi_body_changes_shape(body);
}

static imp_Status fill_spare(imp_Context *context, impi_Body *body, const impi_Target *target, double t)
{
    const impi_FaceBlocks *blocks = &body->blocks->blocks;
    if (!impi_deformation_allocate(&context->allocator, blocks, &body->deformed) ||
        !impi_deformation_allocate(&context->allocator, blocks, &body->spare))
        return impi_fail_out_of_memory(context);
    if (t == 1) {
        memcpy(body->spare.vertices, target->shape.vertices,
               blocks->vertex_count * sizeof *body->spare.vertices);
        memcpy(body->spare.boxes, target->shape.boxes,
               impi_group_count(blocks->block_count) * sizeof *body->spare.boxes);
        return IMP_STATUS_OK;
    }
    blend_vertices(body, target, t);
    imp_Transform transform = body->transform;
    transform.translation = pose_between(body, target, t).translation;
    double largest_coordinate;
    imp_Status status = impi_vertices_check(context, &transform, body->spare.vertices, blocks->vertex_count,
                                            &largest_coordinate);
    if (status != IMP_STATUS_OK)
        context->error.index = body->slot;
    return status;
}

imp_Status impi_body_prepare_advance(imp_Context *context, impi_Body *body, double t)
{
    const impi_Target *target = impi_body_target(body);
    if (!target || t == 0)
        return IMP_STATUS_OK;
    imp_Status status = impi_body_check_target(context, body);
    if (status == IMP_STATUS_OK && t < 1)
        status = refuse(context, body, target, t);
    if (status == IMP_STATUS_OK && takes_spare(body, target, t))
        status = fill_spare(context, body, target, t);
    return status;
}

bool impi_body_advance(impi_Body *body, double t)
{
    const impi_Target *target = impi_body_target(body);
    if (!target)
        return false;
    if (t > 0) {
        bool is_deformed = takes_spare(body, target, t);
        imp_Pose pose = pose_between(body, target, t);
        imp_Transform transform = t == 1 ? target->transform : body->transform;
        transform.translation = pose.translation;
        if (t < 1 && impi_body_path(body) == IMP_PATH_RIGID &&
            impi_pose_transform(&pose, &transform) != IMP_STATUS_OK)
            transform = body->transform; // not reached: it was prepared
        if (is_deformed)
            impi_body_take_spare(body, impi_largest_coordinate(&body->spare.vertices->x,
                                                               3 * body->blocks->blocks.vertex_count));
        impi_body_move(body, &pose, &transform);
    }
    take_away(body->target);
    return t > 0;
}
