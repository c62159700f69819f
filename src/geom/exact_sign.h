/// Signs of determinants in exact integer arithmetic: what the floating-point filters fall back on.
#ifndef IMPINGE_GEOM_EXACT_SIGN_H
#define IMPINGE_GEOM_EXACT_SIGN_H

#include <impinge/math.h>

/// Sign of (b-a) x (c-a), for all finite doubles.
int impi_exact_orient2d(imp_Vec2 a, imp_Vec2 b, imp_Vec2 c);

/// Signs of ((b-a) x (c-a)) . (points[i]-a) for `count` points, at most IMPI_EXACT_MAX_POINTS; a, b, c are
/// plane[0..2].
void impi_exact_plane_sides(const imp_Vec3 *plane, const imp_Vec3 *points, int count, int *signs);

#define IMPI_EXACT_MAX_POINTS 3

#endif
