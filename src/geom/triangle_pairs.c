#include "geom/triangle_pairs.h"

#include "base/context.h"
#include "geom/predicates.h"
#include "geom/touch.h"
#include "geom/triangle_batch.h"

#include <stdatomic.h>
#include <string.h>

#define PAIRS_PER_BLOCK 2048

typedef struct PairsJob {
    const imp_Triangle *a, *b;
    bool *touch;
    impi_BatchDecideFn decide;
    _Atomic size_t first_bad; // the lowest index of a pair that is not finite
} PairsJob;

static void fill_lane(double lanes[3][3][IMPI_BATCH_LANES], const imp_Triangle *triangle, int lane)
{
    for (int i = 0; i < 3; ++i) {
        lanes[i][0][lane] = triangle->v[i].x;
        lanes[i][1][lane] = triangle->v[i].y;
        lanes[i][2][lane] = triangle->v[i].z;
    }
}

static bool is_finite(const imp_Triangle *t)
{
    return impi_vec3_is_finite(&t->v[0]) && impi_vec3_is_finite(&t->v[1]) && impi_vec3_is_finite(&t->v[2]);
}

static void note_bad_pair(PairsJob *job, size_t index)
{
    size_t first = atomic_load(&job->first_bad);
    while (index < first && !atomic_compare_exchange_weak(&job->first_bad, &first, index)) {
    }
}

// Pairs that are not finite are never certain to the filter, so it costs nothing to look for them here.
static void decide_pair(PairsJob *job, size_t index)
{
    if (is_finite(&job->a[index]) && is_finite(&job->b[index]))
        job->touch[index] = impi_triangles_touch(&job->a[index], &job->b[index]);
    else
        note_bad_pair(job, index);
}

// Lanes beyond the end repeat the last pair.
static void fill_batch(const PairsJob *job, size_t first, size_t end, impi_TriangleBatch *batch)
{
    for (int lane = 0; lane < IMPI_BATCH_LANES; ++lane) {
        size_t pair = first + (size_t)lane < end ? first + (size_t)lane : end - 1;
        fill_lane(batch->a, &job->a[pair], lane);
        fill_lane(batch->b, &job->b[pair], lane);
    }
}

static void decide_batch(PairsJob *job, size_t first, size_t end, const impi_TriangleBatch *batch)
{
    impi_BatchVerdict verdict = job->decide(batch);
    uint32_t lanes = end - first < IMPI_BATCH_LANES ? (uint32_t)(end - first) : IMPI_BATCH_LANES;
    for (uint32_t lane = 0; lane < lanes; ++lane)
        job->touch[first + lane] = verdict.touch >> lane & 1;
    uint32_t open = ~(verdict.separate | verdict.touch) & ((1u << lanes) - 1);
    for (; open; open &= open - 1)
        decide_pair(job, first + (size_t)__builtin_ctz(open));
}

// Each batch is filled while the one before it is decided: reading vectors right after writing them lane by
// lane would wait for the writes.
static void decide_block(size_t begin, size_t end, size_t block, void *argument)
{
    PairsJob *job = argument;
    impi_TriangleBatch batches[2];
    (void)block;
    fill_batch(job, begin, end, &batches[0]);
    for (size_t first = begin, next = 1; first < end; first += IMPI_BATCH_LANES, next ^= 1) {
        if (first + IMPI_BATCH_LANES < end)
            fill_batch(job, first + IMPI_BATCH_LANES, end, &batches[next]);
        decide_batch(job, first, end, &batches[next ^ 1]);
    }
}

imp_Status impi_triangle_pairs_touch(imp_Context *context, const imp_Triangle *a, const imp_Triangle *b,
                                     size_t count, bool *touch)
{
    if (count == 0)
        return IMP_STATUS_OK;
    impi_arena_reset(&context->scratch);
    bool *verdicts = impi_arena_allocate_array(&context->scratch, count, sizeof *verdicts);
    if (!verdicts)
        return impi_fail_out_of_memory(context);
    PairsJob job = {a, b, verdicts, impi_batch_decide(), SIZE_MAX};
    impi_parallel_for(&context->executor, count, PAIRS_PER_BLOCK, decide_block, &job);
    size_t bad = atomic_load(&job.first_bad);
    if (bad != SIZE_MAX)
        return impi_fail(context, IMP_STATUS_BAD_NUMBER, bad,
                         "triangle pair %zu has a coordinate that is not finite", bad);
    memcpy(touch, verdicts, count * sizeof *touch);
    return IMP_STATUS_OK;
}
