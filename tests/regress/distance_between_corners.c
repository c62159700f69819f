// A surface that reaches from one corner of all doubles to the opposite one is longer than the largest
// double. Boxes along its own axes ended there, and what is close to its ends was found to be infinitely far.
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

TEST(what_is_near_the_end_of_a_diagonal_is_near)
{
    const double m = 0.95 * DBL_MAX, s = 0.01 * DBL_MAX;
    const imp_Triangle diagonal = {{{m, m, m}, {-m, -m, -m}, {s, -s, 0}}};
    const imp_Pose no_pose = {.rotation = {.w = 0}};
    imp_Context *context = NULL;
    imp_Query *query = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    CHECK_INT(imp_query_create(NULL, &query), IMP_STATUS_OK);
    imp_Mesh *a = triangle_mesh(context, &diagonal);
    for (int i = 0; i < 20; ++i) {
        double at = (1 - 0.1 * i) * m;
        imp_Triangle beside = {{{at, at, at - 8 * s}, {at, at - s, at - 8 * s}, {at - s, at, at - 8 * s}}};
        imp_Distance known = {.distance = -1}, distance = {.distance = -1};
        imp_Mesh *b = triangle_mesh(context, &beside);
        imp_MeshPair meshes = {.a = a, .b = b, .poses_b = &no_pose, .pose_count = 1};
        CHECK_INT(imp_triangles_distance(&diagonal, &beside, &known), IMP_STATUS_OK);
        CHECK_INT(imp_meshes_distance(query, &meshes, NULL, &distance), IMP_STATUS_OK);
        CHECK(!distance.has_stopped && distance.a.face == 0 && distance.b.face == 0);
        CHECK_DOUBLE(distance.distance, known.distance);
        CHECK_DOUBLE(distance.lower_bound, known.lower_bound);
        imp_mesh_release(b);
    }
    imp_mesh_release(a);
    imp_query_destroy(query);
    imp_context_destroy(context);
}
