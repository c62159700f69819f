/// The hull of a face at both ends of its motion: where hulls stay apart, the faces can't have met.
#ifndef IMPINGE_FEATURE_SWEPT_HULL_H
#define IMPINGE_FEATURE_SWEPT_HULL_H

#include "base/arena.h"
#include "shape/few_points.h"

#include <impinge/math.h>

/// Everything that lies at most `widening` from the convex hull of the points: closed. A face whose vertices
/// move along straight lines passes through nothing else with a widening of 0.
typedef struct impi_SweptHull {
    imp_Vec3 points[6]; // the vertices where they begin, then where they end
    double widening;    // finite, not negative
} impi_SweptHull;

impi_SweptHull impi_swept_hull(const imp_Triangle *begin, const imp_Triangle *end, double widening);

/// The box around it, rounded outward; infinite where the largest double is less.
imp_Box impi_swept_hull_box(const impi_SweptHull *hull);

/// How far a point on a circle of radius 1 leaves the straight way between its ends, at most: 1 -
/// cos(angle/2), rounded up, for a rotation that goes the short way between two, at an even pace; 2 where it
/// makes whole turns besides. Rotations are about of unit length.
double impi_turn_height(imp_Quat begin, imp_Quat end, int32_t turns);

/// What a hull must be widened by, so that it has all that its face passes through on a rigid path: the body
/// turns about a pivot, which itself moves along a straight line. `radius` bounds the distances of the face's
/// vertices from the pivot, `size` the sums of sizes of each one's coordinates in the body's frame, and the
/// pivot's and both translations' as well. Covers what posing the vertices at both ends has rounded.
double impi_turn_widening(double height, double radius, double size);

/// What a test needs, for one thread at a time. No verdict depends on the tests before it.
typedef struct impi_SweptHullScratch {
    impi_Arena arena; // for those that doubles can't decide
    impi_FewPoints a, b;
} impi_SweptHullScratch;

/// `allocator` must outlive it.
void impi_swept_hull_scratch_init(impi_SweptHullScratch *scratch, const imp_Allocator *allocator);
void impi_swept_hull_scratch_destroy(impi_SweptHullScratch *scratch);

/// Do two of them share a point? Exact, for all finite points, where neither is widened; a hull inside the
/// other counts. Where one is, those that don't are told apart unless the gap is smaller than a thousandth of
/// the widening, or rounding; those that do are never. IMP_STATUS_OUT_OF_MEMORY or OK. Expects the default
/// floating-point mode.
imp_Status impi_swept_hulls_meet(impi_SweptHullScratch *scratch, const impi_SweptHull *a,
                                 const impi_SweptHull *b, bool *meet);

#endif
