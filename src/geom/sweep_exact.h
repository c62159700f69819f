/// When do a vertex and a face, or two edges, that move along straight lines first share a point? Decided and
/// timed in exact integers, for all finite doubles: what the filters of geom/sweep_filter.h fall back on.
#ifndef IMPINGE_GEOM_SWEEP_EXACT_H
#define IMPINGE_GEOM_SWEEP_EXACT_H

#include <impinge/math.h>

typedef enum impi_SweepKind {
    IMPI_SWEEP_VERTEX_FACE, // a point and a triangle
    IMPI_SWEEP_EDGES,       // two segments
} impi_SweepKind;

/// `points` are four, where they are at time 0, and the same where they are at time 1. The first time in
/// [0, 1] at which the closed features share a point, rounded down to a multiple of 2^-53; infinite when they
/// never do.
double impi_sweep_exact(impi_SweepKind kind, const imp_Vec3 points[8]);

/// The only time between two others, multiples of 2^-53 at which they are not, when the four points are in
/// one plane, changing sides; rounded down as above.
double impi_sweep_exact_between(const imp_Vec3 points[8], double begin, double end);

#endif
