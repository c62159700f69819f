/// The inside of imp_Convex.
#ifndef IMPINGE_SHAPE_CONVEX_H
#define IMPINGE_SHAPE_CONVEX_H

#include "shape/shape.h"
#include "shape/support_set.h"

#include <impinge/convex.h>

struct imp_Convex {
    impi_Shape shape;
    imp_Mesh *mesh;           // one reference
    const imp_Vec3 *vertices; // of the mesh
    size_t vertex_count;      // of the mesh, if all of them are vertices of the polytope; else 0
    // At the begin of a cache line, because tests begin with it: of the distinct vertices that faces use.
    _Alignas(64) impi_SupportSet support;
};

/// The public functions without their checks of null arguments, in the default floating-point mode
/// (base/float_guard.h). They use the context's scratch arena.
imp_Status impi_convex_create(imp_Context *context, const imp_ConvexDef *def, imp_Convex **convex);
imp_Status impi_convex_create_from_mesh(imp_Context *context, imp_Mesh *mesh, imp_Convex **convex);

/// When the last reference goes.
void impi_convex_destroy(imp_Convex *convex);

#endif
