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
    uint64_t steps_left;      // only the thread that made the call counts them
    uint64_t step_count;      // taken so far
    uint64_t reserve_ns;      // of the time, for what has to be done at the end; likewise
    uint64_t report_begun_ns; // by the clock of that thread: what the reserve is for has begun; 0: it has not
    atomic_bool is_spent;     // the deadline was seen to have passed, or no steps were left
    atomic_bool is_cancelled;
} impi_Budget;

#define IMPI_NO_STEP_LIMIT UINT64_MAX

/// From now on, for `budget_us` microseconds; 0 is no limit. `cancel` may be null.
void impi_budget_begin(impi_Budget *budget, uint64_t budget_us, const imp_Cancel *cancel);

/// Limit the steps as well; 0 is no limit. Steps are what whoever takes them says. Looked at and taken by the
/// thread that made the call, so that how far they last never depends on the others: impi_budget_is_over
/// knows nothing of them, until impi_budget_note_spent.
void impi_budget_limit_steps(impi_Budget *budget, uint64_t step_count);

static inline uint64_t impi_budget_steps_left(const impi_Budget *budget)
{
    return budget->steps_left;
}

/// No more than are left.
static inline void impi_budget_take_steps(impi_Budget *budget, uint64_t count)
{
    budget->step_count += count;
    if (budget->steps_left != IMPI_NO_STEP_LIMIT)
        budget->steps_left -= count;
}

/// More steps were wanted than are left.
static inline void impi_budget_note_spent(impi_Budget *budget)
{
    atomic_store_explicit(&budget->is_spent, true, memory_order_relaxed);
}

/// Is it limited in any way?
static inline bool impi_budget_is_limited(const impi_Budget *budget)
{
    return budget->deadline_ns != IMPI_NO_DEADLINE || budget->steps_left != IMPI_NO_STEP_LIMIT;
}

/// Keep so much time for what comes at the end. While no tasks run.
static inline void impi_budget_reserve(impi_Budget *budget, uint64_t reserve_ns)
{
    budget->reserve_ns = reserve_ns;
}

/// What the reserve is for begins now, if a deadline was seen to have passed. By the thread that made the
/// call.
void impi_budget_begin_report(impi_Budget *budget);

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
