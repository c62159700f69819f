/// Boxes around points, and the frame in which a shape has unit size.
#ifndef IMPINGE_SHAPE_BOUNDS_H
#define IMPINGE_SHAPE_BOUNDS_H

#include <impinge/math.h>

static inline void impi_box_add(imp_Box *box, const imp_Vec3 *point)
{
    box->min.x = point->x < box->min.x ? point->x : box->min.x;
    box->min.y = point->y < box->min.y ? point->y : box->min.y;
    box->min.z = point->z < box->min.z ? point->z : box->min.z;
    box->max.x = point->x > box->max.x ? point->x : box->max.x;
    box->max.y = point->y > box->max.y ? point->y : box->max.y;
    box->max.z = point->z > box->max.z ? point->z : box->max.z;
}

/// The box with a margin, which is finite and not negative, on every side. Rounding to nearest is monotone:
/// a box that is no farther than the margin from this one, in every axis, meets what is returned, and one
/// that is farther by more than an ulp does not.
static inline imp_Box impi_box_widen(const imp_Box *box, double margin)
{
    return (imp_Box){{box->min.x - margin, box->min.y - margin, box->min.z - margin},
                     {box->max.x + margin, box->max.y + margin, box->max.z + margin}};
}

/// The largest size of `count` numbers; NaN when one of them is NaN or infinite.
double impi_largest_coordinate(const double *numbers, size_t count);

/// Coordinates relative to the centre, times 2^-exponent, lie between -1 and 1 for all points of the box.
typedef struct impi_UnitFrame {
    imp_Vec3 centre;
    int exponent;
} impi_UnitFrame;

impi_UnitFrame impi_unit_frame(const imp_Box *box);

/// 2^-exponent, or less for the smallest subnormals, which would need more than the largest double.
double impi_unit_scale(const impi_UnitFrame *frame);

#endif
