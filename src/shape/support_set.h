/// Vertices of a polytope laid out for finding the farthest one in a direction.
#ifndef IMPINGE_SHAPE_SUPPORT_SET_H
#define IMPINGE_SHAPE_SUPPORT_SET_H

#include "base/memory.h"

#include <impinge/math.h>

/// Vertices of one block, neighbours in space. The last block is filled up with copies of its last vertex.
#define IMPI_SUPPORT_LANES 8

typedef struct impi_SupportBlock {
    double x[IMPI_SUPPORT_LANES], y[IMPI_SUPPORT_LANES], z[IMPI_SUPPORT_LANES];
} impi_SupportBlock;

#define IMPI_CYLINDER_LANES 16

typedef struct impi_FloatLanes {
    float x[IMPI_CYLINDER_LANES], y[IMPI_CYLINDER_LANES], z[IMPI_CYLINDER_LANES];
} impi_FloatLanes;

/// Cylinders around blocks, sixteen at a time: flat ones, because a block is a patch of the surface. The
/// centre is the mean of the block's vertices, so that the farthest of them is at least as far as the centre
/// in any direction. All is NaN where there is no block, or where single precision has no numbers for the
/// shape: such a block is always looked at.
typedef struct impi_SupportCylinders {
    impi_FloatLanes centre;
    impi_FloatLanes axis; // of unit length
    float half_height[IMPI_CYLINDER_LANES], radius[IMPI_CYLINDER_LANES];
} impi_SupportCylinders;

typedef struct impi_SupportSet {
    impi_SupportBlock *blocks;
    impi_SupportCylinders *cylinders;
    uint32_t *vertices; // which vertex of the mesh each lane is: IMPI_SUPPORT_LANES per block
    size_t block_count, vertex_count;
    imp_Vec3 centre;  // of the vertices' bounding box
    imp_Vec3 largest; // the largest magnitude of each coordinate
    float slack;      // what rounding can do to distances along a direction of length 1
} impi_SupportSet;

/// Lay out vertices[ids[0 .. count-1]]; at least one. False when out of memory; then nothing is left behind.
bool impi_support_set_create(const imp_Allocator *allocator, const imp_Vec3 *vertices, const uint32_t *ids,
                             size_t count, impi_SupportSet *set);

void impi_support_set_destroy(const imp_Allocator *allocator, impi_SupportSet *set);

#endif
