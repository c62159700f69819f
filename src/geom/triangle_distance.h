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

/// One set of functions for each instruction set; all give the same bits.
typedef struct impi_TriangleDistance {
    void (*measure)(const impi_TriangleBatch *batch, impi_BatchDistance *distance);

    /// A lower bound for each lane that costs much less: how far apart the triangles are along their normals,
    /// which is all there is to say where surfaces face each other.
    void (*bound)(const impi_TriangleBatch *batch, double lower[IMPI_BATCH_LANES]);
} impi_TriangleDistance;

extern const impi_TriangleDistance impi_triangle_distance_portable;
#if defined(__x86_64__)
extern const impi_TriangleDistance impi_triangle_distance_avx2, impi_triangle_distance_avx512;
#endif

/// The fastest that this processor runs.
const impi_TriangleDistance *impi_triangle_distance(void);

#endif
