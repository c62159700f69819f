/// A support set of few points, in memory of the caller's own: for hulls that are asked about once.
#ifndef IMPINGE_SHAPE_FEW_POINTS_H
#define IMPINGE_SHAPE_FEW_POINTS_H

#include "shape/face_blocks.h"
#include "shape/support_set.h"

/// The vertices of a block of faces.
#define IMPI_MAX_FEW_POINTS (3 * IMPI_BLOCK_FACES)

typedef struct impi_FewPoints {
    _Alignas(IMPI_ALIGNMENT) impi_GridLanes blocks[IMPI_MAX_FEW_POINTS / IMPI_SUPPORT_LANES];
    imp_Vec3 points[IMPI_MAX_FEW_POINTS];
    uint32_t vertices[IMPI_MAX_FEW_POINTS];
    impi_SupportSet set; // points into the above
} impi_FewPoints;

/// Lay out points[0 .. count-1], numbered so; at least one and at most IMPI_MAX_FEW_POINTS.
void impi_few_points_lay_out(impi_FewPoints *few, const imp_Vec3 *points, size_t count);

#endif
