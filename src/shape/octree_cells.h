/// Looking into octrees: single cells, all cells of a colour, points.
#ifndef IMPINGE_SHAPE_OCTREE_CELLS_H
#define IMPINGE_SHAPE_OCTREE_CELLS_H

#include "shape/octree.h"

/// The colour of a cell, which is there, and the node whose child in `*octant` says so; null when the root
/// does.
imp_CellColour impi_octree_find(const imp_Octree *octree, const impi_OctreeCell *cell,
                                const impi_OctreeNode **above, unsigned *octant);

/// Returns false to end a walk.
typedef bool (*impi_OctreeCellFn)(void *user, const impi_OctreeCell *cell);

/// All cells of a colour, in depth-first order; gray ones before what is in them. False when `visit` ended
/// it.
bool impi_octree_visit(const imp_Octree *octree, imp_CellColour colour, impi_OctreeCellFn visit, void *user);

/// See imp_octree_get_info.
void impi_octree_get_info(const imp_Octree *octree, imp_OctreeInfo *info);

/// See imp_octree_get_faces; the voxel is there.
void impi_octree_get_faces(const imp_Octree *octree, const uint32_t at[3], const uint32_t **faces,
                           size_t *count);

/// See imp_octree_locate_points.
imp_Status impi_octree_locate_points(imp_Context *context, const imp_Octree *octree, const imp_Vec3 *points,
                                     size_t count, imp_CellColour *colours);

#endif
