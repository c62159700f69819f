// What a watch sees, tells and ends, apart from the calls that are watched (tests/unit/watched_calls.c).
#include "base/clock.h"
#include "base/context.h"
#include "base/scratch_call.h"
#include "harness.h"
#include "world_fixture.h"

#include <impinge/watch.h>

typedef struct Told {
    size_t count;
    double last, most;
    bool is_monotone;
    const char *work;
    pthread_t caller;
    bool is_by_caller;
    imp_Context *context; // to be used where that is forbidden, or null
    imp_Status nested;
} Told;

static void note(const imp_Progress *progress, void *user)
{
    Told *told = user;
    if (told->work != progress->work)
        told->last = 0;
    told->is_monotone &= progress->done >= told->last && progress->done >= 0 && progress->done <= 1;
    told->is_by_caller &= pthread_equal(pthread_self(), told->caller) != 0;
    told->last = progress->done;
    told->most = progress->done > told->most ? progress->done : told->most;
    told->work = progress->work;
    ++told->count;
    if (told->context)
        told->nested = imp_context_watch(told->context, NULL);
}

static Told nothing_told(void)
{
    return (Told){.is_monotone = true, .is_by_caller = true, .caller = pthread_self()};
}

static void wait_ns(uint64_t ns)
{
    uint64_t begin = impi_clock_ns();
    while (impi_clock_ns() - begin < ns)
        ;
}

TEST(without_a_watch_every_step_goes_on)
{
    imp_Context *context = context_with_threads(1);
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    impi_watch_work(&context->watch, "nothing", 3);
    CHECK(impi_watch_goes_on(&context->watch) && impi_watch_step(&context->watch, 7));
    CHECK(impi_watch_item(&context->watch, 0) && impi_watch_item(&context->watch, IMPI_WATCH_ITEMS));
    CHECK_INT(impi_watch_status(context), IMP_STATUS_OK);
    CHECK_INT(impi_scratch_call_end(context, guard, IMP_STATUS_OK), IMP_STATUS_OK);
    imp_context_destroy(context);
}

TEST(what_was_seen_once_stays_so_until_the_next_call)
{
    imp_Context *context = context_with_threads(1);
    imp_Cancel *cancel = NULL;
    CHECK_INT(imp_cancel_create(context, &cancel), IMP_STATUS_OK);
    CHECK_INT(imp_context_watch(context, &(imp_Watch){.cancel = cancel}), IMP_STATUS_OK);
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    CHECK(impi_watch_goes_on(&context->watch));
    imp_cancel_request(cancel);
    CHECK(!impi_watch_step(&context->watch, 1));
    imp_cancel_reset(cancel);
    CHECK(!impi_watch_goes_on(&context->watch));
    CHECK_INT(impi_scratch_call_end(context, guard, impi_watch_status(context)), IMP_STATUS_CANCELLED);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "cancelled");
    guard = impi_scratch_call_begin(context);
    CHECK(impi_watch_goes_on(&context->watch));
    CHECK_INT(impi_scratch_call_end(context, guard, impi_watch_status(context)), IMP_STATUS_OK);
    imp_cancel_destroy(cancel);
    imp_context_destroy(context);
}

TEST(a_budget_is_for_each_call)
{
    imp_Context *context = context_with_threads(1);
    CHECK_INT(imp_context_watch(context, &(imp_Watch){.budget_us = 2000}), IMP_STATUS_OK);
    for (int i = 0; i < 2; ++i) {
        impi_FloatGuard guard = impi_scratch_call_begin(context);
        wait_ns(2100000);
        CHECK(!impi_watch_goes_on(&context->watch));
        CHECK_INT(impi_scratch_call_end(context, guard, impi_watch_status(context)), IMP_STATUS_OUT_OF_TIME);
        CHECK_CONTAINS(imp_context_get_error(context)->message, "budget of 2000 us");
        CHECK_TEXT(imp_status_name(IMP_STATUS_OUT_OF_TIME), "out of time");
    }
    CHECK_INT(imp_context_watch(context, &(imp_Watch){.budget_us = UINT64_MAX}), IMP_STATUS_OK);
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    CHECK(impi_watch_goes_on(&context->watch));
    CHECK_INT(impi_scratch_call_end(context, guard, impi_watch_status(context)), IMP_STATUS_OK);
    imp_context_destroy(context);
}

TEST(progress_is_told_now_and_then)
{
    imp_Context *context = context_with_threads(1);
    Told told = nothing_told();
    CHECK_INT(imp_context_watch(context, &(imp_Watch){.progress = note, .user = &told}), IMP_STATUS_OK);
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    impi_watch_work(&context->watch, "first", 10);
    for (int i = 0; i < 1000; ++i)
        CHECK(impi_watch_step(&context->watch, 0));
    size_t in_a_hurry = told.count; // 0, or few where the machine was busy
    CHECK(in_a_hurry < 100);
    for (int i = 0; i < 3; ++i) {
        wait_ns(21000000);
        CHECK(impi_watch_step(&context->watch, 1));
        CHECK_INT(told.count, in_a_hurry + (size_t)i + 1);
        CHECK_TEXT(told.work, "first");
        CHECK(told.last == (i + 1) / 10.0);
    }
    impi_watch_work(&context->watch, "second", 2);
    wait_ns(21000000);
    CHECK(impi_watch_step(&context->watch, 1));
    CHECK(told.last == 0.5);
    CHECK_TEXT(told.work, "second");
    wait_ns(21000000);
    CHECK(impi_watch_step(&context->watch, 100)); // more than was announced
    CHECK(told.last == 1 && told.is_monotone && told.is_by_caller);
    impi_watch_work(&context->watch, "none", 0);
    wait_ns(21000000);
    CHECK(impi_watch_goes_on(&context->watch) && told.last == 0);
    CHECK_INT(impi_scratch_call_end(context, guard, impi_watch_status(context)), IMP_STATUS_OK);
    imp_context_destroy(context);
}

static void step_slowly(size_t begin, size_t end, size_t block, void *argument)
{
    (void)block;
    for (size_t i = begin; i < end; ++i) {
        wait_ns(2000000);
        CHECK(impi_watch_step(argument, 1));
    }
}

TEST(only_the_calling_thread_tells)
{
    imp_Context *context = context_with_threads(4);
    Told told = nothing_told();
    CHECK_INT(imp_context_watch(context, &(imp_Watch){.progress = note, .user = &told}), IMP_STATUS_OK);
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    impi_watch_work(&context->watch, "together", 200);
    impi_parallel_for(&context->executor, 200, 4, step_slowly, &context->watch);
    CHECK(told.count > 0 && told.is_by_caller && told.is_monotone && told.most > 0);
    CHECK_INT(atomic_load(&context->watch.done), 200);
    CHECK_INT(impi_scratch_call_end(context, guard, impi_watch_status(context)), IMP_STATUS_OK);
    imp_context_destroy(context);
}

TEST(a_watch_is_not_changed_by_its_own_progress_function)
{
    imp_Context *context = context_with_threads(1);
    Told told = nothing_told();
    told.context = context;
    CHECK_INT(imp_context_watch(context, &(imp_Watch){.progress = note, .user = &told}), IMP_STATUS_OK);
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    wait_ns(21000000);
    CHECK(impi_watch_goes_on(&context->watch));
    CHECK_INT(told.count, 1);
    CHECK_INT(told.nested, IMP_STATUS_BAD_ARGUMENT);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "running");
    CHECK(context->watch.def.progress == note);
    CHECK_INT(impi_scratch_call_end(context, guard, impi_watch_status(context)), IMP_STATUS_OK);
    CHECK_INT(imp_context_watch(context, NULL), IMP_STATUS_OK);
    CHECK(!context->watch.is_wanted);
    CHECK_INT(imp_context_watch(NULL, NULL), IMP_STATUS_BAD_ARGUMENT);
    imp_context_destroy(context);
}

// Not even by what a watched call left behind that was ended.
TEST(detects_are_not_watched)
{
    Fixture fixture = fixture_make();
    imp_Cancel *cancel = NULL;
    imp_Mesh *mesh = sphere(fixture.context, 1);
    bool closed = false;
    add(fixture.world, mesh, 0);
    add(fixture.world, cube(fixture.context, 0.1), 0);
    CHECK_INT(imp_cancel_create(fixture.context, &cancel), IMP_STATUS_OK);
    imp_cancel_request(cancel);
    CHECK_INT(imp_context_watch(fixture.context, &(imp_Watch){.cancel = cancel, .budget_us = 1}),
              IMP_STATUS_OK);
    CHECK_INT(imp_mesh_is_closed(fixture.context, mesh, &closed), IMP_STATUS_CANCELLED);
    const imp_Report *report = detect(fixture.world);
    CHECK_INT(report->body_pair_count, 1);
    CHECK_INT(report->body_pairs[0].relations, IMP_RELATION_B_INSIDE_A);
    CHECK_INT(imp_context_watch(fixture.context, NULL), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_is_closed(fixture.context, mesh, &closed), IMP_STATUS_OK);
    CHECK(closed);
    imp_cancel_destroy(cancel);
    fixture_destroy(&fixture);
}
