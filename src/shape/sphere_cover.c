#include "shape/sphere_cover.h"

#include "base/memory.h"

void impi_sphere_faces_free(const imp_Allocator *allocator, impi_SphereFaces *faces)
{
    impi_release(allocator, faces->first, (faces->sphere_count + 1) * sizeof *faces->first);
    impi_release(allocator, faces->faces, faces->face_capacity * sizeof *faces->faces);
    *faces = (impi_SphereFaces){0};
}

imp_Status impi_sphere_cover_mend(imp_Context *context, const imp_Mesh *mesh, imp_SphereCover cover,
                                  impi_SphereDraft *draft)
{
    (void)mesh;
    (void)cover;
    (void)draft;
    return impi_fail(context, IMP_STATUS_UNSUPPORTED, IMP_NOWHERE, "not yet");
}

imp_Status impi_sphere_cover_prove(imp_Context *context, const imp_Mesh *mesh, imp_SphereCover cover,
                                   const impi_SphereDraft *draft, impi_SphereFaces *faces)
{
    (void)mesh;
    (void)cover;
    (void)draft;
    (void)faces;
    return impi_fail(context, IMP_STATUS_UNSUPPORTED, IMP_NOWHERE, "not yet");
}
