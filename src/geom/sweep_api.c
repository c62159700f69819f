// The functions of sweep.h about lists of features. Here arguments are checked and the host's floating-point
// mode is set aside; the work is done in sweep_queries.c, see base/float_guard.h.
#include "base/scratch_call.h"
#include "geom/sweep_queries.h"

static imp_Status sweep_queries(imp_Context *context, impi_SweepKind kind, const imp_SweepQuery *queries,
                                size_t count, double *times)
{
    imp_Status status = impi_call_check(context, count == 0 || (queries && times));
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_sweep_queries(context, kind, queries, count, times));
}

imp_Status imp_sweep_vertex_faces(imp_Context *context, const imp_SweepQuery *queries, size_t count,
                                  double *times)
{
    return sweep_queries(context, IMPI_SWEEP_VERTEX_FACE, queries, count, times);
}

imp_Status imp_sweep_edges(imp_Context *context, const imp_SweepQuery *queries, size_t count, double *times)
{
    return sweep_queries(context, IMPI_SWEEP_EDGES, queries, count, times);
}

imp_Status imp_sweep_triangles(imp_Context *context, const imp_MovingTriangle *a, const imp_MovingTriangle *b,
                               size_t count, double *times)
{
    imp_Status status = impi_call_check(context, count == 0 || (a && b && times));
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_end(context, guard, impi_sweep_triangles(context, a, b, count, times));
}
