/// How far apart two triangles are, and where: correctly rounded, for all finite doubles.
#ifndef IMPINGE_GEOM_TRIANGLE_CLOSEST_H
#define IMPINGE_GEOM_TRIANGLE_CLOSEST_H

#include <impinge/distance.h>

/// `distance` is the least double that is not less than the true distance, `lower_bound` the greatest that is
/// not more; they are equal where the distance is a double, 0 where the triangles touch, infinity and the
/// largest double beyond that. Each coordinate of a closest point is rounded to the nearest double, and parts
/// are those that hold the point before that. Touching triangles have one common point. Where several pairs
/// of points are equally near, or common, impi_choose_parts has the rule.
///
/// All of it is a function of the exact geometry: swapped triangles give the same, swapped; scaled ones (by a
/// power of two, without overflow or underflow) the same, scaled; permuted axes the same, permuted, but where
/// two choices are each other's mirror image and the triangles have the same coordinates in another order.
///
/// `reached_accuracy` is for the default accuracy. Faces are 0. Coordinates must be finite and the
/// floating-point mode the default one.
void impi_triangles_closest(const imp_Triangle *a, const imp_Triangle *b, imp_Distance *result);

#endif
