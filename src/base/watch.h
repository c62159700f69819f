/// What long calls look at where blocks of work begin: shall it go on, and who wants to know how far it is?
#ifndef IMPINGE_BASE_WATCH_H
#define IMPINGE_BASE_WATCH_H

#include "base/budget.h"

#include <impinge/watch.h>

#include <pthread.h>

/// Between two tellings of how far a call is.
#define IMPI_TELL_EVERY_NS 20000000u

/// Part of a context.
typedef struct impi_Watch {
    imp_Watch def;  // as the caller gave it
    bool is_wanted; // somebody wants to watch
    bool is_active; // a call is being watched: where none is, a look costs one branch
    impi_Budget budget;
    pthread_t caller;
    const char *work;
    uint64_t total;
    atomic_uint_fast64_t done;
    uint64_t last_told_ns; // only the caller's thread looks at it
    uint64_t tell_every_ns;
} impi_Watch;

/// A public call that is watched begins and ends: done by impi_scratch_call_begin and impi_scratch_call_end.
/// Parts that detects use as well see nothing of a watch there, since detects have a budget of their own.
void impi_watch_begin(impi_Watch *watch);
static inline void impi_watch_end(impi_Watch *watch)
{
    watch->is_active = false;
}

/// A kind of work begins, of so many steps (at least 1) of any size. Not from inside a task.
void impi_watch_work_slow(impi_Watch *watch, const char *work, uint64_t step_count);
static inline void impi_watch_work(impi_Watch *watch, const char *work, uint64_t step_count)
{
    if (watch->is_active)
        impi_watch_work_slow(watch, work, step_count);
}

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

#define IMPI_WATCH_ITEMS 8192

/// In front of each item of a loop whose items are quick steps: looks at the first one, and then every so
/// often.
static inline bool impi_watch_item(impi_Watch *watch, size_t item)
{
    return item % IMPI_WATCH_ITEMS != 0 || impi_watch_step(watch, item > 0 ? IMPI_WATCH_ITEMS : 0);
}

/// OK while nobody was told to end; otherwise IMP_STATUS_CANCELLED or IMP_STATUS_OUT_OF_TIME, with its error
/// recorded. Work that was left out because impi_watch_step was false must not be taken as done: ask
/// this where tasks have joined.
imp_Status impi_watch_status(imp_Context *context);

#endif
