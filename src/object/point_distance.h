/// How far is a point from a surface? With proven bounds.
#ifndef IMPINGE_OBJECT_POINT_DISTANCE_H
#define IMPINGE_OBJECT_POINT_DISTANCE_H

#include "shape/surface.h"

#define IMPI_NO_BLOCK_FACE UINT32_MAX

/// A power of two that brings coordinates near to 1, so that squares neither overflow nor vanish.
double impi_distance_scale(const imp_Box *a, const imp_Box *b);

typedef struct impi_PointDistance {
    double lower, upper; // the true distance is not less, and not more
    impi_BlockFace face; // the nearest by computed distance; of equal ones the lowest
} impi_PointDistance;

/// To one triangle. `scale` from impi_distance_scale of boxes that hold both. The bounds are apart by some
/// 2^-46 of the distance to the triangle's farthest corner, unless the triangle is a needle.
impi_PointDistance impi_triangle_point_distance(const imp_Triangle *triangle, imp_Vec3 point, double scale);

/// To a surface all blocks of which are posed. `hint` is a face that may be near, or IMPI_NO_BLOCK_FACE; a
/// good one makes it faster.
impi_PointDistance impi_surface_point_distance(const impi_Surface *surface, imp_Vec3 point, double scale,
                                               impi_BlockFace hint);

#endif
