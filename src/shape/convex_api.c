// The functions of convex.h that make polytopes. Here arguments are checked and the host's floating-point
// mode is set aside; the work is done in convex.c, see base/float_guard.h.
#include "base/float_guard.h"
#include "shape/convex.h"

static imp_Status fail_null(imp_Context *context)
{
    return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "an argument is null");
}

// Scratch is emptied on both sides of a call, as in mesh_api.c.
static impi_FloatGuard begin(imp_Context *context)
{
    impi_arena_reset(&context->scratch);
    return impi_float_guard_enter();
}

static imp_Status end(imp_Context *context, impi_FloatGuard guard, imp_Status status)
{
    impi_float_guard_leave(guard);
    impi_arena_reset(&context->scratch);
    return status;
}

imp_Status imp_convex_create(imp_Context *context, const imp_ConvexDef *def, imp_Convex **convex)
{
    if (!context || !def || !convex)
        return fail_null(context);
    impi_FloatGuard guard = begin(context);
    return end(context, guard, impi_convex_create(context, def, convex));
}

imp_Status imp_convex_create_from_mesh(imp_Context *context, imp_Mesh *mesh, imp_Convex **convex)
{
    if (!context || !mesh || !convex)
        return fail_null(context);
    impi_FloatGuard guard = begin(context);
    return end(context, guard, impi_convex_create_from_mesh(context, mesh, convex));
}
