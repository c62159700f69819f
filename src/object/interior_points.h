/// A point inside of each component of a closed mesh.
#ifndef IMPINGE_OBJECT_INTERIOR_POINTS_H
#define IMPINGE_OBJECT_INTERIOR_POINTS_H

#include "shape/mesh.h"

/// See imp_mesh_interior_points, with arguments checked for null and the default floating-point mode. Uses
/// the context's scratch arena.
imp_Status impi_mesh_interior_points(imp_Context *context, const imp_Mesh *mesh, imp_InteriorPoint *points,
                                     size_t capacity, size_t *count);

#endif
