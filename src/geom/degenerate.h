/// What degenerate triangles are, shared by the triangle tests.
#ifndef IMPINGE_GEOM_DEGENERATE_H
#define IMPINGE_GEOM_DEGENERATE_H

#include "geom/predicates.h"

/// A projection in which a triangle keeps its area, the one with the largest share of it where that can be
/// told cheaply. False when the triangle is degenerate.
bool impi_triangle_plane(const imp_Triangle *triangle, impi_Axis *dropped);

/// The segment (or point) that a degenerate triangle is.
imp_Segment impi_degenerate_triangle_segment(const imp_Triangle *triangle);

#endif
