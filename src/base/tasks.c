// A pool of threads that share out the tasks of one job at a time.
//
// A job is opened and closed under the pool's mutex, and workers enter and leave it under the same mutex;
// only the handing out of tasks inside a job is lock-free. The caller waits for the workers that have
// entered, not for those that are still asleep: they find the job closed when they come. So a job is never
// slower for threads that the system has no core for.
#include "base/tasks.h"

#include "base/clock.h"
#include "base/float_guard.h"
#include "base/memory.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

// How long a thread looks for news before it sleeps. Short, because cores may be shared.
#define SPIN_NS 10000u

struct impi_Pool {
    imp_Allocator allocator;
    size_t size; // of this block
    pthread_mutex_t mutex;
    pthread_cond_t job_opened, job_left;

    // Changed under the mutex. The two atomic ones are also looked at without it, by threads that spin.
    atomic_uint_fast64_t job_number;   // counts the jobs opened
    atomic_uint_fast32_t inside_count; // workers that have entered the job and not left it
    uint32_t asleep_count;
    bool is_open, is_ending;

    // The job. Written while nobody is inside.
    imp_TaskFn task;
    void *argument;
    uint32_t task_count;

    // On a cache line of its own, because every thread of the job writes it. It can pass task_count by one
    // per thread, hence 64 bits.
    _Alignas(IMPI_ALIGNMENT) atomic_uint_fast64_t next_task;

    _Alignas(IMPI_ALIGNMENT) uint32_t worker_count;
    pthread_t workers[];
};

// A job started inside a task would wait for threads that wait for it.
static _Thread_local bool is_inside_task;

static void spin_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void run_tasks(impi_Pool *pool)
{
    is_inside_task = true;
    for (;;) {
        uint64_t index = atomic_fetch_add_explicit(&pool->next_task, 1, memory_order_relaxed);
        if (index >= pool->task_count)
            break;
        pool->task((uint32_t)index, pool->argument);
    }
    is_inside_task = false;
}

static void spin_while_no_new_job(impi_Pool *pool, uint64_t last_job)
{
    uint64_t start = impi_clock_ns();
    while (atomic_load_explicit(&pool->job_number, memory_order_relaxed) == last_job &&
           impi_clock_ns() - start < SPIN_NS)
        spin_pause();
}

static void spin_while_others_inside(impi_Pool *pool)
{
    uint64_t start = impi_clock_ns();
    while (atomic_load_explicit(&pool->inside_count, memory_order_relaxed) != 0 &&
           impi_clock_ns() - start < SPIN_NS)
        spin_pause();
}

// Wait for the next job. The mutex is held before and after.
static void await_job(impi_Pool *pool, uint64_t last_job)
{
    pthread_mutex_unlock(&pool->mutex);
    spin_while_no_new_job(pool, last_job);
    pthread_mutex_lock(&pool->mutex);
    while (atomic_load(&pool->job_number) == last_job) {
        ++pool->asleep_count;
        pthread_cond_wait(&pool->job_opened, &pool->mutex);
        --pool->asleep_count;
    }
}

static void *worker_main(void *argument)
{
    impi_Pool *pool = argument;
    uint64_t last_job = 0;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        await_job(pool, last_job);
        if (pool->is_ending)
            break;
        last_job = atomic_load(&pool->job_number);
        if (!pool->is_open)
            continue;
        atomic_fetch_add(&pool->inside_count, 1);
        pthread_mutex_unlock(&pool->mutex);
        run_tasks(pool);
        pthread_mutex_lock(&pool->mutex);
        if (atomic_fetch_sub(&pool->inside_count, 1) == 1)
            pthread_cond_signal(&pool->job_left);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

// Signals of the host program are for its own threads: workers start with all of them blocked.
static bool start_workers(impi_Pool *pool, uint32_t count)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool->worker_count < count &&
           pthread_create(&pool->workers[pool->worker_count], NULL, worker_main, pool) == 0)
        ++pool->worker_count;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pool->worker_count == count;
}

impi_Pool *impi_pool_create(const imp_Allocator *allocator, uint32_t thread_count, uint32_t *refused)
{
    if (refused)
        *refused = 0;
    uint32_t worker_count = thread_count > 1 ? thread_count - 1 : 0;
    size_t size = sizeof(impi_Pool) + worker_count * sizeof(pthread_t);
    impi_Pool *pool = impi_allocate(allocator, size);
    if (!pool)
        return NULL;
    *pool = (impi_Pool){.allocator = *allocator, .size = size};
    // Initialising these with default attributes can't fail on the platforms we support.
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->job_opened, NULL);
    pthread_cond_init(&pool->job_left, NULL);
    if (!start_workers(pool, worker_count)) {
        if (refused)
            *refused = pool->worker_count + 2;
        impi_pool_destroy(pool);
        return NULL;
    }
    return pool;
}

void impi_pool_abandon(impi_Pool *pool)
{
    if (!pool)
        return;
    imp_Allocator allocator = pool->allocator;
    impi_release(&allocator, pool, pool->size);
}

void impi_pool_destroy(impi_Pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->is_ending = true;
    atomic_fetch_add(&pool->job_number, 1);
    pthread_cond_broadcast(&pool->job_opened);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->worker_count; ++i)
        pthread_join(pool->workers[i], NULL);
    pthread_cond_destroy(&pool->job_left);
    pthread_cond_destroy(&pool->job_opened);
    pthread_mutex_destroy(&pool->mutex);
    impi_pool_abandon(pool);
}

static void open_job(impi_Pool *pool, imp_TaskFn task, void *argument, uint32_t task_count)
{
    pthread_mutex_lock(&pool->mutex);
    pool->task = task;
    pool->argument = argument;
    pool->task_count = task_count;
    atomic_store(&pool->next_task, 0);
    pool->is_open = true;
    atomic_fetch_add(&pool->job_number, 1);
    // The caller takes one task itself.
    uint32_t helpers = task_count - 1 < pool->asleep_count ? task_count - 1 : pool->asleep_count;
    for (uint32_t i = 0; i < helpers; ++i)
        pthread_cond_signal(&pool->job_opened);
    pthread_mutex_unlock(&pool->mutex);
}

// When the caller has found no more tasks, each of them has been taken by it or by a worker inside.
static void close_job(impi_Pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pool->is_open = false;
    pthread_mutex_unlock(&pool->mutex);
    spin_while_others_inside(pool);
    pthread_mutex_lock(&pool->mutex);
    while (atomic_load(&pool->inside_count) != 0)
        pthread_cond_wait(&pool->job_left, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

void impi_pool_run(imp_TaskFn task, void *argument, uint32_t task_count, void *pool)
{
    impi_Pool *threads = pool;
    if (!threads || threads->worker_count == 0 || task_count < 2 || is_inside_task) {
        for (uint32_t i = 0; i < task_count; ++i)
            task(i, argument);
        return;
    }
    open_job(threads, task, argument, task_count);
    run_tasks(threads);
    close_job(threads);
}

typedef struct BlockLoop {
    impi_BlockFn work;
    void *argument;
    size_t count, block_size;
    size_t block_count, blocks_per_task;
} BlockLoop;

static void run_blocks(uint32_t task, void *argument)
{
    const BlockLoop *loop = argument;
    size_t first = task * loop->blocks_per_task;
    size_t blocks_left = loop->block_count - first;
    size_t blocks_here = blocks_left < loop->blocks_per_task ? blocks_left : loop->blocks_per_task;
    impi_FloatGuard guard = impi_float_guard_enter();
    for (size_t block = first; block < first + blocks_here; ++block) {
        size_t begin = block * loop->block_size;
        size_t items_left = loop->count - begin;
        size_t end = begin + (items_left < loop->block_size ? items_left : loop->block_size);
        loop->work(begin, end, block, loop->argument);
    }
    impi_float_guard_leave(guard);
}

size_t impi_block_count(size_t count, size_t block_size)
{
    assert(block_size > 0);
    return count / block_size + (count % block_size != 0);
}

void impi_parallel_for(const imp_Executor *executor, size_t count, size_t block_size, impi_BlockFn work,
                       void *argument)
{
    BlockLoop loop = {work, argument, count, block_size, impi_block_count(count, block_size), 1};
    if (loop.block_count == 0)
        return;
    if (loop.block_count == 1 || executor->thread_count <= 1) {
        loop.blocks_per_task = loop.block_count;
        run_blocks(0, &loop);
        return;
    }
    // One block is one task, unless there are more blocks than tasks can be numbered.
    loop.blocks_per_task = impi_block_count(loop.block_count, UINT32_MAX);
    executor->run(run_blocks, &loop, (uint32_t)impi_block_count(loop.block_count, loop.blocks_per_task),
                  executor->user);
}
