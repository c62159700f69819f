// The public function. Here arguments are checked and the host's floating-point mode is set aside.
#include "base/scratch_call.h"
#include "object/interior_points.h"

imp_Status imp_mesh_interior_points(imp_Context *context, const imp_Mesh *mesh, imp_InteriorPoint *points,
                                    size_t capacity, size_t *count)
{
    imp_Status status = impi_call_check(context, mesh && count && (points || capacity == 0));
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard,
                                 impi_mesh_interior_points(context, mesh, points, capacity, count));
}
