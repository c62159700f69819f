#include "base/watch.h"

#include "base/clock.h"
#include "base/context.h"

#include <inttypes.h>

void impi_watch_begin(impi_Watch *watch)
{
    watch->is_active = watch->is_wanted;
    if (!watch->is_active)
        return;
    impi_budget_begin(&watch->budget, watch->def.budget_us, watch->def.cancel);
    watch->caller = pthread_self();
    watch->last_told_ns = impi_clock_ns();
    impi_watch_work(watch, "working", 1);
}

void impi_watch_work_slow(impi_Watch *watch, const char *work, uint64_t step_count)
{
    watch->work = work;
    watch->total = step_count > 0 ? step_count : 1;
    atomic_store_explicit(&watch->done, 0, memory_order_relaxed);
}

// The time that telling takes does not count, so that it never takes most of the call.
static void tell(impi_Watch *watch, uint64_t done)
{
    if (impi_clock_ns() - watch->last_told_ns < watch->tell_every_ns)
        return;
    double share = (double)done / (double)watch->total;
    imp_Progress progress = {watch->work, share < 1 ? share : 1};
    watch->def.progress(&progress, watch->def.user);
    watch->last_told_ns = impi_clock_ns();
}

bool impi_watch_step_slow(impi_Watch *watch, uint64_t steps)
{
    uint64_t done = atomic_fetch_add_explicit(&watch->done, steps, memory_order_relaxed) + steps;
    if (watch->def.progress && pthread_equal(pthread_self(), watch->caller))
        tell(watch, done);
    return !impi_budget_is_over(&watch->budget);
}

imp_Status impi_watch_status(imp_Context *context)
{
    impi_Watch *watch = &context->watch;
    if (!watch->is_active)
        return IMP_STATUS_OK;
    if (impi_budget_is_cancelled(&watch->budget))
        return impi_fail_cancelled(context);
    if (impi_budget_is_spent(&watch->budget))
        return impi_fail(context, IMP_STATUS_OUT_OF_TIME, IMP_NOWHERE,
                         "the budget of %" PRIu64 " us ended before the work did", watch->def.budget_us);
    return IMP_STATUS_OK;
}

imp_Status imp_context_watch(imp_Context *context, const imp_Watch *watch)
{
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    if (context->watch.is_active)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "a watched call is running: its watch can't be changed");
    imp_Watch def = watch ? *watch : (imp_Watch){0};
    status = IMPI_CHECK_RESERVED(context, &def);
    if (status != IMP_STATUS_OK)
        return status;
    context->watch.def = def;
    context->watch.tell_every_ns = IMPI_TELL_EVERY_NS;
    context->watch.is_wanted = def.cancel || def.budget_us || def.progress;
    return IMP_STATUS_OK;
}
