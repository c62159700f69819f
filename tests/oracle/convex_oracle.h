/// The slow, independent judge of convex polytopes.
///
/// Whether two hulls share a point is decided as a linear feasibility problem in integers of any length: no
/// directions, no geometry, no floating-point arithmetic. Distances come from trying all pairs of features in
/// extended precision. Not for use on several threads.
#ifndef IMPINGE_TESTS_CONVEX_ORACLE_H
#define IMPINGE_TESTS_CONVEX_ORACLE_H

#include <impinge/mesh.h>

/// Do the convex hulls of two sets of points, each of at least one, share a point? Coordinates are finite.
bool oracle_hulls_touch(const imp_Vec3 *a, size_t count_a, const imp_Vec3 *b, size_t count_b);

/// The least distance between a triangle of one set and one of the other, where none touch. Three vertices
/// per triangle. Off by some 1e-18 of the largest coordinate; a triangle may be a segment or a point.
long double oracle_surface_distance(const imp_Vec3 *vertices_a, const uint32_t *indices_a,
                                    size_t triangle_count_a, const imp_Vec3 *vertices_b,
                                    const uint32_t *indices_b, size_t triangle_count_b);

#endif
