#include "geom/sweep_queries.h"

#include "base/context.h"
#include "base/watch.h"
#include "geom/predicates.h"
#include "geom/sweep.h"
#include "geom/sweep_batch.h"
#include "geom/triangle_sweep.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

// Few, since one query may take a thousand times as long as another one.
#define QUERIES_PER_BLOCK 64

// Queries about features, or about triangles.
typedef struct SweepJob {
    impi_Watch *watch;
    impi_SweepKind kind;
    const imp_SweepQuery *queries;
    const imp_MovingTriangle *a, *b;
    impi_SweepApartFn apart;
    double *times;
    _Atomic size_t first_bad; // the lowest index of a query that is not finite
} SweepJob;

static void note_bad_query(SweepJob *job, size_t index)
{
    size_t first = atomic_load(&job->first_bad);
    while (index < first && !atomic_compare_exchange_weak(&job->first_bad, &first, index)) {
    }
}

static bool are_finite(const imp_Vec3 *points, int count)
{
    bool finite = true;
    for (int i = 0; i < count; ++i)
        finite &= impi_vec3_is_finite(&points[i]);
    return finite;
}

static double shown_time(double time)
{
    return time <= 1 ? time : (double)NAN;
}

// Queries that are not finite are never certain to the filter, so it costs nothing to look for them here.
static void decide_query(SweepJob *job, size_t index)
{
    imp_Vec3 points[8];
    memcpy(points, &job->queries[index], sizeof points);
    if (are_finite(points, 8))
        job->times[index] = shown_time(impi_sweep(job->kind, points, 1));
    else
        note_bad_query(job, index);
}

// Up to eight queries through the filter; what it leaves one by one. Lanes beyond the end repeat the last
// one.
static void decide_batch(SweepJob *job, size_t first, size_t end)
{
    impi_SweepBatch batch;
    uint32_t count = end - first < IMPI_SWEEP_LANES ? (uint32_t)(end - first) : IMPI_SWEEP_LANES;
    for (uint32_t lane = 0; lane < IMPI_SWEEP_LANES; ++lane) {
        const imp_SweepQuery *query = &job->queries[first + (lane < count ? lane : count - 1)];
        impi_sweep_batch_set(&batch, (int)lane, job->kind, query->begin, query->end);
    }
    uint32_t apart = job->apart(&batch);
    for (uint32_t lane = 0; lane < count; ++lane)
        if (apart >> lane & 1)
            job->times[first + lane] = (double)NAN;
        else
            decide_query(job, first + lane);
}

// The watch is looked at for each batch: the widest queries take milliseconds.
static void decide_features(size_t begin, size_t end, size_t block, void *argument)
{
    SweepJob *job = argument;
    bool goes_on = impi_watch_goes_on(job->watch);
    (void)block;
    for (size_t i = begin; i < end && goes_on; i += IMPI_SWEEP_LANES) {
        decide_batch(job, i, end);
        goes_on = impi_watch_step(job->watch, end - i < IMPI_SWEEP_LANES ? end - i : IMPI_SWEEP_LANES);
    }
}

static bool is_finite(const imp_MovingTriangle *t)
{
    return are_finite(t->begin.v, 3) && are_finite(t->end.v, 3);
}

static void decide_triangles(size_t begin, size_t end, size_t block, void *argument)
{
    SweepJob *job = argument;
    bool goes_on = impi_watch_goes_on(job->watch);
    (void)block;
    for (size_t i = begin; i < end && goes_on; ++i) {
        if (is_finite(&job->a[i]) && is_finite(&job->b[i]))
            job->times[i] = shown_time(impi_triangles_first_time(&job->a[i], &job->b[i], 1));
        else
            note_bad_query(job, i);
        goes_on = impi_watch_step(job->watch, 1);
    }
}

static imp_Status run(imp_Context *context, SweepJob *job, size_t count, impi_BlockFn decide, double *times)
{
    if (count == 0)
        return IMP_STATUS_OK;
    job->times = impi_arena_allocate_array(&context->scratch, count, sizeof *job->times);
    if (!job->times)
        return impi_fail_out_of_memory(context);
    atomic_init(&job->first_bad, SIZE_MAX);
    job->watch = &context->watch;
    impi_watch_work(job->watch, "looking for first times", count);
    impi_parallel_for(&context->executor, count, QUERIES_PER_BLOCK, decide, job);
    imp_Status status = impi_watch_status(context);
    size_t bad = atomic_load(&job->first_bad);
    if (status == IMP_STATUS_OK && bad != SIZE_MAX)
        return impi_fail(context, IMP_STATUS_BAD_NUMBER, bad, "query %zu has a coordinate that is not finite",
                         bad);
    if (status == IMP_STATUS_OK)
        memcpy(times, job->times, count * sizeof *times);
    return status;
}

imp_Status impi_sweep_queries(imp_Context *context, impi_SweepKind kind, const imp_SweepQuery *queries,
                              size_t count, double *times)
{
    SweepJob job = {.kind = kind, .queries = queries, .apart = impi_sweep_apart()};
    return run(context, &job, count, decide_features, times);
}

imp_Status impi_sweep_triangles(imp_Context *context, const imp_MovingTriangle *a,
                                const imp_MovingTriangle *b, size_t count, double *times)
{
    SweepJob job = {.a = a, .b = b};
    return run(context, &job, count, decide_triangles, times);
}
