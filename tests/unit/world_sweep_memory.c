// Sweeps that run out of memory at any moment, that are cancelled at any step, and that allocate nothing once
// they are warm.
#include "failing_allocator.h"
#include "harness.h"
#include "posed_faces.h"
#include "sanitizers.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <math.h>
#include <stdio.h>

#define BODY_COUNT 6

typedef struct Fixture {
    FailingAllocator memory;
    imp_Context *context;
    imp_World *world;
    imp_BodyId ids[BODY_COUNT];
    imp_Vec3 *shape; // of a body that deforms
    size_t shape_count;
    imp_Cancel *cancel;
} Fixture;

static void add(Fixture *fixture, int number, imp_Mesh *mesh, bool is_solid)
{
    imp_Convex *convex = NULL;
    if (is_solid)
        CHECK_INT(imp_convex_create_from_mesh(fixture->context, mesh, &convex), IMP_STATUS_OK);
    imp_BodyDef def = {.mesh = is_solid ? NULL : mesh, .convex = convex};
    CHECK_INT(imp_world_add_body(fixture->world, &def, &fixture->ids[number]), IMP_STATUS_OK);
    imp_convex_release(convex);
}

// Spheres, one of which deforms, solids and a soup, in a row.
static void fixture_make(Fixture *fixture, const imp_ContextDef *plain)
{
    imp_Mesh *sphere = NULL, *box = NULL, *soup = NULL;
    imp_ContextDef def = *plain;
    failing_allocator_init(&fixture->memory, 0);
    def.allocator = failing_allocator_hooks(&fixture->memory);
    CHECK_INT(imp_context_create(&def, &fixture->context), IMP_STATUS_OK);
    CHECK_INT(imp_world_create(fixture->context, NULL, &fixture->world), IMP_STATUS_OK);
    CHECK_INT(imp_cancel_create(fixture->context, &fixture->cancel), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(fixture->context, 9, 6, 1, &sphere), IMP_STATUS_OK);
    CHECK_INT(scene_box(fixture->context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}, &box), IMP_STATUS_OK);
    CHECK_INT(scene_soup(fixture->context, 100, 0.2, 3, &soup), IMP_STATUS_OK);
    for (int i = 0; i < BODY_COUNT; ++i)
        add(fixture, i, i == 4 ? soup : i % 3 == 2 ? box : sphere, i % 3 == 2);
    fixture->shape_count = imp_mesh_get_vertex_count(sphere);
    fixture->shape = malloc(fixture->shape_count * sizeof *fixture->shape);
    for (size_t i = 0; i < fixture->shape_count; ++i) {
        imp_Vec3 v = imp_mesh_get_vertices(sphere)[i];
        fixture->shape[i] = (imp_Vec3){v.x > 0 ? v.x - 1.25 : v.x, 1.5 * v.y, v.z}; // through itself
    }
    imp_mesh_release(sphere);
    imp_mesh_release(box);
    imp_mesh_release(soup);
}

static void fixture_destroy(Fixture *fixture)
{
    imp_world_destroy(fixture->world);
    imp_cancel_destroy(fixture->cancel);
    imp_context_destroy(fixture->context);
    free(fixture->shape);
    CHECK(failing_allocator_is_clean(&fixture->memory));
}

// Of the last one, bodies turn on rigid paths, go straight and deform; of the others they all go straight.
static const imp_SweepDef defs[] = {
    {.self = false}, {.self = true}, {.self = true, .face_times = true}, {.separation = 0.03125}};
#define DEF_COUNT (sizeof defs / sizeof *defs)

static imp_Status set_targets(Fixture *fixture, const imp_SweepDef *question, double step)
{
    imp_Status status = IMP_STATUS_OK;
    for (int i = 0; i < BODY_COUNT; ++i) {
        imp_TargetDef def = {.pose.translation = {2.25 * i + (i % 2 ? -step : step), 0.125 * step, 0.0625}};
        if (i == 1) {
            def.vertices = &fixture->shape->x;
            def.vertex_count = fixture->shape_count;
        } else if (question->separation > 0 && i % 2 == 1) {
            def.pose.rotation = (imp_Quat){.w = 0.8, .y = 0.6};
        }
        CHECK_INT(imp_body_set_pose(fixture->world, fixture->ids[i], (imp_Pose){.translation.x = 2.25 * i}),
                  IMP_STATUS_OK);
        imp_Status set = imp_body_set_target(fixture->world, fixture->ids[i], &def);
        status = status == IMP_STATUS_OK ? set : status;
    }
    return status;
}

// What a sweep says, in few numbers.
typedef struct Summary {
    size_t pair_count, face_pair_count;
    double first_time, sum;
} Summary;

static Summary summarise(const imp_SweepReport *report)
{
    Summary summary = {report->pair_count, report->face_pair_count, report->first_time, 0};
    for (size_t i = 0; i < report->face_pair_count; ++i)
        summary.sum += report->face_pairs[i].time + report->face_pairs[i].face_a;
    return summary;
}

static bool is_same(Summary a, Summary b)
{
    return a.pair_count == b.pair_count && a.face_pair_count == b.face_pair_count &&
           a.first_time == b.first_time && a.sum == b.sum;
}

static Summary right_answer(const imp_SweepDef *def, double step)
{
    Fixture fixture;
    const imp_SweepReport *report = NULL;
    fixture_make(&fixture, &(imp_ContextDef){.thread_count = 1});
    CHECK_INT(set_targets(&fixture, def, step), IMP_STATUS_OK);
    CHECK_INT(imp_world_sweep(fixture.world, def, &report), IMP_STATUS_OK);
    Summary summary = summarise(report);
    CHECK(summary.pair_count >= 2 && summary.face_pair_count >= 2 && summary.first_time > 0);
    fixture_destroy(&fixture);
    return summary;
}

// ---- memory

static uint64_t fail_sweeps(uint32_t thread_count, const imp_SweepDef *def)
{
    Summary wanted = right_answer(def, 0.5);
    uint64_t failures = 0;
    bool failed;
    do {
        Fixture fixture;
        const imp_SweepReport *report = NULL;
        fixture_make(&fixture, &(imp_ContextDef){.thread_count = thread_count});
        CHECK_INT(set_targets(&fixture, def, 0.5), IMP_STATUS_OK);
        failing_allocator_arm(&fixture.memory, failures + 1);
        imp_Status status = imp_world_sweep(fixture.world, def, &report);
        failed = failing_allocator_has_failed(&fixture.memory);
        CHECK(status == IMP_STATUS_OK || (failed && status == IMP_STATUS_OUT_OF_MEMORY));
        CHECK((status == IMP_STATUS_OK) == (report != NULL));
        failures += failed;
        failing_allocator_arm(&fixture.memory, 0);
        CHECK_INT(imp_world_sweep(fixture.world, def, &report), IMP_STATUS_OK);
        CHECK(is_same(summarise(report), wanted));
        fixture_destroy(&fixture);
    } while (failed);
    return failures;
}

TEST(sweeps_run_out_of_memory)
{
    for (uint32_t threads = 1; threads <= 2; ++threads)
        for (size_t i = 0; i < DEF_COUNT - (threads - 1); ++i) {
            uint64_t failures = fail_sweeps(threads, &defs[i]);
            printf("  %u threads, question %zu: %llu allocations\n", threads, i,
                   (unsigned long long)failures);
            CHECK(failures > 20);
        }
}

TEST(targets_and_advances_run_out_of_memory)
{
    uint64_t failures = 0;
    bool failed;
    do {
        Fixture fixture;
        const imp_SweepReport *report = NULL;
        fixture_make(&fixture, &(imp_ContextDef){.thread_count = 1});
        failing_allocator_arm(&fixture.memory, failures + 1);
        imp_Status status = set_targets(&fixture, &defs[DEF_COUNT - 1], 0.5);
        bool failed_early = failing_allocator_has_failed(&fixture.memory);
        CHECK_INT(status, failed_early ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
        if (!failed_early)
            status = imp_world_advance(fixture.world, 0.25);
        failed = failing_allocator_has_failed(&fixture.memory);
        CHECK_INT(status, failed ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
        failures += failed;
        failing_allocator_arm(&fixture.memory, 0);
        imp_Pose pose;
        CHECK_INT(imp_body_get_pose(fixture.world, fixture.ids[0], &pose), IMP_STATUS_OK);
        CHECK_DOUBLE(pose.translation.x, failed ? 0 : 0.125); // none or all
        if (failed && !failed_early)
            CHECK_INT(imp_world_advance(fixture.world, 0.25), IMP_STATUS_OK);
        CHECK_INT(set_targets(&fixture, &defs[DEF_COUNT - 1], 0.5), IMP_STATUS_OK);
        CHECK_INT(imp_world_sweep(fixture.world, NULL, &report), IMP_STATUS_OK);
        fixture_destroy(&fixture);
    } while (failed);
    CHECK(failures >= 3 && failures < 40);
}

// In motion, with as much to list as before.
TEST(a_warm_sweep_allocates_nothing)
{
    for (uint32_t threads = 1; threads <= 2; ++threads)
        for (size_t i = 0; i < DEF_COUNT; ++i) {
            Fixture fixture;
            const imp_SweepReport *report = NULL;
            uint64_t before = 0;
            fixture_make(&fixture, &(imp_ContextDef){.thread_count = threads});
            for (int round = 0; round < 8; ++round) {
                if (round == 6)
                    before = atomic_load(&fixture.memory.allocations);
                CHECK_INT(set_targets(&fixture, &defs[i], 0.5 + 0x1p-10 * (round % 2)), IMP_STATUS_OK);
                CHECK_INT(imp_world_sweep(fixture.world, &defs[i], &report), IMP_STATUS_OK);
                if (round % 3 == 0)
                    CHECK_INT(imp_world_advance(fixture.world, 0.25), IMP_STATUS_OK);
            }
            CHECK_INT(atomic_load(&fixture.memory.allocations), before);
            fixture_destroy(&fixture);
        }
}

// ---- cancelling

// Task hooks that run everything on the caller's thread and set the flag before the n-th task.
typedef struct Interrupter {
    imp_Cancel *cancel;
    uint64_t task_count, cancel_at; // 0: never
} Interrupter;

static void run_and_interrupt(imp_TaskFn task, void *argument, uint32_t task_count, void *user)
{
    Interrupter *interrupter = user;
    for (uint32_t i = 0; i < task_count; ++i) {
        if (++interrupter->task_count == interrupter->cancel_at)
            imp_cancel_request(interrupter->cancel);
        task(i, argument);
    }
}

TEST(a_sweep_cancelled_at_any_step_leaves_no_trace)
{
    for (size_t i = 0; i < DEF_COUNT; ++i) {
        Interrupter interrupter = {0};
        Fixture fixture;
        imp_SweepDef def = defs[i];
        uint64_t cancelled = 0;
        bool was_reached = true;
        Summary wanted[2] = {right_answer(&def, 0.5), right_answer(&def, 0.75)};
        fixture_make(&fixture, &(imp_ContextDef){.executor = {run_and_interrupt, 4, &interrupter}});
        def.cancel = fixture.cancel;
        for (uint64_t n = 1; was_reached; ++n) {
            const imp_SweepReport *report = NULL;
            CHECK_INT(set_targets(&fixture, &def, n % 2 ? 0.75 : 0.5), IMP_STATUS_OK);
            interrupter = (Interrupter){fixture.cancel, 0, n};
            imp_Status status = imp_world_sweep(fixture.world, &def, &report);
            was_reached = interrupter.task_count >= n;
            interrupter.cancel_at = 0;
            CHECK_INT(status, was_reached ? IMP_STATUS_CANCELLED : IMP_STATUS_OK);
            CHECK((report != NULL) == !was_reached);
            cancelled += status == IMP_STATUS_CANCELLED;
            imp_cancel_reset(fixture.cancel);
            CHECK_INT(imp_world_sweep(fixture.world, &def, &report), IMP_STATUS_OK);
            CHECK(is_same(summarise(report), wanted[n % 2]));
        }
        CHECK(cancelled >= (def.separation > 0 ? 3 : 5)); // how near bodies come is one step for all pairs
        fixture_destroy(&fixture);
    }
}

TEST(a_sweep_cancelled_before_does_nothing)
{
    Fixture fixture;
    const imp_SweepReport *report = NULL;
    fixture_make(&fixture, &(imp_ContextDef){.thread_count = 1});
    CHECK_INT(set_targets(&fixture, &defs[DEF_COUNT - 1], 0.5), IMP_STATUS_OK);
    imp_cancel_request(fixture.cancel);
    CHECK_INT(imp_world_sweep(fixture.world, &(imp_SweepDef){.cancel = fixture.cancel}, &report),
              IMP_STATUS_CANCELLED);
    CHECK(!report);
    fixture_destroy(&fixture);
}
