/// When do two moving triangles first share a point?
#ifndef IMPINGE_GEOM_TRIANGLE_SWEEP_H
#define IMPINGE_GEOM_TRIANGLE_SWEEP_H

#include <impinge/sweep.h>

/// Which parts of a triangle are to be looked at: bit i is vertex i, bit 3 + i the edge from vertex i to the
/// next. Where faces share vertices and edges, one of them owns each.
#define IMPI_ALL_PARTS 0x3Fu

/// What meets first.
typedef struct impi_Impact {
    double time;            // infinite: nothing does
    uint8_t part_a, part_b; // as numbered in the bits above, or IMPI_WHOLE_FACE
} impi_Impact;

#define IMPI_WHOLE_FACE 6

#define IMPI_NO_IMPACT ((impi_Impact){INFINITY, IMPI_WHOLE_FACE, IMPI_WHOLE_FACE})

/// The first contact of a vertex of one with the other, or of an edge of each, among the parts given, with a
/// time of `until` at most. Of several at the same time, as it is rounded, the one of the least parts,
/// vertices of a first, then vertices of b, then edges. Triangles that intersect at time 0 without one of
/// these contacts are none of its business.
impi_Impact impi_triangles_impact(const imp_MovingTriangle *a, const imp_MovingTriangle *b, unsigned parts_a,
                                  unsigned parts_b, double until);

/// When they first share a point: 0 if they do so at the beginning; infinite when they never do before or at
/// `until`.
double impi_triangles_first_time(const imp_MovingTriangle *a, const imp_MovingTriangle *b, double until);

#endif
