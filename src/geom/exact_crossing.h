/// Where a segment crosses a plane, or another segment: rounded from exact sums, so that the point is as near
/// to both as doubles allow. Finite coordinates and the default floating-point mode (base/float_guard.h)
/// expected.
#ifndef IMPINGE_GEOM_EXACT_CROSSING_H
#define IMPINGE_GEOM_EXACT_CROSSING_H

#include <impinge/math.h>

/// How far each coordinate of a crossing can be off, as a share of the larger one of the segment's ends. The
/// two weights are off by 3.1 u of themselves, each product and their sum by one u more; u = 2^-53.
#define IMPI_CROSSING_ERROR (6 * 0x1p-53)

/// The point in which the segment meets the plane of the triangle; its ends are strictly on different sides.
/// It does not depend on the order of the ends or of the corners.
imp_Vec3 impi_segment_plane_crossing(const imp_Segment *segment, const imp_Triangle *plane);

/// The point in which two segments cross, which is inside of both; they lie in one plane and not on one line.
/// It does not depend on the order of the two, nor of their ends.
imp_Vec3 impi_segments_crossing(const imp_Segment *a, const imp_Segment *b);

#endif
