/// The convex hull of points, in exact arithmetic.
#ifndef IMPINGE_SHAPE_HULL_H
#define IMPINGE_SHAPE_HULL_H

#include "shape/mesh.h"

#include <impinge/convex.h>

/// The surface of the hull: closed, manifold, turned outward, without degenerate triangles. Its vertices are
/// distinct points in the order of `def` (the first of those that are equal), each used by a triangle: the
/// extreme points, and with keep_coplanar every other point of the surface too. Triangles begin with their
/// lowest vertex and are sorted. The result hangs on the set of points and their order alone: facets are fans
/// from their lowest vertex or, with keep_coplanar, what a sweep over their points in the order of x, y, z
/// makes.
///
/// `arrays` are allocated from the context's allocator and belong to the caller. Refuses what
/// imp_convex_create refuses. Expects the default floating-point mode (base/float_guard.h).
imp_Status impi_hull_find(imp_Context *context, const imp_ConvexDef *def, impi_MeshArrays *arrays);

#endif
