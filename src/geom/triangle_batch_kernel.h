// The body of impi_batch_decide_*, compiled once per instruction set; DECIDE is the function's name.
// Loops over the lanes without branches, which the compiler turns into vectors; every set gives the same
// bits, because nothing is contracted or reordered. The steps are those of triangle_triangle.c.
#include "geom/filter.h"
#include "geom/scalar.h"
#include "geom/triangle_batch.h"

#include <math.h>

#define KERNEL static inline __attribute__((always_inline))

KERNEL imp_Vec3 difference(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

KERNEL imp_Vec3 cross(imp_Vec3 u, imp_Vec3 v)
{
    return (imp_Vec3){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

KERNEL double dot(imp_Vec3 u, imp_Vec3 v)
{
    return (u.x * v.x + u.y * v.y) + u.z * v.z;
}

typedef struct LaneTriangle {
    imp_Vec3 p, q, r;
} LaneTriangle;

// Volumes of the vertices of a triangle over the plane of the other.
KERNEL imp_Vec3 plane_volumes(LaneTriangle plane, LaneTriangle t)
{
    imp_Vec3 normal = cross(difference(plane.q, plane.p), difference(plane.r, plane.p));
    return (imp_Vec3){dot(difference(t.p, plane.p), normal), dot(difference(t.q, plane.p), normal),
                      dot(difference(t.r, plane.p), normal)};
}

// By how much the smallest of three volumes exceeds zero, on whichever side all of them are; negative when
// they are on both sides.
KERNEL double one_side_margin(imp_Vec3 volumes)
{
    double low = impi_smaller(impi_smaller(volumes.x, volumes.y), volumes.z);
    double high = impi_larger(impi_larger(volumes.x, volumes.y), volumes.z);
    return impi_larger(low, -high);
}

KERNEL double smallest_size(imp_Vec3 v)
{
    return impi_smaller(impi_smaller(fabs(v.x), fabs(v.y)), fabs(v.z));
}

typedef struct LaneExtent {
    double gap, width;
} LaneExtent;

KERNEL LaneExtent extent(double a0, double a1, double a2, double b0, double b1, double b2)
{
    double low_a = impi_smaller(impi_smaller(a0, a1), a2), high_a = impi_larger(impi_larger(a0, a1), a2);
    double low_b = impi_smaller(impi_smaller(b0, b1), b2), high_b = impi_larger(impi_larger(b0, b1), b2);
    return (LaneExtent){impi_larger(low_a - high_b, low_b - high_a),
                        impi_larger(high_a, high_b) - impi_smaller(low_a, low_b)};
}

// NaN when a coordinate is NaN or infinite, otherwise zero. Comparisons alone could overlook a NaN.
KERNEL double zero_if_finite(LaneTriangle t)
{
    return ((t.p.x * 0 + t.p.y * 0) + (t.p.z * 0 + t.q.x * 0)) +
           ((t.q.y * 0 + t.q.z * 0) + (t.r.x * 0 + t.r.y * 0)) + t.r.z * 0;
}

KERNEL LaneTriangle load(const double t[3][3][IMPI_BATCH_LANES], int lane)
{
    return (LaneTriangle){{t[0][0][lane], t[0][1][lane], t[0][2][lane]},
                          {t[1][0][lane], t[1][1][lane], t[1][2][lane]},
                          {t[2][0][lane], t[2][1][lane], t[2][2][lane]}};
}

KERNEL imp_Vec3 select(bool condition, imp_Vec3 yes, imp_Vec3 no)
{
    return (imp_Vec3){condition ? yes.x : no.x, condition ? yes.y : no.y, condition ? yes.z : no.z};
}

// The vertex alone on its side of the other's plane becomes p; `flip` exchanges the other two. No volume is
// zero here.
KERNEL LaneTriangle canonical(LaneTriangle t, imp_Vec3 volumes, bool flip)
{
    bool lone_r = (volumes.x > 0) == (volumes.y > 0), lone_q = (volumes.x > 0) == (volumes.z > 0);
    imp_Vec3 p = select(lone_r, t.r, select(lone_q, t.q, t.p));
    imp_Vec3 q = select(lone_r, t.p, select(lone_q, t.r, t.q));
    imp_Vec3 r = select(lone_r, t.q, select(lone_q, t.p, t.r));
    return (LaneTriangle){p, select(flip, r, q), select(flip, q, r)};
}

// The lone vertex is on the negative side when the other two, the majority, are on the positive one.
KERNEL bool is_lone_negative(imp_Vec3 volumes)
{
    bool x = volumes.x > 0, y = volumes.y > 0, z = volumes.z > 0;
    return (x & y) | (y & z) | (z & x);
}

KERNEL double volume(imp_Vec3 a, imp_Vec3 b, imp_Vec3 c, imp_Vec3 d)
{
    return dot(difference(d, a), cross(difference(b, a), difference(c, a)));
}

// What the first stage leaves for the second.
typedef struct Stage {
    _Alignas(64) double separate[IMPI_BATCH_LANES]; // positive: certainly separate
    double error[IMPI_BATCH_LANES];                 // of any volume in the lane; infinite: filter is silent
    double volumes_a[3][IMPI_BATCH_LANES], volumes_b[3][IMPI_BATCH_LANES];
    double touch[IMPI_BATCH_LANES]; // positive: certainly touching; negative: certainly separate
} Stage;

KERNEL void store(double out[3][IMPI_BATCH_LANES], int lane, imp_Vec3 v)
{
    out[0][lane] = v.x;
    out[1][lane] = v.y;
    out[2][lane] = v.z;
}

static void test_boxes_and_planes(const impi_TriangleBatch *batch, Stage *stage)
{
    for (int lane = 0; lane < IMPI_BATCH_LANES; ++lane) {
        LaneTriangle a = load(batch->a, lane), b = load(batch->b, lane);
        LaneExtent x = extent(a.p.x, a.q.x, a.r.x, b.p.x, b.q.x, b.r.x);
        LaneExtent y = extent(a.p.y, a.q.y, a.r.y, b.p.y, b.q.y, b.r.y);
        LaneExtent z = extent(a.p.z, a.q.z, a.r.z, b.p.z, b.q.z, b.r.z);
        double size = x.width * y.width * z.width;
        double widest = impi_larger(impi_larger(x.width, y.width), z.width);
        double error = IMPI_ORIENT3D_ERROR * size + (zero_if_finite(a) + zero_if_finite(b));
        error = size >= IMPI_FILTER_MIN_VOLUME ? error : (double)INFINITY;
        error = widest <= IMPI_FILTER_MAX_EXTENT ? error : (double)INFINITY;
        imp_Vec3 volumes_b = plane_volumes(a, b), volumes_a = plane_volumes(b, a);
        double by_plane = impi_larger(one_side_margin(volumes_a), one_side_margin(volumes_b)) - error;
        double by_box =
            impi_larger(impi_larger(x.gap, y.gap), z.gap) + (zero_if_finite(a) + zero_if_finite(b));
        store(stage->volumes_a, lane, volumes_a);
        store(stage->volumes_b, lane, volumes_b);
        stage->error[lane] = error;
        stage->separate[lane] = impi_larger(by_plane, by_box);
    }
}

static void test_intervals(const impi_TriangleBatch *batch, Stage *stage)
{
    for (int lane = 0; lane < IMPI_BATCH_LANES; ++lane) {
        imp_Vec3 volumes_a = {stage->volumes_a[0][lane], stage->volumes_a[1][lane],
                              stage->volumes_a[2][lane]};
        imp_Vec3 volumes_b = {stage->volumes_b[0][lane], stage->volumes_b[1][lane],
                              stage->volumes_b[2][lane]};
        LaneTriangle a = canonical(load(batch->a, lane), volumes_a, is_lone_negative(volumes_b));
        LaneTriangle b = canonical(load(batch->b, lane), volumes_b, is_lone_negative(volumes_a));
        double first = volume(a.p, a.q, b.p, b.q), second = volume(a.p, a.r, b.r, b.p);
        double error = stage->error[lane];
        double sure = impi_smaller(smallest_size(volumes_a), smallest_size(volumes_b)) - error;
        double apart = impi_larger(first, second) - error, meet = -impi_larger(first, second) - error;
        double verdict = meet > 0 ? 1.0 : 0.0;
        verdict = apart > 0 ? -1.0 : verdict;
        stage->touch[lane] = sure > 0 ? verdict : 0.0;
    }
}

static uint32_t positive_lanes(const double values[IMPI_BATCH_LANES], double sign)
{
    uint32_t lanes = 0;
    for (int lane = 0; lane < IMPI_BATCH_LANES; ++lane)
        lanes |= (uint32_t)(values[lane] * sign > 0) << lane;
    return lanes;
}

impi_BatchVerdict DECIDE(const impi_TriangleBatch *batch)
{
    Stage stage;
    test_boxes_and_planes(batch, &stage);
    uint32_t separate = positive_lanes(stage.separate, 1);
    if (separate == (1u << IMPI_BATCH_LANES) - 1)
        return (impi_BatchVerdict){separate, 0};
    test_intervals(batch, &stage);
    uint32_t touch = positive_lanes(stage.touch, 1) & ~separate;
    return (impi_BatchVerdict){separate | positive_lanes(stage.touch, -1), touch};
}
