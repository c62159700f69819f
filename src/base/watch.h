/// What long calls look at where blocks of work begin: shall it go on, and who wants to know how far it is?
#ifndef IMPINGE_BASE_WATCH_H
#define IMPINGE_BASE_WATCH_H

#include "base/budget.h"

#include <impinge/watch.h>

#include <pthread.h>

/// Part of a context.
typedef struct impi_Watch {
    imp_Watch def;  // as the caller gave it
    bool is_active; // somebody watches: all zero costs one branch
    impi_Budget budget;
    pthread_t caller;
    const char *work;
    uint64_t total;
    atomic_uint_fast64_t done;
    uint64_t last_told_ns; // only the caller's thread looks at it
} impi_Watch;

/// A public call begins. Done by impi_scratch_call_begin.
void impi_watch_begin(impi_Watch *watch);

/// A kind of work begins, of so many steps (at least 1) of any size. Not from inside a task.
void impi_watch_work(impi_Watch *watch, const char *work, uint64_t step_count);

/// So many steps are done since the last time. False: end soon, with the status of impi_watch_status. Any
/// thread; ask at least every millisecond.
bool impi_watch_step_slow(impi_Watch *watch, uint64_t steps);
static inline bool impi_watch_step(impi_Watch *watch, uint64_t steps)
{
    return !watch->is_active || impi_watch_step_slow(watch, steps);
}

/// The same, where no step was finished.
static inline bool impi_watch_goes_on(impi_Watch *watch)
{
    return impi_watch_step(watch, 0);
}

/// OK while nobody was told to end; otherwise IMP_STATUS_CANCELLED or IMP_STATUS_OUT_OF_TIME, with its error
/// recorded. Work that was left out because impi_watch_step was false must not be taken as done: ask
/// this where tasks have joined.
imp_Status impi_watch_status(imp_Context *context);

#endif
