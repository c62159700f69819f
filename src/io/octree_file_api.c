// The functions of octree.h that read and write files. Here arguments are checked and the host's
// floating-point mode is set aside; see base/float_guard.h.
#include "base/scratch_call.h"
#include "io/octree_file.h"

imp_Status imp_octree_save(imp_Context *context, const imp_Octree *octree, const char *path)
{
    imp_Status status = impi_call_check(context, octree && path);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_octree_save(context, octree, path));
}

imp_Status imp_octree_load(imp_Context *context, const char *path, const imp_OctreeLoadDef *def,
                           imp_Octree **octree)
{
    imp_Status status = impi_call_check(context, path && octree);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_octree_load(context, path, def, octree));
}
