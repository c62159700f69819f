/// An octree moved by whole voxels, on a cube of another size.
#ifndef IMPINGE_SHAPE_OCTREE_SHIFT_H
#define IMPINGE_SHAPE_OCTREE_SHIFT_H

#include "shape/octree.h"

/// On `grid`, whose voxel i along an axis is the source's voxel `from[axis] + i`, white where that is
/// outside. Condensed. `|from[axis]|` is at most 2^17. Cut as the source is.
imp_Status impi_octree_shift(imp_Context *context, const imp_Octree *source, const imp_OctreeGrid *grid,
                             const int32_t from[3], imp_Octree **octree);

#endif
