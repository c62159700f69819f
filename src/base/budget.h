/// How long a question may be worked on: until a deadline, or until somebody cancels it. Looked at where
/// blocks of work begin.
#ifndef IMPINGE_BASE_BUDGET_H
#define IMPINGE_BASE_BUDGET_H

#include <impinge/cancel.h>

#include <stdatomic.h>

#define IMPI_NO_DEADLINE UINT64_MAX

struct imp_Cancel {
    imp_Allocator allocator; // a copy, so that it needs no context to go
    atomic_bool is_requested;
};

typedef struct impi_Budget {
    uint64_t deadline_ns;     // see base/clock.h; IMPI_NO_DEADLINE is none
    const imp_Cancel *cancel; // null is none
    atomic_bool is_spent;     // somebody saw that the deadline has passed; stays so
} impi_Budget;

/// From now on, for `budget_us` microseconds; 0 is no limit. `cancel` may be null.
void impi_budget_begin(impi_Budget *budget, uint64_t budget_us, const imp_Cancel *cancel);

/// Has somebody cancelled? For work that is of no use by halves. Any thread.
static inline bool impi_budget_is_cancelled(const impi_Budget *budget)
{
    return budget->cancel && atomic_load_explicit(&budget->cancel->is_requested, memory_order_relaxed);
}

/// Is it time to stop, for either reason? For work whose parts are of use. Any thread.
bool impi_budget_is_over(impi_Budget *budget);

#endif
