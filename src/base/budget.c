#include "base/budget.h"

#include "base/clock.h"
#include "base/context.h"

void impi_budget_begin(impi_Budget *budget, uint64_t budget_us, const imp_Cancel *cancel)
{
    uint64_t now = impi_clock_ns();
    bool is_limited = budget_us != 0 && budget_us < (IMPI_NO_DEADLINE - now) / 1000;
    budget->deadline_ns = is_limited ? now + 1000 * budget_us : IMPI_NO_DEADLINE;
    budget->steps_left = IMPI_NO_STEP_LIMIT;
    budget->step_count = budget->reserve_ns = budget->report_begun_ns = 0;
    budget->cancel = cancel;
    atomic_init(&budget->is_spent, false);
    atomic_init(&budget->is_cancelled, false);
}

void impi_budget_limit_steps(impi_Budget *budget, uint64_t step_count)
{
    budget->steps_left = step_count == 0 ? IMPI_NO_STEP_LIMIT : step_count;
}

bool impi_budget_is_cancelled(impi_Budget *budget)
{
    if (!budget->cancel)
        return false;
    if (atomic_load_explicit(&budget->is_cancelled, memory_order_relaxed))
        return true;
    if (!imp_cancel_is_requested(budget->cancel))
        return false;
    atomic_store_explicit(&budget->is_cancelled, true, memory_order_relaxed);
    return true;
}

bool impi_budget_is_over(impi_Budget *budget)
{
    if (impi_budget_is_cancelled(budget))
        return true;
    if (impi_budget_is_spent(budget))
        return true;
    if (budget->deadline_ns == IMPI_NO_DEADLINE)
        return false;
    if (impi_clock_ns() + budget->reserve_ns < budget->deadline_ns)
        return false;
    atomic_store_explicit(&budget->is_spent, true, memory_order_relaxed);
    return true;
}

void impi_budget_begin_report(impi_Budget *budget)
{
    if (budget->deadline_ns != IMPI_NO_DEADLINE && impi_budget_is_spent(budget) &&
        budget->report_begun_ns == 0)
        budget->report_begun_ns = impi_thread_clock_ns();
}

imp_Status imp_cancel_create(imp_Context *context, imp_Cancel **cancel)
{
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    if (!cancel)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "no room for the answer is given");
    imp_Cancel *made = impi_allocate(&context->allocator, sizeof *made);
    if (!made)
        return impi_fail_out_of_memory(context);
    made->allocator = context->allocator;
    atomic_init(&made->is_requested, false);
    *cancel = made;
    return IMP_STATUS_OK;
}

void imp_cancel_destroy(imp_Cancel *cancel)
{
    if (!cancel)
        return;
    imp_Allocator allocator = cancel->allocator;
    impi_release(&allocator, cancel, sizeof *cancel);
}

void imp_cancel_request(imp_Cancel *cancel)
{
    if (cancel)
        atomic_store(&cancel->is_requested, true);
}

void imp_cancel_reset(imp_Cancel *cancel)
{
    if (cancel)
        atomic_store(&cancel->is_requested, false);
}

bool imp_cancel_is_requested(const imp_Cancel *cancel)
{
    return cancel && atomic_load(&cancel->is_requested);
}
