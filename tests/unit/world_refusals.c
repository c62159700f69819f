// What worlds refuse: with which status and message, and that they stay as they were.
#include "harness.h"
#include "world_fixture.h"

#include <math.h>

static void expect_error(const Fixture *fixture, imp_Status got, imp_Status wanted, const char *part)
{
    const imp_Error *error = imp_context_get_error(fixture->context);
    CHECK_INT(got, wanted);
    CHECK_INT(error->status, wanted);
    CHECK_CONTAINS(error->message, part);
    CHECK(strchr(error->message, '\n') == NULL);
}

static const imp_Pose bad_poses[] = {
    {{NAN, 0, 0}, {1, 0, 0, 0}},       {{0, INFINITY, 0}, {1, 0, 0, 0}}, {{0, 0, -INFINITY}, {0, 0, 0, 0}},
    {{0, 0, 0}, {NAN, 0, 0, 0}},       {{0, 0, 0}, {1.00001, 0, 0, 0}},  {{0, 0, 0}, {0.99999, 0, 0, 0}},
    {{0, 0, 0}, {1, 1, 0, 0}},         {{0, 0, 0}, {0, 0, 0, 1e-300}},   {{0, 0, 0}, {INFINITY, 0, 0, 0}},
    {{0, 0, 0}, {1e200, 1e200, 0, 0}}, {{0, 0, NAN}, {0, 0, 0, 0}},
};

TEST(bad_poses_are_refused)
{
    Fixture fixture = fixture_make();
    ReportCopy *copy = malloc(sizeof *copy);
    imp_Mesh *mesh = sphere(fixture.context, 1);
    imp_BodyId a = add(fixture.world, imp_mesh_retain(mesh), 0), id = {7, 7};
    add(fixture.world, sphere(fixture.context, 1), 1);
    copy_report(fixture.world, copy);
    for (size_t i = 0; i < sizeof bad_poses / sizeof *bad_poses; ++i) {
        expect_error(&fixture, imp_body_set_pose(fixture.world, a, bad_poses[i]), IMP_STATUS_BAD_NUMBER,
                     "pose");
        imp_BodyDef def = {.mesh = mesh, .pose = bad_poses[i]};
        expect_error(&fixture, imp_world_add_body(fixture.world, &def, &id), IMP_STATUS_BAD_NUMBER, "pose");
        CHECK(id.slot == 7 && id.generation == 7);
    }
    CHECK_INT(imp_world_get_body_count(fixture.world), 2);
    CHECK(says_the_same(fixture.world, copy));
    CHECK_INT(imp_body_set_pose(fixture.world, a, (imp_Pose){{0, 0, 0}, {1 + 5e-7, 0, 0, 0}}), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    free(copy);
    fixture_destroy(&fixture);
}

TEST(poses_that_overflow_are_refused)
{
    Fixture fixture = fixture_make();
    ReportCopy *copy = malloc(sizeof *copy);
    imp_BodyId a = add(fixture.world, cube(fixture.context, 1e308), 0);
    add(fixture.world, sphere(fixture.context, 1), 1);
    copy_report(fixture.world, copy);
    CHECK_INT(copy->report.body_pair_count, 1); // inside
    imp_Pose pose = {.translation = {1e308, 0, 0}};
    expect_error(&fixture, imp_body_set_pose(fixture.world, a, pose), IMP_STATUS_BAD_NUMBER,
                 "largest double");
    CHECK(says_the_same(fixture.world, copy));
    pose.translation.x = 0.7e308; // just fits
    CHECK_INT(imp_body_set_pose(fixture.world, a, pose), IMP_STATUS_OK);
    CHECK_INT(detect(fixture.world)->body_pair_count, 1);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_B_INSIDE_A);
    pose = (imp_Pose){{0, 0, 0}, {cos(0.3), sin(0.3), 0, 0}}; // the corners leave the range
    CHECK_INT(imp_body_set_pose(fixture.world, a, pose), IMP_STATUS_OK);
    pose = (imp_Pose){{0x1.fp1023, 0, 0}, {0, 0, 0, 0}};
    expect_error(&fixture, imp_body_set_pose(fixture.world, a, pose), IMP_STATUS_BAD_NUMBER,
                 "largest double");
    // Vertices that the pose would move out of range.
    imp_BodyId far_body = add(fixture.world, cube(fixture.context, 1), 1.7e308);
    expect_error(&fixture, stretch(fixture.world, far_body, (imp_Vec3){0x1p1020, 1, 1}),
                 IMP_STATUS_BAD_NUMBER, "where the pose puts it");
    free(copy);
    fixture_destroy(&fixture);
}

TEST(bad_vertices_are_refused)
{
    Fixture fixture = fixture_make();
    ReportCopy *copy = malloc(sizeof *copy);
    imp_BodyId a = add(fixture.world, sphere(fixture.context, 1), 0);
    add(fixture.world, sphere(fixture.context, 1), 1);
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_body_get_mesh(fixture.world, a, &mesh), IMP_STATUS_OK);
    size_t count = imp_mesh_get_vertex_count(mesh);
    double xyz[3 * 128];
    CHECK(count <= 128);
    for (int round = 0; round < 2; ++round) {
        copy_report(fixture.world, copy);
        memcpy(xyz, imp_mesh_get_vertices(mesh), 3 * count * sizeof *xyz);
        expect_error(&fixture, imp_body_set_vertices(fixture.world, a, xyz, count - 1),
                     IMP_STATUS_BAD_ARGUMENT, "vertices");
        expect_error(&fixture, imp_body_set_vertices(fixture.world, a, xyz, 0), IMP_STATUS_BAD_ARGUMENT,
                     "vertices");
        expect_error(&fixture, imp_body_set_vertices(fixture.world, a, NULL, count), IMP_STATUS_BAD_ARGUMENT,
                     "vertices");
        const double bad_numbers[] = {NAN, INFINITY, -INFINITY};
        for (size_t i = 0; i < 9 * count; ++i) {
            double kept = xyz[i / 3];
            xyz[i / 3] = bad_numbers[i % 3];
            expect_error(&fixture, imp_body_set_vertices(fixture.world, a, xyz, count), IMP_STATUS_BAD_NUMBER,
                         "vertex");
            CHECK_INT(imp_context_get_error(fixture.context)->index, i / 9);
            xyz[i / 3] = kept;
        }
        CHECK(says_the_same(fixture.world, copy));
        // The same again on a body that is deformed already.
        CHECK_INT(stretch(fixture.world, a, (imp_Vec3){2, 1, 1}), IMP_STATUS_OK);
    }
    free(copy);
    fixture_destroy(&fixture);
}

TEST(unknown_ids_are_refused)
{
    Fixture fixture = fixture_make();
    imp_World *world = fixture.world;
    ReportCopy *copy = malloc(sizeof *copy);
    imp_BodyId a = add(world, cube(fixture.context, 1), 0), gone = add(world, cube(fixture.context, 1), 0);
    imp_BodyId b = add(world, cube(fixture.context, 1), 0.5);
    CHECK_INT(imp_world_remove_body(world, gone), IMP_STATUS_OK);
    copy_report(world, copy);
    const imp_BodyId bad[] = {{0, 0},          {0, 1},        gone,   {a.slot, a.generation + 1},
                              {b.slot, 0},     {4, 1},        {4, 0}, {UINT32_MAX, 1},
                              {UINT32_MAX, 0}, {gone.slot, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        imp_BodyId id = bad[i];
        imp_Pose pose;
        void *user;
        imp_Mesh *mesh;
        double xyz[24] = {0};
        CHECK(!imp_body_is_valid(world, id));
        expect_error(&fixture, imp_world_remove_body(world, id), IMP_STATUS_BAD_INDEX, "body");
        CHECK_INT(imp_body_set_pose(world, id, (imp_Pose){0}), IMP_STATUS_BAD_INDEX);
        CHECK_INT(imp_body_get_pose(world, id, &pose), IMP_STATUS_BAD_INDEX);
        CHECK_INT(imp_body_set_vertices(world, id, xyz, 8), IMP_STATUS_BAD_INDEX);
        CHECK_INT(imp_body_set_vertices(world, id, NULL, 0), IMP_STATUS_BAD_INDEX);
        CHECK_INT(imp_body_set_filter(world, id, 1, 1), IMP_STATUS_BAD_INDEX);
        CHECK_INT(imp_body_set_user_data(world, id, NULL), IMP_STATUS_BAD_INDEX);
        CHECK_INT(imp_body_get_user_data(world, id, &user), IMP_STATUS_BAD_INDEX);
        CHECK_INT(imp_body_get_mesh(world, id, &mesh), IMP_STATUS_BAD_INDEX);
        CHECK_INT(imp_world_ignore_pair(world, a, id, true), IMP_STATUS_BAD_INDEX);
        CHECK_INT(imp_world_ignore_pair(world, id, b, true), IMP_STATUS_BAD_INDEX);
    }
    CHECK_INT(imp_world_ignore_pair(world, a, a, true), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_world_get_body_count(world), 2);
    CHECK(says_the_same(world, copy));
    free(copy);
    fixture_destroy(&fixture);
}

TEST(bad_detects_are_refused)
{
    Fixture fixture = fixture_make();
    ReportCopy *copy = malloc(sizeof *copy);
    add(fixture.world, cube(fixture.context, 1), 0);
    add(fixture.world, cube(fixture.context, 1), 0.5);
    copy_report(fixture.world, copy);
    const imp_DetectDef bad[] = {{.mode = (imp_DetectMode)3},
                                 {.mode = (imp_DetectMode)-1},
                                 {.method = (imp_DetectMethod)(IMP_METHOD_SPHERES + 1)},
                                 {.method = (imp_DetectMethod)-1},
                                 {.method = IMP_METHOD_SMITH_1994, .smith_level = IMP_MAX_SMITH_LEVEL + 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        const imp_Report *report = NULL;
        expect_error(&fixture, imp_world_detect(fixture.world, &bad[i], &report), IMP_STATUS_BAD_ARGUMENT,
                     "");
        CHECK(report == NULL);
    }
    expect_error(&fixture, imp_world_detect(fixture.world, NULL, NULL), IMP_STATUS_BAD_ARGUMENT, "answer");
    CHECK(says_the_same(fixture.world, copy));
    free(copy);
    fixture_destroy(&fixture);
}

TEST(null_arguments_are_refused)
{
    Fixture fixture = fixture_make();
    imp_World *world = NULL;
    imp_Mesh *mesh = cube(fixture.context, 1), *got;
    imp_BodyDef def = {.mesh = mesh};
    imp_BodyId id = {0};
    imp_Pose pose;
    void *user;
    const imp_Report *report;
    CHECK_INT(imp_world_create(NULL, NULL, &world), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_world_create(fixture.context, NULL, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK(world == NULL);
    imp_world_destroy(NULL);
    CHECK_INT(imp_world_add_body(NULL, &def, &id), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_world_add_body(fixture.world, NULL, &id), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_world_add_body(fixture.world, &def, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_world_add_body(fixture.world, &(imp_BodyDef){0}, &id), IMP_STATUS_BAD_ARGUMENT);
    CHECK(id.slot == 0 && imp_world_get_body_count(fixture.world) == 0);
    CHECK_INT(imp_world_add_body(fixture.world, &def, &id), IMP_STATUS_OK);
    CHECK_INT(imp_world_remove_body(NULL, id), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_world_get_body_count(NULL), 0);
    CHECK(!imp_body_is_valid(NULL, id));
    CHECK_INT(imp_body_set_pose(NULL, id, (imp_Pose){0}), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_body_get_pose(NULL, id, &pose), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_body_get_pose(fixture.world, id, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_body_set_vertices(NULL, id, NULL, 0), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_body_set_filter(NULL, id, 1, 0), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_body_set_user_data(NULL, id, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_body_get_user_data(NULL, id, &user), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_body_get_user_data(fixture.world, id, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_body_get_mesh(NULL, id, &got), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_body_get_mesh(fixture.world, id, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_world_ignore_pair(NULL, id, id, true), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_world_detect(NULL, NULL, &report), IMP_STATUS_BAD_ARGUMENT);
    imp_mesh_release(mesh);
    fixture_destroy(&fixture);
}

// An unused vertex is no part of the surface, wherever a pose puts it.
TEST(unused_vertices_do_not_matter)
{
    Fixture fixture = fixture_make();
    const double xyz[] = {1.5e308, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint32_t indices[] = {1, 3, 2, 1, 2, 4, 2, 3, 4, 1, 4, 3};
    imp_MeshDef def = {.vertices = xyz, .vertex_count = 5, .indices = indices, .triangle_count = 4};
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_create(fixture.context, &def, &mesh), IMP_STATUS_OK);
    imp_BodyId a = add(fixture.world, mesh, 1e308);
    add(fixture.world, cube(fixture.context, 1), 1e308);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    CHECK_INT(imp_body_set_vertices(fixture.world, a, NULL, 0), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    fixture_destroy(&fixture);
}
