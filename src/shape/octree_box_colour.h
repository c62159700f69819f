/// What colours a box of voxels has.
#ifndef IMPINGE_SHAPE_OCTREE_BOX_COLOUR_H
#define IMPINGE_SHAPE_OCTREE_BOX_COLOUR_H

#include "shape/octree.h"

/// From `min` up to but without `max`; what is outside of the octree's cube is white.
typedef struct impi_SignedBox {
    int32_t min[3], max[3];
} impi_SignedBox;

/// Black or white where the whole box is, otherwise gray. The box is not empty.
imp_CellColour impi_octree_box_colour(const imp_Octree *octree, const impi_SignedBox *box);

#endif
