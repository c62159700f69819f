/// Octrees of meshes.
#ifndef IMPINGE_SHAPE_OCTREE_BUILD_H
#define IMPINGE_SHAPE_OCTREE_BUILD_H

#include "shape/octree.h"

/// See imp_octree_create; in the default floating-point mode (base/float_guard.h). Uses the context's scratch
/// arena.
imp_Status impi_octree_create(imp_Context *context, const imp_OctreeDef *def, imp_Octree **octree);

#endif
