// Do two closed triangles share a point? Exact, degenerate triangles included.
//
// The general case follows Devillers & Guigue, "Faster Triangle-Triangle Intersection Tests" (INRIA 2002):
// no point is ever constructed, only signs of orient3d are taken, so exact signs give an exact verdict.
// 1. A triangle strictly on one side of the other's plane: separate.
// 2. Otherwise both cross the line that the planes share, each in an interval; with the vertices in a
//    canonical order two more signs tell whether the intervals meet.
// A triangle that is degenerate makes all signs against "its plane" zero, just as coplanar triangles do;
// those cases go to touch_flat.
//
// Departs from the paper: one filter bound, from the joint extents of the pair, serves all eight signs;
// signs that the filter leaves open are taken in integers, three at a time; degenerate triangles are handled.
#include "geom/degenerate.h"

#include "geom/predicates.h"
#include "geom/scalar.h"
#include "geom/touch.h"
#include "geom/vector.h"

#include <math.h>

typedef struct Extent {
    double low_a, high_a, low_b, high_b;
} Extent;

static Extent extent(double a0, double a1, double a2, double b0, double b1, double b2)
{
    return (Extent){impi_smaller(impi_smaller(a0, a1), a2), impi_larger(impi_larger(a0, a1), a2),
                    impi_smaller(impi_smaller(b0, b1), b2), impi_larger(impi_larger(b0, b1), b2)};
}

static bool is_gap(Extent e)
{
    return e.low_a > e.high_b || e.low_b > e.high_a;
}

static double joint_width(Extent e)
{
    return impi_larger(e.high_a, e.high_b) - impi_smaller(e.low_a, e.low_b);
}

// How far a computed volume of four vertices of the pair can be off. Infinite where the filter is silent.
static double volume_error(Extent x, Extent y, Extent z)
{
    double wx = joint_width(x), wy = joint_width(y), wz = joint_width(z);
    double volume = wx * wy * wz;
    if (!(volume >= IMPI_FILTER_MIN_VOLUME) ||
        !(impi_larger(impi_larger(wx, wy), wz) <= IMPI_FILTER_MAX_EXTENT))
        return INFINITY;
    return IMPI_ORIENT3D_ERROR * volume;
}

static bool all_zero(const int sign[3])
{
    return (sign[0] | sign[1] | sign[2]) == 0;
}

static bool one_side(const int sign[3])
{
    int sum = sign[0] + sign[1] + sign[2];
    return sum == 3 || sum == -3;
}

// Signs of the vertices of `t` against the plane of `plane`. False when the filter leaves one open.
static bool filter_plane_sides(const imp_Triangle *plane, const imp_Triangle *t, double error, int sign[3])
{
    const imp_Vec3 *a = &plane->v[0], *b = &plane->v[1], *c = &plane->v[2];
    double ux = b->x - a->x, uy = b->y - a->y, uz = b->z - a->z;
    double vx = c->x - a->x, vy = c->y - a->y, vz = c->z - a->z;
    double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    bool sure = true;
    for (int i = 0; i < 3; ++i) {
        double wx = t->v[i].x - a->x, wy = t->v[i].y - a->y, wz = t->v[i].z - a->z;
        double volume = (wx * nx + wy * ny) + wz * nz;
        sign[i] = (volume > error) - (volume < -error);
        sure &= sign[i] != 0;
    }
    return sure;
}

static bool share_vertex(const imp_Triangle *a, const imp_Triangle *b)
{
    for (int i = 0; i < 3; ++i) {
        if (impi_is_equal(&a->v[i], &b->v[0]) || impi_is_equal(&a->v[i], &b->v[1]) ||
            impi_is_equal(&a->v[i], &b->v[2]))
            return true;
    }
    return false;
}

// Put the vertex that is alone on its side first, keeping the cyclic order; the other two lie on the plane or
// across it. Returns whether the lone vertex is on the negative side.
static bool find_lone_vertex(const int sign[3], int *lone)
{
    for (int i = 0; i < 3; ++i) {
        int next = sign[(i + 1) % 3], last = sign[(i + 2) % 3];
        *lone = i;
        if ((sign[i] > 0 && next <= 0 && last <= 0) || (sign[i] == 0 && next < 0 && last < 0))
            return false;
        if ((sign[i] < 0 && next >= 0 && last >= 0) || (sign[i] == 0 && next > 0 && last > 0))
            return true;
    }
    *lone = 0; // not reached: the signs are neither all zero nor on one side
    return false;
}

static int volume_sign(const imp_Vec3 *a, const imp_Vec3 *b, const imp_Vec3 *c, const imp_Vec3 *d,
                       double error)
{
    double ux = b->x - a->x, uy = b->y - a->y, uz = b->z - a->z;
    double vx = c->x - a->x, vy = c->y - a->y, vz = c->z - a->z;
    double wx = d->x - a->x, wy = d->y - a->y, wz = d->z - a->z;
    double volume = (wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz)) + wz * (ux * vy - uy * vx);
    if (fabs(volume) > error)
        return volume > 0 ? 1 : -1;
    return impi_orient3d(a, b, c, d);
}

// Both triangles cross or touch the line that their planes share. With p alone on the positive side of the
// other's plane, the edges p-q and p-r bound the interval on that line.
static bool intervals_meet(const imp_Triangle *a, const int sign_a[3], const imp_Triangle *b,
                           const int sign_b[3], double error)
{
    int lone_a, lone_b;
    bool flip_b = find_lone_vertex(sign_a, &lone_a);
    bool flip_a = find_lone_vertex(sign_b, &lone_b);
    const imp_Vec3 *pa = &a->v[lone_a], *pb = &b->v[lone_b];
    const imp_Vec3 *qa = &a->v[(lone_a + 1 + flip_a) % 3], *ra = &a->v[(lone_a + 2 - flip_a) % 3];
    const imp_Vec3 *qb = &b->v[(lone_b + 1 + flip_b) % 3], *rb = &b->v[(lone_b + 2 - flip_b) % 3];
    return volume_sign(pa, qa, pb, qb, error) <= 0 && volume_sign(pa, ra, rb, pb, error) <= 0;
}

typedef struct FlatTriangle {
    imp_Vec2 v[3];
    int turn;
} FlatTriangle;

static FlatTriangle flatten(const imp_Triangle *t, impi_Axis dropped)
{
    FlatTriangle flat = {
        {impi_project(&t->v[0], dropped), impi_project(&t->v[1], dropped), impi_project(&t->v[2], dropped)},
        0};
    flat.turn = impi_area_sign(flat.v[0], flat.v[1], flat.v[2]);
    return flat;
}

// In a plane, two triangles that do not meet are separated by an edge of one of them: all of b is strictly
// outside.
static bool edge_separates(const FlatTriangle *a, const FlatTriangle *b)
{
    for (int i = 0; i < 3; ++i) {
        imp_Vec2 from = a->v[i], to = a->v[(i + 1) % 3];
        int outside = 0;
        while (outside < 3 && impi_area_sign(from, to, b->v[outside]) == -a->turn)
            ++outside;
        if (outside == 3)
            return true;
    }
    return false;
}

// The same in floating point and without branches: how far the vertex of b that is farthest inside is from
// the edge of a for which that is least, as an area. Negative when that edge separates.
static double edge_margin(const FlatTriangle *a, const FlatTriangle *b)
{
    double margin = INFINITY;
    for (int i = 0; i < 3; ++i) {
        imp_Vec2 from = a->v[i], to = a->v[(i + 1) % 3];
        double ex = (to.x - from.x) * a->turn, ey = (to.y - from.y) * a->turn;
        double farthest = -INFINITY;
        for (int k = 0; k < 3; ++k)
            farthest = impi_larger(farthest, ex * (b->v[k].y - from.y) - ey * (b->v[k].x - from.x));
        margin = impi_smaller(margin, farthest);
    }
    return margin;
}

// How far an area of three points of the pair can be off. Infinite where the filter is silent.
static double area_error(const FlatTriangle *a, const FlatTriangle *b)
{
    imp_Vec2 low = a->v[0], high = a->v[0];
    for (int i = 0; i < 6; ++i) {
        imp_Vec2 p = i < 3 ? a->v[i] : b->v[i - 3];
        low = (imp_Vec2){impi_smaller(low.x, p.x), impi_smaller(low.y, p.y)};
        high = (imp_Vec2){impi_larger(high.x, p.x), impi_larger(high.y, p.y)};
    }
    double width = high.x - low.x, height = high.y - low.y, size = width * height;
    bool in_range = size >= IMPI_FILTER_MIN_AREA && impi_larger(width, height) <= IMPI_FILTER_MAX_EXTENT;
    return in_range ? IMPI_FLAT_ERROR * size : INFINITY;
}

static bool coplanar_triangles_touch(const imp_Triangle *a, const imp_Triangle *b, impi_Axis dropped)
{
    FlatTriangle flat_a = flatten(a, dropped), flat_b = flatten(b, dropped);
    double margin = impi_smaller(edge_margin(&flat_a, &flat_b), edge_margin(&flat_b, &flat_a));
    if (fabs(margin) > area_error(&flat_a, &flat_b))
        return margin > 0;
    return !edge_separates(&flat_a, &flat_b) && !edge_separates(&flat_b, &flat_a);
}

// Triangles in one plane, or degenerate ones.
static bool touch_flat(const imp_Triangle *a, const imp_Triangle *b)
{
    impi_Axis dropped, ignored;
    if (!impi_triangle_plane(a, &dropped)) {
        imp_Segment segment = impi_degenerate_triangle_segment(a);
        return impi_segment_touches_triangle(&segment, b);
    }
    if (!impi_triangle_plane(b, &ignored)) {
        imp_Segment segment = impi_degenerate_triangle_segment(b);
        return impi_segment_touches_triangle(&segment, a);
    }
    return coplanar_triangles_touch(a, b, dropped);
}

bool impi_triangles_touch(const imp_Triangle *a, const imp_Triangle *b)
{
    const imp_Vec3 *p = a->v, *q = b->v;
    Extent x = extent(p[0].x, p[1].x, p[2].x, q[0].x, q[1].x, q[2].x);
    Extent y = extent(p[0].y, p[1].y, p[2].y, q[0].y, q[1].y, q[2].y);
    Extent z = extent(p[0].z, p[1].z, p[2].z, q[0].z, q[1].z, q[2].z);
    if (is_gap(x) || is_gap(y) || is_gap(z))
        return false;
    if (joint_width(x) == 0 || joint_width(y) == 0 || joint_width(z) == 0)
        return touch_flat(a, b);
    double error = volume_error(x, y, z);
    int sign_a[3], sign_b[3];
    bool sure = filter_plane_sides(a, b, error, sign_b);
    // Where the filter is silent, neighbours in a mesh are the usual reason, and easily told.
    if (!sure && share_vertex(a, b))
        return true;
    if (!sure)
        impi_exact_plane_sides(a->v, b->v, 3, sign_b);
    if (one_side(sign_b))
        return false;
    if (all_zero(sign_b))
        return touch_flat(a, b);
    if (!filter_plane_sides(b, a, error, sign_a))
        impi_exact_plane_sides(b->v, a->v, 3, sign_a);
    if (one_side(sign_a))
        return false;
    if (all_zero(sign_a))
        return touch_flat(a, b);
    return intervals_meet(a, sign_a, b, sign_b, error);
}
