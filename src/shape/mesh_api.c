// The public functions of mesh.h that compute. Here arguments are checked and the host's floating-point mode
// is set aside; the work is done in other source files, see base/float_guard.h.
#include "base/scratch_call.h"
#include "shape/mesh.h"
#include "shape/mesh_analysis.h"
#include "shape/mesh_topology.h"
#include "shape/mesh_transform.h"
#include "shape/point_location.h"
#include "shape/self_pairs.h"

imp_Status imp_mesh_create(imp_Context *context, const imp_MeshDef *def, imp_Mesh **mesh)
{
    imp_Status status = impi_call_check(context, def && mesh);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_mesh_create(context, def, mesh));
}

imp_Status imp_mesh_transform(imp_Context *context, const imp_Mesh *mesh, const imp_MeshTransformDef *def,
                              imp_Mesh **result)
{
    imp_Status status = impi_call_check(context, mesh && def && result);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_mesh_transform(context, mesh, def, result));
}

imp_Status imp_mesh_analyse(imp_Context *context, const imp_Mesh *mesh, imp_MeshInfo *info)
{
    imp_Status status = impi_call_check(context, mesh && info);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_mesh_analyse(context, mesh, info));
}

imp_Status imp_mesh_is_closed(imp_Context *context, const imp_Mesh *mesh, bool *closed)
{
    imp_Status status = impi_call_check(context, mesh && closed);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_mesh_is_closed(context, mesh, closed));
}

imp_Status imp_mesh_adjacency(imp_Context *context, const imp_Mesh *mesh, uint32_t *neighbours)
{
    imp_Status status = impi_call_check(context, mesh && neighbours);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_mesh_adjacency(context, mesh, neighbours));
}

imp_Status imp_mesh_locate_points(imp_Context *context, const imp_Mesh *mesh, const imp_Vec3 *points,
                                  size_t count, imp_PointLocation *locations)
{
    imp_Status status = impi_call_check(context, mesh && (count == 0 || (points && locations)));
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard,
                                 impi_mesh_locate_points(context, mesh, points, count, locations));
}

imp_Status imp_mesh_self_pairs(imp_Context *context, const imp_Mesh *mesh, imp_FacePair *pairs,
                               size_t capacity, size_t *count)
{
    imp_Status status = impi_call_check(context, mesh && count && (capacity == 0 || pairs));
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_mesh_self_pairs(context, mesh, pairs, capacity, count));
}
