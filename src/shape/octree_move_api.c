// The functions of octree.h that list and move cubes. Here arguments are checked and the host's
// floating-point mode is set aside; the work is done elsewhere, see base/float_guard.h.
#include "base/scratch_call.h"
#include "shape/octree_cubes.h"
#include "shape/octree_move.h"

imp_Status imp_octree_get_cubes(imp_Context *context, const imp_Octree *octree, const imp_OctreeCubesDef *def,
                                imp_OctreeCube *cubes, size_t capacity, size_t *count)
{
    imp_Status status = impi_call_check(context, octree && (cubes || capacity == 0) && count);
    if (status == IMP_STATUS_OK && def)
        status = IMPI_CHECK_RESERVED(context, def);
    if (status != IMP_STATUS_OK)
        return status;
    const imp_OctreeCubesDef used = def ? *def : (imp_OctreeCubesDef){0};
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    status = impi_octree_get_cubes(context, octree, &used, cubes, capacity, count);
    return impi_scratch_call_end(context, guard, status);
}

imp_Status imp_octree_move(imp_Context *context, const imp_Octree *octree, const imp_OctreeMoveDef *def,
                           imp_Octree **result)
{
    imp_Status status = impi_call_check(context, octree && def && result);
    if (status == IMP_STATUS_OK)
        status = IMPI_CHECK_RESERVED(context, def);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_octree_move(context, octree, def, result));
}
