// The functions of octree.h that make octrees of octrees, and meshes. Here arguments are checked and the
// host's floating-point mode is set aside; see base/float_guard.h.
#include "base/scratch_call.h"
#include "shape/octree_sets.h"
#include "shape/octree_surface.h"

imp_Status imp_octree_combine(imp_Context *context, imp_OctreeOperation operation, const imp_Octree *a,
                              const imp_Octree *b, imp_Octree **result)
{
    imp_Status status = impi_call_check(context, a && b && result);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_octree_combine(context, operation, a, b, result));
}

imp_Status imp_octree_complement(imp_Context *context, const imp_Octree *octree, imp_Octree **result)
{
    imp_Status status = impi_call_check(context, octree && result);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_octree_complement(context, octree, result));
}

imp_Status imp_octree_equal(const imp_Octree *a, const imp_Octree *b, bool *equal)
{
    if (!a || !b || !equal)
        return IMP_STATUS_BAD_ARGUMENT;
    *equal = impi_octree_equal(a, b);
    return IMP_STATUS_OK;
}

imp_Status imp_octree_get_surface(imp_Context *context, const imp_Octree *octree, imp_Mesh **mesh)
{
    imp_Status status = impi_call_check(context, octree && mesh);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_octree_get_surface(context, octree, mesh));
}
