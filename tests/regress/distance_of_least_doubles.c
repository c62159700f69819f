// The length of a way of a few of the least doubles is rounded to one of them: a bound that comes from it
// must not be less than the true distance.
#include "harness.h"

#include <impinge/impinge.h>

#include <math.h>

static imp_Mesh *point_mesh(imp_Context *context, imp_Vec3 point)
{
    static const uint32_t indices[3] = {0, 0, 0};
    imp_Mesh *mesh = NULL;
    imp_MeshDef def = {.vertices = &point.x, .vertex_count = 1, .indices = indices, .triangle_count = 1};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

TEST(bounds_of_subnormal_lengths_are_rounded_up)
{
    const imp_Pose no_pose = {.rotation = {.w = 0}};
    imp_Context *context = NULL;
    imp_Query *query = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    CHECK_INT(imp_query_create(NULL, &query), IMP_STATUS_OK);
    imp_Mesh *a = point_mesh(context, (imp_Vec3){0, 0, 0});
    for (int x = 0; x < 12; ++x)
        for (int y = 1; y < 12; ++y) {
            double length = sqrt(x * x + y * y);
            imp_Mesh *b = point_mesh(context, (imp_Vec3){ldexp(x, -1074), ldexp(y, -1074), 0});
            imp_MeshPair meshes = {.a = a, .b = b, .poses_b = &no_pose, .pose_count = 1};
            imp_DistanceDef def = {.stop_below = ldexp(floor(length), -1074)};
            imp_Distance d = {.distance = -1};
            CHECK_INT(imp_meshes_distance(query, &meshes, &def, &d), IMP_STATUS_OK);
            CHECK(d.has_stopped == (floor(length) == length));
            def.stop_below = ldexp(ceil(length), -1074);
            CHECK_INT(imp_meshes_distance(query, &meshes, &def, &d), IMP_STATUS_OK);
            CHECK(d.has_stopped);
            CHECK_INT(imp_meshes_distance(query, &meshes, NULL, &d), IMP_STATUS_OK);
            CHECK_DOUBLE(d.distance, ldexp(ceil(length), -1074));
            CHECK_DOUBLE(d.lower_bound, ldexp(floor(length), -1074));
            imp_mesh_release(b);
        }
    imp_mesh_release(a);
    imp_query_destroy(query);
    imp_context_destroy(context);
}
