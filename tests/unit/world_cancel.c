// Detects that are cancelled: before, at each step of the work, and from another thread at any time.
#include "base/clock.h"
#include "harness.h"
#include "posed_faces.h"
#include "reports.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

// Two worlds of the same bodies: detects of the first may be cancelled, the second detects whenever one of
// the first is done.
typedef struct Twins {
    imp_Context *contexts[2];
    imp_World *worlds[2];
    imp_BodyId *bodies;
    size_t body_count;
    double reach;
    imp_Cancel *cancel;
} Twins;

typedef struct TwinsDef {
    size_t body_count;
    double reach;
    uint32_t meridians;         // of the spheres that most bodies are
    imp_ContextDef contexts[2]; // zero: one thread
} TwinsDef;

static void add_bodies(Twins *twins, const TwinsDef *def)
{
    imp_Mesh *meshes[3] = {0};
    imp_Convex *solid = NULL;
    CHECK_INT(scene_sphere(twins->contexts[1], def->meridians, def->meridians / 2 + 1, 1, &meshes[0]),
              IMP_STATUS_OK);
    CHECK_INT(
        scene_hollow_sphere(twins->contexts[1], def->meridians, def->meridians / 2 + 1, 1.6, 1.4, &meshes[1]),
        IMP_STATUS_OK);
    CHECK_INT(
        scene_box(twins->contexts[1], (imp_Vec3){-0.1, -0.1, -0.1}, (imp_Vec3){0.1, 0.1, 0.1}, &meshes[2]),
        IMP_STATUS_OK);
    CHECK_INT(imp_convex_create_from_mesh(twins->contexts[1], meshes[2], &solid), IMP_STATUS_OK);
    for (size_t i = 0; i < def->body_count; ++i) {
        imp_BodyDef body = {.mesh = i % 4 == 3 ? NULL : meshes[i % 4], .convex = i % 4 == 3 ? solid : NULL};
        for (int k = 0; k < 2; ++k)
            CHECK_INT(imp_world_add_body(twins->worlds[k], &body, &twins->bodies[i]), IMP_STATUS_OK);
    }
    for (int i = 0; i < 3; ++i)
        imp_mesh_release(meshes[i]);
    imp_convex_release(solid);
}

static void move_all(const Twins *twins)
{
    for (size_t i = 0; i < twins->body_count; ++i) {
        imp_Pose pose = {{test_random_between(0, twins->reach), test_random_between(0, twins->reach),
                          test_random_between(0, twins->reach)},
                         random_rotation()};
        for (int k = 0; k < 2; ++k)
            CHECK_INT(imp_body_set_pose(twins->worlds[k], twins->bodies[i], pose), IMP_STATUS_OK);
    }
}

static void move_some(const Twins *twins)
{
    for (size_t i = test_random_below(3); i < twins->body_count; i += 1 + test_random_below(6)) {
        imp_Pose pose = {{test_random_between(0, twins->reach), test_random_between(0, twins->reach),
                          test_random_between(0, twins->reach)},
                         random_rotation()};
        for (int k = 0; k < 2; ++k)
            CHECK_INT(imp_body_set_pose(twins->worlds[k], twins->bodies[i], pose), IMP_STATUS_OK);
    }
}

static void twins_make(const TwinsDef *def, Twins *twins)
{
    *twins = (Twins){.body_count = def->body_count, .reach = def->reach};
    twins->bodies = malloc(def->body_count * sizeof *twins->bodies);
    for (int k = 0; k < 2; ++k) {
        CHECK_INT(imp_context_create(&def->contexts[k], &twins->contexts[k]), IMP_STATUS_OK);
        CHECK_INT(imp_world_create(twins->contexts[k], NULL, &twins->worlds[k]), IMP_STATUS_OK);
    }
    CHECK_INT(imp_cancel_create(twins->contexts[0], &twins->cancel), IMP_STATUS_OK);
    add_bodies(twins, def);
    move_all(twins);
}

static void twins_destroy(Twins *twins)
{
    for (int k = 0; k < 2; ++k) {
        imp_world_destroy(twins->worlds[k]);
        imp_context_destroy(twins->contexts[k]);
    }
    imp_cancel_destroy(twins->cancel); // whose context is gone
    free(twins->bodies);
}

static void check_cancelled(const Twins *twins, imp_Status status, const imp_Report *report)
{
    const imp_Error *error = imp_context_get_error(twins->contexts[0]);
    CHECK_INT(status, IMP_STATUS_CANCELLED);
    CHECK(report == NULL);
    CHECK_INT(error->status, IMP_STATUS_CANCELLED);
    CHECK_CONTAINS(error->message, "cancelled");
}

// What the other world says, whose detects nothing ends early.
static imp_Report other_report(const Twins *twins, const imp_DetectDef *def)
{
    const imp_Report *report = NULL;
    imp_DetectDef unlimited = *def;
    unlimited.cancel = NULL;
    unlimited.budget_us = 0;
    return CHECK_INT(imp_world_detect(twins->worlds[1], &unlimited, &report), IMP_STATUS_OK)
               ? *report
               : (imp_Report){0};
}

static void check_report(const Twins *twins, const imp_DetectDef *def, const imp_Report *report)
{
    imp_Report wanted = other_report(twins, def);
    CHECK(same_reports(report, &wanted));
    CHECK_INT(report->candidate_body_pairs, wanted.candidate_body_pairs);
    CHECK(!report->budget_spent && report->undecided_count == 0);
}

// The same but for what has changed: the two worlds have made different detects before.
static void check_present(const Twins *twins, const imp_DetectDef *def, const imp_Report *report)
{
    imp_Report present = *report, wanted = other_report(twins, def);
    present.begun_count = present.ended_count = wanted.begun_count = wanted.ended_count = 0;
    CHECK(same_reports(&present, &wanted));
    CHECK(!report->budget_spent && report->undecided_count == 0);
}

// Without being cancelled: what was cancelled before has left no trace.
static void check_next(const Twins *twins, const imp_DetectDef *def)
{
    const imp_Report *report = NULL;
    imp_DetectDef freely = *def;
    freely.cancel = NULL;
    freely.budget_us = 0;
    if (CHECK_INT(imp_world_detect(twins->worlds[0], &freely, &report), IMP_STATUS_OK))
        check_report(twins, &freely, report);
}

static imp_DetectDef random_def(const Twins *twins)
{
    return (imp_DetectDef){.mode = (imp_DetectMode)test_random_below(3),
                           .method = (imp_DetectMethod)test_random_below(IMP_METHOD_SMITH_1994),
                           .ignore_containment = test_random_below(4) == 0,
                           .cancel = twins->cancel};
}

// ---- without another thread

TEST(nothing_is_fine)
{
    imp_cancel_request(NULL);
    imp_cancel_reset(NULL);
    CHECK(!imp_cancel_is_requested(NULL));
    imp_cancel_destroy(NULL);
}

TEST(a_flag_is_set_until_it_is_reset)
{
    imp_Context *context = context_with_threads(1);
    imp_Cancel *cancel = NULL;
    CHECK_INT(imp_cancel_create(NULL, &cancel), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_cancel_create(context, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_cancel_create(context, &cancel), IMP_STATUS_OK);
    CHECK(!imp_cancel_is_requested(cancel));
    imp_cancel_request(cancel);
    imp_cancel_request(cancel);
    CHECK(imp_cancel_is_requested(cancel));
    imp_cancel_reset(cancel);
    CHECK(!imp_cancel_is_requested(cancel));
    imp_context_destroy(context);
    imp_cancel_destroy(cancel);
}

TEST(a_detect_cancelled_before_does_nothing)
{
    Twins twins;
    twins_make(&(TwinsDef){.body_count = 24, .reach = 4, .meridians = 8}, &twins);
    imp_DetectDef def = {.cancel = twins.cancel};
    const imp_Report *report = NULL;
    CHECK_INT(imp_world_detect(twins.worlds[0], &def, &report), IMP_STATUS_OK);
    check_report(&twins, &def, report);
    for (int mode = IMP_DETECT_FACES; mode <= IMP_DETECT_FIRST; ++mode) {
        def.mode = (imp_DetectMode)mode;
        move_some(&twins);
        imp_cancel_request(twins.cancel);
        for (int again = 0; again < 2; ++again) { // until the flag is reset
            report = NULL;
            check_cancelled(&twins, imp_world_detect(twins.worlds[0], &def, &report), report);
        }
        move_some(&twins);
        imp_cancel_reset(twins.cancel);
        CHECK_INT(imp_world_detect(twins.worlds[0], &def, &report), IMP_STATUS_OK);
        check_report(&twins, &def, report);
    }
    twins_destroy(&twins);
}

// Also where nothing has changed, so that nothing is to be done.
TEST(a_detect_at_rest_is_cancelled_as_well)
{
    Twins twins;
    twins_make(&(TwinsDef){.body_count = 8, .reach = 2, .meridians = 8}, &twins);
    imp_DetectDef def = {.cancel = twins.cancel};
    const imp_Report *report = NULL;
    check_next(&twins, &def);
    imp_cancel_request(twins.cancel);
    check_cancelled(&twins, imp_world_detect(twins.worlds[0], &def, &report), report);
    check_next(&twins, &def);
    twins_destroy(&twins);
}

// ---- at each step of the work

// Task hooks that run everything on the caller's thread and set the flag before the n-th task.
typedef struct Interrupter {
    imp_Cancel *cancel;
    uint64_t task_count, cancel_at; // 0: never
    bool resets;                    // takes it back before the task after that
} Interrupter;

static void run_and_interrupt(imp_TaskFn task, void *argument, uint32_t task_count, void *user)
{
    Interrupter *interrupter = user;
    for (uint32_t i = 0; i < task_count; ++i) {
        ++interrupter->task_count;
        if (interrupter->task_count == interrupter->cancel_at)
            imp_cancel_request(interrupter->cancel);
        else if (interrupter->resets && interrupter->task_count == interrupter->cancel_at + 1)
            imp_cancel_reset(interrupter->cancel);
        task(i, argument);
    }
}

// Cancel before task 1, 2, ..., later ones in larger steps, until a detect has fewer tasks.
static uint64_t cancel_everywhere(Twins *twins, Interrupter *interrupter, const imp_DetectDef *def)
{
    uint64_t cancelled = 0;
    bool was_reached = true;
    for (uint64_t n = 1; was_reached; n += 1 + n / 8) {
        const imp_Report *report = NULL;
        move_some(twins);
        *interrupter = (Interrupter){twins->cancel, 0, n, n % 2};
        imp_Status status = imp_world_detect(twins->worlds[0], def, &report);
        was_reached = interrupter->task_count >= n;
        interrupter->cancel_at = 0;
        imp_cancel_reset(twins->cancel);
        if (status == IMP_STATUS_OK) // nobody looked, or it was taken back before anybody did
            check_report(twins, def, report);
        else
            check_cancelled(twins, status, report);
        cancelled += status != IMP_STATUS_OK;
    }
    return cancelled;
}

static void cancel_methods(const TwinsDef *def, imp_DetectMethod first, imp_DetectMethod last)
{
    Interrupter interrupter = {0};
    Twins twins;
    TwinsDef interrupted = *def;
    interrupted.contexts[0].executor = (imp_Executor){run_and_interrupt, 4, &interrupter};
    twins_make(&interrupted, &twins);
    for (int mode = IMP_DETECT_FACES; mode <= IMP_DETECT_FIRST; ++mode)
        for (int method = (int)first; method <= (int)last; ++method) {
            imp_DetectDef detect = {
                .mode = (imp_DetectMode)mode, .method = (imp_DetectMethod)method, .cancel = twins.cancel};
            CHECK(cancel_everywhere(&twins, &interrupter, &detect) > 0);
            move_some(&twins);
            check_next(&twins, &detect);
        }
    twins_destroy(&twins);
}

// The paper's method takes long where much meets.
TEST(a_detect_cancelled_at_any_step_leaves_no_trace)
{
    cancel_methods(&(TwinsDef){.body_count = 150, .reach = 9, .meridians = 10}, IMP_METHOD_AUTO,
                   IMP_METHOD_POSED_BOXES);
    cancel_methods(&(TwinsDef){.body_count = 70, .reach = 15, .meridians = 6}, IMP_METHOD_SMITH_1994,
                   IMP_METHOD_SMITH_1994);
}

// ---- from another thread

#define IDLE -1

// Waits for an order, lets some time pass, and sets the flag; at times it takes it back at once.
typedef struct Canceller {
    imp_Cancel *cancel;
    atomic_llong wait_ns; // the order; IDLE when it is done
    atomic_bool resets, is_over;
    pthread_t thread;
} Canceller;

static void *obey(void *argument)
{
    Canceller *canceller = argument;
    while (!atomic_load(&canceller->is_over)) {
        long long wait_ns = atomic_load(&canceller->wait_ns);
        if (wait_ns == IDLE) {
            sched_yield();
            continue;
        }
        uint64_t start = impi_clock_ns();
        while (impi_clock_ns() - start < (uint64_t)wait_ns)
            continue;
        imp_cancel_request(canceller->cancel);
        if (atomic_load(&canceller->resets))
            imp_cancel_reset(canceller->cancel);
        atomic_store(&canceller->wait_ns, IDLE);
    }
    return NULL;
}

// How often each outcome occurred; an end to it is made when all that can occur have, this often.
typedef struct Outcomes {
    uint64_t cancelled, done, spent;
} Outcomes;

#define ENOUGH      8
#define MOST_ROUNDS 500

static imp_Status detect_while_cancelled(Twins *twins, Canceller *canceller, uint64_t full_ns,
                                         const imp_DetectDef *def, const imp_Report **report)
{
    atomic_store(&canceller->resets, test_random_below(3) == 0);
    atomic_store(&canceller->wait_ns, (long long)(1.3 * test_random_unit() * (double)full_ns));
    imp_Status status = imp_world_detect(twins->worlds[0], def, report);
    while (atomic_load(&canceller->wait_ns) != IDLE)
        sched_yield();
    imp_cancel_reset(twins->cancel);
    return status;
}

static uint64_t time_detect(const Twins *twins, const imp_DetectDef *def)
{
    const imp_Report *report = NULL;
    imp_DetectDef freely = *def;
    freely.cancel = NULL;
    freely.budget_us = 0;
    move_all(twins);
    uint64_t start = impi_clock_ns();
    bool done = CHECK_INT(imp_world_detect(twins->worlds[0], &freely, &report), IMP_STATUS_OK);
    uint64_t took_ns = impi_clock_ns() - start;
    if (done)
        check_present(twins, &freely, report);
    return took_ns;
}

static bool is_enough(const Outcomes *outcomes, bool with_budget)
{
    return outcomes->cancelled >= ENOUGH && outcomes->done >= ENOUGH &&
           (!with_budget || outcomes->spent >= ENOUGH);
}

static void cancel_at_random(Twins *twins, bool with_budget)
{
    Outcomes outcomes = {0};
    Canceller canceller = {.cancel = twins->cancel};
    imp_DetectDef def = {0};
    uint64_t full_ns = 0;
    atomic_init(&canceller.wait_ns, IDLE);
    atomic_init(&canceller.resets, false);
    atomic_init(&canceller.is_over, false);
    if (!CHECK_INT(pthread_create(&canceller.thread, NULL, obey, &canceller), 0))
        return;
    for (int round = 0; round < MOST_ROUNDS && !is_enough(&outcomes, with_budget); ++round) {
        const imp_Report *report = NULL;
        if (round % 8 == 0) {
            def = random_def(twins);
            full_ns = time_detect(twins, &def);
        }
        if (with_budget)
            def.budget_us = 1 + (uint64_t)(3e-3 * test_random_unit() * (double)full_ns);
        move_all(twins);
        imp_Status status = detect_while_cancelled(twins, &canceller, full_ns, &def, &report);
        if (status == IMP_STATUS_OK && !report->budget_spent)
            (with_budget ? check_present : check_report)(twins, &def, report);
        else if (status != IMP_STATUS_OK)
            check_cancelled(twins, status, report);
        outcomes.cancelled += status != IMP_STATUS_OK;
        outcomes.done += status == IMP_STATUS_OK && !report->budget_spent;
        outcomes.spent += status == IMP_STATUS_OK && report->budget_spent;
        // Otherwise the next one has to make up for this one as well.
        if (status != IMP_STATUS_OK && !with_budget && test_random_below(2))
            check_next(twins, &def);
    }
    atomic_store(&canceller.is_over, true);
    pthread_join(canceller.thread, NULL);
    CHECK(is_enough(&outcomes, with_budget));
    printf("%u threads: %llu cancelled, %llu done, %llu cut short\n",
           (unsigned)imp_context_get_thread_count(twins->contexts[0]), (unsigned long long)outcomes.cancelled,
           (unsigned long long)outcomes.done, (unsigned long long)outcomes.spent);
}

// Few large bodies, where the work is in the faces, and many small ones, where it is in the broad phase.
static void cancel_worlds(uint32_t thread_count, bool with_budget)
{
    TwinsDef defs[2] = {{.body_count = 60, .reach = 7, .meridians = 32},
                        {.body_count = 3000, .reach = 60, .meridians = 4}};
    for (int i = 0; i < 2; ++i) {
        Twins twins;
        defs[i].contexts[0].thread_count = thread_count;
        twins_make(&defs[i], &twins);
        cancel_at_random(&twins, with_budget);
        twins_destroy(&twins);
    }
}

TEST(a_detect_cancelled_by_another_thread_is_done_or_leaves_no_trace)
{
    cancel_worlds(1, false);
    cancel_worlds(2, false);
}

TEST(a_detect_with_a_budget_is_cancelled_as_well)
{
    cancel_worlds(1, true);
    cancel_worlds(2, true);
}
