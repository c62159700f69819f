#include "object/pair_tasks.h"

typedef struct Job {
    const impi_FilterRun *run;
    impi_PairFn answer;
    atomic_bool out_of_memory;
} Job;

static void run_task(size_t begin, size_t end, size_t block, void *argument)
{
    Job *job = argument;
    impi_Arena *arena = impi_scratch_pool_take(job->run->scratch);
    imp_Status status = arena ? IMP_STATUS_OK : IMP_STATUS_OUT_OF_MEMORY;
    (void)block;
    for (size_t i = begin; i < end && status == IMP_STATUS_OK && !impi_budget_is_over(job->run->budget); ++i)
        status = job->answer(job->run, arena, impi_run_pair(job->run, i));
    if (status != IMP_STATUS_OK)
        atomic_store_explicit(&job->out_of_memory, true, memory_order_relaxed);
    if (arena)
        impi_scratch_pool_give_back(job->run->scratch, arena);
}

imp_Status impi_pair_tasks_run(const impi_FilterRun *run, size_t pairs_per_task, impi_PairFn answer)
{
    Job job = {.run = run, .answer = answer};
    atomic_init(&job.out_of_memory, false);
    impi_parallel_for(&run->context->executor, run->count, pairs_per_task, run_task, &job);
    return atomic_load(&job.out_of_memory) ? impi_fail_out_of_memory(run->context) : IMP_STATUS_OK;
}
