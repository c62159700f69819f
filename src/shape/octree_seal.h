/// What can't be reached from outside.
#ifndef IMPINGE_SHAPE_OCTREE_SEAL_H
#define IMPINGE_SHAPE_OCTREE_SEAL_H

#include "shape/octree.h"

/// The octree with all white cells black that no way through white voxels, from wall to wall, joins to what
/// is outside of the cube; condensed, without lists. In the context's scratch arena.
/// IMP_STATUS_OUT_OF_MEMORY, what a watch says, or OK.
imp_Status impi_octree_seal(imp_Context *context, const imp_Octree *octree, imp_Octree **sealed);

#endif
