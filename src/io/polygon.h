/// Is a polygon of a file convex, so that fanning it from its first vertex gives what it means?
#ifndef IMPINGE_IO_POLYGON_H
#define IMPINGE_IO_POLYGON_H

#include <impinge/math.h>

/// A polygon counts as convex when every corner, and every triangle of its fan, turns the same way as the
/// whole: their vector areas have no negative product with that of the polygon. Turns backwards of less
/// than a millionth of the sides' lengths are forgiven, because files round coordinates. A polygon without
/// an area of its own counts as convex. Any finite coordinates; `count` is at least 3.
bool impi_polygon_is_convex(const imp_Vec3 *vertices, const uint32_t *corners, size_t count);

#endif
