// The functions of octree.h that make octrees and look into them. Here arguments are checked and the host's
// floating-point mode is set aside; the work is done elsewhere, see base/float_guard.h.
#include "base/scratch_call.h"
#include "shape/octree_build.h"
#include "shape/octree_cells.h"
#include "shape/octree_text.h"

imp_Status imp_octree_grid_around(const imp_Mesh *mesh, uint32_t level, imp_OctreeGrid *grid)
{
    if (!mesh || !grid)
        return IMP_STATUS_BAD_ARGUMENT;
    impi_FloatGuard guard = impi_float_guard_enter();
    imp_Status status = impi_grid_around(mesh, level, grid);
    impi_float_guard_leave(guard);
    return status;
}

imp_Status imp_octree_create(imp_Context *context, const imp_OctreeDef *def, imp_Octree **octree)
{
    imp_Status status = impi_call_check(context, def && def->mesh && octree);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_octree_create(context, def, octree));
}

imp_Status imp_octree_create_from_voxels(imp_Context *context, const imp_OctreeGrid *grid,
                                         const uint8_t *voxels, size_t count, imp_Octree **octree)
{
    imp_Status status = impi_call_check(context, grid && (voxels || count == 0) && octree);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    status = impi_octree_create_from_voxels(context, grid, voxels, count, octree);
    return impi_scratch_call_end(context, guard, status);
}

imp_Status imp_octree_create_from_df(imp_Context *context, const imp_OctreeGrid *grid, const char *text,
                                     size_t length, imp_Octree **octree)
{
    imp_Status status = impi_call_check(context, grid && (text || length == 0) && octree);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    status = impi_octree_create_from_df(context, grid, text, length, octree);
    return impi_scratch_call_end(context, guard, status);
}

imp_Octree *imp_octree_retain(imp_Octree *octree)
{
    impi_shape_retain((impi_Shape *)octree);
    return octree;
}

void imp_octree_release(imp_Octree *octree)
{
    impi_shape_release((impi_Shape *)octree);
}

imp_Status imp_octree_get_info(const imp_Octree *octree, imp_OctreeInfo *info)
{
    if (!octree || !info)
        return IMP_STATUS_BAD_ARGUMENT;
    impi_FloatGuard guard = impi_float_guard_enter();
    impi_octree_get_info(octree, info);
    impi_float_guard_leave(guard);
    return IMP_STATUS_OK;
}

static bool is_cell(const imp_Octree *octree, uint32_t level, uint32_t x, uint32_t y, uint32_t z)
{
    return level <= octree->grid.level && (x | y | z) >> level == 0;
}

imp_Status imp_octree_get_colour(const imp_Octree *octree, uint32_t level, uint32_t x, uint32_t y, uint32_t z,
                                 imp_CellColour *colour)
{
    const impi_OctreeNode *above;
    unsigned octant;
    impi_OctreeCell cell = {level, {x, y, z}};
    if (!octree || !colour)
        return IMP_STATUS_BAD_ARGUMENT;
    if (!is_cell(octree, level, x, y, z))
        return IMP_STATUS_BAD_INDEX;
    *colour = impi_octree_find(octree, &cell, &above, &octant);
    return IMP_STATUS_OK;
}

imp_Status imp_octree_get_faces(const imp_Octree *octree, uint32_t x, uint32_t y, uint32_t z,
                                const uint32_t **faces, size_t *count)
{
    if (!octree || !faces || !count)
        return IMP_STATUS_BAD_ARGUMENT;
    if (!is_cell(octree, octree->grid.level, x, y, z))
        return IMP_STATUS_BAD_INDEX;
    impi_octree_get_faces(octree, (uint32_t[3]){x, y, z}, faces, count);
    return IMP_STATUS_OK;
}

imp_Status imp_octree_locate_points(imp_Context *context, const imp_Octree *octree, const imp_Vec3 *points,
                                    size_t count, imp_CellColour *colours)
{
    imp_Status status = impi_call_check(context, octree && ((points && colours) || count == 0));
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_call_begin(context);
    return impi_call_end(context, guard, impi_octree_locate_points(context, octree, points, count, colours));
}

imp_Status imp_octree_get_voxels(imp_Context *context, const imp_Octree *octree, uint8_t *voxels,
                                 size_t count)
{
    imp_Status status = impi_call_check(context, octree && (voxels || count == 0));
    return status == IMP_STATUS_OK ? impi_octree_get_voxels(context, octree, voxels, count) : status;
}

imp_Status imp_octree_get_df(imp_Context *context, const imp_Octree *octree, char *text, size_t capacity,
                             size_t *length)
{
    imp_Status status = impi_call_check(context, octree && (text || capacity == 0) && length);
    return status == IMP_STATUS_OK ? impi_octree_get_df(context, octree, text, capacity, length) : status;
}
