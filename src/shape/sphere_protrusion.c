#include "shape/sphere_protrusion.h"

imp_Status impi_sphere_protrusions_measure(imp_Context *context, const imp_Mesh *mesh, bool is_solid,
                                           imp_Sphere *spheres, size_t count)
{
    (void)mesh;
    (void)is_solid;
    (void)spheres;
    (void)count;
    return impi_fail(context, IMP_STATUS_UNSUPPORTED, IMP_NOWHERE, "not yet");
}
