/// When do things that move first touch?
///
/// Time goes from 0, where things are, to 1, where they are to be. On straight paths answers are exact: each
/// point is at x0 + t (x1 - x0) in real arithmetic on the doubles given, closed shapes touch at some t in
/// [0, 1] or never do, and the time is the true first one, rounded down to a multiple of 2^-53, for all
/// finite doubles. See docs/continuous.md.
#ifndef IMPINGE_SWEEP_H
#define IMPINGE_SWEEP_H

#include <impinge/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Four points that move along straight lines: where they begin, and where they end.
typedef struct imp_SweepQuery {
    imp_Vec3 begin[4], end[4];
} imp_SweepQuery;

/// times[i] is when the first of the four points of queries[i] first lies in the triangle of the other three,
/// which may be a segment or a point, at times or always; NaN when it never does. Several are decided at
/// once, on the threads of the context. IMP_STATUS_BAD_NUMBER when a coordinate is not finite, with the index
/// of the first such query, and nothing is written. The context's watch can end it.
IMP_CHECKED imp_Status imp_sweep_vertex_faces(imp_Context *context, const imp_SweepQuery *queries,
                                              size_t count, double *times);

/// The same for two edges: when the segment of the first two points first meets that of the last two.
IMP_CHECKED imp_Status imp_sweep_edges(imp_Context *context, const imp_SweepQuery *queries, size_t count,
                                       double *times);

/// A triangle whose vertices move along straight lines.
typedef struct imp_MovingTriangle {
    imp_Triangle begin, end;
} imp_MovingTriangle;

/// The same for triangles: when a[i] and b[i] first share a point.
IMP_CHECKED imp_Status imp_sweep_triangles(imp_Context *context, const imp_MovingTriangle *a,
                                           const imp_MovingTriangle *b, size_t count, double *times);

#ifdef __cplusplus
}
#endif

#endif
