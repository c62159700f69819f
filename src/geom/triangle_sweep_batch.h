/// Eight pairs of moving triangles at a time: which of them never touch, as far as a few directions tell.
#ifndef IMPINGE_GEOM_TRIANGLE_SWEEP_BATCH_H
#define IMPINGE_GEOM_TRIANGLE_SWEEP_BATCH_H

#include <impinge/sweep.h>

#define IMPI_TRIANGLE_SWEEP_LANES 8

/// Vertices of eight pairs, one pair to a lane: a[end][vertex][axis][lane].
typedef struct impi_TriangleSweepBatch {
    _Alignas(64) double a[2][3][3][IMPI_TRIANGLE_SWEEP_LANES];
    double b[2][3][3][IMPI_TRIANGLE_SWEEP_LANES];
} impi_TriangleSweepBatch;

/// Bits of the lanes whose triangles certainly never touch. All numbers are finite.
typedef uint32_t (*impi_TrianglesApartFn)(const impi_TriangleSweepBatch *batch);

uint32_t impi_triangles_apart_portable(const impi_TriangleSweepBatch *batch);
#if defined(__x86_64__)
uint32_t impi_triangles_apart_avx2(const impi_TriangleSweepBatch *batch);
uint32_t impi_triangles_apart_avx512(const impi_TriangleSweepBatch *batch);
#endif

/// The fastest that this processor runs.
impi_TrianglesApartFn impi_triangles_apart(void);

static inline void impi_triangle_sweep_set(double lanes[2][3][3][IMPI_TRIANGLE_SWEEP_LANES], int lane,
                                           const imp_MovingTriangle *triangle)
{
    for (int i = 0; i < 3; ++i) {
        const imp_Vec3 *begin = &triangle->begin.v[i], *end = &triangle->end.v[i];
        lanes[0][i][0][lane] = begin->x;
        lanes[0][i][1][lane] = begin->y;
        lanes[0][i][2][lane] = begin->z;
        lanes[1][i][0][lane] = end->x;
        lanes[1][i][1][lane] = end->y;
        lanes[1][i][2][lane] = end->z;
    }
}

#endif
