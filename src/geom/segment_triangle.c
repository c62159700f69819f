// Segments against triangles and segments, exact, degenerate ones included.
#include "geom/degenerate.h"
#include "geom/predicates.h"
#include "geom/touch.h"

static bool ranges_meet(double a0, double a1, double b0, double b1)
{
    double low_a = a0 < a1 ? a0 : a1, high_a = a0 < a1 ? a1 : a0;
    double low_b = b0 < b1 ? b0 : b1, high_b = b0 < b1 ? b1 : b0;
    return low_a <= high_b && low_b <= high_a;
}

static bool boxes_meet(const imp_Segment *a, const imp_Segment *b)
{
    return ranges_meet(a->v[0].x, a->v[1].x, b->v[0].x, b->v[1].x) &&
           ranges_meet(a->v[0].y, a->v[1].y, b->v[0].y, b->v[1].y) &&
           ranges_meet(a->v[0].z, a->v[1].z, b->v[0].z, b->v[1].z);
}

static bool segments_touch(const imp_Segment *a, const imp_Segment *b)
{
    const imp_Vec3 *p = &a->v[0], *q = &a->v[1], *r = &b->v[0], *s = &b->v[1];
    if (!boxes_meet(a, b) || impi_orient3d(p, q, r, s) != 0)
        return false;
    // All four lie in one plane. A projection in which any three of them are not collinear keeps that plane
    // a plane, and there each segment must reach across the other's line.
    for (impi_Axis axis = IMPI_AXIS_X; axis <= IMPI_AXIS_Z; ++axis) {
        int r_side = impi_orient2d(p, q, r, axis), s_side = impi_orient2d(p, q, s, axis);
        int p_side = impi_orient2d(r, s, p, axis), q_side = impi_orient2d(r, s, q, axis);
        if (r_side || s_side || p_side || q_side)
            return r_side * s_side <= 0 && p_side * q_side <= 0;
    }
    // All on one line, where coordinates are monotone: the boxes tell.
    return true;
}

// A segment in the plane of a triangle that is not degenerate, both projected. Separated by an edge of the
// triangle or by the segment's own line, or not at all.
static bool coplanar_touch(const imp_Segment *segment, const imp_Triangle *triangle, impi_Axis dropped)
{
    const imp_Vec3 *p = &segment->v[0], *q = &segment->v[1], *t = triangle->v;
    int turn = impi_orient2d(&t[0], &t[1], &t[2], dropped);
    int left = 0, right = 0;
    for (int i = 0; i < 3; ++i) {
        const imp_Vec3 *from = &t[i], *to = &t[(i + 1) % 3];
        if (impi_orient2d(from, to, p, dropped) == -turn && impi_orient2d(from, to, q, dropped) == -turn)
            return false;
        int side = impi_orient2d(p, q, from, dropped);
        left += side > 0;
        right += side < 0;
    }
    return left < 3 && right < 3;
}

static bool segment_touches_degenerate(const imp_Segment *segment, const imp_Triangle *triangle)
{
    imp_Segment other = impi_degenerate_triangle_segment(triangle);
    return segments_touch(segment, &other);
}

bool impi_segment_touches_triangle(const imp_Segment *segment, const imp_Triangle *triangle)
{
    const imp_Vec3 *p = &segment->v[0], *q = &segment->v[1], *t = triangle->v;
    int p_side = impi_orient3d(&t[0], &t[1], &t[2], p);
    int q_side = impi_orient3d(&t[0], &t[1], &t[2], q);
    if (p_side * q_side > 0)
        return false;
    if (p_side == 0 && q_side == 0) {
        impi_Axis dropped;
        if (!impi_triangle_plane(triangle, &dropped))
            return segment_touches_degenerate(segment, triangle);
        return coplanar_touch(segment, triangle, dropped);
    }
    // The segment's line meets the plane in one point, which is in the triangle when it does not pass two
    // edges on different sides.
    int left = 0, right = 0;
    for (int i = 0; i < 3; ++i) {
        int side = impi_orient3d(p, q, &t[i], &t[(i + 1) % 3]);
        left |= side > 0;
        right |= side < 0;
    }
    return !(left && right);
}
