/// Do two simple shapes share a point? Exact for all finite doubles, touching counts, degenerate triangles
/// are segments or points. Coordinates must be finite and the floating-point mode the default one.
#ifndef IMPINGE_GEOM_TOUCH_H
#define IMPINGE_GEOM_TOUCH_H

#include <impinge/math.h>

bool impi_triangles_touch(const imp_Triangle *a, const imp_Triangle *b);
bool impi_segment_touches_triangle(const imp_Segment *segment, const imp_Triangle *triangle);
bool impi_triangle_touches_box(const imp_Triangle *triangle, const imp_Box *box);

/// Does a closed triangle have a point inside of a box, not on its boundary only? The box has a volume.
bool impi_triangle_enters_box(const imp_Triangle *triangle, const imp_Box *box);

/// Exactly collinear, or vertices that coincide.
bool impi_triangle_is_degenerate(const imp_Triangle *triangle);

#endif
