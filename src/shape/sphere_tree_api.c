// The functions of spheres.h that compute. Here arguments are checked and the host's floating-point mode is
// set aside; the work is done in sphere_tree.c, see base/float_guard.h.
#include "base/scratch_call.h"
#include "shape/sphere_tree.h"

imp_Status imp_sphere_tree_create(imp_Context *context, const imp_SphereTreeDef *def, imp_SphereTree **tree)
{
    imp_Status status = impi_call_check(context, def && def->mesh && tree);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_sphere_tree_create(context, def, tree));
}

imp_Status imp_sphere_tree_create_from_spheres(imp_Context *context, const imp_GivenSpheresDef *def,
                                               imp_SphereTree **tree)
{
    imp_Status status = impi_call_check(context, def && def->mesh && (def->spheres || !def->count) && tree);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_sphere_tree_create_from_spheres(context, def, tree));
}

imp_Status imp_sphere_tree_get_level(const imp_SphereTree *tree, size_t level, imp_SphereLevel *info)
{
    if (!tree || !info)
        return IMP_STATUS_BAD_ARGUMENT;
    impi_FloatGuard guard = impi_float_guard_enter();
    imp_Status status = impi_sphere_tree_get_level(tree, level, info);
    impi_float_guard_leave(guard);
    return status;
}
