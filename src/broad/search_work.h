/// What a search for pairs of boxes works with, and until when.
#ifndef IMPINGE_BROAD_SEARCH_WORK_H
#define IMPINGE_BROAD_SEARCH_WORK_H

#include "base/arena.h"
#include "base/watch.h"

struct impi_OctreeKernel;

typedef struct impi_SearchWork {
    const imp_Executor *executor;
    const struct impi_OctreeKernel *kernel;
    impi_Arena *scratch;
    impi_Budget *budget; // of a detect: whether it is cancelled is looked at; null: it can't be
    impi_Watch *watch;   // of a call that is watched; null: it is not
} impi_SearchWork;

/// So many steps of the watched work are done (impi_watch_work); shall it go on? What was left out because it
/// shall not is never taken as done: ask again where tasks have joined. Any thread.
static inline bool impi_search_step(const impi_SearchWork *work, uint64_t steps)
{
    return !(work->budget && impi_budget_is_cancelled(work->budget)) &&
           (!work->watch || impi_watch_step(work->watch, steps));
}

static inline bool impi_search_goes_on(const impi_SearchWork *work)
{
    return impi_search_step(work, 0);
}

static inline void impi_search_begin_work(const impi_SearchWork *work, const char *name, uint64_t step_count)
{
    if (work->watch)
        impi_watch_work(work->watch, name, step_count);
}

#endif
