/// The slow, independent judge of how far bodies are apart: all faces of one with all faces of the other, in
/// rational arithmetic. Not for use on several threads.
#ifndef IMPINGE_TESTS_SURFACE_ORACLE_H
#define IMPINGE_TESTS_SURFACE_ORACLE_H

#include <impinge/math.h>

/// Posed. A surface is a set of triangles; a solid is the hull of points.
typedef struct OracleBody {
    const imp_Triangle *triangles;
    const imp_Vec3 *hull; ///< of a solid; null for a surface
    size_t triangle_count, hull_count;
} OracleBody;

typedef struct OracleGap {
    bool touch;
    /// The nearest triangles; of several that are exactly as near, those that come first, by a, then b. 0 for
    /// a solid.
    uint32_t face_a, face_b;
    uint32_t nearest_count; ///< how many pairs are as near; 1 when they touch
} OracleGap;

/// Find the distance; oracle_distance_compare tells about it afterwards. With `judge_all` no pair is left
/// out; otherwise those are whose boxes are clearly farther apart, in extended precision, than some of their
/// vertices.
OracleGap oracle_bodies_distance(const OracleBody *a, const OracleBody *b, bool judge_all);

/// At least that far apart are the boxes of two sets of points, in extended precision, a little off.
long double oracle_box_gap(const imp_Vec3 *a, size_t count_a, const imp_Vec3 *b, size_t count_b);

#endif
