#include "harness.h"
#include "scenes/shapes.h"
#include "world_fixture.h"

#include <impinge/impinge.h>

#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

// A cube without its last face.
static imp_Mesh *open_cube(imp_Context *context, double half)
{
    imp_Mesh *whole = cube(context, half), *mesh = NULL;
    imp_MeshDef def = {.vertices = &imp_mesh_get_vertices(whole)->x,
                       .vertex_count = imp_mesh_get_vertex_count(whole),
                       .indices = imp_mesh_get_indices(whole),
                       .triangle_count = imp_mesh_get_triangle_count(whole) - 1};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    imp_mesh_release(whole);
    return mesh;
}

static bool same_id(imp_BodyId a, imp_BodyId b)
{
    return a.slot == b.slot && a.generation == b.generation;
}

TEST(an_empty_world_and_one_body)
{
    Fixture fixture = fixture_make();
    const imp_Report *report = detect(fixture.world);
    CHECK(report->body_pair_count == 0 && report->face_pair_count == 0 && report->begun_count == 0);
    CHECK_INT(imp_world_get_body_count(fixture.world), 0);
    imp_BodyId id = add(fixture.world, sphere(fixture.context, 1), 0);
    CHECK(id.slot == 1 && id.generation == 1);
    CHECK_INT(imp_world_get_body_count(fixture.world), 1);
    CHECK_INT(relations_of_two(fixture.world), 0);
    CHECK_INT(imp_world_remove_body(fixture.world, id), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), 0);
    fixture_destroy(&fixture);
}

TEST(a_sphere_inside_a_sphere)
{
    Fixture fixture = fixture_make();
    imp_BodyId outer = add(fixture.world, sphere(fixture.context, 2), 0);
    imp_BodyId inner = add(fixture.world, sphere(fixture.context, 0.5), 0.3);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_B_INSIDE_A);
    CHECK_INT(imp_body_set_pose(fixture.world, inner, (imp_Pose){.translation = {1.9, 0, 0}}), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    // In a corner of the box of the large one, outside it.
    CHECK_INT(imp_body_set_pose(fixture.world, inner, (imp_Pose){.translation = {1.5, 1.5, 1.5}}),
              IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), 0);
    CHECK_INT(imp_world_remove_body(fixture.world, outer), IMP_STATUS_OK);
    CHECK_INT(imp_world_remove_body(fixture.world, inner), IMP_STATUS_OK);
    // The slots the other way round: the last one freed is the first to be used again.
    add(fixture.world, sphere(fixture.context, 2), 0);
    add(fixture.world, sphere(fixture.context, 0.5), 0);
    uint32_t relations = relations_of_two(fixture.world);
    const imp_Report *report = detect(fixture.world);
    CHECK(report->body_pair_count == 1 && report->body_pairs[0].body_a.slot == 1);
    CHECK_INT(relations, IMP_RELATION_A_INSIDE_B);
    fixture_destroy(&fixture);
}

TEST(inside_a_cavity_is_not_inside)
{
    Fixture fixture = fixture_make();
    imp_Mesh *hollow = NULL;
    CHECK_INT(scene_hollow_sphere(fixture.context, 24, 16, 2, 1, &hollow), IMP_STATUS_OK);
    add(fixture.world, hollow, 0);
    imp_BodyId inner = add(fixture.world, sphere(fixture.context, 0.25), 0);
    CHECK_INT(relations_of_two(fixture.world), 0);
    CHECK_INT(detect(fixture.world)->open_container_count, 0);
    CHECK_INT(imp_body_set_pose(fixture.world, inner, (imp_Pose){.translation = {1.5, 0, 0}}),
              IMP_STATUS_OK); // within the wall
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_B_INSIDE_A);
    CHECK_INT(imp_body_set_pose(fixture.world, inner, (imp_Pose){.translation = {1, 0, 0}}), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    fixture_destroy(&fixture);
}

static imp_Mesh *two_spheres(imp_Context *context, double radius, double x)
{
    imp_Mesh *first = sphere(context, radius), *second = NULL, *both = NULL;
    CHECK_INT(scene_place(context, first, 1, (imp_Vec3){x, 0, 0}, &second), IMP_STATUS_OK);
    CHECK_INT(scene_join(context, first, second, &both), IMP_STATUS_OK);
    imp_mesh_release(first);
    imp_mesh_release(second);
    return both;
}

TEST(one_of_several_components_inside)
{
    for (int turn = 0; turn < 2; ++turn) {
        Fixture fixture = fixture_make();
        add(fixture.world, cube(fixture.context, 1), 0);
        // The first component inside, then the second one.
        imp_BodyId pair = add(fixture.world, two_spheres(fixture.context, 0.25, turn ? 5 : -5), turn ? 0 : 5);
        CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_B_INSIDE_A);
        CHECK_INT(imp_body_set_pose(fixture.world, pair, (imp_Pose){.translation = {turn ? 0.9 : 5.9, 0, 0}}),
                  IMP_STATUS_OK);
        CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
        CHECK_INT(
            imp_body_set_pose(fixture.world, pair, (imp_Pose){.translation = {turn ? -2.5 : 2.5, 0, 0}}),
            IMP_STATUS_OK);
        CHECK_INT(relations_of_two(fixture.world), 0); // one on each side
        fixture_destroy(&fixture);
    }
}

TEST(each_inside_the_other)
{
    Fixture fixture = fixture_make();
    imp_Mesh *small = sphere(fixture.context, 0.25), *large = sphere(fixture.context, 1), *moved = NULL,
             *both = NULL;
    CHECK_INT(scene_place(fixture.context, large, 1, (imp_Vec3){10, 0, 0}, &moved), IMP_STATUS_OK);
    CHECK_INT(scene_join(fixture.context, small, moved, &both), IMP_STATUS_OK);
    // b is a, turned by half a turn: its small one in a's large one and the other way round.
    add(fixture.world, imp_mesh_retain(both), 0);
    imp_BodyId id = add(fixture.world, both, 0);
    CHECK_INT(imp_body_set_pose(fixture.world, id, (imp_Pose){{10, 0, 0}, {0, 0, 0, 1}}), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_A_INSIDE_B | IMP_RELATION_B_INSIDE_A);
    imp_mesh_release(small);
    imp_mesh_release(large);
    imp_mesh_release(moved);
    fixture_destroy(&fixture);
}

TEST(touching_from_inside_is_touching)
{
    Fixture fixture = fixture_make();
    add(fixture.world, cube(fixture.context, 1), 0);
    imp_BodyId inner = add(fixture.world, cube(fixture.context, 0.5), 0.5); // a face in a face
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    CHECK_INT(imp_body_set_pose(fixture.world, inner, (imp_Pose){.translation = {0.5 - 0x1p-53, 0, 0}}),
              IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_B_INSIDE_A);
    CHECK_INT(imp_body_set_pose(fixture.world, inner, (imp_Pose){.translation = {0.5, 0.5, 0.5}}),
              IMP_STATUS_OK); // a corner too
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    fixture_destroy(&fixture);
}

TEST(an_open_container_is_reported)
{
    Fixture fixture = fixture_make();
    imp_BodyId outer = add(fixture.world, open_cube(fixture.context, 1), 0);
    imp_BodyId inner = add(fixture.world, sphere(fixture.context, 0.25), 0);
    CHECK_INT(relations_of_two(fixture.world), 0);
    const imp_Report *report = detect(fixture.world);
    CHECK_INT(report->body_pair_count, 0);
    if (CHECK_INT(report->open_container_count, 1))
        CHECK(same_id(report->open_containers[0].inner, inner) &&
              same_id(report->open_containers[0].outer, outer));
    CHECK_INT(imp_body_set_pose(fixture.world, inner, (imp_Pose){.translation = {1, 0, 0}}), IMP_STATUS_OK);
    report = detect(fixture.world);
    CHECK(report->body_pair_count == 1 && report->open_container_count == 0);
    CHECK_INT(imp_body_set_pose(fixture.world, inner, (imp_Pose){.translation = {3, 0, 0}}), IMP_STATUS_OK);
    CHECK_INT(detect(fixture.world)->open_container_count, 0);
    fixture_destroy(&fixture);
}

// An open body may itself lie inside a closed one.
TEST(an_open_body_inside_a_closed_one)
{
    Fixture fixture = fixture_make();
    add(fixture.world, open_cube(fixture.context, 0.5), 0);
    add(fixture.world, cube(fixture.context, 1), 0);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_A_INSIDE_B);
    CHECK_INT(detect(fixture.world)->open_container_count, 0);
    fixture_destroy(&fixture);
}

TEST(a_deformed_container)
{
    Fixture fixture = fixture_make();
    imp_BodyId outer = add(fixture.world, cube(fixture.context, 1), 0);
    add(fixture.world, sphere(fixture.context, 0.5), 3);
    CHECK_INT(relations_of_two(fixture.world), 0);
    CHECK_INT(stretch(fixture.world, outer, (imp_Vec3){4, 1, 1}), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_B_INSIDE_A);
    CHECK_INT(stretch(fixture.world, outer, (imp_Vec3){3, 1, 1}), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    CHECK_INT(stretch(fixture.world, outer, (imp_Vec3){-4, 1, 1}), IMP_STATUS_OK); // inside out
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_B_INSIDE_A);
    CHECK_INT(imp_body_set_vertices(fixture.world, outer, NULL, 0), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), 0);
    CHECK_INT(imp_body_set_vertices(fixture.world, outer, NULL, 0), IMP_STATUS_OK); // nothing to restore
    fixture_destroy(&fixture);
}

// Every triangle of a soup has its own vertices, so what was closed can be torn open.
TEST(a_container_torn_open_by_deforming)
{
    Fixture fixture = fixture_make();
    imp_Mesh *whole = cube(fixture.context, 1), *torn = NULL;
    imp_Vec3 vertices[36];
    uint32_t indices[36];
    for (uint32_t i = 0; i < 36; ++i) {
        vertices[i] = imp_mesh_get_vertices(whole)[imp_mesh_get_indices(whole)[i]];
        indices[i] = i;
    }
    imp_MeshDef def = {
        .vertices = &vertices->x, .vertex_count = 36, .indices = indices, .triangle_count = 12};
    CHECK_INT(imp_mesh_create(fixture.context, &def, &torn), IMP_STATUS_OK);
    imp_BodyId outer = add(fixture.world, torn, 0);
    add(fixture.world, sphere(fixture.context, 0.25), 0);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_B_INSIDE_A);
    vertices[7].x *= 1.5;
    CHECK_INT(imp_body_set_vertices(fixture.world, outer, &vertices->x, 36), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), 0);
    CHECK_INT(detect(fixture.world)->open_container_count, 1);
    imp_mesh_release(whole);
    fixture_destroy(&fixture);
}

TEST(deforming_into_a_point_and_a_plane)
{
    Fixture fixture = fixture_make();
    imp_BodyId first = add(fixture.world, sphere(fixture.context, 1), 0);
    imp_BodyId second = add(fixture.world, cube(fixture.context, 2), 0);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_A_INSIDE_B);
    CHECK_INT(stretch(fixture.world, first, (imp_Vec3){0, 0, 0}), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_A_INSIDE_B);
    CHECK_INT(imp_body_set_pose(fixture.world, first, (imp_Pose){.translation = {2, 2, 2}}),
              IMP_STATUS_OK); // a point on a corner
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    CHECK_INT(imp_body_set_pose(fixture.world, first, (imp_Pose){.translation = {nextafter(2, 3), 2, 2}}),
              IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), 0);
    CHECK_INT(stretch(fixture.world, second, (imp_Vec3){0, 0, 0}), IMP_STATUS_OK); // two points
    CHECK_INT(relations_of_two(fixture.world), 0);
    CHECK_INT(imp_body_set_pose(fixture.world, first, (imp_Pose){0}), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    const imp_Report *report = detect(fixture.world);
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_body_get_mesh(fixture.world, first, &mesh), IMP_STATUS_OK);
    CHECK_INT(report->face_pair_count, 12 * imp_mesh_get_triangle_count(mesh));
    CHECK_INT(stretch(fixture.world, first, (imp_Vec3){1, 1, 0}), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    CHECK_INT(stretch(fixture.world, second, (imp_Vec3){1, 1, 0}), IMP_STATUS_OK); // in one plane
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    CHECK_INT(imp_body_set_pose(fixture.world, first, (imp_Pose){.translation = {0, 0, 0x1p-1074}}),
              IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), 0);
    fixture_destroy(&fixture);
}

static bool is_same_body(imp_BodyId a, imp_BodyId b)
{
    return a.slot == b.slot && a.generation == b.generation;
}

static size_t count_faces(const imp_TouchingFaces *faces, size_t count, const imp_BodyPair *pair)
{
    size_t found = 0;
    for (size_t i = 0; i < count; ++i)
        found += is_same_body(faces[i].body_a, pair->body_a) && is_same_body(faces[i].body_b, pair->body_b);
    return found;
}

// Faces are counted up to the body pair where the limit is passed; later pairs say that theirs are not known.
static void check_total(const imp_Report *report, uint64_t limit, const imp_TouchingFaces *all, size_t total)
{
    uint64_t counted = 0;
    bool is_cut = false;
    for (size_t i = 0; i < report->body_pair_count; ++i) {
        const imp_BodyPair *pair = &report->body_pairs[i];
        is_cut = counted > limit;
        CHECK_INT(pair->relations, IMP_RELATION_TOUCH);
        CHECK_INT(pair->unanswered, is_cut ? IMP_QUESTION_FACES : 0);
        counted += is_cut ? 0 : count_faces(all, total, pair);
    }
    CHECK_INT(report->face_pair_total, counted);
    CHECK(report->total_is_lower_bound == is_cut && (is_cut ? counted < total : counted == total));
}

TEST(a_limit_keeps_the_first_face_pairs)
{
    Fixture fixture = fixture_make();
    for (int i = 0; i < 4; ++i)
        add(fixture.world, sphere(fixture.context, 1), 0.4 * i);
    const imp_Report *report = detect(fixture.world);
    size_t total = report->face_pair_count;
    CHECK(total > 100 && report->face_pair_total == total && !report->truncated);
    imp_TouchingFaces *all = malloc(total * sizeof *all);
    memcpy(all, report->face_pairs, total * sizeof *all);
    const uint64_t limits[] = {1, 2, 33, 64, total - 1, total, total + 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i) {
        size_t kept = limits[i] < total ? (size_t)limits[i] : total;
        imp_DetectDef def = {.max_face_pairs = limits[i]};
        for (int method = IMP_METHOD_AUTO; method <= IMP_METHOD_SMITH_1994; ++method) {
            def.method = (imp_DetectMethod)method;
            CHECK_INT(imp_world_detect(fixture.world, &def, &report), IMP_STATUS_OK);
            CHECK_INT(report->face_pair_count, kept);
            CHECK(report->truncated == (limits[i] < total));
            CHECK(memcmp(report->face_pairs, all, kept * sizeof *all) == 0);
            CHECK_INT(report->body_pair_count, 6);
            check_total(report, limits[i], all, total);
            def.count_all = true;
            CHECK_INT(imp_world_detect(fixture.world, &def, &report), IMP_STATUS_OK);
            CHECK(report->face_pair_total == total && !report->total_is_lower_bound);
            CHECK(report->truncated == (limits[i] < total));
            CHECK(report->face_pair_count == kept &&
                  memcmp(report->face_pairs, all, kept * sizeof *all) == 0);
            for (size_t k = 0; k < report->body_pair_count; ++k)
                CHECK_INT(report->body_pairs[k].unanswered, 0);
            def.count_all = false;
        }
    }
    free(all);
    fixture_destroy(&fixture);
}

TEST(filters_and_ignored_pairs)
{
    Fixture fixture = fixture_make();
    imp_World *world = fixture.world;
    imp_BodyId a = add(world, sphere(fixture.context, 1), 0), b = add(world, sphere(fixture.context, 1), 1);
    CHECK_INT(relations_of_two(world), IMP_RELATION_TOUCH);
    CHECK_INT(imp_body_set_filter(world, a, (uint64_t)1 << 63, 0), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(world), IMP_RELATION_TOUCH);
    CHECK_INT(imp_body_set_filter(world, b, 1, (uint64_t)1 << 63), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(world), 0);
    CHECK_INT(imp_body_set_filter(world, b, 1, 1), IMP_STATUS_OK); // ignores its own kind only
    CHECK_INT(relations_of_two(world), IMP_RELATION_TOUCH);
    CHECK_INT(imp_body_set_filter(world, a, 2, 1), IMP_STATUS_OK); // one-sided is enough
    CHECK_INT(relations_of_two(world), 0);
    CHECK_INT(imp_body_set_filter(world, a, 0, 0), IMP_STATUS_OK);
    CHECK_INT(imp_body_set_filter(world, b, 0, UINT64_MAX), IMP_STATUS_OK); // no category, nothing to ignore
    CHECK_INT(relations_of_two(world), IMP_RELATION_TOUCH);
    CHECK_INT(imp_world_ignore_pair(world, b, a, true), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(world), 0);
    CHECK_INT(imp_world_ignore_pair(world, a, b, true), IMP_STATUS_OK); // twice is once
    CHECK_INT(imp_world_ignore_pair(world, a, b, false), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(world), IMP_RELATION_TOUCH);
    CHECK_INT(imp_world_ignore_pair(world, a, b, false), IMP_STATUS_OK);
    CHECK_INT(imp_world_ignore_pair(world, a, b, true), IMP_STATUS_OK);
    CHECK_INT(imp_world_remove_body(world, a), IMP_STATUS_OK);
    add(world, sphere(fixture.context, 1), 0); // in the same slot, but a stranger
    CHECK_INT(relations_of_two(world), IMP_RELATION_TOUCH);
    fixture_destroy(&fixture);
}

TEST(many_ignored_pairs)
{
    enum { COUNT = 12 };
    Fixture fixture = fixture_make();
    imp_BodyId ids[COUNT];
    size_t pair_count = COUNT * (COUNT - 1) / 2;
    for (int i = 0; i < COUNT; ++i)
        ids[i] = add(fixture.world, cube(fixture.context, 1), 0);
    CHECK_INT(detect(fixture.world)->body_pair_count, pair_count);
    for (int round = 0; round < 2; ++round)
        for (int i = 0; i < 40; ++i) {
            uint32_t a = test_random_below(COUNT), b = test_random_below(COUNT);
            if (a == b)
                continue;
            CHECK_INT(imp_world_ignore_pair(fixture.world, ids[a], ids[b], round == 0), IMP_STATUS_OK);
            const imp_Report *report = detect(fixture.world);
            bool listed = false;
            for (size_t k = 0; k < report->body_pair_count; ++k)
                listed |= report->body_pairs[k].body_a.slot == ids[a < b ? a : b].slot &&
                          report->body_pairs[k].body_b.slot == ids[a < b ? b : a].slot;
            CHECK(listed == (round == 1));
        }
    for (int a = 0; a < COUNT; ++a)
        for (int b = a + 1; b < COUNT; ++b)
            CHECK_INT(imp_world_ignore_pair(fixture.world, ids[b], ids[a], false), IMP_STATUS_OK);
    CHECK_INT(detect(fixture.world)->body_pair_count, pair_count);
    fixture_destroy(&fixture);
}

TEST(bodies_keep_what_they_are_given)
{
    Fixture fixture = fixture_make();
    int mark = 0;
    void *user = NULL;
    imp_Mesh *mesh = sphere(fixture.context, 1), *kept = NULL;
    imp_Pose pose = {{1, 2, 3}, {0, 1, 0, 0}}, got;
    imp_BodyId id;
    imp_BodyDef def = {.mesh = mesh, .pose = pose, .user_data = &mark};
    CHECK_INT(imp_world_add_body(fixture.world, &def, &id), IMP_STATUS_OK);
    CHECK_INT(imp_body_get_user_data(fixture.world, id, &user), IMP_STATUS_OK);
    CHECK(user == &mark);
    CHECK_INT(imp_body_set_user_data(fixture.world, id, NULL), IMP_STATUS_OK);
    CHECK_INT(imp_body_get_user_data(fixture.world, id, &user), IMP_STATUS_OK);
    CHECK(user == NULL);
    CHECK_INT(imp_body_get_mesh(fixture.world, id, &kept), IMP_STATUS_OK);
    CHECK(kept == mesh);
    CHECK_INT(imp_body_get_pose(fixture.world, id, &got), IMP_STATUS_OK);
    CHECK(memcmp(&got, &pose, sizeof got) == 0);
    imp_mesh_release(mesh); // before the world
    CHECK_INT(imp_mesh_get_triangle_count(kept), 2 * 12 * 7);
    CHECK_INT(detect(fixture.world)->body_pair_count, 0);
    fixture_destroy(&fixture);
}

TEST(slots_are_used_again_and_ids_are_not)
{
    Fixture fixture = fixture_make();
    imp_World *world = fixture.world;
    imp_BodyId a = add(world, sphere(fixture.context, 1), 0), b = add(world, sphere(fixture.context, 1), 1);
    CHECK_INT(detect(world)->begun_count, 1);
    CHECK_INT(imp_world_remove_body(world, b), IMP_STATUS_OK);
    CHECK(!imp_body_is_valid(world, b) && imp_body_is_valid(world, a));
    imp_BodyId c = add(world, sphere(fixture.context, 1), 1);
    CHECK(c.slot == b.slot && c.generation == b.generation + 1);
    CHECK(!imp_body_is_valid(world, b) && imp_body_is_valid(world, c));
    const imp_Report *report = detect(world);
    if (CHECK(report->ended_count == 1 && report->begun_count == 1))
        CHECK(same_id(report->ended[0].body_b, b) && same_id(report->begun[0].body_b, c));
    CHECK_INT(imp_world_remove_body(world, a), IMP_STATUS_OK);
    CHECK_INT(imp_world_remove_body(world, c), IMP_STATUS_OK);
    report = detect(world);
    CHECK(report->ended_count == 1 && report->body_pair_count == 0 && same_id(report->ended[0].body_b, c));
    CHECK_INT(detect(world)->ended_count, 0);
    fixture_destroy(&fixture);
}

TEST(first_leaves_begun_and_ended_alone)
{
    Fixture fixture = fixture_make();
    const imp_Report *report = NULL;
    imp_DetectDef first = {.mode = IMP_DETECT_FIRST}, bodies = {.mode = IMP_DETECT_BODIES};
    add(fixture.world, sphere(fixture.context, 1), 0);
    imp_BodyId b = add(fixture.world, sphere(fixture.context, 1), 1);
    CHECK_INT(imp_world_detect(fixture.world, &first, &report), IMP_STATUS_OK);
    CHECK(report->body_pair_count == 1 && report->begun_count == 0 && report->face_pair_count > 0);
    CHECK_INT(imp_world_detect(fixture.world, &bodies, &report), IMP_STATUS_OK);
    CHECK(report->body_pair_count == 1 && report->begun_count == 1 && report->face_pair_count == 0);
    CHECK_INT(imp_body_set_pose(fixture.world, b, (imp_Pose){.translation = {9, 0, 0}}), IMP_STATUS_OK);
    CHECK_INT(imp_world_detect(fixture.world, &first, &report), IMP_STATUS_OK);
    CHECK(report->body_pair_count == 0 && report->ended_count == 0);
    CHECK_INT(detect(fixture.world)->ended_count, 1);
    fixture_destroy(&fixture);
}

// Beyond the first lot of pairs that is looked at in one go.
TEST(the_first_of_many_pairs)
{
    Fixture fixture = fixture_make();
    imp_Mesh *hollow = NULL;
    const imp_Report *report = NULL;
    CHECK_INT(scene_hollow_sphere(fixture.context, 24, 16, 2, 1, &hollow), IMP_STATUS_OK);
    // Boxes meet, nothing is related: small ones in the corners of large ones' boxes, in two shells.
    for (int i = 0; i < 9; ++i)
        add(fixture.world, imp_mesh_retain(hollow), 100 * i);
    for (int i = 0; i < 90; ++i)
        add(fixture.world, cube(fixture.context, 0.001 * (i / 9 + 1)), 100 * (i % 9) + 0.01 * (i / 9) - 0.05);
    for (int i = 0; i < 8; ++i) // the cubes of one place touch or contain each other: all but one place go
        for (uint32_t k = 0; k < 10; ++k)
            CHECK_INT(imp_body_set_filter(fixture.world, (imp_BodyId){10 + 9 * k + (uint32_t)i, 1}, 1, 1),
                      IMP_STATUS_OK);
    imp_mesh_release(hollow);
    const imp_Report *all = detect(fixture.world);
    imp_BodyPair wanted = all->body_pair_count ? all->body_pairs[0] : (imp_BodyPair){0};
    CHECK(wanted.body_a.slot > 9);
    CHECK_INT(imp_world_detect(fixture.world, &(imp_DetectDef){.mode = IMP_DETECT_FIRST}, &report),
              IMP_STATUS_OK);
    CHECK(report->body_pair_count == 1 && memcmp(report->body_pairs, &wanted, sizeof wanted) == 0);
    for (size_t i = 0; i < report->face_pair_count; ++i)
        CHECK(same_id(report->face_pairs[i].body_a, wanted.body_a) &&
              same_id(report->face_pairs[i].body_b, wanted.body_b));
    fixture_destroy(&fixture);
}

// A host that rounds upward or flushes subnormals gets the same reports, on all threads.
TEST(the_floating_point_mode_does_not_matter)
{
    ReportCopy *copy = malloc(sizeof *copy);
    for (int round = 0; round < 2; ++round) {
        fenv_t before;
        fegetenv(&before);
        if (round == 1)
            fesetround(FE_UPWARD);
        imp_Context *context = context_with_threads(3);
        imp_World *world = NULL;
        imp_BodyId id;
        CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
        for (int i = 0; i < 3; ++i) {
            imp_Mesh *mesh = NULL;
            CHECK_INT(scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}, &mesh), IMP_STATUS_OK);
            imp_BodyDef def = {.mesh = mesh, .pose = {{0.1 * i, 1e-17 * i, 0.3 * i}, {0.6, 0, 0.8, 0}}};
            CHECK_INT(imp_world_add_body(world, &def, &id), IMP_STATUS_OK);
            CHECK_INT(imp_body_set_pose(world, id, def.pose), IMP_STATUS_OK);
            imp_mesh_release(mesh);
        }
        if (round == 0) {
            copy_report(world, copy);
        } else {
            detect(world);
            CHECK(says_the_same(world, copy));
            CHECK_INT(fegetround(), FE_UPWARD);
        }
        fesetenv(&before);
        imp_world_destroy(world);
        imp_context_destroy(context);
    }
    free(copy);
}

static bool same_faces(const imp_Report *report, const FacePairList *wanted)
{
    bool same = report->face_pair_count == wanted->count;
    for (size_t i = 0; same && i < wanted->count; ++i)
        same = report->face_pairs[i].face_a == wanted->pairs[i].face_a &&
               report->face_pairs[i].face_b == wanted->pairs[i].face_b;
    return same;
}

// A pair of large bodies, of some 600 blocks of faces each, is spread over threads.
TEST(one_large_pair_on_several_threads)
{
    imp_Context *maker = context_with_threads(1);
    imp_Mesh *mesh = NULL;
    FacePairList wanted = {0};
    CHECK_INT(scene_bumpy_sphere(maker, 200, 100, 1, 0.05, 1, &mesh), IMP_STATUS_OK);
    imp_BodyDef defs[2] = {{.mesh = mesh}, {.mesh = mesh, .pose = {{0.01, 0.02, 0}, {0.6, 0.8, 0, 0}}}};
    PosedFaces a = posed_faces_make(mesh, NULL, &defs[0].pose),
               b = posed_faces_make(mesh, NULL, &defs[1].pose);
    brute_force_touching(&a, &b, library_triangles_touch, &wanted);
    CHECK(wanted.count > 10000);
    for (uint32_t threads = 1; threads <= 5; threads += 2) {
        imp_Context *context = context_with_threads(threads);
        imp_World *world = NULL;
        imp_BodyId id;
        CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
        for (int i = 0; i < 2; ++i)
            CHECK_INT(imp_world_add_body(world, &defs[i], &id), IMP_STATUS_OK);
        CHECK(same_faces(detect(world), &wanted));
        imp_world_destroy(world);
        imp_context_destroy(context);
    }
    posed_faces_free(&a);
    posed_faces_free(&b);
    face_pair_list_free(&wanted);
    imp_mesh_release(mesh);
    imp_context_destroy(maker);
}

// Near the largest double, where the boxes of posed blocks reach beyond it and the faces do not.
TEST(bodies_as_large_as_numbers_get)
{
    const imp_Quat rotations[] = {{0, 0, 0, 0}, {0.8, 0.6, 0, 0}, {0.5, 0.5, 0.5, 0.5}, {0.6, 0, 0.48, 0.64}};
    const imp_DetectMethod methods[] = {IMP_METHOD_AUTO, IMP_METHOD_EXACT_BOXES, IMP_METHOD_POSED_BOXES,
                                        IMP_METHOD_SMITH_1994};
    for (int i = 0; i < 16; ++i) {
        Fixture fixture = fixture_make();
        imp_Mesh *mesh = sphere(fixture.context, 1.5e308);
        imp_Pose poses[2] = {{{0, 0, 0}, rotations[i / 4]}, {{1e307, 2e307, -1e307}, rotations[i % 4]}};
        FacePairList wanted = {0};
        PosedFaces faces[2];
        for (int k = 0; k < 2; ++k) {
            imp_BodyId id;
            imp_BodyDef def = {.mesh = mesh, .pose = poses[k]};
            CHECK_INT(imp_world_add_body(fixture.world, &def, &id), IMP_STATUS_OK);
            faces[k] = posed_faces_make(mesh, NULL, &poses[k]);
        }
        brute_force_touching(&faces[0], &faces[1], library_triangles_touch, &wanted);
        CHECK(wanted.count > 10);
        for (int k = 0; k < 4; ++k) {
            const imp_Report *report = NULL;
            imp_DetectDef def = {.method = methods[k], .smith_level = 2};
            CHECK_INT(imp_world_detect(fixture.world, &def, &report), IMP_STATUS_OK);
            CHECK(report && same_faces(report, &wanted));
        }
        posed_faces_free(&faces[0]);
        posed_faces_free(&faces[1]);
        face_pair_list_free(&wanted);
        imp_mesh_release(mesh);
        fixture_destroy(&fixture);
    }
}

static void *detect_in_own_context(void *argument)
{
    imp_Mesh *mesh = argument;
    imp_Context *context = context_with_threads(2);
    imp_World *world = NULL;
    CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
    add(world, imp_mesh_retain(mesh), 0);
    add(world, sphere(context, 0.1), 0);
    imp_BodyId moving = add(world, imp_mesh_retain(mesh), 0.5);
    for (int i = 0; i < 10; ++i) {
        CHECK_INT(imp_body_set_pose(world, moving, (imp_Pose){.translation = {0.5 + 0.1 * i, 0, 0}}),
                  IMP_STATUS_OK);
        CHECK(detect(world)->body_pair_count >= 2);
    }
    imp_mesh_release(mesh);
    imp_world_destroy(world);
    imp_context_destroy(context);
    return NULL;
}

// What is found out about a mesh on first use is found out by all threads at once here, and the mesh outlives
// the context that made it.
TEST(worlds_of_different_threads_share_a_mesh)
{
    enum { THREADS = 4 };
    for (int round = 0; round < 5; ++round) {
        pthread_t threads[THREADS];
        imp_Context *context = context_with_threads(1);
        imp_Mesh *mesh = NULL;
        CHECK_INT(scene_sphere(context, 24, 16, 1, &mesh), IMP_STATUS_OK);
        imp_context_destroy(context);
        for (int i = 0; i < THREADS; ++i)
            CHECK_INT(pthread_create(&threads[i], NULL, detect_in_own_context, imp_mesh_retain(mesh)), 0);
        imp_mesh_release(mesh);
        for (int i = 0; i < THREADS; ++i)
            pthread_join(threads[i], NULL);
    }
}
