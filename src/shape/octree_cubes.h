/// The black cells of an octree as cubes, or fewer cubes that hold the same.
#ifndef IMPINGE_SHAPE_OCTREE_CUBES_H
#define IMPINGE_SHAPE_OCTREE_CUBES_H

#include "shape/octree.h"

typedef struct impi_CubeList {
    imp_OctreeCube *cubes;
    size_t count;
} impi_CubeList;

/// What compacting makes by default is kept with the octree, in memory of its own allocator.
typedef struct impi_CompactedCubes {
    size_t count;
    imp_OctreeCube cubes[];
} impi_CompactedCubes;

/// When the octree goes.
void impi_octree_free_compacted(imp_Octree *octree);

/// See imp_octree_get_cubes; not to be changed. In the context's scratch arena, or kept with the octree. Any
/// number of threads may ask at once, each with a context of its own. IMP_STATUS_OUT_OF_MEMORY, what a watch
/// says, or OK.
imp_Status impi_octree_list_cubes(imp_Context *context, const imp_Octree *octree,
                                  const imp_OctreeCubesDef *def, impi_CubeList *list);

size_t impi_octree_count_black_cells(const imp_Octree *octree);

/// See imp_octree_get_cubes.
imp_Status impi_octree_get_cubes(imp_Context *context, const imp_Octree *octree,
                                 const imp_OctreeCubesDef *def, imp_OctreeCube *cubes, size_t capacity,
                                 size_t *count);

#endif
