// Two passes: the first tests boxes and counts, the second writes each task's pairs where they belong.
#include "broad/candidates.h"

#include "base/tasks.h"

#define CANDIDATES_PER_TASK 16384

// How many candidates ahead the second box is asked for; first boxes ascend.
#define PREFETCH_CANDIDATES 32

typedef struct TestJob {
    const impi_BoxRows *rows;
    const imp_IndexPair *candidates;
    size_t count;
    uint8_t *hits;
    size_t *starts; // of each task: how many pairs it found; then where they go
    imp_IndexPair *pairs;
} TestJob;

static bool float_rows_overlap(const float *rows, size_t a, size_t b)
{
    const float *p = rows + 6 * a, *q = rows + 6 * b;
    return (p[0] <= q[3]) & (q[0] <= p[3]) & (p[1] <= q[4]) & (q[1] <= p[4]) & (p[2] <= q[5]) &
           (q[2] <= p[5]);
}

static void test_task(size_t begin, size_t end, size_t block, void *argument)
{
    TestJob *job = argument;
    const float *floats = job->rows->float_rows;
    const double *doubles = job->rows->double_rows;
    size_t found = 0;
    for (size_t i = begin; i < end; ++i) {
        size_t a = job->candidates[i].a, b = job->candidates[i].b;
        size_t ahead = i + PREFETCH_CANDIDATES < job->count ? i + PREFETCH_CANDIDATES : i;
        size_t next = 6 * (size_t)job->candidates[ahead].b;
        __builtin_prefetch(floats ? (const void *)(floats + next) : (const void *)(doubles + next));
        __builtin_prefetch(floats ? (const void *)(floats + next + 5) : (const void *)(doubles + next + 5));
        bool hit = floats ? float_rows_overlap(floats, a, b) : impi_double_rows_overlap(doubles, a, b);
        job->hits[i] = hit;
        found += hit;
    }
    job->starts[block] = found;
}

static void write_task(size_t begin, size_t end, size_t block, void *argument)
{
    TestJob *job = argument;
    size_t next = job->starts[block], stop = job->starts[block + 1];
    for (size_t i = begin; i < end && next < stop; ++i) {
        job->pairs[next] = job->candidates[i];
        next += job->hits[i];
    }
}

bool impi_candidates_test(const imp_Executor *executor, impi_Arena *scratch, const impi_BoxRows *rows,
                          const impi_IndexPairs *candidates, impi_IndexPairs *pairs)
{
    size_t task_count = impi_block_count(candidates->count, CANDIDATES_PER_TASK), total = 0;
    TestJob job = {rows, candidates->data, candidates->count, NULL, NULL, NULL};
    job.hits = impi_arena_allocate(scratch, candidates->count);
    job.starts = impi_arena_allocate_array(scratch, task_count + 1, sizeof *job.starts);
    if (!job.hits || !job.starts)
        return false;
    impi_parallel_for(executor, candidates->count, CANDIDATES_PER_TASK, test_task, &job);
    for (size_t task = 0; task < task_count; ++task) {
        size_t found = job.starts[task];
        job.starts[task] = total;
        total += found;
    }
    job.starts[task_count] = total;
    if (!impi_index_pairs_renew(scratch->allocator, pairs, total))
        return false;
    pairs->count = total;
    job.pairs = pairs->data;
    impi_parallel_for(executor, candidates->count, CANDIDATES_PER_TASK, write_task, &job);
    return true;
}
