// The body of impi_triangles_apart_*, compiled once per instruction set; APART is the function's name. Loops
// over the lanes without branches, which the compiler turns into vectors; every set gives the same bits.
//
// Where a direction has one triangle below the other at both ends, it has so at all times, because what is
// between two vertices along it is linear in the time. Tried are the three axes and the normals of both
// triangles at both ends. A normal is taken as it is rounded, as a direction like any other
// (IMPI_GAP_ERROR).
#include "geom/filter.h"
#include "geom/scalar.h"
#include "geom/triangle_sweep_batch.h"

#include <math.h>

#define LANES  IMPI_TRIANGLE_SWEEP_LANES
#define KERNEL static inline __attribute__((always_inline))

typedef struct LaneTriangle {
    imp_Vec3 p, q, r;
} LaneTriangle;

KERNEL LaneTriangle load(const double t[3][3][LANES], int lane)
{
    return (LaneTriangle){{t[0][0][lane], t[0][1][lane], t[0][2][lane]},
                          {t[1][0][lane], t[1][1][lane], t[1][2][lane]},
                          {t[2][0][lane], t[2][1][lane], t[2][2][lane]}};
}

KERNEL imp_Vec3 difference(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

KERNEL double dot(imp_Vec3 u, imp_Vec3 v)
{
    return (u.x * v.x + u.y * v.y) + u.z * v.z;
}

KERNEL imp_Vec3 normal(LaneTriangle t)
{
    imp_Vec3 u = difference(t.q, t.p), v = difference(t.r, t.p);
    return (imp_Vec3){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

// By how much the first triangle is above the second one, and below.
typedef struct Gap {
    double above, below;
} Gap;

KERNEL Gap gap(double a0, double a1, double a2, double b0, double b1, double b2)
{
    double low_a = impi_smaller(impi_smaller(a0, a1), a2), high_a = impi_larger(impi_larger(a0, a1), a2);
    double low_b = impi_smaller(impi_smaller(b0, b1), b2), high_b = impi_larger(impi_larger(b0, b1), b2);
    return (Gap){low_a - high_b, low_b - high_a};
}

KERNEL double width(double a0, double a1, double a2, double b0, double b1, double b2)
{
    return impi_larger(impi_larger(impi_larger(a0, a1), impi_larger(a2, b0)), impi_larger(b1, b2)) -
           impi_smaller(impi_smaller(impi_smaller(a0, a1), impi_smaller(a2, b0)), impi_smaller(b1, b2));
}

KERNEL double at_both_ends(Gap begin, Gap end)
{
    return impi_larger(impi_smaller(begin.above, end.above), impi_smaller(begin.below, end.below));
}

KERNEL Gap gap_along(imp_Vec3 d, LaneTriangle a, LaneTriangle b)
{
    return gap(0, dot(d, difference(a.q, a.p)), dot(d, difference(a.r, a.p)), dot(d, difference(b.p, a.p)),
               dot(d, difference(b.q, a.p)), dot(d, difference(b.r, a.p)));
}

// A pair at both ends, and the larger of its extents at either.
typedef struct LanePair {
    LaneTriangle a0, b0, a1, b1;
    imp_Vec3 extent;
} LanePair;

KERNEL double apart_along(const LanePair *pair, imp_Vec3 d)
{
    double size = (fabs(d.x) * pair->extent.x + fabs(d.y) * pair->extent.y) + fabs(d.z) * pair->extent.z;
    double error = size >= IMPI_FILTER_MIN_VOLUME ? IMPI_GAP_ERROR * size : (double)INFINITY;
    return at_both_ends(gap_along(d, pair->a0, pair->b0), gap_along(d, pair->a1, pair->b1)) - error;
}

static void test_axes(const impi_TriangleSweepBatch *batch, double apart[LANES])
{
    for (int lane = 0; lane < LANES; ++lane) {
        LaneTriangle a0 = load(batch->a[0], lane), a1 = load(batch->a[1], lane);
        LaneTriangle b0 = load(batch->b[0], lane), b1 = load(batch->b[1], lane);
        double x = at_both_ends(gap(a0.p.x, a0.q.x, a0.r.x, b0.p.x, b0.q.x, b0.r.x),
                                gap(a1.p.x, a1.q.x, a1.r.x, b1.p.x, b1.q.x, b1.r.x));
        double y = at_both_ends(gap(a0.p.y, a0.q.y, a0.r.y, b0.p.y, b0.q.y, b0.r.y),
                                gap(a1.p.y, a1.q.y, a1.r.y, b1.p.y, b1.q.y, b1.r.y));
        double z = at_both_ends(gap(a0.p.z, a0.q.z, a0.r.z, b0.p.z, b0.q.z, b0.r.z),
                                gap(a1.p.z, a1.q.z, a1.r.z, b1.p.z, b1.q.z, b1.r.z));
        apart[lane] = impi_larger(impi_larger(x, y), z);
    }
}

KERNEL double pair_width(double a0, double a1, double a2, double b0, double b1, double b2, double c0,
                         double c1, double c2, double d0, double d1, double d2)
{
    return impi_larger(width(a0, a1, a2, b0, b1, b2), width(c0, c1, c2, d0, d1, d2));
}

static void test_normals(const impi_TriangleSweepBatch *batch, double apart[LANES])
{
    for (int lane = 0; lane < LANES; ++lane) {
        LaneTriangle a0 = load(batch->a[0], lane), a1 = load(batch->a[1], lane);
        LaneTriangle b0 = load(batch->b[0], lane), b1 = load(batch->b[1], lane);
        imp_Vec3 extent = {pair_width(a0.p.x, a0.q.x, a0.r.x, b0.p.x, b0.q.x, b0.r.x, a1.p.x, a1.q.x, a1.r.x,
                                      b1.p.x, b1.q.x, b1.r.x),
                           pair_width(a0.p.y, a0.q.y, a0.r.y, b0.p.y, b0.q.y, b0.r.y, a1.p.y, a1.q.y, a1.r.y,
                                      b1.p.y, b1.q.y, b1.r.y),
                           pair_width(a0.p.z, a0.q.z, a0.r.z, b0.p.z, b0.q.z, b0.r.z, a1.p.z, a1.q.z, a1.r.z,
                                      b1.p.z, b1.q.z, b1.r.z)};
        LanePair pair = {a0, b0, a1, b1, extent};
        double widest = impi_larger(impi_larger(extent.x, extent.y), extent.z);
        double by_a = impi_larger(apart_along(&pair, normal(a0)), apart_along(&pair, normal(a1)));
        double by_b = impi_larger(apart_along(&pair, normal(b0)), apart_along(&pair, normal(b1)));
        apart[lane] = widest <= IMPI_FILTER_MAX_EXTENT ? impi_larger(by_a, by_b) : 0.0;
    }
}

static uint32_t positive_lanes(const double values[LANES])
{
    uint32_t lanes = 0;
    for (int lane = 0; lane < LANES; ++lane)
        lanes |= (uint32_t)(values[lane] > 0) << lane;
    return lanes;
}

uint32_t APART(const impi_TriangleSweepBatch *batch)
{
    _Alignas(64) double apart[LANES];
    test_axes(batch, apart);
    uint32_t lanes = positive_lanes(apart);
    if (lanes == (1u << LANES) - 1)
        return lanes;
    test_normals(batch, apart);
    return lanes | positive_lanes(apart);
}
