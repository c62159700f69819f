// Sweeps of worlds worked out by hand, targets, advancing, what is left out, and what is refused.
#include "world_fixture.h"

#include <math.h>

static void set_target(imp_World *world, imp_BodyId id, imp_TargetDef def)
{
    CHECK_INT(imp_body_set_target(world, id, &def), IMP_STATUS_OK);
}

static void go_to(imp_World *world, imp_BodyId id, double x, double y, double z)
{
    set_target(world, id, (imp_TargetDef){.pose.translation = {x, y, z}});
}

static const imp_SweepReport *sweep_with(imp_World *world, imp_SweepDef def)
{
    static const imp_SweepReport none;
    const imp_SweepReport *report = NULL;
    return CHECK_INT(imp_world_sweep(world, &def, &report), IMP_STATUS_OK) ? report : &none;
}

static const imp_SweepReport *sweep(imp_World *world)
{
    return sweep_with(world, (imp_SweepDef){0});
}

static imp_Vec3 place_of(imp_World *world, imp_BodyId id)
{
    imp_Pose pose = {.translation = {NAN, NAN, NAN}};
    CHECK_INT(imp_body_get_pose(world, id, &pose), IMP_STATUS_OK);
    return pose.translation;
}

// ---- what is found

TEST(a_cube_flies_into_another)
{
    Fixture fixture = fixture_make();
    imp_BodyId a = add(fixture.world, cube(fixture.context, 0.5), 0);
    imp_BodyId b = add(fixture.world, cube(fixture.context, 0.5), 3);
    go_to(fixture.world, b, -1, 0, 0);
    const imp_SweepReport *report = sweep(fixture.world);
    CHECK_DOUBLE(report->first_time, 0.5);
    if (!CHECK_INT(report->pair_count, 1))
        return;
    const imp_SweptBodies *pair = &report->pairs[0];
    CHECK(pair->body_a.slot == a.slot && pair->body_b.slot == b.slot);
    CHECK(pair->time == 0.5 && pair->is_certain && !pair->touched_at_start &&
          pair->path == IMP_PATH_STRAIGHT);
    CHECK(pair->first_face_pair == 0 && pair->face_pair_count == report->face_pair_count);
    CHECK(report->face_pair_count >= 4);
    for (size_t i = 0; i < report->face_pair_count; ++i) {
        const imp_SweptFaces *faces = &report->face_pairs[i];
        bool is_corner = faces->feature_a == IMP_FEATURE_VERTEX && faces->feature_b == IMP_FEATURE_FACE;
        bool is_edge = faces->feature_a == IMP_FEATURE_EDGE && faces->feature_b == IMP_FEATURE_EDGE;
        CHECK(faces->time == 0.5 && faces->face_a < 12 && faces->face_b < 12);
        CHECK(is_corner || is_edge ||
              (faces->feature_a == IMP_FEATURE_FACE && faces->feature_b == IMP_FEATURE_VERTEX));
        CHECK(faces->corner_a < 3 && faces->corner_b < 3);
    }
    fixture_destroy(&fixture);
}

TEST(a_cube_flies_past)
{
    Fixture fixture = fixture_make();
    add(fixture.world, cube(fixture.context, 0.5), 0);
    imp_BodyId b = add(fixture.world, cube(fixture.context, 0.5), 3);
    CHECK_INT(imp_body_set_pose(fixture.world, b, (imp_Pose){.translation = {3, 1.0625, 0}}), IMP_STATUS_OK);
    go_to(fixture.world, b, -3, 1.0625, 0);
    const imp_SweepReport *report = sweep(fixture.world);
    CHECK(isnan(report->first_time) && report->pair_count == 0 && report->face_pair_count == 0);
    // Just touching on the way is enough.
    CHECK_INT(imp_body_set_pose(fixture.world, b, (imp_Pose){.translation = {3, 1, 0}}), IMP_STATUS_OK);
    go_to(fixture.world, b, -1, 1, 0);
    report = sweep(fixture.world);
    CHECK(report->pair_count == 1 && report->first_time == 0.5);
    // Diagonally, boxes around the ways meet, boxes that move do not.
    CHECK_INT(imp_body_set_pose(fixture.world, b, (imp_Pose){.translation = {3, 0, 0}}), IMP_STATUS_OK);
    go_to(fixture.world, b, 0, 3, 0);
    report = sweep(fixture.world);
    CHECK(report->pair_count == 0 && report->candidate_body_pairs == 0);
    fixture_destroy(&fixture);
}

TEST(bodies_at_rest_touch_at_the_start_or_never)
{
    Fixture fixture = fixture_make();
    add(fixture.world, cube(fixture.context, 0.5), 0);
    add(fixture.world, cube(fixture.context, 0.5), 0.75);
    add(fixture.world, cube(fixture.context, 0.125), 0); // within the first one
    const imp_Report *found = detect(fixture.world);
    size_t touching = found->face_pair_count;
    const imp_SweepReport *report = sweep(fixture.world);
    CHECK(report->pair_count == 1 && report->first_time == 0 && report->pairs[0].touched_at_start);
    CHECK_INT(report->face_pair_count, touching);
    for (size_t i = 0; i < report->face_pair_count; ++i)
        CHECK(report->face_pairs[i].time == 0 && report->face_pairs[i].feature_a == IMP_FEATURE_FACE &&
              report->face_pairs[i].feature_b == IMP_FEATURE_FACE);
    CHECK(sweep_with(fixture.world, (imp_SweepDef){.face_times = true})->face_pair_count == touching);
    fixture_destroy(&fixture);
}

static imp_BodyId add_solid(Fixture *fixture, double half, double x)
{
    imp_Mesh *mesh = cube(fixture->context, half);
    imp_Convex *convex = NULL;
    imp_BodyId id = {0};
    CHECK_INT(imp_convex_create_from_mesh(fixture->context, mesh, &convex), IMP_STATUS_OK);
    CHECK_INT(
        imp_world_add_body(fixture->world, &(imp_BodyDef){.convex = convex, .pose.translation.x = x}, &id),
        IMP_STATUS_OK);
    imp_convex_release(convex);
    imp_mesh_release(mesh);
    return id;
}

// A solid holds what is in it at the start. Where nothing is at the start, it is its faces that count.
TEST(solids_at_the_start)
{
    Fixture fixture = fixture_make();
    add_solid(&fixture, 1, 0);
    imp_BodyId small = add(fixture.world, cube(fixture.context, 0.25), 0);
    go_to(fixture.world, small, 0.5, 0, 0);
    const imp_SweepReport *report = sweep(fixture.world);
    CHECK(report->pair_count == 1 && report->first_time == 0 && report->pairs[0].touched_at_start);
    CHECK(report->face_pair_count == 0 && report->pairs[0].face_pair_count == 0);
    go_to(fixture.world, small, 3, 0, 0);
    report = sweep_with(fixture.world, (imp_SweepDef){.face_times = true});
    CHECK(report->first_time == 0 && report->pairs[0].touched_at_start);
    CHECK(report->face_pair_count > 0 && report->face_pairs[0].time == 0.25);
    CHECK_INT(imp_body_set_pose(fixture.world, small, (imp_Pose){.translation.x = 2}), IMP_STATUS_OK);
    go_to(fixture.world, small, 0, 0, 0);
    report = sweep(fixture.world);
    CHECK(report->first_time == 0.375 && !report->pairs[0].touched_at_start && report->face_pair_count > 0);
    fixture_destroy(&fixture);
}

// What flies together is not even looked at, however fast.
TEST(a_fleet_costs_nothing)
{
    Fixture fixture = fixture_make();
    for (int i = 0; i < 20; ++i) {
        imp_BodyId id = add(fixture.world, cube(fixture.context, 0.25), i);
        go_to(fixture.world, id, i + 100, 50, -30);
    }
    const imp_SweepReport *report = sweep(fixture.world);
    CHECK(report->pair_count == 0 && report->candidate_body_pairs == 0);
    // One that stays behind is in the way of those that come after it.
    imp_BodyId wall = add(fixture.world, cube(fixture.context, 0.25), 50);
    CHECK_INT(imp_body_set_pose(fixture.world, wall, (imp_Pose){.translation = {50, 25, -15}}),
              IMP_STATUS_OK);
    report = sweep(fixture.world);
    CHECK(report->pair_count >= 1 && report->candidate_body_pairs <= 3);
    fixture_destroy(&fixture);
}

TEST(pairs_that_are_not_compared)
{
    Fixture fixture = fixture_make();
    imp_BodyId a = add(fixture.world, cube(fixture.context, 0.5), 0);
    imp_BodyId b = add(fixture.world, cube(fixture.context, 0.5), 3);
    go_to(fixture.world, b, 0, 0, 0);
    CHECK_INT(sweep(fixture.world)->pair_count, 1);
    CHECK_INT(imp_world_ignore_pair(fixture.world, a, b, true), IMP_STATUS_OK);
    CHECK_INT(sweep(fixture.world)->pair_count, 0);
    CHECK_INT(imp_world_ignore_pair(fixture.world, a, b, false), IMP_STATUS_OK);
    CHECK_INT(imp_body_set_filter(fixture.world, b, 2, 0), IMP_STATUS_OK);
    CHECK_INT(sweep(fixture.world)->pair_count, 1);
    CHECK_INT(imp_body_set_filter(fixture.world, a, 0, 2), IMP_STATUS_OK);
    CHECK_INT(sweep(fixture.world)->pair_count, 0);
    CHECK_INT(imp_body_set_filter(fixture.world, a, 0, 0), IMP_STATUS_OK);
    CHECK_INT(sweep(fixture.world)->pair_count, 1);
    // Bodies come and go.
    CHECK_INT(imp_world_remove_body(fixture.world, a), IMP_STATUS_OK);
    CHECK_INT(sweep(fixture.world)->pair_count, 0);
    a = add(fixture.world, cube(fixture.context, 0.25), 1.5);
    const imp_SweepReport *report = sweep(fixture.world);
    CHECK(report->pair_count == 1 && report->pairs[0].body_a.generation == 2 && report->first_time == 0.25);
    fixture_destroy(&fixture);
}

// A strip of two squares, of which one folds over onto the other: only its free corners and edges count.
TEST(a_sheet_folds_onto_itself)
{
    Fixture fixture = fixture_make();
    const double flat[] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 2, 0, 0, 2, 1, 0};
    const double over[] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0.25, 0.25, -1, 0.25, 0.75, -1};
    const double above[] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0.25, 0.25, 1, 0.25, 0.75, 1};
    const uint32_t indices[] = {0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5};
    imp_Mesh *mesh = NULL;
    CHECK_INT(
        imp_mesh_create(
            fixture.context,
            &(imp_MeshDef){.vertices = flat, .vertex_count = 6, .indices = indices, .triangle_count = 4},
            &mesh),
        IMP_STATUS_OK);
    imp_BodyId id = add(fixture.world, mesh, 0);
    CHECK_INT(imp_body_set_vertices(fixture.world, id, above, 6), IMP_STATUS_OK);
    set_target(fixture.world, id, (imp_TargetDef){.vertices = over, .vertex_count = 6});
    CHECK_INT(sweep(fixture.world)->pair_count, 0);
    const imp_SweepReport *report = sweep_with(fixture.world, (imp_SweepDef){.self = true});
    if (CHECK_INT(report->pair_count, 1)) {
        CHECK(report->pairs[0].body_a.slot == id.slot && report->pairs[0].body_b.slot == id.slot);
        CHECK(report->first_time == 0.5 && !report->pairs[0].touched_at_start);
        for (size_t i = 0; i < report->face_pair_count; ++i)
            CHECK(report->face_pairs[i].face_a < report->face_pairs[i].face_b);
    }
    // Staying as it is, it has nothing to do with itself.
    set_target(fixture.world, id, (imp_TargetDef){.pose.translation.x = 1});
    CHECK_INT(sweep_with(fixture.world, (imp_SweepDef){.self = true})->pair_count, 0);
    fixture_destroy(&fixture);
}

TEST(a_sweep_leaves_detects_alone)
{
    Fixture fixture = fixture_make();
    ReportCopy copy;
    add(fixture.world, cube(fixture.context, 0.5), 0);
    imp_BodyId b = add(fixture.world, sphere(fixture.context, 0.5), 0.75);
    copy_report(fixture.world, &copy);
    go_to(fixture.world, b, 5, 0, 0);
    CHECK_INT(sweep(fixture.world)->pair_count, 1);
    CHECK(says_the_same(fixture.world, &copy));
    CHECK(place_of(fixture.world, b).x == 0.75);
    CHECK_INT(imp_world_advance(fixture.world, 1), IMP_STATUS_OK);
    const imp_Report *report = detect(fixture.world);
    CHECK(report->ended_count == 1 && report->body_pair_count == 0);
    fixture_destroy(&fixture);
}

// ---- targets

TEST(targets_stay_until_bodies_advance)
{
    Fixture fixture = fixture_make();
    add(fixture.world, cube(fixture.context, 0.5), 0);
    imp_BodyId b = add(fixture.world, cube(fixture.context, 0.5), 3);
    go_to(fixture.world, b, 0, 0, 0);
    CHECK_INT(imp_body_set_pose(fixture.world, b, (imp_Pose){.translation.x = 5}), IMP_STATUS_OK);
    CHECK_DOUBLE(sweep(fixture.world)->first_time, 7205759403792793 * 0x1p-53); // 4/5, rounded down
    CHECK_INT(imp_body_set_target(fixture.world, b, NULL), IMP_STATUS_OK);
    CHECK_INT(sweep(fixture.world)->pair_count, 0);
    CHECK_INT(imp_body_set_target(fixture.world, b, NULL), IMP_STATUS_OK);
    go_to(fixture.world, b, 1, 0, 0);
    CHECK_DOUBLE(sweep(fixture.world)->first_time, 1);
    CHECK_INT(imp_world_advance(fixture.world, 0.5), IMP_STATUS_OK);
    CHECK(place_of(fixture.world, b).x == 3 && sweep(fixture.world)->pair_count == 0);
    CHECK_INT(imp_world_advance(fixture.world, 1), IMP_STATUS_OK);
    CHECK(place_of(fixture.world, b).x == 3);
    fixture_destroy(&fixture);
}

static const imp_Quat quarter = {.w = 0.70710678118654752, .z = 0.70710678118654752};

TEST(paths_are_chosen_by_what_changes)
{
    Fixture fixture = fixture_make();
    const imp_SweepReport *report = NULL;
    imp_Mesh *mesh = NULL;
    add(fixture.world, cube(fixture.context, 0.5), 0);
    imp_BodyId b = add(fixture.world, cube(fixture.context, 0.5), 3);
    imp_TargetDef def = {.pose = {{0, 0, 0}, quarter}};
    CHECK_INT(imp_body_get_mesh(fixture.world, b, &mesh), IMP_STATUS_OK);
    set_target(fixture.world, b, def);
    CHECK(sweep(fixture.world)->pairs[0].path == IMP_PATH_RIGID);
    def.vertices = &imp_mesh_get_vertices(mesh)->x;
    def.vertex_count = 8;
    set_target(fixture.world, b, def);
    CHECK(sweep(fixture.world)->pairs[0].path == IMP_PATH_STRAIGHT);
    def = (imp_TargetDef){.pose = {{0, 0, 0}, quarter}, .path = IMP_PATH_STRAIGHT};
    set_target(fixture.world, b, def);
    CHECK(sweep(fixture.world)->pairs[0].path == IMP_PATH_STRAIGHT);
    // The same rotation, written otherwise; a rigid path without any turn; whole turns.
    CHECK_INT(imp_body_set_pose(fixture.world, b, (imp_Pose){{3, 0, 0}, quarter}), IMP_STATUS_OK);
    def = (imp_TargetDef){.pose = {{0, 0, 0}, {.w = -quarter.w, .z = -quarter.z}}, .path = IMP_PATH_RIGID};
    set_target(fixture.world, b, def);
    CHECK(sweep(fixture.world)->pairs[0].path == IMP_PATH_STRAIGHT);
    def.turns = -1;
    set_target(fixture.world, b, def);
    CHECK_INT(imp_world_sweep(fixture.world, NULL, &report), IMP_STATUS_BAD_ARGUMENT); // about which axis?
    CHECK_INT(imp_context_get_error(fixture.context)->index, b.slot);
    def.axis.z = 1;
    set_target(fixture.world, b, def);
    CHECK(sweep(fixture.world)->pairs[0].path == IMP_PATH_RIGID);
    def.path = IMP_PATH_AUTO;
    set_target(fixture.world, b, def);
    CHECK(sweep(fixture.world)->pairs[0].path == IMP_PATH_RIGID);
    // Both ends are the poses, on any path.
    CHECK_INT(imp_world_advance(fixture.world, 1), IMP_STATUS_OK);
    CHECK(place_of(fixture.world, b).x == 0);
    fixture_destroy(&fixture);
}

// ---- advancing

TEST(advancing_moves_along_the_way)
{
    Fixture fixture = fixture_make();
    imp_BodyId a = add(fixture.world, cube(fixture.context, 0.5), 0.1);
    imp_BodyId b = add(fixture.world, cube(fixture.context, 0.5), 3);
    double t = 0.3, x = 0.1 + t * (0.7 - 0.1);
    go_to(fixture.world, a, 0.7, 1e300, 0);
    CHECK_INT(imp_world_advance(fixture.world, t), IMP_STATUS_OK);
    imp_Vec3 at = place_of(fixture.world, a);
    CHECK(at.x == x && at.y == t * 1e300 && at.z == 0 && place_of(fixture.world, b).x == 3);
    go_to(fixture.world, a, -7, 0, 0);
    CHECK_INT(imp_world_advance(fixture.world, 0), IMP_STATUS_OK);
    CHECK(place_of(fixture.world, a).x == x);
    CHECK_INT(imp_body_set_pose(fixture.world, a, (imp_Pose){.translation.x = -1.5e308}), IMP_STATUS_OK);
    go_to(fixture.world, a, 1.5e308, 0, 0);
    CHECK_INT(imp_world_advance(fixture.world, 0.5), IMP_STATUS_OK);
    CHECK(place_of(fixture.world, a).x == 0);
    fixture_destroy(&fixture);
}

// Stretched to twice its size at the target, it is half as much larger half way.
TEST(advancing_deforms)
{
    Fixture fixture = fixture_make();
    imp_BodyId a = add(fixture.world, cube(fixture.context, 1), 0);
    imp_BodyId b = add(fixture.world, cube(fixture.context, 0.25), 1.875);
    imp_Mesh *mesh = NULL;
    double wide[24];
    CHECK_INT(imp_body_get_mesh(fixture.world, a, &mesh), IMP_STATUS_OK);
    for (int i = 0; i < 24; ++i)
        wide[i] = 2 * (&imp_mesh_get_vertices(mesh)->x)[i];
    imp_TargetDef def = {.vertices = wide, .vertex_count = 8};
    set_target(fixture.world, a, def);
    CHECK_DOUBLE(sweep(fixture.world)->first_time, 0.625);
    CHECK_INT(imp_world_advance(fixture.world, 0.5), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), 0);
    set_target(fixture.world, a, def);
    CHECK_DOUBLE(sweep(fixture.world)->first_time, 0.25); // from 1.5 to 2
    CHECK_INT(imp_world_advance(fixture.world, 0.25), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    set_target(fixture.world, a, def);
    go_to(fixture.world, b, 2.25, 0, 0);
    CHECK_INT(imp_world_advance(fixture.world, 1), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), IMP_RELATION_TOUCH);
    CHECK_INT(imp_body_set_pose(fixture.world, b, (imp_Pose){.translation.x = 2.2500001}), IMP_STATUS_OK);
    CHECK_INT(relations_of_two(fixture.world), 0);
    fixture_destroy(&fixture);
}

// A square that turns by half a turn on straight paths is a point, half way.
TEST(advancing_on_a_straight_path_that_turns)
{
    Fixture fixture = fixture_make();
    imp_BodyId a = add(fixture.world, cube(fixture.context, 1), 0);
    imp_BodyId solid = add_solid(&fixture, 0.5, 9);
    imp_TargetDef half = {.pose.rotation = {.z = 1}, .path = IMP_PATH_STRAIGHT};
    set_target(fixture.world, a, half);
    CHECK_INT(imp_world_advance(fixture.world, 0.5), IMP_STATUS_OK);
    add(fixture.world, cube(fixture.context, 0.25), 0.375);
    CHECK_INT(detect(fixture.world)->body_pair_count, 0);
    imp_Pose pose;
    CHECK_INT(imp_body_get_pose(fixture.world, a, &pose), IMP_STATUS_OK);
    CHECK(pose.rotation.z == 0); // it is the vertices that have changed
    half.pose.translation.x = 9;
    set_target(fixture.world, solid, half);
    go_to(fixture.world, a, 1, 0, 0);
    CHECK_INT(imp_world_advance(fixture.world, 0.5), IMP_STATUS_BAD_SHAPE);
    CHECK_INT(imp_context_get_error(fixture.context)->index, solid.slot);
    CHECK(place_of(fixture.world, a).x == 0);
    CHECK_INT(imp_world_advance(fixture.world, 1), IMP_STATUS_OK);
    CHECK(place_of(fixture.world, a).x == 1);
    CHECK_INT(imp_body_get_pose(fixture.world, solid, &pose), IMP_STATUS_OK);
    CHECK(pose.rotation.z == 1);
    fixture_destroy(&fixture);
}

// ---- what is refused

static void refuse_target(Fixture *fixture, imp_BodyId id, imp_TargetDef def, imp_Status status,
                          const char *why)
{
    CHECK_INT(imp_body_set_target(fixture->world, id, &def), status);
    CHECK_CONTAINS(imp_context_get_error(fixture->context)->message, why);
    // The target is still the one that there was.
    CHECK_DOUBLE(sweep(fixture->world)->first_time, 0.5);
}

TEST(targets_that_are_refused)
{
    Fixture fixture = fixture_make();
    add(fixture.world, cube(fixture.context, 0.5), 0);
    imp_BodyId b = add(fixture.world, cube(fixture.context, 0.5), 3), gone = {b.slot, b.generation + 1};
    imp_BodyId solid = add_solid(&fixture, 0.5, 9);
    double vertices[24] = {0}, bad[24] = {0}, far[24] = {0};
    bad[7] = INFINITY;
    far[9] = 1.7e308;
    go_to(fixture.world, b, -1, 0, 0);
    refuse_target(&fixture, gone, (imp_TargetDef){0}, IMP_STATUS_BAD_INDEX, "not in this world");
    refuse_target(&fixture, b, (imp_TargetDef){.pose.translation.y = NAN}, IMP_STATUS_BAD_NUMBER,
                  "not finite");
    refuse_target(&fixture, b, (imp_TargetDef){.pose.rotation.w = 2}, IMP_STATUS_BAD_NUMBER, "unit length");
    refuse_target(&fixture, b, (imp_TargetDef){.path = (imp_PathKind)3}, IMP_STATUS_BAD_ARGUMENT,
                  "kind of path");
    refuse_target(&fixture, b, (imp_TargetDef){.pivot.z = NAN}, IMP_STATUS_BAD_NUMBER, "pivot");
    refuse_target(&fixture, b, (imp_TargetDef){.vertices = vertices, .vertex_count = 7},
                  IMP_STATUS_BAD_ARGUMENT, "7 vertices");
    refuse_target(&fixture, b, (imp_TargetDef){.vertex_count = 8}, IMP_STATUS_BAD_ARGUMENT, "0 vertices");
    refuse_target(&fixture, b, (imp_TargetDef){.vertices = bad, .vertex_count = 8}, IMP_STATUS_BAD_NUMBER,
                  "vertex 2");
    refuse_target(&fixture, b,
                  (imp_TargetDef){.vertices = far, .vertex_count = 8, .pose.translation.x = 1e308},
                  IMP_STATUS_BAD_NUMBER, "where the pose puts it");
    refuse_target(&fixture, b,
                  (imp_TargetDef){.vertices = vertices, .vertex_count = 8, .path = IMP_PATH_RIGID},
                  IMP_STATUS_BAD_ARGUMENT, "rigid");
    refuse_target(&fixture, b, (imp_TargetDef){.turns = 2, .path = IMP_PATH_STRAIGHT},
                  IMP_STATUS_BAD_ARGUMENT, "turns");
    refuse_target(&fixture, b, (imp_TargetDef){.vertices = vertices, .vertex_count = 8, .turns = 1},
                  IMP_STATUS_BAD_ARGUMENT, "turns");
    refuse_target(&fixture, solid, (imp_TargetDef){.vertices = vertices, .vertex_count = 8},
                  IMP_STATUS_BAD_SHAPE, "convex");
    fixture_destroy(&fixture);
}

static void refuse_sweep(Fixture *fixture, imp_SweepDef def, imp_Status status, const char *why)
{
    const imp_SweepReport *report = NULL;
    CHECK_INT(imp_world_sweep(fixture->world, &def, &report), status);
    CHECK_CONTAINS(imp_context_get_error(fixture->context)->message, why);
    CHECK(!report);
}

TEST(sweeps_and_advances_that_are_refused)
{
    Fixture fixture = fixture_make();
    add(fixture.world, cube(fixture.context, 0.5), 0);
    imp_BodyId b = add(fixture.world, cube(fixture.context, 0.5), 3);
    const imp_SweepReport *report = NULL;
    go_to(fixture.world, b, -1, 0, 0);
    refuse_sweep(&fixture, (imp_SweepDef){.separation = -1}, IMP_STATUS_BAD_ARGUMENT, "separation");
    refuse_sweep(&fixture, (imp_SweepDef){.separation = NAN}, IMP_STATUS_BAD_ARGUMENT, "separation");
    refuse_sweep(&fixture, (imp_SweepDef){.tolerance = -1e-9}, IMP_STATUS_BAD_ARGUMENT, "tolerance");
    refuse_sweep(&fixture, (imp_SweepDef){.tolerance = INFINITY}, IMP_STATUS_BAD_ARGUMENT, "tolerance");
    CHECK_INT(imp_world_sweep(fixture.world, NULL, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_world_sweep(NULL, NULL, &report), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_world_advance(NULL, 0), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_body_set_target(NULL, b, NULL), IMP_STATUS_BAD_ARGUMENT);
    static const double times[] = {-0x1p-1074, -1, 1 + 0x1p-52, NAN, INFINITY};
    for (size_t i = 0; i < sizeof times / sizeof *times; ++i)
        CHECK_INT(imp_world_advance(fixture.world, times[i]), IMP_STATUS_BAD_ARGUMENT);
    CHECK(place_of(fixture.world, b).x == 3);
    // A target that was fine for other vertices.
    double far[24] = {0};
    far[9] = 1.7e308;
    go_to(fixture.world, b, 1e308, 0, 0);
    CHECK_INT(imp_body_set_vertices(fixture.world, b, far, 8), IMP_STATUS_OK);
    refuse_sweep(&fixture, (imp_SweepDef){0}, IMP_STATUS_BAD_NUMBER, "beyond the largest double");
    CHECK_INT(imp_context_get_error(fixture.context)->index, b.slot);
    CHECK_INT(imp_world_advance(fixture.world, 1), IMP_STATUS_BAD_NUMBER);
    CHECK(place_of(fixture.world, b).x == 3);
    CHECK_INT(imp_world_advance(fixture.world, 0), IMP_STATUS_OK);
    fixture_destroy(&fixture);
}

TEST(worlds_of_nothing)
{
    Fixture fixture = fixture_make();
    CHECK(sweep(fixture.world)->pair_count == 0 && isnan(sweep(fixture.world)->first_time));
    CHECK_INT(imp_world_advance(fixture.world, 0.5), IMP_STATUS_OK);
    imp_BodyId a = add(fixture.world, cube(fixture.context, 0.5), 0);
    go_to(fixture.world, a, 1e308, -1e308, 0);
    CHECK_INT(sweep_with(fixture.world, (imp_SweepDef){.self = true, .face_times = true})->pair_count, 0);
    fixture_destroy(&fixture);
}
