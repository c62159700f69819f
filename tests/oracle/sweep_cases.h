/// Random queries about moving features, of many kinds, most of them with a contact that is exact to the last
/// bit or off by the least possible amount.
#ifndef IMPINGE_TESTS_SWEEP_CASES_H
#define IMPINGE_TESTS_SWEEP_CASES_H

#include "case_numbers.h"

typedef enum SweepFeatures {
    SWEEP_VERTEX_FACE, ///< vertex, f0, f1, f2
    SWEEP_EDGE_EDGE,   ///< a0, a1, b0, b1
    SWEEP_FEATURES_COUNT
} SweepFeatures;

typedef enum SweepKind {
    SWEEP_KIND_GENERIC,
    SWEEP_KIND_GENERIC_NEAR,
    SWEEP_KIND_ROUNDED_CONTACT,     ///< a contact at a random time, as far as rounding lets it
    SWEEP_KIND_CONTACT_AT_START,    ///< of a vertex, an edge or the inside, at t = 0
    SWEEP_KIND_CONTACT_AT_END,      ///< at t = 1
    SWEEP_KIND_CONTACT_AT_DYADIC,   ///< at a multiple of 2^-8
    SWEEP_KIND_CONTACT_AT_RATIONAL, ///< at any fraction of up to 256 parts
    SWEEP_KIND_CONTACT_OUTSIDE,     ///< just before 0 or just after 1, by one step of a lattice
    SWEEP_KIND_MEETING_VERTICES,    ///< doubles of all bits: two vertices coincide at t = 0 or t = 1
    SWEEP_KIND_LAST_BIT,            ///< at k 2^-53, or just before or after it
    SWEEP_KIND_IRRATIONAL,          ///< at a root of an irreducible quadratic, mostly
    SWEEP_KIND_GRAZING,             ///< a double root: touch and go, or just not, or just more
    SWEEP_KIND_DOUBLE_ROOT,         ///< beside a third one
    SWEEP_KIND_TRIPLE_ROOT,
    SWEEP_KIND_ONE_PLANE,       ///< all motion in one plane: the cubic is zero, as in the next seven kinds
    SWEEP_KIND_MOVING_PLANE,    ///< all in a plane that moves
    SWEEP_KIND_FIXED_WEIGHTS,   ///< the vertex keeps its barycentric coordinates
    SWEEP_KIND_SINGULAR_PENCIL, ///< the plane turns, and no weights are fixed
    SWEEP_KIND_ONE_LINE,        ///< all motion along one line
    SWEEP_KIND_MOVING_LINE,     ///< all on a line that turns
    SWEEP_KIND_FLAT,            ///< a face that is always a segment; edges always parallel
    SWEEP_KIND_FLAT_NOW,        ///< at the time of contact only
    SWEEP_KIND_FACE_AS_EDGE,    ///< two vertices of the face coincide always; one edge is a point
    SWEEP_KIND_FACE_AS_POINT,   ///< all three do; both edges are points
    SWEEP_KIND_POINT_NOW,       ///< all four points meet at one instant, or the face or both edges shrink
    SWEEP_KIND_SHARED_VERTEX,   ///< always
    SWEEP_KIND_STATIC,          ///< nothing moves
    SWEEP_KIND_EQUAL_MOTION,    ///< all move alike
    SWEEP_KIND_ONE_ULP_OFF,     ///< any exact contact, less one ulp of one coordinate
    SWEEP_KIND_SMALL_LATTICE,
    SWEEP_KIND_NEEDLE,
    SWEEP_KIND_MIXED_MAGNITUDES,
    SWEEP_KIND_SUBNORMALS,
    SWEEP_KIND_HUGE,
    SWEEP_KIND_COUNT
} SweepKind;

/// The largest coordinate is brought to just below a number, by a power of two, which rounds nothing; or
/// scales are mixed.
typedef enum SweepScale {
    SWEEP_SCALE_1E_300,
    SWEEP_SCALE_1E_3,
    SWEEP_SCALE_0_03,
    SWEEP_SCALE_0_1,
    SWEEP_SCALE_1,
    SWEEP_SCALE_10,
    SWEEP_SCALE_1E3,
    SWEEP_SCALE_1E6,
    SWEEP_SCALE_1E300,
    SWEEP_SCALE_ASIS,      ///< as built
    SWEEP_SCALE_AXES,      ///< a power of two for each axis
    SWEEP_SCALE_SUBNORMAL, ///< the last bit becomes 2^-1074
    SWEEP_SCALE_ROUNDED,   ///< a power of ten: exact contacts become nearly exact
    SWEEP_SCALE_COUNT
} SweepScale;

#define SWEEP_COORDINATES 24
#define SWEEP_UNKNOWN     2.0 ///< a time that says nothing

typedef struct SweepCase {
    imp_Vec3 points[8]; ///< four at t = 0, the same four at t = 1
    SweepFeatures features;
    SweepKind kind;
    SweepScale scale;
    bool is_exact;    ///< no rounding since it was built: the bounds of its kind and the next two fields hold
    double most_time; ///< there is contact at this time or before, or SWEEP_UNKNOWN
    bool is_first;    ///< most_time is what is to be reported
} SweepCase;

typedef struct SweepKindInfo {
    const char *name;
    void (*build)(SweepCase *query);
    struct {
        double least, most;
    } hits[SWEEP_FEATURES_COUNT]; ///< bounds on the share of queries with contact, before rounding scales
    bool is_degenerate;           ///< a contact exact or within some ulps, or a cubic that is zero
} SweepKindInfo;

extern const SweepKindInfo sweep_kinds[SWEEP_KIND_COUNT];
extern const char *const sweep_scale_names[SWEEP_SCALE_COUNT];
extern const char *const sweep_features_names[SWEEP_FEATURES_COUNT];

/// A query of this kind, with points in any order that keeps the roles, some zeros negative.
SweepCase sweep_case_make(SweepKind kind, SweepFeatures features, SweepScale scale);

/// Half of the cases are of the nine numbers, the others share the rest.
SweepScale sweep_random_scale(void);

/// All coordinates, in hexadecimal notation. Silent after the first 20 calls.
void sweep_case_print(const SweepCase *query);

#endif
