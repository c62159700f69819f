/// Random pairs of triangles of many kinds, most of them with a contact that is exact to the last bit or off
/// by the least possible amount.
#ifndef IMPINGE_TESTS_TRIANGLE_CASES_H
#define IMPINGE_TESTS_TRIANGLE_CASES_H

#include "case_numbers.h"

typedef enum TriangleKind {
    KIND_GENERIC,
    KIND_GENERIC_NEAR,
    KIND_SHARED_VERTEX,
    KIND_SHARED_EDGE,
    KIND_VERTEX_ON_FACE,
    KIND_VERTEX_ON_EDGE,
    KIND_EDGE_THROUGH_FACE,
    KIND_EDGE_THROUGH_VERTEX,
    KIND_EDGE_ON_EDGE,
    KIND_EDGE_CROSSING_EDGE,
    KIND_COPLANAR_OVERLAPPING,
    KIND_COPLANAR_TOUCHING,
    KIND_COPLANAR_SEPARATE,
    KIND_COPLANAR_ANY,
    KIND_PARALLEL_ONE_ULP,
    KIND_IDENTICAL,
    KIND_NEEDLE,
    KIND_SEGMENT_TRIANGLE,
    KIND_POINT_TRIANGLE,
    KIND_SEGMENT_SEGMENT,
    KIND_POINT_SEGMENT,
    KIND_POINT_POINT,
    KIND_ONE_ULP_OFF,
    KIND_SMALL_LATTICE,
    KIND_POSED_LATTICE,
    KIND_ROUNDED_CONTACT,
    KIND_ROUNDED_COPLANAR,
    KIND_MIXED_MAGNITUDES,
    KIND_SUBNORMALS,
    KIND_HUGE,
    TRIANGLE_KIND_COUNT
} TriangleKind;

typedef struct TriangleCase {
    imp_Triangle a, b;
    TriangleKind kind;
    Scaling scaling;
    bool is_exact; ///< no rounding since it was built: the bounds of its kind hold
} TriangleCase;

typedef struct TriangleKindInfo {
    const char *name;
    void (*build)(TriangleCase *pair);    ///< its triangles, unscaled and in plain order
    double least_touching, most_touching; ///< bounds on the share of pairs that touch, before rounding scales
    bool is_degenerate;                   ///< a contact exact or within some ulps
} TriangleKindInfo;

extern const TriangleKindInfo triangle_kinds[TRIANGLE_KIND_COUNT];

/// A pair of this kind, at a random scale, with vertices shuffled, some zeros negative, a and b in any order.
TriangleCase triangle_case_make(TriangleKind kind);

/// A triangle on a lattice of this range times 64, and a lattice point exactly on it: inside it for `corners`
/// 3, on an edge for 2, a vertex for 1.
imp_Vec3 random_triangle_and_point(double range, int corners, imp_Triangle *triangle);

/// All coordinates, in hexadecimal notation. Silent after the first 20 calls.
void triangle_case_print(const TriangleCase *pair);

#endif
