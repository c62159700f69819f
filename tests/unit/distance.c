// Distances and clearances: what is refused, what is known from theory, hints that are out of date,
// cancelling, memory that runs out, and the floating-point mode of the host.
#include "base/float_guard.h"
#include "distance_answers.h"
#include "failing_allocator.h"
#include "world_fixture.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

static imp_Convex *solid_cube(imp_Context *context, double half)
{
    imp_Mesh *mesh = cube(context, half);
    imp_Convex *convex = NULL;
    CHECK_INT(imp_convex_create_from_mesh(context, mesh, &convex), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return convex;
}

static imp_BodyId add_solid(imp_World *world, imp_Convex *convex, double x)
{
    imp_BodyId id = {0};
    CHECK_INT(imp_world_add_body(world, &(imp_BodyDef){.convex = convex, .pose.translation.x = x}, &id),
              IMP_STATUS_OK);
    imp_convex_release(convex);
    return id;
}

static imp_Distance distance_of(imp_World *world, imp_BodyId a, imp_BodyId b, const imp_DistanceDef *def)
{
    imp_Distance distance = {.distance = -1};
    CHECK_INT(imp_world_distance(world, a, b, def, &distance), IMP_STATUS_OK);
    return distance;
}

static const imp_ClearanceReport *clearance_of(imp_World *world, double distance)
{
    static const imp_ClearanceReport none;
    const imp_ClearanceReport *report = NULL;
    imp_ClearanceDef def = {.distance = distance, .face_pairs = true};
    return CHECK_INT(imp_world_clearance(world, &def, &report), IMP_STATUS_OK) ? report : &none;
}

// ------------------------------------------------------------------------------------ what is known

TEST(cubes_side_by_side)
{
    Fixture fixture = fixture_make();
    imp_BodyId a = add(fixture.world, cube(fixture.context, 0.5), 0);
    imp_BodyId b = add(fixture.world, cube(fixture.context, 0.5), 3);
    imp_BodyId c = add_solid(fixture.world, solid_cube(fixture.context, 0.5), -1.25);
    imp_Distance d = distance_of(fixture.world, a, b, NULL);
    CHECK_DOUBLE(d.distance, 2);
    CHECK_DOUBLE(d.lower_bound, 2);
    CHECK(!d.touch && d.reached_accuracy && !d.has_stopped && !d.a_inside_b && !d.b_inside_a);
    CHECK_DOUBLE(d.a.position.x, 0.5);
    CHECK_DOUBLE(d.b.position.x, 2.5);
    CHECK(d.a.position.y == d.b.position.y && d.a.position.z == d.b.position.z);
    d = distance_of(fixture.world, a, c, NULL);
    CHECK(d.distance >= 0.25 && d.lower_bound <= 0.25 && d.reached_accuracy);
    const imp_ClearanceReport *report = clearance_of(fixture.world, 0.25);
    CHECK_INT(report->pair_count, 1);
    CHECK_INT(report->begun_count, 1);
    report = clearance_of(fixture.world, nextafter(0.25, 0));
    CHECK_INT(report->pair_count, 0);
    CHECK_INT(report->ended_count, 1);
    report = clearance_of(fixture.world, 2);
    CHECK_INT(report->pair_count, 2);
    CHECK_INT(report->pairs[0].body_b.slot, b.slot);
    fixture_destroy(&fixture);
}

TEST(one_inside_the_other)
{
    Fixture fixture = fixture_make();
    imp_BodyId outer = add(fixture.world, cube(fixture.context, 4), 0);
    imp_BodyId inner = add(fixture.world, cube(fixture.context, 1), 0.5);
    imp_BodyId solid = add_solid(fixture.world, solid_cube(fixture.context, 2), 0);
    imp_Distance d = distance_of(fixture.world, outer, inner, NULL);
    CHECK(d.b_inside_a && !d.a_inside_b && !d.touch);
    CHECK_DOUBLE(d.distance, 2.5);
    d = distance_of(fixture.world, inner, outer, NULL);
    CHECK(d.a_inside_b && !d.b_inside_a);
    d = distance_of(fixture.world, outer, inner, &(imp_DistanceDef){.ignore_containment = true});
    CHECK(!d.a_inside_b && !d.b_inside_a && d.distance == 2.5);
    d = distance_of(fixture.world, outer, solid, NULL);
    CHECK(d.b_inside_a && d.distance >= 2 && d.lower_bound <= 2);
    // A surface inside a solid touches it, which has no face there.
    d = distance_of(fixture.world, solid, inner, NULL);
    CHECK(d.touch && d.distance == 0 && d.lower_bound == 0 && d.a.face == IMP_NO_FACE && d.b.face == 0);
    fixture_destroy(&fixture);
}

// ------------------------------------------------------------------------------------------ refusals

static const double bad_lengths[] = {-1, -0x1p-1074, NAN, INFINITY, -INFINITY};
static const double bad_accuracies[] = {-1e-6, 1, 2, NAN, INFINITY};

static void check_refused(imp_World *world, const imp_DistanceDef *def, imp_BodyId a, imp_BodyId b,
                          imp_Status wanted)
{
    imp_Distance distance, before;
    memset(&distance, 77, sizeof distance);
    before = distance;
    CHECK_INT(imp_world_distance(world, a, b, def, &distance), wanted);
    CHECK(memcmp(&distance, &before, sizeof distance) == 0);
}

TEST(distances_of_what_is_not_there_are_refused)
{
    Fixture fixture = fixture_make(), other = fixture_make();
    imp_BodyId a = add(fixture.world, cube(fixture.context, 0.5), 0);
    imp_BodyId b = add(fixture.world, cube(fixture.context, 0.5), 3);
    imp_BodyId gone = add(fixture.world, cube(fixture.context, 0.5), 5);
    CHECK_INT(imp_world_remove_body(fixture.world, gone), IMP_STATUS_OK);
    check_refused(fixture.world, NULL, a, gone, IMP_STATUS_BAD_INDEX);
    check_refused(fixture.world, NULL, gone, b, IMP_STATUS_BAD_INDEX);
    check_refused(fixture.world, NULL, (imp_BodyId){0}, b, IMP_STATUS_BAD_INDEX);
    check_refused(fixture.world, NULL, (imp_BodyId){99, 1}, b, IMP_STATUS_BAD_INDEX);
    check_refused(fixture.world, NULL, a, a, IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_context_get_error(fixture.context)->status, IMP_STATUS_BAD_ARGUMENT);
    check_refused(NULL, NULL, a, b, IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_world_distance(fixture.world, a, b, NULL, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_DOUBLE(distance_of(fixture.world, a, b, NULL).distance, 2);
    fixture_destroy(&other);
    fixture_destroy(&fixture);
}

TEST(numbers_out_of_range_are_refused)
{
    Fixture fixture = fixture_make();
    imp_BodyId a = add(fixture.world, cube(fixture.context, 0.5), 0);
    imp_BodyId b = add(fixture.world, cube(fixture.context, 0.5), 3);
    const imp_ClearanceReport *report = NULL;
    for (size_t i = 0; i < sizeof bad_lengths / sizeof *bad_lengths; ++i) {
        check_refused(fixture.world, &(imp_DistanceDef){.stop_below = bad_lengths[i]}, a, b,
                      IMP_STATUS_BAD_ARGUMENT);
        check_refused(fixture.world, &(imp_DistanceDef){.stop_above = bad_lengths[i]}, a, b,
                      IMP_STATUS_BAD_ARGUMENT);
        CHECK_INT(
            imp_world_clearance(fixture.world, &(imp_ClearanceDef){.distance = bad_lengths[i]}, &report),
            IMP_STATUS_BAD_ARGUMENT);
    }
    for (size_t i = 0; i < sizeof bad_accuracies / sizeof *bad_accuracies; ++i) {
        check_refused(fixture.world, &(imp_DistanceDef){.relative_accuracy = bad_accuracies[i]}, a, b,
                      IMP_STATUS_BAD_ARGUMENT);
        CHECK_INT(imp_world_clearance(
                      fixture.world,
                      &(imp_ClearanceDef){.distance = 1, .relative_accuracy = bad_accuracies[i]}, &report),
                  IMP_STATUS_BAD_ARGUMENT);
    }
    for (size_t i = 0; i < 4; ++i) {
        imp_DistanceDef def = {0};
        imp_ClearanceDef clearance = {0};
        def.reserved[i] = clearance.reserved[i] = 1;
        check_refused(fixture.world, &def, a, b, IMP_STATUS_BAD_ARGUMENT);
        CHECK_INT(imp_world_clearance(fixture.world, &clearance, &report), IMP_STATUS_BAD_ARGUMENT);
    }
    CHECK(!report);
    CHECK_INT(imp_world_clearance(NULL, NULL, &report), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_world_clearance(fixture.world, NULL, NULL), IMP_STATUS_BAD_ARGUMENT);
    fixture_destroy(&fixture);
}

TEST(queries_refuse_the_same)
{
    imp_Context *context = context_with_threads(1);
    imp_Query *query = NULL;
    imp_Mesh *mesh = cube(context, 0.5);
    imp_Pose poses[2] = {{.translation.x = 3}, {.translation.x = 4}};
    imp_MeshPair meshes = {.a = mesh, .b = mesh, .poses_b = poses, .pose_count = 2};
    imp_Distance results[2], before[2];
    CHECK_INT(imp_query_create(NULL, &query), IMP_STATUS_OK);
    memset(results, 77, sizeof results);
    memcpy(before, results, sizeof results);
    for (size_t i = 0; i < sizeof bad_lengths / sizeof *bad_lengths; ++i) {
        CHECK_INT(
            imp_meshes_distance(query, &meshes, &(imp_DistanceDef){.stop_below = bad_lengths[i]}, results),
            IMP_STATUS_BAD_ARGUMENT);
        CHECK_INT(
            imp_meshes_distance(query, &meshes, &(imp_DistanceDef){.stop_above = bad_lengths[i]}, results),
            IMP_STATUS_BAD_ARGUMENT);
    }
    for (size_t i = 0; i < sizeof bad_accuracies / sizeof *bad_accuracies; ++i)
        CHECK_INT(imp_meshes_distance(query, &meshes,
                                      &(imp_DistanceDef){.relative_accuracy = bad_accuracies[i]}, results),
                  IMP_STATUS_BAD_ARGUMENT);
    poses[1].translation.y = NAN;
    CHECK_INT(imp_meshes_distance(query, &meshes, NULL, results), IMP_STATUS_BAD_NUMBER);
    CHECK_INT(imp_query_get_error(query)->index, 1);
    poses[1].translation.y = 0;
    CHECK_INT(imp_meshes_distance(NULL, &meshes, NULL, results), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_meshes_distance(query, NULL, NULL, results), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_meshes_distance(query, &meshes, NULL, NULL), IMP_STATUS_BAD_ARGUMENT);
    meshes.b = NULL;
    CHECK_INT(imp_meshes_distance(query, &meshes, NULL, results), IMP_STATUS_BAD_ARGUMENT);
    meshes.b = mesh;
    CHECK(memcmp(results, before, sizeof results) == 0);
    CHECK_INT(imp_meshes_distance(query, &meshes, NULL, results), IMP_STATUS_OK);
    CHECK_DOUBLE(results[0].distance, 2);
    CHECK_DOUBLE(results[1].distance, 3);
    // A def that is wrong is, whatever the poses.
    meshes.pose_count = 0;
    CHECK_INT(imp_meshes_distance(query, &meshes, NULL, results), IMP_STATUS_OK);
    CHECK_INT(imp_meshes_distance(query, &meshes, &(imp_DistanceDef){.stop_below = -1}, results),
              IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_meshes_distance(query, &meshes, &(imp_DistanceDef){.reserved = {1}}, results),
              IMP_STATUS_BAD_ARGUMENT);
    imp_query_destroy(query);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(triangles_with_bad_numbers_are_refused)
{
    imp_Triangle a = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, b = {{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}}};
    bool within = false;
    imp_Distance d;
    CHECK_INT(imp_triangles_within(&a, &b, 1, &within), IMP_STATUS_OK);
    CHECK(within);
    CHECK_INT(imp_triangles_within(&a, &b, nextafter(1, 0), &within), IMP_STATUS_OK);
    CHECK(!within);
    for (size_t i = 0; i < sizeof bad_lengths / sizeof *bad_lengths; ++i)
        CHECK_INT(imp_triangles_within(&a, &b, bad_lengths[i], &within), IMP_STATUS_BAD_NUMBER);
    CHECK_INT(imp_triangles_distance(&a, &b, &d), IMP_STATUS_OK);
    CHECK(d.distance == 1 && d.lower_bound == 1);
    b.v[2].y = INFINITY;
    CHECK_INT(imp_triangles_within(&a, &b, 1, &within), IMP_STATUS_BAD_NUMBER);
    CHECK_INT(imp_triangles_distance(&a, &b, &d), IMP_STATUS_BAD_NUMBER);
    CHECK_INT(imp_triangles_within(NULL, &b, 1, &within), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_triangles_distance(&a, NULL, &d), IMP_STATUS_BAD_ARGUMENT);
    CHECK(!within);
}

TEST(worlds_with_few_bodies_have_nothing_near)
{
    Fixture fixture = fixture_make();
    for (int i = 0; i < 2; ++i) {
        const imp_ClearanceReport *report = clearance_of(fixture.world, DBL_MAX);
        CHECK(report->pair_count == 0 && report->face_pair_count == 0 && report->begun_count == 0 &&
              report->ended_count == 0 && report->candidate_body_pairs == 0);
        CHECK_INT(imp_world_clearance(fixture.world, NULL, &report), IMP_STATUS_OK);
        CHECK_INT(report->pair_count, 0);
        add(fixture.world, cube(fixture.context, 1), 0);
    }
    fixture_destroy(&fixture);
}

// --------------------------------------------------------------------------------------------- hints

// The faces that were closest last time may not exist any more.
TEST(hints_of_bodies_that_are_gone_do_no_harm)
{
    Fixture fixture = fixture_make();
    imp_BodyId a = add(fixture.world, sphere(fixture.context, 1), 0), b = {0};
    for (int i = 0; i < 6; ++i) {
        imp_Mesh *mesh = i % 2 ? cube(fixture.context, 0.5) : NULL;
        if (!mesh)
            CHECK_INT(scene_sphere(fixture.context, 40, 30, 0.5, &mesh), IMP_STATUS_OK);
        b = add(fixture.world, mesh, i == 4 ? 2 : 3);
        CHECK_INT(b.slot, 2);
        imp_Distance d = distance_of(fixture.world, a, b, NULL);
        CHECK(d.distance > 0.4 && d.distance < 2);
        CHECK_INT(clearance_of(fixture.world, 3)->pair_count, 1);
        CHECK_INT(imp_world_remove_body(fixture.world, b), IMP_STATUS_OK);
    }
    fixture_destroy(&fixture);
}

TEST(queries_about_meshes_that_change)
{
    imp_Context *context = context_with_threads(1);
    imp_Query *query = NULL;
    imp_Mesh *meshes[3] = {cube(context, 0.5), sphere(context, 0.5), NULL};
    const imp_Pose pose = {.translation.x = 3};
    CHECK_INT(imp_query_create(NULL, &query), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(context, 40, 30, 0.5, &meshes[2]), IMP_STATUS_OK);
    for (int i = 0; i < 30; ++i) {
        imp_MeshPair pair = {.a = meshes[test_random_below(3)],
                             .b = meshes[test_random_below(3)],
                             .poses_b = &pose,
                             .pose_count = 1};
        imp_Distance d = {.distance = -1};
        CHECK_INT(imp_meshes_distance(query, &pair, NULL, &d), IMP_STATUS_OK);
        CHECK(d.distance >= 2 && d.distance < 2.1);
        CHECK(d.a.face < imp_mesh_get_triangle_count(pair.a) &&
              d.b.face < imp_mesh_get_triangle_count(pair.b));
    }
    for (int i = 0; i < 3; ++i)
        imp_mesh_release(meshes[i]);
    imp_query_destroy(query);
    imp_context_destroy(context);
}

// ---------------------------------------------------------------------------------------- cancelling

TEST(what_is_cancelled_changes_nothing)
{
    Fixture fixture = fixture_make();
    imp_BodyId a = add(fixture.world, sphere(fixture.context, 1), 0);
    imp_BodyId b = add(fixture.world, sphere(fixture.context, 1), 3);
    imp_Cancel *cancel = NULL;
    const imp_ClearanceReport *report = NULL;
    CHECK_INT(imp_cancel_create(fixture.context, &cancel), IMP_STATUS_OK);
    imp_DistanceDef def = {.cancel = cancel};
    imp_ClearanceDef clearance = {.distance = 2, .cancel = cancel};
    CHECK(distance_of(fixture.world, a, b, &def).distance >= 1);
    CHECK_INT(imp_world_clearance(fixture.world, &clearance, &report), IMP_STATUS_OK);
    CHECK_INT(report->begun_count, 1);
    imp_cancel_request(cancel);
    check_refused(fixture.world, &def, a, b, IMP_STATUS_CANCELLED);
    CHECK_INT(imp_world_clearance(fixture.world, &clearance, &report), IMP_STATUS_CANCELLED);
    clearance.cancel = NULL;
    CHECK_INT(imp_world_clearance(fixture.world, &clearance, &report), IMP_STATUS_OK);
    CHECK(report->pair_count == 1 && report->begun_count == 0 && report->ended_count == 0);
    imp_cancel_destroy(cancel);
    fixture_destroy(&fixture);
}

// -------------------------------------------------------------------------------------------- memory

#define BODY_COUNT 5

typedef struct MemoryWorld {
    FailingAllocator memory;
    imp_Context *context;
    imp_World *world;
    imp_BodyId bodies[BODY_COUNT];
} MemoryWorld;

// Two spheres apart, one deformed that touches the first, a solid, and a cube inside the solid.
static void memory_world_make(MemoryWorld *made, uint32_t thread_count)
{
    failing_allocator_init(&made->memory, 0);
    imp_ContextDef def = {.allocator = failing_allocator_hooks(&made->memory), .thread_count = thread_count};
    CHECK_INT(imp_context_create(&def, &made->context), IMP_STATUS_OK);
    CHECK_INT(imp_world_create(made->context, NULL, &made->world), IMP_STATUS_OK);
    made->bodies[0] = add(made->world, sphere(made->context, 1), 0);
    made->bodies[1] = add(made->world, sphere(made->context, 1), 3);
    made->bodies[2] = add(made->world, sphere(made->context, 1), 1);
    made->bodies[3] = add_solid(made->world, solid_cube(made->context, 1), 6);
    made->bodies[4] = add(made->world, cube(made->context, 0.25), 6);
    CHECK_INT(stretch(made->world, made->bodies[2], (imp_Vec3){0.9, 1, 1}), IMP_STATUS_OK);
}

static void memory_world_destroy(MemoryWorld *made)
{
    imp_world_destroy(made->world);
    imp_context_destroy(made->context);
    CHECK(failing_allocator_is_clean(&made->memory));
}

static imp_Status ask_all(MemoryWorld *made)
{
    const imp_ClearanceReport *report = NULL;
    imp_ClearanceDef def = {.distance = 3, .face_pairs = true};
    imp_Status status = IMP_STATUS_OK;
    for (size_t a = 0; a < BODY_COUNT; ++a)
        for (size_t b = 0; b < a && status == IMP_STATUS_OK; ++b) {
            imp_Distance d = {.distance = -1};
            status = imp_world_distance(made->world, made->bodies[a], made->bodies[b], NULL, &d);
            CHECK((d.distance >= 0) == (status == IMP_STATUS_OK));
        }
    if (status == IMP_STATUS_OK)
        status = imp_world_clearance(made->world, &def, &report);
    CHECK((report != NULL) == (status == IMP_STATUS_OK));
    CHECK(!report || report->pair_count >= 5);
    return status;
}

static uint64_t fail_every_allocation(uint32_t thread_count)
{
    uint64_t failures = 0, refusals = 0;
    bool failed;
    do {
        MemoryWorld made;
        memory_world_make(&made, thread_count);
        failing_allocator_arm(&made.memory, failures + 1);
        imp_Status status = ask_all(&made);
        failed = failing_allocator_has_failed(&made.memory);
        CHECK(status == IMP_STATUS_OK || (failed && status == IMP_STATUS_OUT_OF_MEMORY));
        failures += failed;
        refusals += status != IMP_STATUS_OK;
        failing_allocator_arm(&made.memory, 0);
        CHECK_INT(ask_all(&made), IMP_STATUS_OK);
        memory_world_destroy(&made);
    } while (failed);
    CHECK(2 * refusals > failures);
    return failures;
}

TEST(distances_run_out_of_memory)
{
    uint64_t one = fail_every_allocation(1), three = fail_every_allocation(3);
    printf("  %llu and %llu allocations\n", (unsigned long long)one, (unsigned long long)three);
    CHECK(one > 5 && three > 5);
}

// A clearance that fails leaves what has begun and ended to the next.
TEST(a_failed_clearance_was_none)
{
    for (uint64_t n = 1; n < 30; ++n) {
        MemoryWorld made;
        const imp_ClearanceReport *report = NULL;
        imp_ClearanceDef def = {.distance = 0.5};
        memory_world_make(&made, 1);
        CHECK_INT(imp_world_clearance(made.world, &def, &report), IMP_STATUS_OK);
        size_t count = report->pair_count;
        def.distance = 4;
        def.face_pairs = true;
        failing_allocator_arm(&made.memory, n);
        imp_Status status = imp_world_clearance(made.world, &def, &report);
        failing_allocator_arm(&made.memory, 0);
        if (status != IMP_STATUS_OK) {
            CHECK_INT(status, IMP_STATUS_OUT_OF_MEMORY);
            CHECK_INT(imp_world_clearance(made.world, &def, &report), IMP_STATUS_OK);
        }
        CHECK_INT(report->ended_count, 0);
        CHECK_INT(report->begun_count, report->pair_count - count);
        CHECK(report->pair_count > count);
        memory_world_destroy(&made);
    }
}

TEST(queries_run_out_of_memory)
{
    imp_Context *context = context_with_threads(1);
    imp_Mesh *a = sphere(context, 1), *b = cube(context, 0.5);
    const imp_Pose poses[3] = {{.translation.x = 3}, {.translation.x = 1}, {.translation.x = 5}};
    imp_MeshPair meshes = {.a = a, .b = b, .poses_b = poses, .pose_count = 3};
    uint64_t n = 0;
    FailingAllocator memory;
    do {
        imp_Query *query = NULL;
        imp_Distance results[3] = {{.distance = -1}, {.distance = -1}, {.distance = -1}};
        failing_allocator_init(&memory, ++n);
        imp_Allocator hooks = failing_allocator_hooks(&memory);
        imp_Status status = imp_query_create(&hooks, &query);
        if (status == IMP_STATUS_OK)
            status = imp_meshes_distance(query, &meshes, NULL, results);
        CHECK(status == IMP_STATUS_OK ||
              (failing_allocator_has_failed(&memory) && status == IMP_STATUS_OUT_OF_MEMORY));
        for (int i = 0; i < 3; ++i)
            CHECK((results[i].distance >= 0) == (status == IMP_STATUS_OK));
        imp_query_destroy(query);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 3);
    imp_mesh_release(a);
    imp_mesh_release(b);
    imp_context_destroy(context);
}

static void move_and_ask(MemoryWorld *made, int step)
{
    const imp_Report *report = NULL;
    imp_Pose pose = {.translation = {3 + 0.01 * (step % 3), 0.01 * (step % 3), 0}};
    CHECK_INT(imp_body_set_pose(made->world, made->bodies[1], pose), IMP_STATUS_OK);
    CHECK_INT(ask_all(made), IMP_STATUS_OK);
    CHECK_INT(imp_world_detect(made->world, NULL, &report), IMP_STATUS_OK);
}

TEST(warm_questions_allocate_nothing)
{
    for (uint32_t thread_count = 1; thread_count <= 3; ++thread_count) {
        MemoryWorld made;
        memory_world_make(&made, thread_count);
        for (int i = 0; i < 6; ++i)
            move_and_ask(&made, i);
        uint64_t before = made.memory.allocations;
        for (int i = 0; i < 6; ++i)
            move_and_ask(&made, i);
        CHECK_INT(made.memory.allocations, before);
        memory_world_destroy(&made);
    }
}

// ------------------------------------------------------------------------------------------- modes

#if defined(__x86_64__)
#define FLUSH_TO_ZERO 0x8040u
#endif

static void check_in_mode(uint64_t mode)
{
    const imp_Pose pose = {.translation = {3, 0.1, 0.2}, .rotation = {.w = 0.6, .x = 0.8}};
    imp_Distance plain[4], got[4];
    Fixture fixture = fixture_make();
    imp_Query *query = NULL;
    imp_Mesh *a = sphere(fixture.context, 1), *b = cube(fixture.context, 0.5);
    imp_MeshPair meshes = {.a = a, .b = b, .poses_b = &pose, .pose_count = 1};
    imp_Triangle near = {{{0, 0, 0}, {0x1p-1074, 0, 0}, {0, 1, 0}}},
                 far = {{{0, 0, 0x1p-1073}, {1, 0, 3}, {0, 1, 3}}};
    imp_BodyId ids[2];
    const imp_ClearanceReport *report = NULL;
    imp_ClearanceDef def = {.distance = 3};
    uint64_t host_mode = impi_float_mode_get();
    ids[0] = add(fixture.world, imp_mesh_retain(a), 0);
    ids[1] = add_solid(fixture.world, solid_cube(fixture.context, 0.7), 2.3);
    CHECK_INT(imp_query_create(NULL, &query), IMP_STATUS_OK);
    for (int i = 0; i < 2; ++i) {
        imp_Distance *answers = i ? got : plain;
        imp_Status statuses[4];
        bool within = false;
        impi_float_mode_set(i ? mode : host_mode);
        statuses[0] = imp_meshes_distance(query, &meshes, NULL, &answers[0]);
        statuses[1] = imp_world_distance(fixture.world, ids[0], ids[1], NULL, &answers[1]);
        statuses[2] = imp_world_clearance(fixture.world, &def, &report);
        statuses[3] = imp_triangles_distance(&near, &far, &answers[3]);
        imp_Status within_status = imp_triangles_within(&near, &far, 0x1p-1074, &within);
        uint64_t after = impi_float_mode_get();
        impi_float_mode_set(host_mode);
        CHECK_INT(after, i ? mode : host_mode);
        for (int k = 0; k < 4; ++k)
            CHECK_INT(statuses[k], IMP_STATUS_OK);
        CHECK(within_status == IMP_STATUS_OK && !within);
        answers[2] = report->pairs[0].distance;
    }
    for (int k = 0; k < 4; ++k)
        CHECK(same_distance(&plain[k], &got[k]));
    imp_mesh_release(a);
    imp_mesh_release(b);
    imp_query_destroy(query);
    fixture_destroy(&fixture);
}

TEST(the_mode_of_the_host_is_set_aside)
{
    static const int roundings[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    uint64_t host_mode = impi_float_mode_get();
    for (int i = 0; i < 3; ++i) {
        fesetround(roundings[i]);
        uint64_t mode = impi_float_mode_get();
        fesetround(FE_TONEAREST);
        impi_float_mode_set(host_mode);
        check_in_mode(mode);
    }
#if defined(__x86_64__)
    check_in_mode(host_mode | FLUSH_TO_ZERO);
#endif
}
