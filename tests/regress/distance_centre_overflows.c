// The middle of a body's box may be posed beyond the largest double where all of its vertices are not: a
// search that begins there must not lose everything.
#include "harness.h"

#include <impinge/impinge.h>

#include <float.h>
#include <math.h>

static imp_Mesh *triangle_mesh(imp_Context *context, const imp_Triangle *triangle)
{
    static const uint32_t indices[3] = {0, 1, 2};
    imp_Mesh *mesh = NULL;
    imp_MeshDef def = {
        .vertices = &triangle->v[0].x, .vertex_count = 3, .indices = indices, .triangle_count = 1};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

static imp_Triangle posed_triangle(const imp_Triangle *triangle, const imp_Pose *pose)
{
    imp_Triangle posed = *triangle;
    for (int k = 0; k < 3; ++k)
        CHECK_INT(imp_pose_apply(pose, triangle->v[k], &posed.v[k]), IMP_STATUS_OK);
    return posed;
}

static void check(imp_Context *context, const imp_Triangle *a, const imp_Pose *pose_a, const imp_Triangle *b,
                  const imp_Pose *pose_b)
{
    imp_Query *query = NULL;
    imp_Distance known = {.distance = -1}, distance = {.distance = -1};
    imp_Triangle posed_a = posed_triangle(a, pose_a), posed_b = posed_triangle(b, pose_b);
    imp_Mesh *mesh_a = triangle_mesh(context, a), *mesh_b = triangle_mesh(context, b);
    imp_MeshPair meshes = {mesh_a, mesh_b, *pose_a, pose_b, 1};
    CHECK_INT(imp_query_create(NULL, &query), IMP_STATUS_OK);
    CHECK_INT(imp_triangles_distance(&posed_a, &posed_b, &known), IMP_STATUS_OK);
    CHECK_INT(imp_meshes_distance(query, &meshes, NULL, &distance), IMP_STATUS_OK);
    CHECK(!distance.has_stopped && distance.a.face == 0 && distance.b.face == 0);
    CHECK_DOUBLE(distance.distance, known.distance);
    CHECK_DOUBLE(distance.lower_bound, known.lower_bound);
    imp_query_destroy(query);
    imp_mesh_release(mesh_a);
    imp_mesh_release(mesh_b);
}

TEST(a_middle_beyond_the_largest_double)
{
    const double m = 0.9 * DBL_MAX;
    const imp_Triangle slanting = {{{m, 0, 0}, {0, m, 0}, {0, 0, m}}};
    const imp_Triangle beside = {{{0.9 * m, 0.1 * m, 0}, {0.8 * m, 0, 0.2 * m}, {0.9 * m, 0, 0}}};
    // Turns (1, 1, 1) to the x axis, about (0, 1, -1); to the y axis, about (-1, 0, 1).
    const double cosine = 1 / sqrt(3.0), w = sqrt((1 + cosine) / 2), s = sqrt((1 - cosine) / 2) / sqrt(2.0);
    const imp_Pose pose = {{0.45 * DBL_MAX, 0, 0}, {w, 0, s, -s}};
    const imp_Pose no_pose = {.rotation = {.w = 0}};
    const imp_Pose both = {{0.45 * DBL_MAX, 0.001 * DBL_MAX, 0}, {w, 0, s, -s}};
    const imp_Pose apart = {{0.46 * DBL_MAX, 0, 0}, {w, 0, s, -s}};
    const imp_Pose up = {{0, 0.45 * DBL_MAX, 0}, {w, -s, 0, s}},
                   higher = {{0, 0.46 * DBL_MAX, 0}, {w, -s, 0, s}};
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    check(context, &slanting, &up, &slanting, &higher);
    check(context, &slanting, &higher, &slanting, &up);
    check(context, &slanting, &pose, &beside, &no_pose);
    check(context, &beside, &no_pose, &slanting, &pose);
    check(context, &slanting, &pose, &slanting, &both);
    check(context, &slanting, &pose, &slanting, &apart);
    check(context, &slanting, &apart, &slanting, &both);
    imp_context_destroy(context);
}
