/// Random pairs of triangles for questions of length: those of triangle_cases.h, and pairs with a gap between
/// faces, edges and vertices that are parallel, flat, far away, of very different sizes or nearly in contact.
#ifndef IMPINGE_TESTS_GAP_CASES_H
#define IMPINGE_TESTS_GAP_CASES_H

#include "triangle_cases.h"

typedef enum GapKind {
    GAP_PLAIN,          ///< of triangle_cases.h
    GAP_GENERIC,        ///< all kinds of nearest parts
    GAP_PARALLEL_FACES, ///< on a lattice: every distance is met by several pairs of points
    GAP_PARALLEL_EDGES,
    GAP_COPLANAR,
    GAP_FLAT,      ///< one or both are segments or points
    GAP_OVER_FACE, ///< a vertex over an inner point of a face
    GAP_OVER_EDGE, ///< a vertex beside an inner point of an edge
    GAP_CROSSED_EDGES,
    GAP_COINCIDENT, ///< a copy, shifted
    GAP_TINY,       ///< 1e-12 of the size
    GAP_FAR,        ///< 1e7 widths from the origin
    GAP_SIZES,      ///< 1e-6 beside 1e6
    GAP_EXPONENTS,  ///< 1e-300 to 1e300
    GAP_SUBNORMAL,
    GAP_KIND_COUNT
} GapKind;

extern const char *const gap_names[GAP_KIND_COUNT];

/// A pair of this kind with vertices shuffled and some zeros negative, a and b in any order.
TriangleCase gap_case_make(GapKind kind);

#endif
