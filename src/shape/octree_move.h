/// Octrees in another place, by the methods of imp_OctreeMoveMethod.
#ifndef IMPINGE_SHAPE_OCTREE_MOVE_H
#define IMPINGE_SHAPE_OCTREE_MOVE_H

#include "shape/octree_motion.h"

/// See imp_octree_move.
imp_Status impi_octree_move(imp_Context *context, const imp_Octree *octree, const imp_OctreeMoveDef *def,
                            imp_Octree **result);

// Its methods. All give the same.

/// Cubes in any position (octree_turn.c).
imp_Status impi_octree_turn(impi_OctreeMotion *motion, imp_Octree **result);

/// Cubes that stay upright, which move voxel by voxel along each axis (octree_upright.c). Is the matrix one
/// of 0, 1 and -1?
bool impi_octree_stays_upright(const imp_Transform *transform);
imp_Status impi_octree_move_upright(impi_OctreeMotion *motion, imp_Octree **result);

/// Smith & Kitamura 2.4.3 and 2.4.4, with so many partial octrees (octree_walk.c).
imp_Status impi_octree_walk(impi_OctreeMotion *motion, uint32_t part_count, imp_Octree **result);

#endif
