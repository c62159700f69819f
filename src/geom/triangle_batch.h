/// Eight triangle pairs at a time: the filter of the triangle-triangle test on vectors of doubles.
#ifndef IMPINGE_GEOM_TRIANGLE_BATCH_H
#define IMPINGE_GEOM_TRIANGLE_BATCH_H

#include <impinge/math.h>

#define IMPI_BATCH_LANES 8

/// Vertices of eight pairs, one pair to a lane: a[vertex][axis][lane].
typedef struct impi_TriangleBatch {
    _Alignas(64) double a[3][3][IMPI_BATCH_LANES];
    double b[3][3][IMPI_BATCH_LANES];
} impi_TriangleBatch;

/// Bit i of each mask tells about lane i. Lanes in neither are up to impi_triangles_touch; a lane with NaN
/// or infinity always is.
typedef struct impi_BatchVerdict {
    uint32_t separate, touch;
} impi_BatchVerdict;

typedef impi_BatchVerdict (*impi_BatchDecideFn)(const impi_TriangleBatch *batch);

impi_BatchVerdict impi_batch_decide_portable(const impi_TriangleBatch *batch);
#if defined(__x86_64__)
impi_BatchVerdict impi_batch_decide_avx2(const impi_TriangleBatch *batch);
impi_BatchVerdict impi_batch_decide_avx512(const impi_TriangleBatch *batch);
#endif

/// The fastest that this processor runs.
impi_BatchDecideFn impi_batch_decide(void);

#endif
