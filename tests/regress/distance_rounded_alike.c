// Two pairs of faces whose distances round up to the same double, one of them exactly that double, the other
// nearer by less than an ulp: the lower bound has to hold for the latter, whichever has lesser face numbers.
#include "harness.h"

#include <impinge/impinge.h>

#include <math.h>

static imp_Mesh *points(imp_Context *context, imp_Vec3 first, imp_Vec3 second)
{
    const imp_Vec3 vertices[2] = {first, second};
    const uint32_t indices[6] = {0, 0, 0, 1, 1, 1};
    imp_Mesh *mesh = NULL;
    imp_MeshDef def = {.vertices = &vertices->x, .vertex_count = 2, .indices = indices, .triangle_count = 2};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

static void check_bounds(imp_Vec3 first, imp_Vec3 second, uint32_t face)
{
    const imp_Pose no_pose = {.rotation = {.w = 0}};
    imp_Context *context = NULL;
    imp_Query *query = NULL;
    imp_Distance distance = {.distance = -1};
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    CHECK_INT(imp_query_create(NULL, &query), IMP_STATUS_OK);
    imp_Mesh *a = points(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){0, 100, 0});
    imp_Mesh *b = points(context, first, second);
    imp_MeshPair meshes = {.a = a, .b = b, .poses_b = &no_pose, .pose_count = 1};
    CHECK_INT(imp_meshes_distance(query, &meshes, NULL, &distance), IMP_STATUS_OK);
    CHECK_DOUBLE(distance.distance, 1);
    CHECK_DOUBLE(distance.lower_bound, nextafter(1, 0));
    CHECK_INT(distance.a.face, face);
    CHECK_INT(distance.b.face, face);
    imp_mesh_release(a);
    imp_mesh_release(b);
    imp_query_destroy(query);
    imp_context_destroy(context);
}

TEST(the_lower_bound_is_that_of_the_nearer_pair)
{
    // x * x + z * z = 1 - 2^-52 + 2^-106 + 2^-54, above the square of the double before 1.
    double x = 1 - 0x1p-53, z = 0x1p-27;
    check_bounds((imp_Vec3){1, 0, 0}, (imp_Vec3){x, 100, z}, 1);
    check_bounds((imp_Vec3){x, 0, z}, (imp_Vec3){1, 100, 0}, 0);
}
