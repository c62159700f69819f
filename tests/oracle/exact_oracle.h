/// The slow, independent judge of the geometric kernel, in integers of any length.
///
/// Shares no code and no mathematics with src/geom: doubles are read bit by bit into integers, and whether
/// two convex hulls meet is decided as a linear feasibility problem in their barycentric coordinates, by
/// the simplex method with integer pivots. There is no case distinction by shape, so points and segments
/// are judged by the same lines of code as triangles. No floating-point arithmetic takes place, so the
/// answers hold for all finite doubles and in every floating-point mode. Not for use on several threads.
#ifndef IMPINGE_TESTS_EXACT_ORACLE_H
#define IMPINGE_TESTS_EXACT_ORACLE_H

#include <impinge/math.h>

/// The same contracts as the imp_ functions of like name. Coordinates must be finite, boxes not inverted.
int oracle_orient2d(imp_Vec2 a, imp_Vec2 b, imp_Vec2 c);
int oracle_orient3d(imp_Vec3 a, imp_Vec3 b, imp_Vec3 c, imp_Vec3 d);
bool oracle_triangles_touch(const imp_Triangle *a, const imp_Triangle *b);
bool oracle_segment_touches_triangle(const imp_Segment *segment, const imp_Triangle *triangle);
bool oracle_triangle_touches_box(const imp_Triangle *triangle, const imp_Box *box);

#endif
