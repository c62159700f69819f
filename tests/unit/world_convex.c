// Worlds with convex bodies: what they are, what touches, what is remembered.
#include "failing_allocator.h"
#include "world_fixture.h"

#include <stdio.h>

static imp_Convex *box(imp_Context *context, imp_Vec3 min, imp_Vec3 max)
{
    imp_Convex *convex = NULL;
    const imp_Vec3 ends[2] = {min, max};
    imp_Vec3 corners[8];
    for (int i = 0; i < 8; ++i)
        corners[i] = (imp_Vec3){ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z};
    imp_ConvexDef def = {.points = &corners->x, .point_count = 8};
    CHECK_INT(imp_convex_create(context, &def, &convex), IMP_STATUS_OK);
    return convex;
}

static imp_Convex *cube_solid(imp_Context *context, double half)
{
    return box(context, (imp_Vec3){-half, -half, -half}, (imp_Vec3){half, half, half});
}

static imp_Convex *ball(imp_Context *context, double radius)
{
    imp_Mesh *mesh = NULL;
    imp_Convex *convex = NULL;
    CHECK_INT(scene_sphere(context, 12, 8, radius, &mesh), IMP_STATUS_OK);
    imp_ConvexDef def = {.points = &imp_mesh_get_vertices(mesh)->x,
                         .point_count = imp_mesh_get_vertex_count(mesh)};
    CHECK_INT(imp_convex_create(context, &def, &convex), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return convex;
}

// The world's reference is the only one that stays.
static imp_BodyId add_solid(imp_World *world, imp_Convex *convex, double x)
{
    imp_BodyId id = {0};
    CHECK_INT(imp_world_add_body(world, &(imp_BodyDef){.convex = convex, .pose.translation.x = x}, &id),
              IMP_STATUS_OK);
    imp_convex_release(convex);
    return id;
}

static void move(imp_World *world, imp_BodyId id, double x)
{
    CHECK_INT(imp_body_set_pose(world, id, (imp_Pose){.translation.x = x}), IMP_STATUS_OK);
}

TEST(a_body_is_a_mesh_or_a_polytope)
{
    Fixture fixture = fixture_make();
    imp_Convex *convex = cube_solid(fixture.context, 1), *got = convex;
    imp_Mesh *mesh = cube(fixture.context, 1), *got_mesh = NULL;
    imp_BodyId id = {0};
    CHECK_INT(imp_world_add_body(fixture.world, &(imp_BodyDef){.mesh = NULL}, &id), IMP_STATUS_BAD_ARGUMENT);
    CHECK_CONTAINS(imp_context_get_error(fixture.context)->message, "none");
    CHECK_INT(imp_world_add_body(fixture.world, &(imp_BodyDef){.mesh = mesh, .convex = convex}, &id),
              IMP_STATUS_BAD_ARGUMENT);
    CHECK_CONTAINS(imp_context_get_error(fixture.context)->message, "both");
    imp_BodyId body = add(fixture.world, mesh, 0);
    CHECK_INT(imp_body_get_convex(fixture.world, body, &got), IMP_STATUS_OK);
    CHECK(got == NULL);
    imp_Mesh *surface = imp_convex_get_mesh(convex);
    imp_BodyId solid = add_solid(fixture.world, convex, 5);
    CHECK_INT(imp_body_get_convex(fixture.world, solid, &got), IMP_STATUS_OK);
    CHECK_INT(imp_body_get_mesh(fixture.world, solid, &got_mesh), IMP_STATUS_OK);
    CHECK(got == convex && got_mesh == surface);
    CHECK_INT(imp_body_get_convex(fixture.world, solid, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_body_get_convex(NULL, solid, &got), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_world_remove_body(fixture.world, solid), IMP_STATUS_OK);
    CHECK_INT(imp_body_get_convex(fixture.world, solid, &got), IMP_STATUS_BAD_INDEX);
    fixture_destroy(&fixture);
}

TEST(a_solid_is_not_deformed)
{
    Fixture fixture = fixture_make();
    imp_BodyId solid = add_solid(fixture.world, cube_solid(fixture.context, 1), 0);
    CHECK_INT(stretch(fixture.world, solid, (imp_Vec3){2, 1, 1}), IMP_STATUS_BAD_SHAPE);
    CHECK_CONTAINS(imp_context_get_error(fixture.context)->message, "convex");
    CHECK_INT(imp_body_set_vertices(fixture.world, solid, NULL, 0), IMP_STATUS_BAD_SHAPE);
    fixture_destroy(&fixture);
}

TEST(solids_touch_when_they_share_a_point)
{
    Fixture fixture = fixture_make();
    add_solid(fixture.world, cube_solid(fixture.context, 1), 0);
    imp_BodyId b = add_solid(fixture.world, cube_solid(fixture.context, 1), 0);
    static const struct {
        double x;
        bool touch;
    } places[] = {{2, true}, {2 + 0x1p-51, false}, {1.5, true}, {-2, true}, {-2 - 0x1p-51, false}, {0, true}};
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        move(fixture.world, b, places[i].x);
        CHECK_INT(relations_of_two(fixture.world), places[i].touch ? IMP_RELATION_TOUCH : 0);
        CHECK((detect(fixture.world)->face_pair_count > 0) == places[i].touch);
    }
    fixture_destroy(&fixture);
}

// A touch without touching faces.
TEST(a_solid_inside_a_solid_touches_it)
{
    Fixture fixture = fixture_make();
    add_solid(fixture.world, ball(fixture.context, 3), 0);
    imp_BodyId b = add_solid(fixture.world, cube_solid(fixture.context, 0.2), 0.5);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    const imp_Report *report = detect(fixture.world);
    CHECK(report->face_pair_count == 0 && report->candidate_face_pairs == 0);
    move(fixture.world, b, 2.9);
    CHECK(detect(fixture.world)->face_pair_count > 0);
    move(fixture.world, b, 4);
    CHECK_INT(relations_of_two(fixture.world), 0);
    fixture_destroy(&fixture);
}

TEST(a_mesh_inside_a_solid_touches_it)
{
    for (int order = 0; order < 2; ++order) {
        Fixture fixture = fixture_make();
        const imp_Report *report = NULL;
        if (order)
            add_solid(fixture.world, ball(fixture.context, 3), 0);
        imp_BodyId mesh = add(fixture.world, sphere(fixture.context, 0.5), 1);
        if (!order)
            add_solid(fixture.world, ball(fixture.context, 3), 0);
        CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
        CHECK_INT(detect(fixture.world)->face_pair_count, 0);
        // It is not a question of containment.
        CHECK_INT(imp_world_detect(fixture.world, &(imp_DetectDef){.ignore_containment = true}, &report),
                  IMP_STATUS_OK);
        CHECK_INT(report->body_pair_count, 1);
        move(fixture.world, mesh, 3);
        CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
        CHECK(detect(fixture.world)->face_pair_count > 0);
        move(fixture.world, mesh, 3.6);
        CHECK_INT(relations_of_two(fixture.world), 0);
        fixture_destroy(&fixture);
    }
}

TEST(a_solid_inside_a_closed_mesh_is_inside)
{
    for (int order = 0; order < 2; ++order) {
        Fixture fixture = fixture_make();
        const imp_Report *report = NULL;
        if (order)
            add(fixture.world, sphere(fixture.context, 3), 0);
        imp_BodyId solid = add_solid(fixture.world, cube_solid(fixture.context, 0.2), 1);
        if (!order)
            add(fixture.world, sphere(fixture.context, 3), 0);
        CHECK_INT(relations_of_two(fixture.world), order ? IMP_RELATION_B_INSIDE_A : IMP_RELATION_A_INSIDE_B);
        CHECK_INT(imp_world_detect(fixture.world, &(imp_DetectDef){.ignore_containment = true}, &report),
                  IMP_STATUS_OK);
        CHECK_INT(report->body_pair_count, 0);
        move(fixture.world, solid, 3);
        CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
        fixture_destroy(&fixture);
    }
}

// The cavity's surface turns inward.
TEST(a_solid_in_a_cavity_is_outside)
{
    Fixture fixture = fixture_make();
    imp_Mesh *hollow = NULL;
    CHECK_INT(scene_hollow_sphere(fixture.context, 12, 8, 3, 2, &hollow), IMP_STATUS_OK);
    add(fixture.world, hollow, 0);
    add_solid(fixture.world, cube_solid(fixture.context, 0.2), 0);
    CHECK_INT(relations_of_two(fixture.world), 0);
    fixture_destroy(&fixture);
}

TEST(a_deforming_mesh_meets_a_solid)
{
    Fixture fixture = fixture_make();
    add_solid(fixture.world, cube_solid(fixture.context, 1), 0);
    imp_BodyId mesh = add(fixture.world, sphere(fixture.context, 1), 3);
    CHECK_INT(relations_of_two(fixture.world), 0);
    CHECK_INT(stretch(fixture.world, mesh, (imp_Vec3){2.5, 1, 1}), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    // Flat, and inside the cube.
    move(fixture.world, mesh, 0);
    CHECK_INT(stretch(fixture.world, mesh, (imp_Vec3){0.5, 0.5, 0}), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    CHECK_INT(detect(fixture.world)->face_pair_count, 0);
    CHECK_INT(imp_body_set_vertices(fixture.world, mesh, NULL, 0), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    fixture_destroy(&fixture);
}

TEST(a_triangle_wholly_in_a_corner_of_the_box_of_a_solid_is_apart)
{
    Fixture fixture = fixture_make();
    static const double near_corner[] = {0.9, 0.9, 0.9, 0.95, 0.9, 0.9, 0.9, 0.95, 0.9};
    static const uint32_t face[] = {0, 1, 2};
    imp_MeshDef def = {.vertices = near_corner, .vertex_count = 3, .indices = face, .triangle_count = 1};
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_create(fixture.context, &def, &mesh), IMP_STATUS_OK);
    add_solid(fixture.world, ball(fixture.context, 1), 0);
    add(fixture.world, mesh, 0);
    CHECK_INT(relations_of_two(fixture.world), 0);
    fixture_destroy(&fixture);
}

TEST(solids_are_ignored_as_asked)
{
    Fixture fixture = fixture_make();
    imp_BodyId a = add_solid(fixture.world, cube_solid(fixture.context, 1), 0);
    imp_BodyId b = add_solid(fixture.world, cube_solid(fixture.context, 1), 1);
    CHECK_INT(imp_world_ignore_pair(fixture.world, a, b, true), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), 0);
    CHECK_INT(imp_world_ignore_pair(fixture.world, a, b, false), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    CHECK_INT(imp_body_set_filter(fixture.world, a, 1, 0), IMP_STATUS_OK);
    CHECK_INT(imp_body_set_filter(fixture.world, b, 2, 1), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), 0);
    fixture_destroy(&fixture);
}

// A body in the slot of another gets nothing of what was known of that one.
TEST(slots_are_used_again)
{
    Fixture fixture = fixture_make();
    add_solid(fixture.world, ball(fixture.context, 1), 0);
    imp_BodyId b = add_solid(fixture.world, ball(fixture.context, 1), 1.5);
    CHECK_INT(detect(fixture.world)->body_pair_count, 1);
    CHECK_INT(imp_world_remove_body(fixture.world, b), IMP_STATUS_OK);
    // Fewer vertices than the witnesses that are kept of the pair may name.
    imp_BodyId c = add_solid(fixture.world, cube_solid(fixture.context, 0.1), 1.05);
    CHECK_INT(c.slot, b.slot);
    const imp_Report *report = detect(fixture.world);
    CHECK(report->body_pair_count == 1 && report->begun_count == 1 && report->ended_count == 1);
    move(fixture.world, c, 1.2);
    CHECK_INT(detect(fixture.world)->body_pair_count, 0);
    CHECK_INT(imp_world_remove_body(fixture.world, c), IMP_STATUS_OK);
    imp_BodyId d = add(fixture.world, sphere(fixture.context, 1), 1.5);
    CHECK_INT(d.slot, b.slot);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    fixture_destroy(&fixture);
}

TEST(pairs_of_solids_begin_and_end)
{
    Fixture fixture = fixture_make();
    add_solid(fixture.world, ball(fixture.context, 1), 0);
    imp_BodyId b = add_solid(fixture.world, ball(fixture.context, 1), -3);
    size_t begun = 0, ended = 0;
    for (int frame = 0; frame <= 60; ++frame) {
        move(fixture.world, b, -3 + 0.1 * frame);
        const imp_Report *report = detect(fixture.world);
        begun += report->begun_count;
        ended += report->ended_count;
    }
    CHECK(begun == 1 && ended == 1);
    fixture_destroy(&fixture);
}

// As large and as small as numbers get, where only exact arithmetic tells.
TEST(solids_of_any_size)
{
    static const double sizes[] = {1e300, 1, 1e-300, 0x1p-1070};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        Fixture fixture = fixture_make();
        double s = sizes[i];
        add_solid(fixture.world, box(fixture.context, (imp_Vec3){0, 0, 0}, (imp_Vec3){s, s, s}), 0);
        imp_BodyId b =
            add_solid(fixture.world, box(fixture.context, (imp_Vec3){0, 0, 0}, (imp_Vec3){s, s, s}), s);
        CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
        move(fixture.world, b, 2 * s);
        CHECK_INT(relations_of_two(fixture.world), 0);
        fixture_destroy(&fixture);
    }
}
