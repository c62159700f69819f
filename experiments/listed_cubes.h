/// Octree motion with cubes that were listed before: what the papers prepare once, and what is timed apart
/// from it.
#ifndef IMPINGE_EXPERIMENTS_LISTED_CUBES_H
#define IMPINGE_EXPERIMENTS_LISTED_CUBES_H

#include <impinge/octree.h>

typedef struct ListedCubes {
    imp_OctreeCube *data;
    size_t count;
} ListedCubes;

/// As imp_octree_get_cubes, which `def` goes to; to be freed.
imp_Status listed_cubes_make(imp_Context *context, const imp_Octree *octree, const imp_OctreeCubesDef *def,
                             ListedCubes *cubes);
void listed_cubes_free(ListedCubes *cubes);

/// imp_octree_move of these cubes, which cover what is black in `octree`. `def` is good, and its `compact` is
/// not looked at. IMP_MOVE_PARTIAL makes `part_count` partial octrees, whatever the number of threads.
imp_Status listed_cubes_move(imp_Context *context, const imp_Octree *octree, const imp_OctreeMoveDef *def,
                             const ListedCubes *cubes, uint32_t part_count, imp_Octree **result);

#endif
