#include "base/budget.h"

#include "base/clock.h"
#include "failing_allocator.h"
#include "harness.h"
#include "posed_faces.h"

static imp_Cancel *make_cancel(imp_Context *context)
{
    imp_Cancel *cancel = NULL;
    CHECK_INT(imp_cancel_create(context, &cancel), IMP_STATUS_OK);
    return cancel;
}

TEST(without_limits_nothing_is_over)
{
    impi_Budget budget;
    impi_budget_begin(&budget, 0, NULL);
    CHECK(budget.deadline_ns == IMPI_NO_DEADLINE);
    CHECK(!impi_budget_is_over(&budget) && !impi_budget_is_cancelled(&budget) &&
          !impi_budget_is_spent(&budget));
}

TEST(budgets_beyond_the_clock_have_no_deadline)
{
    static const uint64_t budgets[] = {UINT64_MAX, UINT64_MAX / 1000, UINT64_MAX / 1000 + 1};
    for (int i = 0; i < 3; ++i) {
        impi_Budget budget;
        impi_budget_begin(&budget, budgets[i], NULL);
        CHECK(budget.deadline_ns == IMPI_NO_DEADLINE && !impi_budget_is_over(&budget));
    }
}

TEST(a_deadline_is_that_far_ahead)
{
    impi_Budget budget;
    uint64_t hour_us = 3600000000u, before = impi_clock_ns();
    impi_budget_begin(&budget, hour_us, NULL);
    uint64_t after = impi_clock_ns();
    CHECK(budget.deadline_ns >= before + 1000 * hour_us && budget.deadline_ns <= after + 1000 * hour_us);
    CHECK(!impi_budget_is_over(&budget) && !impi_budget_is_spent(&budget));
}

TEST(a_deadline_that_has_passed_is_seen_once_and_for_all)
{
    impi_Budget budget;
    impi_budget_begin(&budget, 1, NULL);
    while (impi_clock_ns() < budget.deadline_ns)
        ;
    CHECK(!impi_budget_is_spent(&budget)); // nobody has looked
    CHECK(impi_budget_is_over(&budget));
    CHECK(impi_budget_is_spent(&budget));
    CHECK(!impi_budget_is_cancelled(&budget));
    budget.deadline_ns = impi_clock_ns() + 3600000000000u;
    CHECK(impi_budget_is_over(&budget));
    impi_budget_begin(&budget, 0, NULL);
    CHECK(!impi_budget_is_over(&budget) && !impi_budget_is_spent(&budget));
}

TEST(being_cancelled_is_seen_once_and_for_all)
{
    imp_Context *context = context_with_threads(1);
    imp_Cancel *cancel = make_cancel(context);
    impi_Budget budget;
    impi_budget_begin(&budget, 0, cancel);
    CHECK(!impi_budget_is_cancelled(&budget) && !impi_budget_is_over(&budget));
    imp_cancel_request(cancel);
    CHECK(impi_budget_is_over(&budget) && impi_budget_is_cancelled(&budget));
    CHECK(!impi_budget_is_spent(&budget));
    // Work was left out for it: taking it back does not make it done.
    imp_cancel_reset(cancel);
    CHECK(impi_budget_is_over(&budget) && impi_budget_is_cancelled(&budget));
    impi_budget_begin(&budget, 0, cancel);
    CHECK(!impi_budget_is_cancelled(&budget) && !impi_budget_is_over(&budget));
    imp_cancel_destroy(cancel);
    imp_context_destroy(context);
}

TEST(a_request_that_nobody_saw_leaves_no_trace)
{
    imp_Context *context = context_with_threads(1);
    imp_Cancel *cancel = make_cancel(context);
    impi_Budget budget;
    impi_budget_begin(&budget, 0, cancel);
    imp_cancel_request(cancel);
    imp_cancel_reset(cancel);
    CHECK(!impi_budget_is_cancelled(&budget) && !impi_budget_is_over(&budget));
    imp_cancel_destroy(cancel);
    imp_context_destroy(context);
}

TEST(requests_stay_until_they_are_reset)
{
    imp_Context *context = context_with_threads(1);
    imp_Cancel *cancel = make_cancel(context);
    CHECK(!imp_cancel_is_requested(cancel));
    imp_cancel_request(cancel);
    imp_cancel_request(cancel);
    CHECK(imp_cancel_is_requested(cancel) && imp_cancel_is_requested(cancel));
    imp_cancel_reset(cancel);
    CHECK(!imp_cancel_is_requested(cancel));
    imp_cancel_reset(cancel);
    CHECK(!imp_cancel_is_requested(cancel));
    imp_context_destroy(context); // the flag needs none to go
    imp_cancel_request(cancel);
    CHECK(imp_cancel_is_requested(cancel));
    imp_cancel_destroy(cancel);
}

TEST(null_arguments)
{
    imp_Context *context = context_with_threads(1);
    imp_Cancel *cancel = NULL;
    CHECK_INT(imp_cancel_create(NULL, &cancel), IMP_STATUS_BAD_ARGUMENT);
    CHECK(!cancel);
    CHECK_INT(imp_cancel_create(context, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_context_get_error(context)->status, IMP_STATUS_BAD_ARGUMENT);
    imp_cancel_destroy(NULL);
    imp_cancel_request(NULL);
    imp_cancel_reset(NULL);
    CHECK(!imp_cancel_is_requested(NULL));
    imp_context_destroy(context);
}

TEST(making_a_flag_runs_out_of_memory)
{
    FailingAllocator memory;
    imp_Context *context = NULL;
    imp_Cancel *cancel = NULL;
    failing_allocator_init(&memory, 0);
    imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory), .thread_count = 1};
    CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
    failing_allocator_arm(&memory, 1);
    CHECK_INT(imp_cancel_create(context, &cancel), IMP_STATUS_OUT_OF_MEMORY);
    CHECK(!cancel);
    failing_allocator_arm(&memory, 0);
    CHECK_INT(imp_cancel_create(context, &cancel), IMP_STATUS_OK);
    imp_context_destroy(context);
    imp_cancel_destroy(cancel);
    CHECK(failing_allocator_is_clean(&memory));
}
