// The body of impi_sweep_apart_*, compiled once per instruction set; APART is the function's name. Loops over
// the lanes without branches, which the compiler turns into vectors; every set gives the same bits.
#include "geom/sweep_batch.h"
#include "geom/sweep_forms.h"

#define LANES IMPI_SWEEP_LANES

IMPI_FORM imp_Vec3 load(const double points[4][3][LANES], int point, int lane)
{
    return (imp_Vec3){points[point][0][lane], points[point][1][lane], points[point][2][lane]};
}

IMPI_FORM impi_PointWay moving_point(const impi_SweepBatch *batch, int point, int lane)
{
    return (impi_PointWay){load(batch->points[0], point, lane), load(batch->points[1], point, lane)};
}

// Along an axis, where the two features end that face each other, if one is below the other: point 1 is of
// the first one if that is an edge.
typedef struct Gap {
    double above, below; // by how much the first feature is above the second one, and below
} Gap;

IMPI_FORM Gap gap_between(double p0, double p1, double p2, double p3, bool is_edge)
{
    double low = impi_smaller(p2, p3), high = impi_larger(p2, p3);
    double low_first = is_edge ? impi_smaller(p0, p1) : p0, high_first = is_edge ? impi_larger(p0, p1) : p0;
    double low_second = is_edge ? low : impi_smaller(p1, low),
           high_second = is_edge ? high : impi_larger(p1, high);
    return (Gap){low_first - high_second, low_second - high_first};
}

// Positive where they are apart along the axis on the same side at both ends, and so at all times.
IMPI_FORM double gap_at_both_ends(Gap begin, Gap end)
{
    return impi_larger(impi_smaller(begin.above, end.above), impi_smaller(begin.below, end.below));
}

// NaN when a coordinate is NaN or infinite, otherwise zero. Comparisons alone could overlook a NaN.
IMPI_FORM double zero_if_finite(impi_PointWay p)
{
    return ((p.begin.x * 0 + p.begin.y * 0) + (p.begin.z * 0 + p.end.x * 0)) + (p.end.y * 0 + p.end.z * 0);
}

static void test_axes_and_volumes(const impi_SweepBatch *batch, double apart[LANES])
{
    for (int lane = 0; lane < LANES; ++lane) {
        impi_PointWay a = moving_point(batch, 0, lane), b = moving_point(batch, 1, lane);
        impi_PointWay c = moving_point(batch, 2, lane), d = moving_point(batch, 3, lane);
        bool is_edge = batch->edges[lane] > 0;
        double x = gap_at_both_ends(gap_between(a.begin.x, b.begin.x, c.begin.x, d.begin.x, is_edge),
                                    gap_between(a.end.x, b.end.x, c.end.x, d.end.x, is_edge));
        double y = gap_at_both_ends(gap_between(a.begin.y, b.begin.y, c.begin.y, d.begin.y, is_edge),
                                    gap_between(a.end.y, b.end.y, c.end.y, d.end.y, is_edge));
        double z = gap_at_both_ends(gap_between(a.begin.z, b.begin.z, c.begin.z, d.begin.z, is_edge),
                                    gap_between(a.end.z, b.end.z, c.end.z, d.end.z, is_edge));
        double volume =
            impi_volume_margin(impi_volume_form(a, b, c, d), impi_sweep_errors(a, b, c, d).volume);
        double zero = (zero_if_finite(a) + zero_if_finite(b)) + (zero_if_finite(c) + zero_if_finite(d));
        apart[lane] = impi_larger(impi_larger(volume, x), impi_larger(y, z)) + zero;
    }
}

IMPI_FORM double flat_apart(impi_FlatPoint a, impi_FlatPoint b, impi_FlatPoint c, impi_FlatPoint d,
                            double error, bool is_edge)
{
    impi_FlatPoint ab = impi_flat_way(a, b), cd = impi_flat_way(c, d);
    impi_FlatMargins m = {impi_area_margins(impi_area_of_ways(cd, impi_flat_way(c, b)), error),
                          impi_area_margins(impi_area_of_ways(cd, impi_flat_way(c, a)), error),
                          impi_area_margins(impi_area_of_ways(ab, impi_flat_way(a, d)), error),
                          impi_area_margins(impi_area_of_ways(ab, impi_flat_way(a, c)), error)};
    double edges = impi_flat_edges_apart(m), vertex = impi_flat_vertex_apart(m);
    return is_edge ? edges : vertex;
}

static void test_views(const impi_SweepBatch *batch, double apart[LANES])
{
    for (int lane = 0; lane < LANES; ++lane) {
        impi_PointWay a = moving_point(batch, 0, lane), b = moving_point(batch, 1, lane);
        impi_PointWay c = moving_point(batch, 2, lane), d = moving_point(batch, 3, lane);
        bool is_edge = batch->edges[lane] > 0;
        impi_SweepErrors errors = impi_sweep_errors(a, b, c, d);
        double x =
            flat_apart(impi_along_x(a), impi_along_x(b), impi_along_x(c), impi_along_x(d), errors.x, is_edge);
        double y =
            flat_apart(impi_along_y(a), impi_along_y(b), impi_along_y(c), impi_along_y(d), errors.y, is_edge);
        double z =
            flat_apart(impi_along_z(a), impi_along_z(b), impi_along_z(c), impi_along_z(d), errors.z, is_edge);
        double zero = (zero_if_finite(a) + zero_if_finite(b)) + (zero_if_finite(c) + zero_if_finite(d));
        apart[lane] = impi_larger(impi_larger(x, y), z) + zero;
    }
}

static uint32_t positive_lanes(const double values[LANES])
{
    uint32_t lanes = 0;
    for (int lane = 0; lane < LANES; ++lane)
        lanes |= (uint32_t)(values[lane] > 0) << lane;
    return lanes;
}

uint32_t APART(const impi_SweepBatch *batch)
{
    _Alignas(64) double apart[LANES];
    test_axes_and_volumes(batch, apart);
    uint32_t lanes = positive_lanes(apart);
    if (lanes == (1u << LANES) - 1)
        return lanes;
    test_views(batch, apart);
    return lanes | positive_lanes(apart);
}
