#include "listed_cubes.h"

#include "base/scratch_call.h"
#include "geom/pose.h"
#include "shape/octree_move.h"

#include <stdlib.h>

imp_Status listed_cubes_make(imp_Context *context, const imp_Octree *octree, const imp_OctreeCubesDef *def,
                             ListedCubes *cubes)
{
    size_t capacity = impi_octree_count_black_cells(octree);
    *cubes = (ListedCubes){malloc((capacity + 1) * sizeof *cubes->data), 0};
    if (!cubes->data)
        return IMP_STATUS_OUT_OF_MEMORY;
    imp_Status status = imp_octree_get_cubes(context, octree, def, cubes->data, capacity, &cubes->count);
    if (status != IMP_STATUS_OK)
        listed_cubes_free(cubes);
    return status;
}

void listed_cubes_free(ListedCubes *cubes)
{
    free(cubes->data);
    *cubes = (ListedCubes){NULL, 0};
}

static imp_Status move_by(impi_OctreeMotion *motion, imp_OctreeMoveMethod method, uint32_t part_count,
                          imp_Octree **result)
{
    switch (method) {
    case IMP_MOVE_PAPER:
        return impi_octree_walk(motion, 1, result);
    case IMP_MOVE_PARTIAL:
        return impi_octree_walk(motion, part_count, result);
    case IMP_MOVE_TRANSLATE:
        return impi_octree_move_upright(motion, result);
    default:
        return impi_octree_stays_upright(&motion->motion.transform) ? impi_octree_move_upright(motion, result)
                                                                    : impi_octree_turn(motion, result);
    }
}

imp_Status listed_cubes_move(imp_Context *context, const imp_Octree *octree, const imp_OctreeMoveDef *def,
                             const ListedCubes *cubes, uint32_t part_count, imp_Octree **result)
{
    const imp_OctreeGrid grid = def->grid.voxel == 0 ? octree->grid : def->grid;
    imp_Transform transform;
    impi_OctreeMotion motion;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    imp_Status status = impi_pose_transform(&def->pose, &transform);
    if (status == IMP_STATUS_OK) {
        impi_octree_motion_init(&motion, context, octree, def, &transform, &grid);
        motion.cubes = (impi_CubeList){cubes->data, cubes->count};
        impi_octree_find_cut(&motion);
        status = move_by(&motion, def->method, part_count, result);
    }
    if (status == IMP_STATUS_OK && def->stats)
        *def->stats = (imp_OctreeMoveStats){cubes->count, motion.cube_tests, motion.exact_tests};
    return impi_scratch_call_end(context, guard, status);
}
