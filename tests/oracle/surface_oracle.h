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

/// Find the distance, and tell whether they are apart; oracle_distance_compare tells more about it. With
/// `judge_all` no pair of faces is left out; otherwise those are whose boxes are clearly farther apart, in
/// extended precision, than some of their vertices.
bool oracle_bodies_distance(const OracleBody *a, const OracleBody *b, bool judge_all);

typedef struct OracleFaces {
    uint32_t low, high; ///< the numbers of a face of each body, in order
    uint32_t count;     ///< how many pairs of faces are that near
} OracleFaces;

/// The faces of the least numbers, first by the lower one of both, among those of two surfaces that are at
/// most `most` apart, or less than that if `is_less`.
OracleFaces oracle_first_faces(const OracleBody *a, const OracleBody *b, double most, bool is_less,
                               bool judge_all);

/// At least that far apart are the boxes of two sets of points, in extended precision, a little off.
long double oracle_box_gap(const imp_Vec3 *a, size_t count_a, const imp_Vec3 *b, size_t count_b);

#endif
