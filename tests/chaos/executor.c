#include "executor.h"

#include <pthread.h>

typedef struct Run {
    Executor *executor;
    imp_TaskFn task;
    void *argument;
    uint32_t count, begin, step;
} Run;

static void run_task(const Run *run, uint32_t number)
{
    if (run->executor->cancel && atomic_fetch_sub(&run->executor->waiting, 1) == 0)
        imp_cancel_request(run->executor->cancel);
    atomic_fetch_add(&run->executor->task_count, 1);
    run->task(number, run->argument);
}

static void *run_share(void *argument)
{
    const Run *run = argument;
    for (uint32_t i = run->begin; i < run->count; i += run->step)
        run_task(run, i);
    return NULL;
}

static void run_on_two_threads(Run run)
{
    Run other = run;
    pthread_t thread;
    run.step = other.step = 2;
    other.begin = 1;
    if (pthread_create(&thread, NULL, run_share, &other) != 0) {
        run_share(&other);
        run_share(&run);
        return;
    }
    run_share(&run);
    pthread_join(thread, NULL);
}

static void run_tasks(imp_TaskFn task, void *argument, uint32_t task_count, void *user)
{
    Run run = {user, task, argument, task_count, 0, 1};
    switch (run.executor->kind) {
    case EXECUTOR_BACKWARD:
        for (uint32_t i = task_count; i > 0; --i)
            run_task(&run, i - 1);
        break;
    case EXECUTOR_STRIDING:
        run.step = 3;
        for (run.begin = 3; run.begin > 0; --run.begin) {
            Run share = run;
            share.begin = run.begin - 1;
            run_share(&share);
        }
        break;
    default:
        run_on_two_threads(run);
    }
}

imp_Executor executor_hooks(Executor *executor, uint32_t thread_count)
{
    return (imp_Executor){run_tasks, thread_count, executor};
}
