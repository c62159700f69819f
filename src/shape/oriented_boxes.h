/// Boxes of a mesh's blocks of faces along axes of their own: a patch of a smooth surface is flat, and its
/// box is too, however it is turned.
#ifndef IMPINGE_SHAPE_ORIENTED_BOXES_H
#define IMPINGE_SHAPE_ORIENTED_BOXES_H

#include "shape/block_tree.h"

/// A group of eight. What is in box i has coordinates of at most half[k][i] in size along axis k, seen from
/// its centre; axes are of unit length and upright on each other, all but for rounding, which the halves make
/// up for. Lanes beyond the last box are NaN.
typedef struct impi_OrientedLanes {
    _Alignas(64) double centre[3][IMPI_GROUP_SIZE];
    double axes[3][3][IMPI_GROUP_SIZE]; // axes[k] are coordinates of axis k
    double half[3][IMPI_GROUP_SIZE];
} impi_OrientedLanes;

/// Around the blocks' vertices, which stand block by block and are at most `largest` in size; `boxes` holds
/// impi_group_count(block_count) groups.
void impi_oriented_boxes_fit(const impi_FaceBlocks *blocks, const imp_Vec3 *vertices, double largest,
                             impi_OrientedLanes *boxes);

/// Boxes along the frame's own axes in the same form.
void impi_oriented_boxes_copy(const impi_BoxLanes *from, size_t group_count, impi_OrientedLanes *to);

#endif
