/// Octrees as sets of voxels.
#ifndef IMPINGE_SHAPE_OCTREE_SETS_H
#define IMPINGE_SHAPE_OCTREE_SETS_H

#include "shape/octree.h"

/// See imp_octree_combine.
imp_Status impi_octree_combine(imp_Context *context, imp_OctreeOperation operation, const imp_Octree *a,
                               const imp_Octree *b, imp_Octree **result);

/// See imp_octree_complement.
imp_Status impi_octree_complement(imp_Context *context, const imp_Octree *octree, imp_Octree **result);

/// See imp_octree_equal.
bool impi_octree_equal(const imp_Octree *a, const imp_Octree *b);

#endif
