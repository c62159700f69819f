// Worlds that run out of memory at any moment, and worlds that run for long.
#include "failing_allocator.h"
#include "harness.h"
#include "posed_faces.h"
#include "sanitizers.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <stdio.h>

typedef struct Fixture {
    FailingAllocator memory;
    imp_Context *context;
    imp_Mesh *sphere, *cube, *open;
    imp_World *world;
    imp_BodyId ids[4];
} Fixture;

static void fixture_make(Fixture *fixture, uint32_t thread_count)
{
    failing_allocator_init(&fixture->memory, 0);
    imp_ContextDef def = {.allocator = failing_allocator_hooks(&fixture->memory),
                          .thread_count = thread_count};
    CHECK_INT(imp_context_create(&def, &fixture->context), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(fixture->context, 16, 12, 1, &fixture->sphere), IMP_STATUS_OK);
    CHECK_INT(scene_box(fixture->context, (imp_Vec3){0, 0, 0}, (imp_Vec3){0.1, 0.1, 0.1}, &fixture->cube),
              IMP_STATUS_OK);
    CHECK_INT(scene_soup(fixture->context, 20, 0.4, 3, &fixture->open), IMP_STATUS_OK);
    fixture->world = NULL;
}

static void fixture_destroy(Fixture *fixture)
{
    imp_world_destroy(fixture->world);
    imp_mesh_release(fixture->sphere);
    imp_mesh_release(fixture->cube);
    imp_mesh_release(fixture->open);
    imp_context_destroy(fixture->context);
    CHECK(failing_allocator_is_clean(&fixture->memory));
}

static imp_Status add(Fixture *fixture, int number, imp_Mesh *mesh, double x)
{
    imp_BodyDef def = {.mesh = mesh, .pose.translation.x = x};
    return imp_world_add_body(fixture->world, &def, &fixture->ids[number]);
}

static imp_Status deform(Fixture *fixture, int number, double factor)
{
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_body_get_mesh(fixture->world, fixture->ids[number], &mesh), IMP_STATUS_OK);
    size_t count = imp_mesh_get_vertex_count(mesh);
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 v = imp_mesh_get_vertices(mesh)[i];
        vertices[i] = (imp_Vec3){factor * v.x, v.y, v.z};
    }
    imp_Status status = imp_body_set_vertices(fixture->world, fixture->ids[number], &vertices->x, count);
    free(vertices);
    return status;
}

// Two spheres that touch, a cube inside the first and an open body around the cube.
static imp_Status fill_world(Fixture *fixture)
{
    imp_Status status = imp_world_create(fixture->context, NULL, &fixture->world);
    if (status == IMP_STATUS_OK)
        status = add(fixture, 0, fixture->sphere, 0);
    if (status == IMP_STATUS_OK)
        status = add(fixture, 1, fixture->sphere, 1);
    if (status == IMP_STATUS_OK)
        status = add(fixture, 2, fixture->cube, -0.5);
    if (status == IMP_STATUS_OK)
        status = add(fixture, 3, fixture->open, 20);
    return status;
}

// What the world of fill_world says when all is well: a pair that touches and one inside the other.
static void check_report(Fixture *fixture, const imp_DetectDef *def)
{
    const imp_Report *report = NULL;
    if (!CHECK_INT(imp_world_detect(fixture->world, def, &report), IMP_STATUS_OK))
        return;
    CHECK_INT(report->body_pair_count, def->mode == IMP_DETECT_FIRST ? 1 : 2);
    CHECK_INT(report->body_pairs[0].relations, IMP_RELATION_TOUCH);
    if (def->mode != IMP_DETECT_FIRST)
        CHECK_INT(report->body_pairs[1].relations, IMP_RELATION_B_INSIDE_A);
    CHECK((report->face_pair_count > 50) == (def->mode != IMP_DETECT_BODIES));
}

static const imp_DetectDef all_defaults;

TEST(building_a_world_runs_out_of_memory)
{
    uint64_t failures = 0, refusals = 0;
    bool failed;
    do {
        Fixture fixture;
        fixture_make(&fixture, 1);
        failing_allocator_arm(&fixture.memory, failures + 1);
        imp_Status status = fill_world(&fixture);
        failed = failing_allocator_has_failed(&fixture.memory);
        // Larger scratch memory is wanted, but a world does without it.
        CHECK(status == IMP_STATUS_OK || (failed && status == IMP_STATUS_OUT_OF_MEMORY));
        refusals += status != IMP_STATUS_OK;
        failures += failed;
        failing_allocator_arm(&fixture.memory, 0);
        // What stands goes on standing: the rest can be added now.
        size_t count = imp_world_get_body_count(fixture.world);
        if (!fixture.world)
            CHECK_INT(imp_world_create(fixture.context, NULL, &fixture.world), IMP_STATUS_OK);
        imp_Mesh *meshes[4] = {fixture.sphere, fixture.sphere, fixture.cube, fixture.open};
        const double xs[4] = {0, 1, -0.5, 20};
        for (size_t i = count; i < 4; ++i)
            CHECK_INT(add(&fixture, (int)i, meshes[i], xs[i]), IMP_STATUS_OK);
        check_report(&fixture, &all_defaults);
        fixture_destroy(&fixture);
    } while (failed);
    printf("  %llu allocations\n", (unsigned long long)failures);
    CHECK(failures > 10 && refusals > failures - 3);
}

// Fail each allocation of a detect in turn, the world being the same throughout.
static uint64_t fail_detects(uint32_t thread_count, const imp_DetectDef *def, bool deformed)
{
    Fixture fixture;
    uint64_t failures = 0;
    bool failed;
    do {
        const imp_Report *report = NULL;
        fixture_make(&fixture, thread_count);
        CHECK_INT(fill_world(&fixture), IMP_STATUS_OK);
        if (deformed)
            CHECK_INT(deform(&fixture, 0, 0.9), IMP_STATUS_OK);
        failing_allocator_arm(&fixture.memory, failures + 1);
        imp_Status status = imp_world_detect(fixture.world, def, &report);
        failed = failing_allocator_has_failed(&fixture.memory);
        CHECK(status == IMP_STATUS_OK || (failed && status == IMP_STATUS_OUT_OF_MEMORY));
        CHECK((status == IMP_STATUS_OK) == (report != NULL));
        failures += failed;
        failing_allocator_arm(&fixture.memory, 0);
        check_report(&fixture, def);
        // The failed detect was none: all pairs begin with the first that succeeds.
        if (def->mode != IMP_DETECT_FIRST && status != IMP_STATUS_OK) {
            CHECK_INT(imp_world_detect(fixture.world, NULL, &report), IMP_STATUS_OK);
            CHECK(report->begun_count == 0 && report->ended_count == 0);
        }
        fixture_destroy(&fixture);
    } while (failed);
    return failures;
}

TEST(detecting_runs_out_of_memory)
{
    for (int mode = IMP_DETECT_FACES; mode <= IMP_DETECT_FIRST; ++mode)
        for (int method = IMP_METHOD_AUTO; method <= IMP_METHOD_SMITH_1994; ++method)
            for (int deformed = 0; deformed < 2; ++deformed) {
                imp_DetectDef def = {
                    .mode = (imp_DetectMode)mode, .method = (imp_DetectMethod)method, .smith_level = 2};
                CHECK(fail_detects(1, &def, deformed) > 5);
            }
    CHECK(fail_detects(3, &all_defaults, false) > 5);
}

// Later detects need memory only when there is more to report. Begun and ended go on from the last success.
TEST(a_failure_does_not_disturb_what_began_and_ended)
{
    for (uint64_t n = 1; n < 40; ++n) {
        Fixture fixture;
        const imp_Report *report = NULL;
        fixture_make(&fixture, 1);
        CHECK_INT(fill_world(&fixture), IMP_STATUS_OK);
        check_report(&fixture, &all_defaults);
        // A hundred more cubes inside the first sphere and one another.
        for (int i = 0; i < 30; ++i)
            CHECK_INT(add(&fixture, 3, fixture.cube, -0.5 + 0.001 * i), IMP_STATUS_OK);
        CHECK_INT(imp_world_remove_body(fixture.world, fixture.ids[1]), IMP_STATUS_OK);
        failing_allocator_arm(&fixture.memory, n);
        imp_Status status = imp_world_detect(fixture.world, NULL, &report);
        bool failed = failing_allocator_has_failed(&fixture.memory);
        failing_allocator_arm(&fixture.memory, 0);
        if (status != IMP_STATUS_OK) {
            CHECK(failed && status == IMP_STATUS_OUT_OF_MEMORY);
            CHECK_INT(imp_world_detect(fixture.world, NULL, &report), IMP_STATUS_OK);
        }
        CHECK_INT(report->ended_count, 1);
        CHECK_INT(report->begun_count, report->body_pair_count - 1);
        CHECK_INT(report->body_pair_count, 31 + 31 * 30 / 2);
        fixture_destroy(&fixture);
    }
}

TEST(deforming_and_ignoring_run_out_of_memory)
{
    Fixture fixture;
    fixture_make(&fixture, 1);
    CHECK_INT(fill_world(&fixture), IMP_STATUS_OK);
    failing_allocator_arm(&fixture.memory, 1);
    CHECK_INT(deform(&fixture, 0, 0.01), IMP_STATUS_OUT_OF_MEMORY);
    CHECK_INT(imp_context_get_error(fixture.context)->status, IMP_STATUS_OUT_OF_MEMORY);
    failing_allocator_arm(&fixture.memory, 1);
    CHECK_INT(imp_world_ignore_pair(fixture.world, fixture.ids[0], fixture.ids[1], true),
              IMP_STATUS_OUT_OF_MEMORY);
    failing_allocator_arm(&fixture.memory, 0);
    check_report(&fixture, &all_defaults);
    CHECK_INT(deform(&fixture, 0, 1), IMP_STATUS_OK);
    // None of these needs memory.
    uint64_t before = atomic_load(&fixture.memory.allocations);
    CHECK_INT(deform(&fixture, 0, 0.5), IMP_STATUS_OK);
    CHECK_INT(imp_body_set_vertices(fixture.world, fixture.ids[0], NULL, 0), IMP_STATUS_OK);
    CHECK_INT(imp_body_set_pose(fixture.world, fixture.ids[0], (imp_Pose){0}), IMP_STATUS_OK);
    CHECK_INT(imp_world_remove_body(fixture.world, fixture.ids[3]), IMP_STATUS_OK);
    CHECK_INT(atomic_load(&fixture.memory.allocations), before);
    check_report(&fixture, &all_defaults);
    fixture_destroy(&fixture);
}

// A motion that repeats after PERIOD frames.
#define PERIOD 20

static void move_bodies(Fixture *fixture, int frame)
{
    for (int i = 0; i < 3; ++i) {
        double phase = (frame % PERIOD) * (1.0 / PERIOD);
        imp_Pose pose = {.translation = {(i - 1) * 1.5 * phase, 0.1 * i, 0.3 * phase}};
        CHECK_INT(imp_body_set_pose(fixture->world, fixture->ids[i], pose), IMP_STATUS_OK);
    }
    if (frame % 2)
        CHECK_INT(deform(fixture, 0, 1 + 0.01 * (frame % PERIOD)), IMP_STATUS_OK);
}

TEST(a_warm_detect_allocates_nothing)
{
    for (uint32_t threads = 1; threads <= 3; threads += 2)
        for (int mode = IMP_DETECT_FACES; mode <= IMP_DETECT_FIRST; ++mode) {
            Fixture fixture;
            const imp_Report *report = NULL;
            imp_DetectDef def = {.mode = (imp_DetectMode)mode};
            uint64_t warm = 0, pairs = 0;
            fixture_make(&fixture, threads);
            CHECK_INT(fill_world(&fixture), IMP_STATUS_OK);
            for (int frame = 0; frame < 5 * PERIOD; ++frame) {
                if (frame == 2 * PERIOD)
                    warm = atomic_load(&fixture.memory.allocations);
                move_bodies(&fixture, frame);
                CHECK_INT(imp_world_detect(fixture.world, &def, &report), IMP_STATUS_OK);
                pairs += report->body_pair_count;
            }
            CHECK_INT(atomic_load(&fixture.memory.allocations), warm);
            CHECK(pairs > PERIOD);
            fixture_destroy(&fixture);
        }
}

#if defined(TEST_UNDER_SANITIZER)
#define DETECT_COUNT 5000
#else
#define DETECT_COUNT 100000
#endif

// Bodies come and go at random; what is live after a tenth of the time is about what is live at the end.
TEST(memory_does_not_grow)
{
    enum { BODIES = 8 };
    Fixture fixture;
    imp_BodyId ids[BODIES] = {{0}};
    imp_Mesh *meshes[3];
    const imp_Report *report = NULL;
    uint64_t touching = 0;
    size_t early = 0, most = 0;
    fixture_make(&fixture, 1);
    meshes[0] = fixture.cube;
    meshes[1] = fixture.open;
    CHECK_INT(scene_sphere(fixture.context, 4, 3, 0.3, &meshes[2]), IMP_STATUS_OK);
    CHECK_INT(imp_world_create(fixture.context, NULL, &fixture.world), IMP_STATUS_OK);
    for (int i = 0; i < DETECT_COUNT; ++i) {
        uint32_t which = test_random_below(BODIES);
        if (imp_body_is_valid(fixture.world, ids[which])) {
            CHECK_INT(imp_world_remove_body(fixture.world, ids[which]), IMP_STATUS_OK);
        } else {
            imp_BodyDef def = {.mesh = meshes[test_random_below(3)]};
            def.pose.translation.x = test_random_between(-0.5, 0.5);
            CHECK_INT(imp_world_add_body(fixture.world, &def, &ids[which]), IMP_STATUS_OK);
            uint32_t other = test_random_below(BODIES);
            if (other != which && imp_body_is_valid(fixture.world, ids[other]) && test_random_below(4) == 0)
                CHECK_INT(imp_world_ignore_pair(fixture.world, ids[which], ids[other], true), IMP_STATUS_OK);
        }
        imp_DetectDef def = {.mode = (imp_DetectMode)test_random_below(3)};
        CHECK_INT(imp_world_detect(fixture.world, &def, &report), IMP_STATUS_OK);
        touching += report->body_pair_count > 0;
        size_t live = atomic_load(&fixture.memory.live_bytes);
        if (i < DETECT_COUNT / 10)
            early = live > early ? live : early;
        most = live > most ? live : most;
    }
    printf("  at most %zu bytes, %zu in the first tenth\n", most, early);
    CHECK(most <= early + early / 4);
    CHECK(touching > DETECT_COUNT / 4 && touching < DETECT_COUNT);
    imp_mesh_release(meshes[2]);
    fixture_destroy(&fixture);
}
