/// Which faces of one mesh share more than they should?
/// All functions expect finite coordinates and the default floating-point mode (base/float_guard.h).
#ifndef IMPINGE_SHAPE_SELF_PAIRS_H
#define IMPINGE_SHAPE_SELF_PAIRS_H

#include "shape/mesh.h"

/// Do two triangles share more than their common vertices and edges, vertices being common where their
/// coordinates are equal? The rule for degenerate triangles is at the head of self_pairs.c.
bool impi_triangles_overlap(const imp_Triangle *a, const imp_Triangle *b);

/// See imp_mesh_self_pairs.
imp_Status impi_mesh_self_pairs(imp_Context *context, const imp_Mesh *mesh, imp_FacePair *pairs,
                                size_t capacity, size_t *count);

#endif
