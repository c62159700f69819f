/// Octrees as text and as arrays of voxels.
#ifndef IMPINGE_SHAPE_OCTREE_TEXT_H
#define IMPINGE_SHAPE_OCTREE_TEXT_H

#include "shape/octree.h"

/// The functions of octree.h without their checks of null arguments, in the default floating-point mode
/// (base/float_guard.h).
imp_Status impi_octree_create_from_df(imp_Context *context, const imp_OctreeGrid *grid, const char *text,
                                      size_t length, imp_Octree **octree);
imp_Status impi_octree_get_df(imp_Context *context, const imp_Octree *octree, char *text, size_t capacity,
                              size_t *length);
imp_Status impi_octree_create_from_voxels(imp_Context *context, const imp_OctreeGrid *grid,
                                          const uint8_t *voxels, size_t count, imp_Octree **octree);
imp_Status impi_octree_get_voxels(imp_Context *context, const imp_Octree *octree, uint8_t *voxels,
                                  size_t count);

#endif
