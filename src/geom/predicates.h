/// Signs of areas and volumes, exact for all finite doubles.
///
/// All functions here expect finite coordinates and the default floating-point mode (base/float_guard.h).
#ifndef IMPINGE_GEOM_PREDICATES_H
#define IMPINGE_GEOM_PREDICATES_H

#include "geom/exact_sign.h"
#include "geom/filter.h"

#include <impinge/math.h>

#include <math.h>

/// A plane of projection: the axis that is dropped. What is left keeps its cyclic order (dropping y
/// leaves z, x), so that the three projections of a triangle carry the signs of its normal's x, y and z.
typedef enum impi_Axis { IMPI_AXIS_X, IMPI_AXIS_Y, IMPI_AXIS_Z } impi_Axis;

static inline imp_Vec2 impi_project(const imp_Vec3 *v, impi_Axis dropped)
{
    switch (dropped) {
    case IMPI_AXIS_X:
        return (imp_Vec2){v->y, v->z};
    case IMPI_AXIS_Y:
        return (imp_Vec2){v->z, v->x};
    default:
        return (imp_Vec2){v->x, v->y};
    }
}

/// Sign of (b-a) x (c-a) in a plane.
static inline int impi_area_sign(imp_Vec2 a, imp_Vec2 b, imp_Vec2 c)
{
    double left = (b.x - a.x) * (c.y - a.y);
    double right = (b.y - a.y) * (c.x - a.x);
    double area = left - right;
    double size = fabs(left) + fabs(right);
    if (fabs(area) > IMPI_ORIENT2D_ERROR * size && size >= IMPI_FILTER_MIN_AREA)
        return area > 0 ? 1 : -1;
    return impi_exact_orient2d(a, b, c);
}

/// Sign of the component `dropped` of (b-a) x (c-a).
int impi_orient2d(const imp_Vec3 *a, const imp_Vec3 *b, const imp_Vec3 *c, impi_Axis dropped);

/// Sign of ((b-a) x (c-a)) . (d-a).
int impi_orient3d(const imp_Vec3 *a, const imp_Vec3 *b, const imp_Vec3 *c, const imp_Vec3 *d);

static inline bool impi_vec3_is_finite(const imp_Vec3 *v)
{
    // NaN and infinity times zero are NaN.
    return (v->x * 0 + v->y * 0) + v->z * 0 == 0;
}

#endif
