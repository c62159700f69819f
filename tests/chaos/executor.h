/// An executor that does what executors may do: tasks in odd orders, on a thread of its own beside the
/// caller's, with a cancel that comes in between.
#ifndef IMPINGE_TESTS_CHAOS_EXECUTOR_H
#define IMPINGE_TESTS_CHAOS_EXECUTOR_H

#include <impinge/cancel.h>

#include <stdatomic.h>

typedef enum ExecutorKind {
    EXECUTOR_BACKWARD,
    EXECUTOR_STRIDING, // every third task first
    EXECUTOR_TWO_THREADS,
    EXECUTOR_KIND_COUNT,
} ExecutorKind;

typedef struct Executor {
    ExecutorKind kind;
    imp_Cancel *cancel;              // requested before a task; null: none
    atomic_uint_fast64_t waiting;    // so many tasks come before that
    atomic_uint_fast64_t task_count; // that were run
} Executor;

imp_Executor executor_hooks(Executor *executor, uint32_t thread_count);

#endif
