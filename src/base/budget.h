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

/// What was seen once stays so, whatever becomes of the flag meanwhile: work that was left out for it must
/// not be taken as done.
typedef struct impi_Budget {
    uint64_t deadline_ns;     // see base/clock.h; IMPI_NO_DEADLINE is none
    const imp_Cancel *cancel; // null is none
    atomic_bool is_spent;     // the deadline was seen to have passed
    atomic_bool is_cancelled;
} impi_Budget;

/// From now on, for `budget_us` microseconds; 0 is no limit. `cancel` may be null.
void impi_budget_begin(impi_Budget *budget, uint64_t budget_us, const imp_Cancel *cancel);

/// Is it cancelled? For work that is of no use by halves. Any thread.
bool impi_budget_is_cancelled(impi_Budget *budget);

/// Is it cancelled, or spent? For work whose parts are of use. Any thread.
bool impi_budget_is_over(impi_Budget *budget);

/// Was it seen to be spent?
static inline bool impi_budget_is_spent(const impi_Budget *budget)
{
    return atomic_load_explicit(&budget->is_spent, memory_order_relaxed);
}

#endif
