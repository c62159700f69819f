/// Fewer cubes in place of the black cells of an octree (Smith & Kitamura 2.3).
#ifndef IMPINGE_SHAPE_OCTREE_COMPACT_H
#define IMPINGE_SHAPE_OCTREE_COMPACT_H

#include "shape/octree_cubes.h"

/// In place: `list` has the black cells in depth-first order, and gets cubes from large to small. `starts` as
/// in imp_OctreeCubesDef. IMP_STATUS_OUT_OF_MEMORY, what a watch says, or OK.
imp_Status impi_octree_compact(imp_Context *context, uint32_t starts, impi_CubeList *list);

#endif
