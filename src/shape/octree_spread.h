/// Moved cubes handed down to the tiles that they may meet: what the fast ways to move octrees have in
/// common.
#ifndef IMPINGE_SHAPE_OCTREE_SPREAD_H
#define IMPINGE_SHAPE_OCTREE_SPREAD_H

#include "shape/octree_box_colour.h"
#include "shape/octree_motion.h"
#include "shape/octree_tile.h"

/// Voxels of the target that a moved cube may meet: from `min` up to but without `max`.
typedef struct impi_VoxelSpan {
    uint32_t min[3], max[3];
} impi_VoxelSpan;

typedef struct impi_OctreeSpread {
    impi_OctreeMotion *motion;
    const impi_VoxelSpan *spans; // of each cube
    void *user;
    /// Colour the voxels of a tile by these cubes. False to end, when the watch says so.
    bool (*colour_tile)(void *user, impi_OctreeTile *tile, const uint32_t *cubes, size_t count);
} impi_OctreeSpread;

imp_Status impi_octree_spread(impi_OctreeSpread *spread, imp_Octree **result);

/// Does the moved octree cover the whole cell, of so many voxels along an axis from `first` on, is it far
/// away from it, or (gray) is neither known? What is covered is black by every rule.
imp_CellColour impi_octree_moved_colour(const impi_OctreeMotion *motion, const uint32_t first[3],
                                        uint32_t voxels);

#endif
