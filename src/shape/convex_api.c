// The functions of convex.h that make polytopes. Here arguments are checked and the host's floating-point
// mode is set aside; the work is done in convex.c, see base/float_guard.h.
#include "base/scratch_call.h"
#include "shape/convex.h"

imp_Status imp_convex_create(imp_Context *context, const imp_ConvexDef *def, imp_Convex **convex)
{
    imp_Status status = impi_call_check(context, def && convex);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_convex_create(context, def, convex));
}

imp_Status imp_convex_create_from_mesh(imp_Context *context, imp_Mesh *mesh, imp_Convex **convex)
{
    imp_Status status = impi_call_check(context, mesh && convex);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_convex_create_from_mesh(context, mesh, convex));
}
