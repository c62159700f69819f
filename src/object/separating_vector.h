/// Do two convex polytopes touch? Chung & Wang 1996, with a proof for each answer.
#ifndef IMPINGE_OBJECT_SEPARATING_VECTOR_H
#define IMPINGE_OBJECT_SEPARATING_VECTOR_H

#include "base/context.h"
#include "shape/convex.h"

/// The convex hull of posed vertices.
typedef struct impi_Polytope {
    const impi_SupportSet *support;
    const imp_Vec3 *vertices; // by the numbers that support->vertices gives
    size_t vertex_count;      // numbers below it are vertices; 0 when some of the mesh's vertices are not
    const imp_Transform *transform; // of a pose
} impi_Polytope;

/// Vertex b minus vertex a, both posed. A search that is under way knows vertices by their positions in the
/// support sets, and differences as the grid has them, until it matters.
typedef struct impi_Difference {
    imp_Vec3 d;          // rounded, or about right
    imp_VertexPair pair; // numbers of vertices, or positions
    bool is_rough;       // d is about right, the pair are positions
} impi_Difference;

/// Steps in double precision before exact arithmetic takes over. Exact steps have no bound: they end because
/// each feature they look at is nearer to the origin than the last, and there are finitely many.
#define IMPI_MAX_DOUBLE_STEPS 20

/// See imp_convex_test. Memory for the exact part comes from the arena, up to what impi_convex_exact_memory
/// tells, and goes back to it. Expects the default floating-point mode. IMP_STATUS_OK,
/// IMP_STATUS_OUT_OF_MEMORY or IMP_STATUS_BAD_NUMBER.
imp_Status impi_convex_test(impi_Arena *arena, const impi_Polytope *a, const impi_Polytope *b,
                            imp_ConvexState *state, imp_ConvexResult *result);

static inline impi_Polytope impi_convex_polytope(const imp_Convex *convex, const imp_Transform *transform)
{
    return (impi_Polytope){&convex->support, convex->vertices, convex->vertex_count, transform};
}

#endif
