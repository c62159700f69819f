// What queries tell about touching and containment, against a world made for each pose.
#include "harness.h"
#include "posed_faces.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <stdio.h>

#define MESH_COUNT 5
#define MAX_POSES  8

// The relations that a world of both reports.
static uint32_t ask_world(imp_Context *context, const imp_MeshPair *meshes, size_t pose)
{
    imp_World *world = NULL;
    imp_BodyId ids[2];
    const imp_Report *report = NULL;
    const imp_BodyDef a = {.mesh = meshes->a, .pose = meshes->pose_a},
                      b = {.mesh = meshes->b, .pose = meshes->poses_b[pose]};
    CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
    CHECK_INT(imp_world_add_body(world, &a, &ids[0]), IMP_STATUS_OK);
    CHECK_INT(imp_world_add_body(world, &b, &ids[1]), IMP_STATUS_OK);
    CHECK_INT(imp_world_detect(world, NULL, &report), IMP_STATUS_OK);
    uint32_t relations = report && report->body_pair_count > 0 ? report->body_pairs[0].relations : 0;
    imp_world_destroy(world);
    return relations;
}

// Two small tetrahedra, so far apart that one can be inside of what the other is outside of.
static imp_Mesh *two_parts(imp_Context *context)
{
    static const double corners[][3] = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}};
    static const uint32_t faces[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    double vertices[8][3];
    uint32_t indices[24];
    imp_Mesh *mesh = NULL;
    for (size_t i = 0; i < 8; ++i)
        for (size_t k = 0; k < 3; ++k)
            vertices[i][k] = corners[i % 4][k] + (i < 4 ? 0 : 3);
    for (size_t i = 0; i < 24; ++i)
        indices[i] = faces[i % 12] + (i < 12 ? 0 : 4);
    imp_MeshDef def = {
        .vertices = &vertices[0][0], .vertex_count = 8, .indices = indices, .triangle_count = 8};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

TEST(queries_tell_what_worlds_tell)
{
    imp_Context *context = context_with_threads(1);
    imp_Query *query = NULL;
    imp_Mesh *meshes[MESH_COUNT] = {NULL};
    long count = test_count(1500), apart = 0, touching = 0, a_inside = 0, b_inside = 0, open = 0;
    CHECK_INT(imp_query_create(NULL, &query), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(context, 12, 8, 1, &meshes[0]), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(context, 8, 6, 0.2, &meshes[1]), IMP_STATUS_OK);
    CHECK_INT(scene_box(context, (imp_Vec3){-0.5, -0.4, -0.3}, (imp_Vec3){0.5, 0.4, 0.3}, &meshes[2]),
              IMP_STATUS_OK);
    meshes[3] = two_parts(context);
    // An open one, whose inside is none: the ball without its last faces.
    imp_MeshDef def = {.vertices = &imp_mesh_get_vertices(meshes[0])->x,
                       .vertex_count = imp_mesh_get_vertex_count(meshes[0]),
                       .indices = imp_mesh_get_indices(meshes[0]),
                       .triangle_count = imp_mesh_get_triangle_count(meshes[0]) - 2};
    CHECK_INT(imp_mesh_create(context, &def, &meshes[4]), IMP_STATUS_OK);
    for (long n = 0; n < count; ++n) {
        imp_Pose poses[MAX_POSES];
        uint32_t relations[MAX_POSES], a = test_random_below(MESH_COUNT), b = test_random_below(MESH_COUNT);
        imp_MeshPair pair = {
            meshes[a], meshes[b], {{0, 0, 0}, random_rotation()}, poses, 1 + test_random_below(MAX_POSES)};
        for (size_t i = 0; i < pair.pose_count; ++i)
            poses[i] = (imp_Pose){
                {test_random_between(-1, 1), test_random_between(-0.6, 0.6), test_random_between(-0.6, 0.6)},
                random_rotation()};
        if (!CHECK_INT(imp_meshes_relations(query, &pair, relations), IMP_STATUS_OK))
            break;
        for (size_t i = 0; i < pair.pose_count; ++i) {
            uint32_t wanted = ask_world(context, &pair, i), r = relations[i];
            bool touch = false;
            CHECK_INT(r, wanted);
            // Asked in between, it changes nothing.
            if (test_random_below(8) == 0) {
                imp_MeshPair one = pair;
                one.poses_b = &poses[i];
                one.pose_count = 1;
                CHECK_INT(imp_meshes_touch(query, &one, &touch), IMP_STATUS_OK);
                CHECK_INT(touch, (r & IMP_RELATION_TOUCH) != 0);
            }
            apart += r == 0;
            touching += (r & IMP_RELATION_TOUCH) != 0;
            a_inside += (r & IMP_RELATION_A_INSIDE_B) != 0;
            b_inside += (r & IMP_RELATION_B_INSIDE_A) != 0;
            open += r == 0 && (a == 4 || b == 4);
        }
    }
    printf("%ld apart, %ld touch, %ld a inside b, %ld b inside a, %ld apart of an open one\n", apart,
           touching, a_inside, b_inside, open);
    CHECK(apart > count / 10 && touching > count / 10 && a_inside > count / 20 && b_inside > count / 20);
    CHECK(open > count / 20);
    for (int i = 0; i < MESH_COUNT; ++i)
        imp_mesh_release(meshes[i]);
    imp_query_destroy(query);
    imp_context_destroy(context);
}
