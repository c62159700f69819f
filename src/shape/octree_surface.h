/// The surface of the black voxels of an octree.
#ifndef IMPINGE_SHAPE_OCTREE_SURFACE_H
#define IMPINGE_SHAPE_OCTREE_SURFACE_H

#include "shape/octree.h"

/// See imp_octree_get_surface. Uses the context's scratch arena.
imp_Status impi_octree_get_surface(imp_Context *context, const imp_Octree *octree, imp_Mesh **mesh);

#endif
