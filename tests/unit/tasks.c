#include "base/tasks.h"
#include "base/memory.h"
#include "failing_allocator.h"
#include "harness.h"
#include "sanitizers.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static const uint32_t thread_counts[] = {1, 2, 5};
#define THREAD_COUNTS (sizeof thread_counts / sizeof thread_counts[0])

#define MAX_TASKS 1000

typedef struct Job {
    atomic_uint runs[MAX_TASKS]; // of each task
    uint32_t plain[MAX_TASKS];   // not atomic, so that a missing synchronisation is a race
    impi_Pool *nested_pool;
} Job;

static Job *new_job(void)
{
    return calloc(1, sizeof(Job));
}

static void count_run(uint32_t task, void *argument)
{
    Job *job = argument;
    atomic_fetch_add(&job->runs[task], 1);
    job->plain[task] += task + 1;
}

static void check_runs(const Job *job, uint32_t task_count, uint32_t wanted)
{
    for (uint32_t i = 0; i < MAX_TASKS; ++i) {
        uint32_t runs = i < task_count ? wanted : 0;
        if (atomic_load(&job->runs[i]) != runs || job->plain[i] != runs * (i + 1)) {
            CHECK_INT(atomic_load(&job->runs[i]), runs);
            CHECK_INT(job->plain[i], runs * (i + 1));
            return;
        }
    }
}

TEST(each_task_runs_once)
{
    static const uint32_t task_counts[] = {0, 1, 2, 3, 7, MAX_TASKS};
    for (size_t t = 0; t < THREAD_COUNTS; ++t) {
        impi_Pool *pool = impi_pool_create(&impi_default_allocator, thread_counts[t], NULL);
        if (!CHECK(pool != NULL))
            return;
        for (size_t i = 0; i < sizeof task_counts / sizeof task_counts[0]; ++i) {
            Job *job = new_job();
            impi_pool_run(count_run, job, task_counts[i], pool);
            check_runs(job, task_counts[i], 1);
            free(job);
        }
        impi_pool_destroy(pool);
    }
}

TEST(thousands_of_short_runs)
{
    uint32_t rounds = (uint32_t)test_count(5000);
    for (size_t t = 0; t < THREAD_COUNTS; ++t) {
        impi_Pool *pool = impi_pool_create(&impi_default_allocator, thread_counts[t], NULL);
        Job *job = new_job();
        for (uint32_t round = 0; round < rounds; ++round)
            impi_pool_run(count_run, job, 4, pool);
        check_runs(job, 4, rounds);
        free(job);
        impi_pool_destroy(pool);
    }
}

// Workers are asleep when a run comes, or just falling asleep.
TEST(runs_with_pauses_between)
{
    for (size_t t = 0; t < THREAD_COUNTS; ++t) {
        impi_Pool *pool = impi_pool_create(&impi_default_allocator, thread_counts[t], NULL);
        Job *job = new_job();
        for (uint32_t round = 0; round < 200; ++round) {
            struct timespec pause = {0, (long)test_random_below(200000)};
            nanosleep(&pause, NULL);
            impi_pool_run(count_run, job, 10, pool);
        }
        check_runs(job, 10, 200);
        free(job);
        impi_pool_destroy(pool);
    }
}

typedef struct Meeting {
    atomic_uint arrived;
} Meeting;

static void wait_for_the_other(uint32_t task, void *argument)
{
    Meeting *meeting = argument;
    struct timespec pause = {0, 100000};
    (void)task;
    atomic_fetch_add(&meeting->arrived, 1);
    while (atomic_load(&meeting->arrived) < 2)
        nanosleep(&pause, NULL);
}

TEST(two_threads_work_at_the_same_time)
{
    impi_Pool *pool = impi_pool_create(&impi_default_allocator, 2, NULL);
    for (int round = 0; round < 20; ++round) {
        Meeting meeting = {0};
        impi_pool_run(wait_for_the_other, &meeting, 2, pool); // would never return on one thread
        CHECK_INT(atomic_load(&meeting.arrived), 2);
    }
    impi_pool_destroy(pool);
}

static void run_nested(uint32_t task, void *argument)
{
    Job *job = argument;
    Job *inner = new_job();
    impi_pool_run(count_run, inner, task % 20, job->nested_pool);
    check_runs(inner, task % 20, 1);
    free(inner);
    count_run(task, job);
}

TEST(nested_runs_come_to_an_end)
{
    for (size_t t = 0; t < THREAD_COUNTS; ++t) {
        impi_Pool *pool = impi_pool_create(&impi_default_allocator, thread_counts[t], NULL);
        Job *job = new_job();
        job->nested_pool = pool;
        for (uint32_t round = 0; round < 20; ++round)
            impi_pool_run(run_nested, job, 100, pool);
        check_runs(job, 100, 20);
        // After them the pool is shared out again.
        Meeting meeting = {0};
        if (thread_counts[t] > 1)
            impi_pool_run(wait_for_the_other, &meeting, 2, pool);
        free(job);
        impi_pool_destroy(pool);
    }
}

TEST(tasks_may_use_another_pool)
{
    impi_Pool *pool = impi_pool_create(&impi_default_allocator, 2, NULL);
    Job *job = new_job();
    job->nested_pool = impi_pool_create(&impi_default_allocator, 2, NULL);
    impi_pool_run(run_nested, job, 100, pool);
    check_runs(job, 100, 1);
    impi_pool_destroy(job->nested_pool);
    impi_pool_destroy(pool);
    free(job);
}

TEST(null_pool_runs_on_the_callers_thread)
{
    Job *job = new_job();
    impi_pool_run(count_run, job, 10, NULL);
    check_runs(job, 10, 1);
    impi_pool_destroy(NULL);
    free(job);
}

TEST(unused_pools_come_and_go)
{
    for (int i = 0; i < 50; ++i)
        impi_pool_destroy(impi_pool_create(&impi_default_allocator, 1 + i % 5, NULL));
}

TEST(pool_without_memory_is_null)
{
    FailingAllocator memory;
    uint64_t n = 0;
    do {
        failing_allocator_init(&memory, ++n);
        imp_Allocator hooks = failing_allocator_hooks(&memory);
        impi_Pool *pool = impi_pool_create(&hooks, 3, NULL);
        CHECK((pool == NULL) == failing_allocator_has_failed(&memory));
        impi_pool_destroy(pool);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 1);
}

#if !defined(TEST_UNDER_SANITIZER)
TEST(pool_without_threads_is_null)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_Allocator hooks = failing_allocator_hooks(&memory);
    struct rlimit before, limit;
    getrlimit(RLIMIT_AS, &before);
    limit = before;
    limit.rlim_cur = (rlim_t)1 << 28; // room for some stacks, but not for all
    setrlimit(RLIMIT_AS, &limit);
    uint32_t refused = 0;
    impi_Pool *pool = impi_pool_create(&hooks, IMP_MAX_THREADS, &refused);
    imp_Context *context = NULL;
    imp_Status status = imp_context_create(&(imp_ContextDef){.thread_count = IMP_MAX_THREADS}, &context);
    setrlimit(RLIMIT_AS, &before);
    CHECK(pool == NULL && context == NULL);
    CHECK(refused > 1 && refused < IMP_MAX_THREADS);
    CHECK_INT(status, IMP_STATUS_OUT_OF_MEMORY);
    CHECK_CONTAINS(imp_context_get_error(NULL)->message, "the system refused to start thread ");
    CHECK_CONTAINS(imp_context_get_error(NULL)->message, " of 1024");
    impi_pool_destroy(pool);
    CHECK_INT(memory.allocations, 1);
    CHECK(failing_allocator_is_clean(&memory));
}
#endif

static void note_signal_mask(uint32_t task, void *argument)
{
    Job *job = argument;
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    job->plain[task] = (uint32_t)sigismember(&blocked, SIGUSR1);
    atomic_fetch_add(&job->runs[0], 1);
    while (atomic_load(&job->runs[0]) < 2) { // each of the two threads takes one
        struct timespec pause = {0, 100000};
        nanosleep(&pause, NULL);
    }
}

TEST(signals_are_left_to_the_host)
{
    impi_Pool *pool = impi_pool_create(&impi_default_allocator, 2, NULL);
    Job *job = new_job();
    impi_pool_run(note_signal_mask, job, 2, pool);
    CHECK_INT(job->plain[0] + job->plain[1], 1); // blocked in the worker, open here
    impi_pool_destroy(pool);
    free(job);
}

TEST(block_count_rounds_up)
{
    CHECK_INT(impi_block_count(0, 16), 0);
    CHECK_INT(impi_block_count(1, 16), 1);
    CHECK_INT(impi_block_count(16, 16), 1);
    CHECK_INT(impi_block_count(17, 16), 2);
    CHECK(impi_block_count(SIZE_MAX, 1) == SIZE_MAX);
    CHECK(impi_block_count(SIZE_MAX, SIZE_MAX) == 1);
    CHECK(impi_block_count(SIZE_MAX, 2) == SIZE_MAX / 2 + 1);
}

#define MAX_ITEMS 1000

typedef struct Loop {
    size_t block_size;
    uint32_t visits[MAX_ITEMS];
    size_t blocks[MAX_ITEMS]; // of each item
    atomic_size_t wrong;
} Loop;

static void visit_block(size_t begin, size_t end, size_t block, void *argument)
{
    Loop *loop = argument;
    if (begin != block * loop->block_size || end <= begin || end - begin > loop->block_size ||
        end > MAX_ITEMS)
        atomic_fetch_add(&loop->wrong, 1);
    for (size_t i = begin; i < end; ++i) {
        ++loop->visits[i];
        loop->blocks[i] = block;
    }
}

static void check_loop(const imp_Executor *executor, size_t count, size_t block_size)
{
    Loop *loop = calloc(1, sizeof *loop);
    loop->block_size = block_size;
    impi_parallel_for(executor, count, block_size, visit_block, loop);
    CHECK_INT(atomic_load(&loop->wrong), 0);
    for (size_t i = 0; i < MAX_ITEMS; ++i)
        if (loop->visits[i] != (i < count) || (i < count && loop->blocks[i] != i / block_size)) {
            CHECK(!"an item was visited wrongly");
            break;
        }
    free(loop);
}

TEST(parallel_for_visits_each_item_once)
{
    for (size_t t = 0; t < THREAD_COUNTS; ++t) {
        impi_Pool *pool = impi_pool_create(&impi_default_allocator, thread_counts[t], NULL);
        imp_Executor executor = {impi_pool_run, thread_counts[t], pool};
        check_loop(&executor, 0, 16);
        check_loop(&executor, 1, 16);
        check_loop(&executor, MAX_ITEMS, 1);
        check_loop(&executor, MAX_ITEMS, SIZE_MAX);
        for (int round = 0; round < 200; ++round)
            check_loop(&executor, test_random_below(MAX_ITEMS + 1), 1 + test_random_below(100));
        impi_pool_destroy(pool);
    }
}

typedef struct HostExecutor {
    uint32_t run_count, task_count;
} HostExecutor;

// Backwards, to show that order is the executor's affair.
static void run_backwards(imp_TaskFn task, void *argument, uint32_t task_count, void *user)
{
    HostExecutor *host = user;
    ++host->run_count;
    host->task_count += task_count;
    for (uint32_t i = task_count; i-- > 0;)
        task(i, argument);
}

TEST(parallel_for_uses_the_hosts_executor)
{
    HostExecutor host = {0};
    imp_Executor executor = {run_backwards, 4, &host};
    check_loop(&executor, MAX_ITEMS, 10);
    CHECK_INT(host.run_count, 1);
    CHECK_INT(host.task_count, 100);
    check_loop(&executor, 10, 10); // one block needs no executor
    CHECK_INT(host.run_count, 1);
    executor.thread_count = 1;
    check_loop(&executor, MAX_ITEMS, 10);
    CHECK_INT(host.run_count, 1);
}

static void note_task_range(imp_TaskFn task, void *argument, uint32_t task_count, void *user)
{
    uint32_t *seen = user;
    *seen = task_count;
    task(0, argument);
    task(task_count - 1, argument);
}

static void note_blocks(size_t begin, size_t end, size_t block, void *argument)
{
    size_t *last = argument;
    (void)begin;
    if (block >= last[0]) {
        last[0] = block;
        last[1] = end;
    }
}

TEST(more_blocks_than_task_numbers_are_grouped)
{
    uint32_t task_count = 0;
    imp_Executor executor = {note_task_range, 2, &task_count};
    size_t count = (size_t)UINT32_MAX * 3 - 1;
    size_t last[2] = {0, 0};
    impi_parallel_for(&executor, count, 1, note_blocks, last);
    CHECK_INT(task_count, UINT32_MAX);
    CHECK(last[0] == count - 1 && last[1] == count);
}
