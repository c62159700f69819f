#include "shape/sphere_draft.h"

imp_Status impi_spheres_octree(imp_Context *context, const imp_SphereTreeDef *def, impi_SphereDraft *draft)
{
    (void)def;
    (void)draft;
    return impi_fail(context, IMP_STATUS_UNSUPPORTED, IMP_NOWHERE, "not yet");
}
