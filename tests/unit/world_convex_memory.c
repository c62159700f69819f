// Worlds with convex bodies that run out of memory at any moment, and such that run for long.
#include "failing_allocator.h"
#include "harness.h"
#include "posed_faces.h"
#include "scenes/shapes.h"

#include <stdio.h>

#define BODY_COUNT 6

typedef struct Fixture {
    FailingAllocator memory;
    imp_Context *context;
    imp_Convex *ball, *box;
    imp_Mesh *mesh;
    imp_World *world;
    imp_BodyId ids[BODY_COUNT];
} Fixture;

static imp_Convex *hull_of(imp_Context *context, imp_Mesh *mesh)
{
    imp_Convex *convex = NULL;
    imp_ConvexDef def = {.points = &imp_mesh_get_vertices(mesh)->x,
                         .point_count = imp_mesh_get_vertex_count(mesh)};
    CHECK_INT(imp_convex_create(context, &def, &convex), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return convex;
}

static void fixture_make(Fixture *fixture, uint32_t thread_count)
{
    imp_Mesh *sphere = NULL, *cube = NULL;
    *fixture = (Fixture){0};
    failing_allocator_init(&fixture->memory, 0);
    imp_ContextDef def = {.allocator = failing_allocator_hooks(&fixture->memory),
                          .thread_count = thread_count};
    CHECK_INT(imp_context_create(&def, &fixture->context), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(fixture->context, 16, 12, 1, &sphere), IMP_STATUS_OK);
    CHECK_INT(scene_box(fixture->context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}, &cube), IMP_STATUS_OK);
    CHECK_INT(scene_torus(fixture->context, 16, 8, 1, 0.3, &fixture->mesh), IMP_STATUS_OK);
    fixture->ball = hull_of(fixture->context, sphere);
    fixture->box = hull_of(fixture->context, cube);
}

static void fixture_destroy(Fixture *fixture)
{
    imp_world_destroy(fixture->world);
    imp_mesh_release(fixture->mesh);
    imp_convex_release(fixture->ball);
    imp_convex_release(fixture->box);
    imp_context_destroy(fixture->context);
    CHECK(failing_allocator_is_clean(&fixture->memory));
}

// Three boxes in a row that share faces, so that exact arithmetic is needed; two balls in each other, of
// which the first holds a corner of the first box; a ring that touches both.
static imp_Status fill_world(Fixture *fixture)
{
    const imp_BodyDef defs[BODY_COUNT] = {
        {.convex = fixture->box},
        {.convex = fixture->box, .pose.translation.x = 1},
        {.convex = fixture->box, .pose.translation.x = 2},
        {.convex = fixture->ball, .pose.translation = {-0.5, -0.5, -0.2}},
        {.convex = fixture->ball, .pose.translation = {-1.5, -1, -0.5}},
        {.mesh = fixture->mesh, .pose.translation = {-2.5, -1, -0.5}},
    };
    imp_Status status = IMP_STATUS_OK;
    if (!fixture->world)
        status = imp_world_create(fixture->context, NULL, &fixture->world);
    for (size_t i = imp_world_get_body_count(fixture->world); i < BODY_COUNT && status == IMP_STATUS_OK; ++i)
        status = imp_world_add_body(fixture->world, &defs[i], &fixture->ids[i]);
    return status;
}

static void check_report(Fixture *fixture, const imp_DetectDef *def)
{
    const imp_Report *report = NULL;
    if (!CHECK_INT(imp_world_detect(fixture->world, def, &report), IMP_STATUS_OK))
        return;
    CHECK_INT(report->body_pair_count, def->mode == IMP_DETECT_FIRST ? 1 : 6);
    CHECK_INT(report->body_pairs[0].relations, IMP_RELATION_TOUCH);
    CHECK((report->face_pair_count > 5) == (def->mode != IMP_DETECT_BODIES));
}

TEST(adding_solids_runs_out_of_memory)
{
    const imp_DetectDef defaults = {0};
    uint64_t failures = 0;
    bool failed;
    do {
        Fixture fixture;
        fixture_make(&fixture, 1);
        failing_allocator_arm(&fixture.memory, failures + 1);
        imp_Status status = fill_world(&fixture);
        failed = failing_allocator_has_failed(&fixture.memory);
        CHECK(status == IMP_STATUS_OK || (failed && status == IMP_STATUS_OUT_OF_MEMORY));
        failures += failed;
        failing_allocator_arm(&fixture.memory, 0);
        // What stands goes on standing: the rest can be added now.
        CHECK_INT(fill_world(&fixture), IMP_STATUS_OK);
        check_report(&fixture, &defaults);
        fixture_destroy(&fixture);
    } while (failed);
    CHECK(failures > 10);
}

// Fail each allocation of a detect in turn.
static uint64_t fail_detects(uint32_t thread_count, const imp_DetectDef *def)
{
    uint64_t failures = 0;
    bool failed;
    do {
        Fixture fixture;
        const imp_Report *report = NULL;
        fixture_make(&fixture, thread_count);
        CHECK_INT(fill_world(&fixture), IMP_STATUS_OK);
        failing_allocator_arm(&fixture.memory, failures + 1);
        imp_Status status = imp_world_detect(fixture.world, def, &report);
        failed = failing_allocator_has_failed(&fixture.memory);
        CHECK(status == IMP_STATUS_OK || (failed && status == IMP_STATUS_OUT_OF_MEMORY));
        CHECK((status == IMP_STATUS_OK) == (report != NULL));
        failures += failed;
        failing_allocator_arm(&fixture.memory, 0);
        check_report(&fixture, def);
        fixture_destroy(&fixture);
    } while (failed);
    return failures;
}

TEST(detecting_runs_out_of_memory)
{
    for (int mode = IMP_DETECT_FACES; mode <= IMP_DETECT_FIRST; ++mode)
        for (int method = IMP_METHOD_AUTO; method <= IMP_METHOD_SMITH_1994; ++method) {
            imp_DetectDef def = {
                .mode = (imp_DetectMode)mode, .method = (imp_DetectMethod)method, .smith_level = 2};
            CHECK(fail_detects(1, &def) > 5);
        }
    CHECK(fail_detects(3, &(imp_DetectDef){.mode = IMP_DETECT_FACES}) > 5);
}

// A motion that repeats after PERIOD frames. On whole and half numbers boxes touch exactly, at times.
#define PERIOD 20

static void move_bodies(Fixture *fixture, int frame)
{
    for (int i = 0; i < BODY_COUNT; ++i) {
        double phase = frame % PERIOD * 0.125;
        imp_Pose pose = {.translation = {i < 3 ? i + phase * (i - 1) : 0.6 * i - 2 + 0.1 * phase, 0, 0}};
        CHECK_INT(imp_body_set_pose(fixture->world, fixture->ids[i], pose), IMP_STATUS_OK);
    }
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
            for (int frame = 0; frame < 4 * PERIOD; ++frame) {
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
