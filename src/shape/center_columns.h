/// Which centers of a grid's voxels does a closed surface wind around? Found once for all of them, along
/// lines through the centers.
#ifndef IMPINGE_SHAPE_CENTER_COLUMNS_H
#define IMPINGE_SHAPE_CENTER_COLUMNS_H

#include "geom/center_sign.h"
#include "shape/mesh.h"
#include "shape/octree.h"

/// The centers with one x and y are a column. A crossing is a face above some of them.
typedef struct impi_CenterColumns {
    uint32_t voxel_count;    // along each axis
    impi_Center *centers[3]; // of voxels, along each axis
    /// Sorted: y, x, how many of the column's centers lie below the face, and whether the surface winds
    /// around those of them that lie above the crossing before.
    uint64_t *crossings;
    size_t *rows; // where the crossings of each y begin, and the end
} impi_CenterColumns;

/// The mesh is closed. In the context's scratch arena. IMP_STATUS_OUT_OF_MEMORY, what a watch says, or OK.
imp_Status impi_center_columns_find(imp_Context *context, const imp_Mesh *mesh, const imp_OctreeGrid *grid,
                                    impi_CenterColumns *columns);

/// Is the center of a voxel inside? It does not lie on the surface. Any thread.
bool impi_center_is_inside(const impi_CenterColumns *columns, uint32_t x, uint32_t y, uint32_t z);

#endif
