/// The inside of imp_Convex.
#ifndef IMPINGE_SHAPE_CONVEX_H
#define IMPINGE_SHAPE_CONVEX_H

#include "shape/shape.h"
#include "shape/support_set.h"

#include <impinge/convex.h>

// Tests begin with the support set and then look at the vertices: these share cache lines, whatever room is
// lost.
struct imp_Convex { // NOLINT(clang-analyzer-optin.performance.Padding)
    impi_Shape shape;
    imp_Mesh *mesh;                       // one reference
    _Alignas(64) impi_SupportSet support; // of the distinct vertices that faces use
    const imp_Vec3 *vertices;             // of the mesh
    size_t vertex_count;                  // of the mesh, if all of them are vertices of the polytope; else 0
};

/// The public functions without their checks of null arguments, in the default floating-point mode
/// (base/float_guard.h). They use the context's scratch arena.
imp_Status impi_convex_create(imp_Context *context, const imp_ConvexDef *def, imp_Convex **convex);
imp_Status impi_convex_create_from_mesh(imp_Context *context, imp_Mesh *mesh, imp_Convex **convex);

/// When the last reference goes.
void impi_convex_destroy(imp_Convex *convex);

#endif
