/// Filters that look at one pair of bodies at a time: the pairs of a run on all threads.
#ifndef IMPINGE_OBJECT_PAIR_TASKS_H
#define IMPINGE_OBJECT_PAIR_TASKS_H

#include "object/filter.h"

/// Answer about one pair. The arena is the task's own, and is left as it was. IMP_STATUS_OK; anything else is
/// taken as lack of memory.
typedef imp_Status (*impi_PairFn)(const impi_FilterRun *run, impi_Arena *arena, impi_PairWork *pair);

/// Call it for each pair of the run that the budget lasts for, `pairs_per_task` in one go.
/// IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_pair_tasks_run(const impi_FilterRun *run, size_t pairs_per_task, impi_PairFn answer);

/// For pairs that take about a microsecond.
#define IMPI_SHORT_PAIRS_PER_TASK 16

#endif
