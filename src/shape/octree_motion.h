/// A motion of an octree made ready: its cubes, the grids of both sides, and cells as boxes.
#ifndef IMPINGE_SHAPE_OCTREE_MOTION_H
#define IMPINGE_SHAPE_OCTREE_MOTION_H

#include "geom/cube_cube.h"
#include "shape/octree_cubes.h"

#include <stdatomic.h>

typedef struct impi_OctreeMotion {
    imp_Context *context;
    const imp_Octree *octree;
    imp_OctreeGrid grid; // of the result
    imp_OctreeMoveRule rule;
    double slack; // as a length: what target voxels lose on each side; 0 by IMP_MOVE_CENTRE
    impi_CubeList cubes;
    bool is_cut;            // the octree was, or a moved cube reaches beyond the target grid
    impi_CubeMotion motion; // in a frame for both grids
    double source_voxel, target_voxel, local_slack; // in that frame
    atomic_uint_fast64_t cube_tests, exact_tests;
} impi_OctreeMotion;

/// The cubes are still to be filled in; arguments are good.
void impi_octree_motion_init(impi_OctreeMotion *motion, imp_Context *context, const imp_Octree *octree,
                             const imp_OctreeMoveDef *def, const imp_Transform *transform,
                             const imp_OctreeGrid *grid);

/// What overlap or touching means, or for centers lying in cubes.
static inline impi_CubeSense impi_octree_motion_sense(const impi_OctreeMotion *motion)
{
    return motion->rule == IMP_MOVE_OVERLAP ? IMPI_CUBES_OPEN : IMPI_CUBES_CLOSED;
}

/// A cube before it is moved: its corners, in real numbers.
void impi_octree_source_box(const impi_OctreeMotion *motion, const imp_OctreeCube *cube, impi_SourceBox *box);

/// What of a cell the rule asks for: all of it less the slack, or the box of its voxels' centers.
void impi_octree_target_box(const impi_OctreeMotion *motion, const impi_OctreeCell *cell,
                            impi_TargetBox *box);

/// The same in the frame, as centers and half edges.
void impi_octree_source_place(const impi_OctreeMotion *motion, const imp_OctreeCube *cube, double center[3],
                              double half[3]);
void impi_octree_target_place(const impi_OctreeMotion *motion, const impi_OctreeCell *cell, double center[3],
                              double half[3]);

/// Half of the edge of what the rule asks for in a cell `voxels` wide.
double impi_octree_target_half(const impi_OctreeMotion *motion, uint32_t voxels);

/// Does the rule hold for a voxel and a moved cube?
bool impi_octree_rule_holds(impi_OctreeMotion *motion, const imp_OctreeCube *cube,
                            const impi_OctreeCell *voxel);

/// Once cubes are filled in: whether a moved one reaches beyond the cube of the target grid.
void impi_octree_find_cut(impi_OctreeMotion *motion);

#endif
