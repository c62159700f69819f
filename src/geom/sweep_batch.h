/// Eight queries about moving features at a time: the filter that tells which of them never touch.
#ifndef IMPINGE_GEOM_SWEEP_BATCH_H
#define IMPINGE_GEOM_SWEEP_BATCH_H

#include "geom/sweep_exact.h"

#define IMPI_SWEEP_LANES 8

/// Points of eight queries, one query to a lane: points[end][point][axis][lane].
typedef struct impi_SweepBatch {
    _Alignas(64) double points[2][4][3][IMPI_SWEEP_LANES];
    double edges[IMPI_SWEEP_LANES]; // 1 where the query is about two edges, 0 for a vertex and a face
} impi_SweepBatch;

/// Bits of the lanes in which the features certainly never touch; never a lane with NaN or infinity.
typedef uint32_t (*impi_SweepApartFn)(const impi_SweepBatch *batch);

uint32_t impi_sweep_apart_portable(const impi_SweepBatch *batch);
#if defined(__x86_64__)
uint32_t impi_sweep_apart_avx2(const impi_SweepBatch *batch);
uint32_t impi_sweep_apart_avx512(const impi_SweepBatch *batch);
#endif

/// The fastest that this processor runs.
impi_SweepApartFn impi_sweep_apart(void);

/// Four points where they begin, and where they end.
static inline void impi_sweep_batch_set(impi_SweepBatch *batch, int lane, impi_SweepKind kind,
                                        const imp_Vec3 begin[4], const imp_Vec3 end[4])
{
    for (int i = 0; i < 4; ++i) {
        batch->points[0][i][0][lane] = begin[i].x;
        batch->points[0][i][1][lane] = begin[i].y;
        batch->points[0][i][2][lane] = begin[i].z;
        batch->points[1][i][0][lane] = end[i].x;
        batch->points[1][i][1][lane] = end[i].y;
        batch->points[1][i][2][lane] = end[i].z;
    }
    batch->edges[lane] = kind == IMPI_SWEEP_EDGES;
}

#endif
