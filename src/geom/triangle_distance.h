/// How far apart eight pairs of triangles are, in doubles: bounds that hold whatever rounding does.
#ifndef IMPINGE_GEOM_TRIANGLE_DISTANCE_H
#define IMPINGE_GEOM_TRIANGLE_DISTANCE_H

#include "geom/triangle_batch.h"

/// For each lane, lower <= true distance <= upper. Where triangles touch or nearly do, or are so small or
/// large that doubles can't tell, `lower` is not above 0 and `upper` may be infinite.
///
/// `way` leads from a to b, along what was found to be the shortest way.
typedef struct impi_BatchDistance {
    _Alignas(64) double lower[IMPI_BATCH_LANES], upper[IMPI_BATCH_LANES];
    double way[3][IMPI_BATCH_LANES];
} impi_BatchDistance;

typedef void (*impi_BatchMeasureFn)(const impi_TriangleBatch *batch, impi_BatchDistance *distance);

void impi_batch_measure_portable(const impi_TriangleBatch *batch, impi_BatchDistance *distance);
#if defined(__x86_64__)
void impi_batch_measure_avx2(const impi_TriangleBatch *batch, impi_BatchDistance *distance);
void impi_batch_measure_avx512(const impi_TriangleBatch *batch, impi_BatchDistance *distance);
#endif

/// The fastest that this processor runs.
impi_BatchMeasureFn impi_batch_measure(void);

#endif
