#include "object/body.h"

#include "geom/pose.h"
#include "geom/predicates.h"
#include "geom/scalar.h"
#include "geom/vector.h"
#include "object/posed_surface.h"
#include "object/swept_surface.h"
#include "object/target.h"
#include "shape/bounds.h"

#include <math.h>

static double largest_size(const imp_Vec3 *v)
{
    return impi_larger(impi_larger(fabs(v->x), fabs(v->y)), fabs(v->z));
}

static double shape_largest_coordinate(const impi_Shape *shape)
{
    return impi_larger(largest_size(&shape->bounds.min), largest_size(&shape->bounds.max));
}

// ---- poses

// Does a pose keep all vertices finite? The largest coordinate settles it nearly always: rows have unit
// length, so no sum of products exceeds three times that.
static bool stays_finite(const imp_Transform *transform, const impi_VertexList *vertices)
{
    if (3 * vertices->largest_coordinate + largest_size(&transform->translation) <= 1e308)
        return true;
    for (size_t i = 0; i < vertices->count; ++i) {
        imp_Vec3 posed = impi_transform_apply(transform, vertices->vertices[i]);
        if (!impi_vec3_is_finite(&posed))
            return false;
    }
    return true;
}

imp_Status impi_pose_check(imp_Context *context, const imp_Pose *pose, const impi_VertexList *vertices,
                           imp_Transform *transform)
{
    if (impi_pose_transform(pose, transform) != IMP_STATUS_OK)
        return impi_fail(context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE,
                         "pose (%g %g %g, %g %g %g %g) is not finite or its rotation is not of unit length",
                         pose->translation.x, pose->translation.y, pose->translation.z, pose->rotation.w,
                         pose->rotation.x, pose->rotation.y, pose->rotation.z);
    if (!stays_finite(transform, vertices))
        return impi_fail(context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE,
                         "pose moves a vertex beyond the largest double");
    return IMP_STATUS_OK;
}

imp_Status impi_body_check_pose(imp_Context *context, const impi_Body *body, const imp_Pose *pose,
                                imp_Transform *transform)
{
    impi_VertexList vertices = {impi_body_vertices(body), body->blocks->blocks.vertex_count,
                                body->largest_coordinate};
    return impi_pose_check(context, pose, &vertices, transform);
}

// The pose or the vertices have changed: nothing that was computed from them holds any more.
static void outdate(impi_Body *body)
{
    if ((uint32_t)++body->motion == 0) { // blocks, which note the lower half, could seem to be posed
        impi_posed_surface_forget(body);
        ++body->motion;
    }
}

void impi_body_move(impi_Body *body, const imp_Pose *pose, const imp_Transform *transform)
{
    body->pose = *pose;
    body->transform = *transform;
    outdate(body);
}

// ---- making and ending

imp_Status impi_body_make(imp_Context *context, impi_Shape *shape, const imp_Pose *pose, impi_Body *body)
{
    *body = (impi_Body){.pose = *pose, .largest_coordinate = shape_largest_coordinate(shape), .motion = 1};
    imp_Status status = impi_mesh_blocks(context, impi_shape_surface(shape), &body->blocks);
    if (status == IMP_STATUS_OK)
        status = impi_body_check_pose(context, body, pose, &body->transform);
    if (status == IMP_STATUS_OK)
        body->shape = impi_shape_retain(shape);
    return status;
}

void impi_deformation_release(const imp_Allocator *allocator, const impi_FaceBlocks *blocks,
                              impi_Deformation *deformation)
{
    impi_release(allocator, deformation->vertices, blocks->vertex_count * sizeof *deformation->vertices);
    impi_release(allocator, deformation->boxes,
                 impi_group_count(blocks->block_count) * sizeof *deformation->boxes);
}

void impi_body_release(const imp_Allocator *allocator, impi_Body *body)
{
    impi_posed_surface_release(allocator, body);
    impi_target_release(allocator, body);
    impi_swept_surface_release(allocator, body);
    impi_deformation_release(allocator, &body->blocks->blocks, &body->deformed);
    impi_deformation_release(allocator, &body->blocks->blocks, &body->spare);
    impi_shape_release(body->shape);
    imp_sphere_tree_release(body->spheres);
}

// ---- deformation

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

bool impi_deformation_allocate(const imp_Allocator *allocator, const impi_FaceBlocks *blocks,
                               impi_Deformation *deformation)
{
    if (!deformation->vertices)
        deformation->vertices =
            impi_allocate_array(allocator, blocks->vertex_count, sizeof *deformation->vertices);
    if (!deformation->boxes)
        deformation->boxes =
            impi_allocate_array(allocator, impi_group_count(blocks->block_count), sizeof *deformation->boxes);
    return deformation->vertices && deformation->boxes;
}

static imp_Status restore_vertices(imp_Context *context, impi_Body *body)
{
    impi_VertexList vertices = {body->blocks->vertices, body->blocks->blocks.vertex_count,
                                shape_largest_coordinate(body->shape)};
    imp_Status status = impi_pose_check(context, &body->pose, &vertices, &body->transform);
    if (status != IMP_STATUS_OK)
        return status;
    body->is_deformed = false;
    body->largest_coordinate = vertices.largest_coordinate;
    outdate(body);
    return IMP_STATUS_OK;
}

// The largest coordinate settles nearly always that all vertices are finite and stay so where the pose puts
// them. Looking for it walks through them in order, which also brings them near: blocks then take them in any
// order.
imp_Status impi_vertices_check(imp_Context *context, const imp_Transform *transform, const imp_Vec3 *vertices,
                               size_t count, double *largest_coordinate)
{
    *largest_coordinate = impi_largest_coordinate(&vertices->x, 3 * count);
    if (3 * *largest_coordinate + largest_size(&transform->translation) <= 1e308)
        return IMP_STATUS_OK;
    return find_bad_vertex(context, transform, vertices, count);
}

// Vertices are the spare ones, block by block like those of the mesh. Squares of what is less than 1e-161 may
// vanish.
static double find_displacement(const impi_Body *body)
{
    const imp_Vec3 *from = body->blocks->vertices, *to = body->spare.vertices;
    double square = 0;
    for (size_t i = 0; i < body->blocks->blocks.vertex_count; ++i) {
        imp_Vec3 moved = impi_subtract(to[i], from[i]);
        square = impi_larger(square, impi_dot(moved, moved));
    }
    return sqrt(square) * (1 + 0x1p-50) + 1e-160;
}

void impi_body_take_spare(impi_Body *body, double largest_coordinate)
{
    if (body->spheres)
        body->displacement = find_displacement(body);
    impi_Deformation gathered = body->spare;
    body->spare = body->deformed;
    body->deformed = gathered;
    body->is_deformed = true;
    body->largest_coordinate = largest_coordinate;
    outdate(body);
}

imp_Status impi_body_check_vertex_count(imp_Context *context, const impi_Body *body, const double *vertices,
                                        size_t count)
{
    size_t expected = imp_mesh_get_vertex_count(impi_body_surface(body));
    if (body->shape->kind != IMPI_SHAPE_MESH)
        return impi_fail(context, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE,
                         "a convex body cannot be deformed: it may not stay convex");
    if ((vertices || count > 0) && (!vertices || count != expected))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "%zu vertices given for a mesh of %zu", vertices ? count : 0, expected);
    return IMP_STATUS_OK;
}

imp_Status impi_body_deform(imp_Context *context, impi_Body *body, const double *vertices, size_t count)
{
    const imp_Allocator *allocator = &context->allocator;
    const impi_FaceBlocks *blocks = &body->blocks->blocks;
    const imp_Vec3 *points = (const imp_Vec3 *)vertices;
    double largest_coordinate;
    imp_Status status = impi_body_check_vertex_count(context, body, vertices, count);
    if (status != IMP_STATUS_OK)
        return status;
    if (!vertices)
        return restore_vertices(context, body);
    if (!impi_deformation_allocate(allocator, blocks, &body->deformed) ||
        !impi_deformation_allocate(allocator, blocks, &body->spare))
        return impi_fail_out_of_memory(context);
    status = impi_vertices_check(context, &body->transform, points, count, &largest_coordinate);
    if (status != IMP_STATUS_OK)
        return status;
    impi_gather_blocks(blocks, points, body->spare.vertices, body->spare.boxes);
    impi_body_take_spare(body, largest_coordinate);
    return IMP_STATUS_OK;
}

// ---- bounds

#define GROUPS_PER_RANGE 32 // of 8 blocks of 64 faces
#define GROUPS_AT_ONCE   8

// Groups of blocks of one body that are bounded in one go, and the box around them.
typedef struct Range {
    const impi_Body *body;
    size_t begin, end;
    imp_Box box;
} Range;

static imp_Box bound_groups(const impi_Body *body, size_t begin, size_t end)
{
    impi_BoxLanes posed[GROUPS_AT_ONCE], posed_at_end[GROUPS_AT_ONCE];
    size_t count = end - begin;
    impi_pose_boxes(impi_body_boxes(body) + begin, &body->transform, count, posed);
    if (body->end) {
        impi_pose_boxes(impi_body_boxes(body) + begin, body->end, count, posed_at_end);
        impi_join_boxes(posed_at_end, count, posed);
    }
    return impi_bound_groups(posed, count);
}

static void bound_range(Range *range)
{
    for (size_t group = range->begin; group < range->end; group += GROUPS_AT_ONCE) {
        size_t stop = group + GROUPS_AT_ONCE < range->end ? group + GROUPS_AT_ONCE : range->end;
        imp_Box box = bound_groups(range->body, group, stop);
        if (group == range->begin)
            range->box = box;
        impi_box_add(&range->box, &box.min);
        impi_box_add(&range->box, &box.max);
    }
}

typedef struct BoundsJob {
    Range *ranges;
    impi_Budget *budget;
} BoundsJob;

static void bound_ranges(size_t begin, size_t end, size_t block, void *argument)
{
    const BoundsJob *job = argument;
    (void)block;
    for (size_t i = begin; i < end && !impi_budget_is_cancelled(job->budget); ++i)
        bound_range(&job->ranges[i]);
}

static Range *cut_ranges(impi_Arena *arena, impi_Body *const *bodies, size_t count, size_t *range_count)
{
    size_t next = 0;
    *range_count = 0;
    for (size_t i = 0; i < count; ++i)
        *range_count +=
            impi_block_count(impi_group_count(bodies[i]->blocks->blocks.block_count), GROUPS_PER_RANGE);
    Range *ranges = impi_arena_allocate_array(arena, *range_count, sizeof *ranges);
    for (size_t i = 0; i < count && ranges; ++i) {
        size_t groups = impi_group_count(bodies[i]->blocks->blocks.block_count);
        for (size_t begin = 0; begin < groups; begin += GROUPS_PER_RANGE) {
            size_t end = begin + GROUPS_PER_RANGE < groups ? begin + GROUPS_PER_RANGE : groups;
            ranges[next++] = (Range){.body = bodies[i], .begin = begin, .end = end};
        }
    }
    return ranges;
}

static imp_Status bound_without_surfaces(imp_Context *context, impi_Budget *budget, impi_Body *const *bodies,
                                         size_t count)
{
    size_t range_count, next = 0;
    BoundsJob job = {cut_ranges(&context->scratch, bodies, count, &range_count), budget};
    if (!job.ranges)
        return impi_fail_out_of_memory(context);
    impi_parallel_for(&context->executor, range_count, 4, bound_ranges, &job);
    if (impi_budget_is_cancelled(budget))
        return impi_fail_cancelled(context);
    for (size_t i = 0; i < count; ++i) {
        bodies[i]->bounds = job.ranges[next].box;
        for (; next < range_count && job.ranges[next].body == bodies[i]; ++next) {
            impi_box_add(&bodies[i]->bounds, &job.ranges[next].box.min);
            impi_box_add(&bodies[i]->bounds, &job.ranges[next].box.max);
        }
    }
    return IMP_STATUS_OK;
}

// Bodies that have a surface are likely to be asked for it again: they get the tree over their boxes at once.
static imp_Status bound_with_surfaces(imp_Context *context, impi_Body *const *bodies, size_t count)
{
    imp_Status status = impi_surfaces_require(context, bodies, count, false);
    for (size_t i = 0; i < count && status == IMP_STATUS_OK; ++i)
        bodies[i]->bounds = impi_surface_of(bodies[i])->bounds;
    return status;
}

imp_Status impi_bodies_bound(imp_Context *context, impi_Budget *budget, impi_Body *const *bodies,
                             size_t count)
{
    impi_Body **sorted = impi_arena_allocate_array(&context->scratch, count, sizeof *sorted);
    size_t without = 0, with = 0;
    if (!sorted)
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < count; ++i)
        sorted[bodies[i]->posed ? count - ++with : without++] = bodies[i];
    imp_Status status = bound_without_surfaces(context, budget, sorted, without);
    if (status == IMP_STATUS_OK)
        status = bound_with_surfaces(context, sorted + without, with);
    return status;
}
