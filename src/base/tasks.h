/// Parallel loops whose results never depend on the number of threads.
#ifndef IMPINGE_BASE_TASKS_H
#define IMPINGE_BASE_TASKS_H

#include <impinge/base.h>

typedef struct impi_Pool impi_Pool;

/// A pool of `thread_count` threads, the caller's among them (so it starts thread_count - 1).
/// Null when memory can't be had, or a thread: then `*refused` is its number, the caller's being 1, otherwise
/// 0. `refused` may be null. Workers that wait spin for some microseconds, then sleep.
impi_Pool *impi_pool_create(const imp_Allocator *allocator, uint32_t thread_count, uint32_t *refused);

/// Null is fine.
void impi_pool_destroy(impi_Pool *pool);

/// In a forked child, where its threads don't exist: free it, and leave its locks alone. Null is fine.
void impi_pool_abandon(impi_Pool *pool);

/// The pool as an executor (impi_pool_run is its `run`). One caller at a time. A null pool runs the tasks
/// on the caller's thread, and so does any pool when called from inside a task.
void impi_pool_run(imp_TaskFn task, void *argument, uint32_t task_count, void *pool);

/// Work on items [begin, end). `block` counts blocks from 0; results are kept per block and joined in
/// block order by the caller, which is what makes the output identical for any number of threads.
typedef void (*impi_BlockFn)(size_t begin, size_t end, size_t block, void *argument);

/// Number of blocks that impi_parallel_for cuts `count` items into.
size_t impi_block_count(size_t count, size_t block_size);

/// Call `work` once for each block of `block_size` items (the last one may be shorter), on the threads of
/// the executor; a single block, or an executor of one thread, runs on the caller's. Each task runs in
/// the default floating-point mode, whatever mode its thread is in.
void impi_parallel_for(const imp_Executor *executor, size_t count, size_t block_size, impi_BlockFn work,
                       void *argument);

#endif
