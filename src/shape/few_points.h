/// A support set of few points, in memory of the caller's own: for hulls that are asked about once.
#ifndef IMPINGE_SHAPE_FEW_POINTS_H
#define IMPINGE_SHAPE_FEW_POINTS_H

#include "shape/face_blocks.h"
#include "shape/support_set.h"

/// The vertices of a block of faces.
#define IMPI_MAX_FEW_POINTS (3 * IMPI_BLOCK_FACES)

typedef struct impi_FewPoints {
    impi_SupportPoint points[IMPI_MAX_FEW_POINTS];
    impi_SupportSet set; // points into the above; not on a grid, which pays when a set is asked often
} impi_FewPoints;

/// Lay out points[0 .. count-1], numbered so; at least one and at most IMPI_MAX_FEW_POINTS.
void impi_few_points_lay_out(impi_FewPoints *few, const imp_Vec3 *points, size_t count);

#endif
