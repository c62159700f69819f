/// Random pairs of polytopes of many kinds, and where they are. More than a third of them touch exactly or
/// lie within some ulps of touching.
#ifndef IMPINGE_TESTS_CONVEX_CASES_H
#define IMPINGE_TESTS_CONVEX_CASES_H

#include "case_numbers.h"

#include <stddef.h>

#define CONVEX_CASE_MAX_POINTS 10000

typedef enum ConvexKind {
    CONVEX_GENERIC,        ///< any rotations, near each other
    CONVEX_PLANE_CONTACT,  ///< on both sides of a lattice plane, with vertices, edges and faces in it
    CONVEX_ONE_ULP_OFF,    ///< the same with one coordinate changed by an ulp
    CONVEX_EDGE_CROSSING,  ///< one edge of each cross in a point
    CONVEX_SHARED_VERTEX,  ///< the farthest vertex of one put onto that of the other, up to rounding
    CONVEX_IDENTICAL,      ///< the same body, or its mirror image, in the same or a slightly different pose
    CONVEX_INSIDE,         ///< a smaller copy of one in the other, often touching it from inside
    CONVEX_CUBES,          ///< in exact orientations, at points of a half grid
    CONVEX_PARALLEL_FACES, ///< prisms, base against base, with a gap of some ulps
    CONVEX_SMALL_LATTICE,  ///< few lattice points
    CONVEX_FLAT,           ///< thin as paper, or as needles
    CONVEX_COLLAPSED,      ///< so far from the origin that most vertices coincide
    CONVEX_ANY_MAGNITUDE,  ///< coordinates from 1e-300 to 1e+300 in one body
    CONVEX_TINY_BESIDE_HUGE,
    CONVEX_MANY_VERTICES, ///< points on spheres, mostly hundreds
    CONVEX_KIND_COUNT
} ConvexKind;

typedef struct ConvexKindInfo {
    const char *name;
    double least_touching, most_touching; ///< bounds on the share of pairs that touch
    bool is_near;                         ///< touching exactly, or within some ulps of it
} ConvexKindInfo;

extern const ConvexKindInfo convex_kinds[CONVEX_KIND_COUNT];

/// Points whose hulls are meant: those of a first, then those of b. They may all lie in one plane: then make
/// another case. Posed points are finite.
typedef struct ConvexCase {
    ConvexKind kind;
    size_t count_a, count_b;
    imp_Vec3 points[2 * CONVEX_CASE_MAX_POINTS];
    imp_Pose pose_a, pose_b;
} ConvexCase;

/// The kind of the n-th case of a run: all in turn, but those that ask for integers of a hundred words, which
/// are slow, in one of 16 turns only.
ConvexKind convex_case_kind(uint64_t n);

/// Overwrites all of `pair` but points that it does not use.
void convex_case_make(ConvexKind kind, ConvexCase *pair);

/// All numbers, in hexadecimal notation; points only where they are few. Silent after the first 10 calls.
void convex_case_print(const ConvexCase *pair);

#endif
