/// Signs of areas and volumes with a center of a cell: the midpoint of two corners along each axis, in real
/// arithmetic, which need not be a double.
///
/// All functions here expect finite coordinates and the default floating-point mode (base/float_guard.h).
#ifndef IMPINGE_GEOM_CENTER_SIGN_H
#define IMPINGE_GEOM_CENTER_SIGN_H

#include <impinge/math.h>

/// A midpoint along an axis.
typedef struct impi_Center {
    double low, high; // it is halfway between these
    double nearest;   // the double nearest to it
    int rest;         // the sign of what rounding took: the midpoint less `nearest`
} impi_Center;

impi_Center impi_center_of(double low, double high);

/// -1, 0, 1: x is below the center, at it, above it.
static inline int impi_center_compare(double x, const impi_Center *center)
{
    if (x != center->nearest)
        return x > center->nearest ? 1 : -1;
    return -center->rest;
}

/// Sign of (b-a) x (center-a) in a plane.
int impi_center_area_sign(imp_Vec2 a, imp_Vec2 b, const impi_Center *u, const impi_Center *v);

/// Sign of ((b-a) x (c-a)) . (center-a); a, b, c are the triangle's vertices, a center is one along x, y and
/// z.
int impi_center_volume_sign(const imp_Triangle *triangle, const impi_Center center[3]);

/// Is it in the closed triangle?
bool impi_triangle_holds_center(const imp_Triangle *triangle, const impi_Center center[3]);

#endif
