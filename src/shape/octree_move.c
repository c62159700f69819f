#include "shape/octree_move.h"

#include "geom/pose.h"

#include <math.h>

// Corners of voxels are `corner + s` and `corner - s`: is there something left between them?
static imp_Status check_slack(imp_Context *context, const imp_OctreeMoveDef *def, const imp_OctreeGrid *grid)
{
    if (!(def->slack >= 0) || !(def->slack < 0.5))
        return impi_fail(context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE,
                         "a slack of %g voxels: expected one from 0 to below one half", def->slack);
    if (def->slack == 0 || def->rule == IMP_MOVE_CENTRE)
        return IMP_STATUS_OK;
    const double slack = def->slack * grid->voxel;
    for (int axis = 0; axis < 3; ++axis)
        for (uint32_t i = 0; i < 1u << grid->level; ++i)
            if (!(impi_grid_corner(grid, axis, i) + slack < impi_grid_corner(grid, axis, i + 1) - slack))
                return impi_fail(context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE,
                                 "a slack of %g voxels leaves nothing of voxel %u along %c", def->slack,
                                 (unsigned)i, "xyz"[axis]);
    return IMP_STATUS_OK;
}

static imp_Status check(imp_Context *context, const imp_OctreeMoveDef *def, const imp_OctreeGrid *grid,
                        imp_Transform *transform)
{
    if ((unsigned)def->rule > IMP_MOVE_TOUCH)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "there is no rule %d to move octrees by", (int)def->rule);
    if ((unsigned)def->method > IMP_MOVE_TRANSLATE)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "there is no method %d to move octrees", (int)def->method);
    if (impi_pose_transform(&def->pose, transform) != IMP_STATUS_OK)
        return impi_fail(context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE,
                         "the pose of an octree is not finite, or its rotation is not of unit length");
    imp_Status status = impi_grid_check(context, grid);
    return status == IMP_STATUS_OK ? check_slack(context, def, grid) : status;
}

static bool is_translation(const imp_Transform *transform)
{
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            if (transform->rows[row][column] != (row == column))
                return false;
    return true;
}

static imp_Status move_by(impi_OctreeMotion *motion, imp_OctreeMoveMethod method, imp_Octree **result)
{
    const imp_Transform *transform = &motion->motion.transform;
    switch (method) {
    case IMP_MOVE_PAPER:
        return impi_octree_walk(motion, 1, result);
    case IMP_MOVE_PARTIAL:
        return impi_octree_walk(motion, motion->context->executor.thread_count, result);
    case IMP_MOVE_TRANSLATE:
        return impi_octree_move_upright(motion, result);
    default:
        return impi_octree_stays_upright(transform) ? impi_octree_move_upright(motion, result)
                                                    : impi_octree_turn(motion, result);
    }
}

imp_Status impi_octree_move(imp_Context *context, const imp_Octree *octree, const imp_OctreeMoveDef *def,
                            imp_Octree **result)
{
    imp_Transform transform = {{{0}}, {0, 0, 0}};
    const imp_OctreeGrid grid = def->grid.voxel == 0 ? octree->grid : def->grid;
    imp_Status status = check(context, def, &grid, &transform);
    if (status != IMP_STATUS_OK)
        return status;
    if (def->method == IMP_MOVE_TRANSLATE && !is_translation(&transform))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "only poses without rotation can be moved by subdivision of axes");
    impi_OctreeMotion motion;
    impi_octree_motion_init(&motion, context, octree, def, &transform, &grid);
    const imp_OctreeCubesDef cubes = {.compact = def->compact};
    status = impi_octree_list_cubes(context, octree, &cubes, &motion.cubes);
    if (status == IMP_STATUS_OK) {
        impi_octree_find_cut(&motion);
        status = move_by(&motion, def->method, result);
    }
    if (status == IMP_STATUS_OK && def->stats)
        *def->stats = (imp_OctreeMoveStats){motion.cubes.count, motion.cube_tests, motion.exact_tests};
    return status;
}
