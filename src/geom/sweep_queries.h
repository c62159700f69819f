/// Long lists of queries about moving features, on all threads of a context.
#ifndef IMPINGE_GEOM_SWEEP_QUERIES_H
#define IMPINGE_GEOM_SWEEP_QUERIES_H

#include "geom/sweep_exact.h"

#include <impinge/sweep.h>

/// As imp_sweep_vertex_faces, imp_sweep_edges and imp_sweep_triangles, with arguments checked and the default
/// floating-point mode.
imp_Status impi_sweep_queries(imp_Context *context, impi_SweepKind kind, const imp_SweepQuery *queries,
                              size_t count, double *times);
imp_Status impi_sweep_triangles(imp_Context *context, const imp_MovingTriangle *a,
                                const imp_MovingTriangle *b, size_t count, double *times);

#endif
