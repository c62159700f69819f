// Budgeted detects of bodies with sphere trees when memory runs out at any moment, when they are cancelled at
// any moment, and when they are warm.
#include "failing_allocator.h"
#include "posed_faces.h"
#include "reports.h"
#include "sphere_shapes.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

#define BODY_COUNT 24
#define PERIOD     20 // of the motion, in frames

typedef struct Fixture {
    FailingAllocator memory;
    imp_Context *context;
    imp_Mesh *meshes[3];
    imp_SphereTree *trees[3];
    imp_World *world;
    imp_BodyId ids[BODY_COUNT];
    imp_Cancel *cancel;
} Fixture;

static void fixture_begin(Fixture *fixture, imp_ContextDef def)
{
    failing_allocator_init(&fixture->memory, 0);
    def.allocator = failing_allocator_hooks(&fixture->memory);
    CHECK_INT(imp_context_create(&def, &fixture->context), IMP_STATUS_OK);
    CHECK_INT(imp_cancel_create(fixture->context, &fixture->cancel), IMP_STATUS_OK);
    CHECK_INT(imp_world_create(fixture->context, NULL, &fixture->world), IMP_STATUS_OK);
}

static void fixture_make(Fixture *fixture, imp_ContextDef def)
{
    fixture_begin(fixture, def);
    CHECK_INT(scene_torus(fixture->context, 16, 8, 1, 0.3, &fixture->meshes[0]), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(fixture->context, 12, 7, 0.6, &fixture->meshes[1]), IMP_STATUS_OK);
    CHECK_INT(scene_soup(fixture->context, 20, 0.4, 3, &fixture->meshes[2]), IMP_STATUS_OK);
    for (int i = 0; i < 3; ++i)
        fixture->trees[i] = octree_spheres(fixture->context, fixture->meshes[i], 8, 2);
}

// With the shapes of another one, which took long to make.
static void fixture_share(Fixture *fixture, imp_ContextDef def, const Fixture *from)
{
    fixture_begin(fixture, def);
    for (int i = 0; i < 3; ++i) {
        fixture->meshes[i] = imp_mesh_retain(from->meshes[i]);
        fixture->trees[i] = imp_sphere_tree_retain(from->trees[i]);
    }
}

static void fixture_destroy(Fixture *fixture)
{
    imp_world_destroy(fixture->world);
    for (int i = 0; i < 3; ++i) {
        imp_sphere_tree_release(fixture->trees[i]);
        imp_mesh_release(fixture->meshes[i]);
    }
    imp_cancel_destroy(fixture->cancel);
    imp_context_destroy(fixture->context);
    CHECK(failing_allocator_is_clean(&fixture->memory));
}

// The same motion each period.
static imp_Pose pose_at(int body, int frame)
{
    double phase = (frame % PERIOD) * (1.0 / PERIOD);
    return (imp_Pose){.translation = {0.9 * (body * 7 % 9) + 0.4 * phase, 0.9 * (body * 5 % 7),
                                      0.5 * (body % 4) + 0.3 * phase * (body % 2)}};
}

static void add_bodies(Fixture *fixture)
{
    for (int i = 0; i < BODY_COUNT; ++i) {
        imp_BodyDef def = {.mesh = fixture->meshes[i % 3],
                           .spheres = i % 8 == 7 ? NULL : fixture->trees[i % 3],
                           .pose = pose_at(i, 0)};
        CHECK_INT(imp_world_add_body(fixture->world, &def, &fixture->ids[i]), IMP_STATUS_OK);
    }
}

static void deform_slightly(Fixture *fixture, int body, double by)
{
    imp_Mesh *mesh = fixture->meshes[body % 3];
    size_t count = imp_mesh_get_vertex_count(mesh);
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    for (size_t i = 0; i < count; ++i) {
        vertices[i] = imp_mesh_get_vertices(mesh)[i];
        vertices[i].x += by;
    }
    CHECK_INT(imp_body_set_vertices(fixture->world, fixture->ids[body], &vertices->x, count), IMP_STATUS_OK);
    free(vertices);
}

static void move_bodies(Fixture *fixture, int frame)
{
    for (int i = 0; i < BODY_COUNT; ++i)
        CHECK_INT(imp_body_set_pose(fixture->world, fixture->ids[i], pose_at(i, frame)), IMP_STATUS_OK);
    for (int i = 0; i < BODY_COUNT; i += 5)
        deform_slightly(fixture, i, 0.01 * (frame % PERIOD));
}

// What a detect that nothing disturbs says.
static void check_plain(Fixture *fixture, const imp_Report *report)
{
    const imp_Report *plain = NULL;
    imp_Report got = *report, wanted;
    imp_World *world = NULL;
    imp_World *kept = fixture->world;
    imp_BodyId ids[BODY_COUNT];
    memcpy(ids, fixture->ids, sizeof ids);
    CHECK_INT(imp_world_create(fixture->context, NULL, &world), IMP_STATUS_OK);
    fixture->world = world;
    add_bodies(fixture);
    CHECK_INT(imp_world_detect(world, NULL, &plain), IMP_STATUS_OK);
    wanted = *plain;
    got.begun_count = got.ended_count = wanted.begun_count = wanted.ended_count = 0;
    got.candidate_face_pairs = wanted.candidate_face_pairs;
    CHECK(same_reports(&got, &wanted));
    CHECK(wanted.body_pair_count > 3 && wanted.body_pair_count < wanted.candidate_body_pairs);
    imp_world_destroy(world);
    fixture->world = kept;
    memcpy(fixture->ids, ids, sizeof ids);
}

// ---- out of memory

// Fail every allocation that a detect makes, or that refining makes.
static uint64_t fail_calls(uint32_t thread_count, const imp_DetectDef *def, bool fails_refine)
{
    Fixture shapes;
    uint64_t n = 0;
    bool has_failed;
    fixture_make(&shapes, (imp_ContextDef){0});
    do {
        Fixture fixture;
        const imp_Report *report = NULL;
        fixture_share(&fixture, (imp_ContextDef){.thread_count = thread_count}, &shapes);
        add_bodies(&fixture);
        if (fails_refine)
            CHECK_INT(imp_world_detect(fixture.world, &(imp_DetectDef){.budget_steps = 1}, &report),
                      IMP_STATUS_OK);
        failing_allocator_arm(&fixture.memory, ++n);
        imp_RefineDef further = {.budget_steps = def->budget_steps};
        imp_Status status = fails_refine ? imp_world_refine(fixture.world, &further, &report)
                                         : imp_world_detect(fixture.world, def, &report);
        has_failed = failing_allocator_has_failed(&fixture.memory);
        CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_OUT_OF_MEMORY);
        CHECK(has_failed || status == IMP_STATUS_OK);
        failing_allocator_arm(&fixture.memory, 0);
        CHECK_INT(imp_world_detect(fixture.world, &(imp_DetectDef){.method = IMP_METHOD_SPHERES}, &report),
                  IMP_STATUS_OK);
        check_plain(&fixture, report);
        fixture_destroy(&fixture);
    } while (has_failed);
    fixture_destroy(&shapes);
    return n;
}

TEST(budgeted_detects_run_out_of_memory)
{
    CHECK(fail_calls(1, &(imp_DetectDef){.budget_steps = 200}, false) > 10);
    CHECK(fail_calls(3, &(imp_DetectDef){.method = IMP_METHOD_SPHERES}, false) > 10);
    CHECK(fail_calls(1, &(imp_DetectDef){.budget_steps = 5000}, true) > 3);
    CHECK(fail_calls(3, &(imp_DetectDef){0}, true) > 3);
}

// ---- warm

TEST(warm_budgeted_detects_allocate_nothing)
{
    static const uint64_t steps[5] = {1, 60, 500, 3000, 100000};
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        Fixture fixture;
        uint64_t warm = 0, undecided = 0, related = 0;
        fixture_make(&fixture, (imp_ContextDef){.thread_count = threads});
        add_bodies(&fixture);
        for (int frame = 0; frame < 10 * PERIOD; ++frame) {
            const imp_Report *report = NULL;
            imp_DetectDef def = {.budget_steps = steps[frame / 2 % 5],
                                 .order = (imp_RefineOrder)(frame / PERIOD % 2)};
            if (frame == 6 * PERIOD)
                warm = atomic_load(&fixture.memory.allocations);
            move_bodies(&fixture, frame);
            CHECK_INT(imp_world_detect(fixture.world, &def, &report), IMP_STATUS_OK);
            undecided += report->undecided_count;
            related += report->body_pair_count;
            CHECK_INT(imp_world_refine(fixture.world, &(imp_RefineDef){.budget_steps = 50}, &report),
                      IMP_STATUS_OK);
            if (frame % 4 == 0)
                CHECK_INT(imp_world_refine(fixture.world, NULL, &report), IMP_STATUS_OK);
        }
        CHECK_INT(atomic_load(&fixture.memory.allocations), (int64_t)warm);
        CHECK(undecided > PERIOD && related > PERIOD);
        fixture_destroy(&fixture);
    }
}

// ---- how much

#define LATTICE    30
#define PAIR_BYTES 2000 // at most, of everything that there is for a pair which spheres part

// Balls on a lattice, whose boxes meet at their corners if they stand close, while the balls do not.
static void add_lattice(Fixture *fixture, double spacing, imp_BodyId *ids)
{
    for (int i = 0; i < LATTICE * LATTICE; ++i) {
        int row = i / LATTICE, column = i % LATTICE;
        imp_BodyDef def = {.mesh = fixture->meshes[1],
                           .spheres = fixture->trees[1],
                           .pose.translation = {spacing * (row + column), spacing * (row - column), 0}};
        CHECK_INT(imp_world_add_body(fixture->world, &def, &ids[i]), IMP_STATUS_OK);
    }
}

static void lift(imp_World *world, const imp_BodyId *ids)
{
    for (int i = 0; i < LATTICE * LATTICE; ++i) {
        imp_Pose pose;
        CHECK_INT(imp_body_get_pose(world, ids[i], &pose), IMP_STATUS_OK);
        pose.translation.z += 0.01;
        CHECK_INT(imp_body_set_pose(world, ids[i], pose), IMP_STATUS_OK);
    }
}

// What is live after some detects, the first of which had little time; all bodies move in between.
static size_t live_bytes(double spacing, uint64_t *pair_count)
{
    static const uint64_t steps[] = {100, 1000000, 1000000};
    static imp_BodyId ids[LATTICE * LATTICE];
    Fixture fixture;
    const imp_Report *report = NULL;
    fixture_make(&fixture, (imp_ContextDef){.thread_count = 1});
    add_lattice(&fixture, spacing, ids);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
        imp_DetectDef def = {.ignore_containment = true, .budget_steps = steps[i]};
        lift(fixture.world, ids);
        CHECK_INT(imp_world_detect(fixture.world, &def, &report), IMP_STATUS_OK);
    }
    CHECK(report->body_pair_count == 0 && report->undecided_count == 0);
    *pair_count = report->candidate_body_pairs;
    size_t bytes = atomic_load(&fixture.memory.live_bytes);
    fixture_destroy(&fixture);
    return bytes;
}

TEST(pairs_that_spheres_part_take_little_memory)
{
    uint64_t near_count = 0, far_count = 0;
    size_t near_bytes = live_bytes(1.15, &near_count), far_bytes = live_bytes(1.3, &far_count);
    CHECK_INT((int64_t)near_count, 2 * LATTICE * (LATTICE - 1));
    CHECK_INT((int64_t)far_count, 0);
    size_t bytes = (near_bytes - far_bytes) / near_count;
    printf("%zu bytes for each pair\n", bytes);
    CHECK(near_bytes > far_bytes && bytes <= PAIR_BYTES);
}

// ---- cancelled

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

TEST(cancelled_at_any_step)
{
    Interrupter interrupter = {0};
    Fixture shapes;
    uint64_t cancelled = 0;
    bool was_reached = true;
    fixture_make(&shapes, (imp_ContextDef){0});
    for (uint64_t n = 1; was_reached; n += 1 + n / 8) {
        Fixture fixture;
        const imp_Report *report = NULL;
        fixture_share(&fixture, (imp_ContextDef){.executor = {run_and_interrupt, 4, &interrupter}}, &shapes);
        add_bodies(&fixture);
        CHECK_INT(imp_world_detect(fixture.world, &(imp_DetectDef){.budget_steps = 30}, &report),
                  IMP_STATUS_OK);
        interrupter = (Interrupter){fixture.cancel, 0, n};
        report = NULL;
        imp_Status status = imp_world_refine(
            fixture.world, &(imp_RefineDef){.budget_steps = 1000000, .cancel = fixture.cancel}, &report);
        was_reached = interrupter.task_count >= n;
        interrupter.cancel_at = 0;
        CHECK(status == (was_reached ? IMP_STATUS_CANCELLED : IMP_STATUS_OK));
        cancelled += status == IMP_STATUS_CANCELLED;
        CHECK_INT(imp_world_refine(fixture.world, NULL, &report), IMP_STATUS_OK);
        check_plain(&fixture, report);
        fixture_destroy(&fixture);
    }
    fixture_destroy(&shapes);
    CHECK(cancelled > 5);
}

typedef struct Canceller {
    imp_Cancel *cancel;
    long wait_ns;
} Canceller;

static void *cancel_soon(void *argument)
{
    const Canceller *canceller = argument;
    nanosleep(&(struct timespec){.tv_nsec = canceller->wait_ns}, NULL);
    imp_cancel_request(canceller->cancel);
    return NULL;
}

TEST(cancelled_by_another_thread)
{
    Fixture fixture;
    uint64_t cancelled = 0, done = 0;
    fixture_make(&fixture, (imp_ContextDef){.thread_count = 2});
    add_bodies(&fixture);
    for (int round = 0; round < 300; ++round) {
        Canceller canceller = {fixture.cancel, (long)test_random_below(1u << test_random_below(22))};
        imp_DetectDef def = {.method = IMP_METHOD_SPHERES, .cancel = fixture.cancel};
        const imp_Report *report = NULL;
        pthread_t thread;
        move_bodies(&fixture, round);
        // Whatever the machine is like, some are cancelled at once and some never.
        bool is_cancelled_before = round % 10 == 0, is_never_cancelled = round % 10 == 5;
        bool has_thread = !is_cancelled_before && !is_never_cancelled;
        if (is_cancelled_before)
            imp_cancel_request(fixture.cancel);
        if (has_thread && !CHECK_INT(pthread_create(&thread, NULL, cancel_soon, &canceller), 0))
            break;
        imp_Status status = imp_world_detect(fixture.world, &def, &report);
        if (has_thread)
            pthread_join(thread, NULL);
        imp_cancel_reset(fixture.cancel);
        CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_CANCELLED);
        cancelled += status == IMP_STATUS_CANCELLED;
        done += status == IMP_STATUS_OK;
    }
    // What they have left behind misleads nobody.
    const imp_Report *report = NULL;
    for (int i = 0; i < BODY_COUNT; ++i) {
        CHECK_INT(imp_body_set_pose(fixture.world, fixture.ids[i], pose_at(i, 0)), IMP_STATUS_OK);
        CHECK_INT(imp_body_set_vertices(fixture.world, fixture.ids[i], NULL, 0), IMP_STATUS_OK);
    }
    CHECK_INT(imp_world_detect(fixture.world, &(imp_DetectDef){.method = IMP_METHOD_SPHERES}, &report),
              IMP_STATUS_OK);
    check_plain(&fixture, report);
    fixture_destroy(&fixture);
    printf("%llu cancelled, %llu done\n", (unsigned long long)cancelled, (unsigned long long)done);
    CHECK(cancelled > 0 && done > 0);
}
