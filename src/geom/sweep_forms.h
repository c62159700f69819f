/// Volumes and areas of moving points in doubles, as polynomials of the time, and what their signs tell.
///
/// Four points that move along straight lines from time 0 to time 1 span a volume, a cubic of the time, and,
/// seen along an axis, three of them an area, of second degree. Both are given by Bernstein's control values,
/// whose least and greatest bound the values in between, so that a sign which all of them have is the sign at
/// all times. Errors are derived in docs/exactness.md. The functions are for one query, plain arithmetic
/// without branches, and are compiled as they are for eight at a time (sweep_batch_kernel.h).
#ifndef IMPINGE_GEOM_SWEEP_FORMS_H
#define IMPINGE_GEOM_SWEEP_FORMS_H

#include "geom/filter.h"
#include "geom/scalar.h"

#include <impinge/math.h>

#include <math.h>

#define IMPI_FORM static inline __attribute__((always_inline))

/// Control values of an area seen along an axis, and of a volume.
typedef struct impi_AreaForm {
    double b0, b1, b2;
} impi_AreaForm;

typedef struct impi_VolumeForm {
    double b0, b1, b2, b3;
} impi_VolumeForm;

/// Where a point is at both ends; the same seen along an axis; the way from one point to another.
typedef struct impi_PointWay {
    imp_Vec3 begin, end;
} impi_PointWay;

typedef struct impi_FlatPoint {
    double x0, y0, x1, y1;
} impi_FlatPoint;

IMPI_FORM impi_FlatPoint impi_flat_way(impi_FlatPoint from, impi_FlatPoint to)
{
    return (impi_FlatPoint){to.x0 - from.x0, to.y0 - from.y0, to.x1 - from.x1, to.y1 - from.y1};
}

IMPI_FORM impi_AreaForm impi_area_of_ways(impi_FlatPoint u, impi_FlatPoint v)
{
    double mixed = (u.x0 * v.y1 - u.y0 * v.x1) + (u.x1 * v.y0 - u.y1 * v.x0);
    return (impi_AreaForm){u.x0 * v.y0 - u.y0 * v.x0, 0.5 * mixed, u.x1 * v.y1 - u.y1 * v.x1};
}

IMPI_FORM impi_AreaForm impi_area_form(impi_FlatPoint a, impi_FlatPoint b, impi_FlatPoint c)
{
    return impi_area_of_ways(impi_flat_way(a, b), impi_flat_way(a, c));
}

IMPI_FORM impi_FlatPoint impi_along_x(impi_PointWay p)
{
    return (impi_FlatPoint){p.begin.y, p.begin.z, p.end.y, p.end.z};
}

IMPI_FORM impi_FlatPoint impi_along_y(impi_PointWay p)
{
    return (impi_FlatPoint){p.begin.z, p.begin.x, p.end.z, p.end.x};
}

IMPI_FORM impi_FlatPoint impi_along_z(impi_PointWay p)
{
    return (impi_FlatPoint){p.begin.x, p.begin.y, p.end.x, p.end.y};
}

IMPI_FORM impi_VolumeForm impi_volume_form(impi_PointWay a, impi_PointWay b, impi_PointWay c, impi_PointWay d)
{
    impi_AreaForm x = impi_area_form(impi_along_x(a), impi_along_x(b), impi_along_x(c));
    impi_AreaForm y = impi_area_form(impi_along_y(a), impi_along_y(b), impi_along_y(c));
    impi_AreaForm z = impi_area_form(impi_along_z(a), impi_along_z(b), impi_along_z(c));
    double wx0 = d.begin.x - a.begin.x, wy0 = d.begin.y - a.begin.y, wz0 = d.begin.z - a.begin.z;
    double wx1 = d.end.x - a.end.x, wy1 = d.end.y - a.end.y, wz1 = d.end.z - a.end.z;
    double first = (x.b0 * wx1 + y.b0 * wy1) + z.b0 * wz1, second = (x.b1 * wx0 + y.b1 * wy0) + z.b1 * wz0;
    double third = (x.b1 * wx1 + y.b1 * wy1) + z.b1 * wz1, fourth = (x.b2 * wx0 + y.b2 * wy0) + z.b2 * wz0;
    return (impi_VolumeForm){(x.b0 * wx0 + y.b0 * wy0) + z.b0 * wz0, (first + 2 * second) / 3,
                             (2 * third + fourth) / 3, (x.b2 * wx1 + y.b2 * wy1) + z.b2 * wz1};
}

/// By how much values exceed 0 at least, at all times, and by how much they are below it; negative where
/// that is not so.
typedef struct impi_FormMargins {
    double above, below;
} impi_FormMargins;

IMPI_FORM impi_FormMargins impi_area_margins(impi_AreaForm f, double error)
{
    double low = impi_smaller(impi_smaller(f.b0, f.b1), f.b2),
           high = impi_larger(impi_larger(f.b0, f.b1), f.b2);
    return (impi_FormMargins){low - error, -high - error};
}

/// Positive where the sign of a volume is the same at all times: then the points are never in one plane.
IMPI_FORM double impi_volume_margin(impi_VolumeForm f, double error)
{
    double low = impi_smaller(impi_smaller(f.b0, f.b1), impi_smaller(f.b2, f.b3));
    double high = impi_larger(impi_larger(f.b0, f.b1), impi_larger(f.b2, f.b3));
    return impi_larger(low, -high) - error;
}

/// Margins of the areas of three of four points each, seen along an axis: without[i] leaves out point i. All
/// turn as their points are listed: (2, 3, 1), (2, 3, 0), (0, 1, 3), (0, 1, 2).
typedef struct impi_FlatMargins {
    impi_FormMargins without0, without1, without2, without3;
} impi_FlatMargins;

/// Positive where, seen along an axis, point 0 is never in the triangle of points 1, 2, 3: that has an area
/// at all times, and at all times the point is on the outer side of one of its edges.
IMPI_FORM double impi_flat_vertex_apart(impi_FlatMargins m)
{
    double outside_left = impi_larger(impi_larger(m.without3.below, m.without1.below), m.without2.above);
    double outside_right = impi_larger(impi_larger(m.without3.above, m.without1.above), m.without2.below);
    return impi_larger(impi_smaller(m.without0.above, outside_left),
                       impi_smaller(m.without0.below, outside_right));
}

/// Positive where it is inside at all times.
IMPI_FORM double impi_flat_vertex_inside(impi_FlatMargins m)
{
    double left = impi_smaller(impi_smaller(m.without3.above, m.without1.above), m.without2.below);
    double right = impi_smaller(impi_smaller(m.without3.below, m.without1.below), m.without2.above);
    return impi_larger(impi_smaller(m.without0.above, left), impi_smaller(m.without0.below, right));
}

/// Positive where, seen along an axis, one of the edges 0, 1 and 2, 3 is at all times on one side of the line
/// of the other.
IMPI_FORM double impi_flat_edges_apart(impi_FlatMargins m)
{
    double first = impi_larger(impi_smaller(m.without3.above, m.without2.above),
                               impi_smaller(m.without3.below, m.without2.below));
    double second = impi_larger(impi_smaller(m.without1.above, m.without0.above),
                                impi_smaller(m.without1.below, m.without0.below));
    return impi_larger(first, second);
}

/// Positive where they cross at all times.
IMPI_FORM double impi_flat_edges_crossing(impi_FlatMargins m)
{
    double first = impi_larger(impi_smaller(m.without3.above, m.without2.below),
                               impi_smaller(m.without3.below, m.without2.above));
    double second = impi_larger(impi_smaller(m.without1.above, m.without0.below),
                                impi_smaller(m.without1.below, m.without0.above));
    return impi_smaller(first, second);
}

/// Widths of the box around the four points at one end or the other, whichever is wider, along each axis.
IMPI_FORM double impi_sweep_width(double a, double b, double c, double d)
{
    return impi_larger(impi_larger(a, b), impi_larger(c, d)) -
           impi_smaller(impi_smaller(a, b), impi_smaller(c, d));
}

/// What the control values of areas along each axis, and of the volume, may be off, halved ten times over;
/// infinite where the filter is silent.
typedef struct impi_SweepErrors {
    double x, y, z, volume;
} impi_SweepErrors;

IMPI_FORM double impi_flat_error(double area)
{
    return area >= IMPI_FILTER_MIN_AREA ? IMPI_SWEEP_AREA_ERROR * area : (double)INFINITY;
}

IMPI_FORM impi_SweepErrors impi_sweep_errors(impi_PointWay a, impi_PointWay b, impi_PointWay c,
                                             impi_PointWay d)
{
    double wx = impi_larger(impi_sweep_width(a.begin.x, b.begin.x, c.begin.x, d.begin.x),
                            impi_sweep_width(a.end.x, b.end.x, c.end.x, d.end.x));
    double wy = impi_larger(impi_sweep_width(a.begin.y, b.begin.y, c.begin.y, d.begin.y),
                            impi_sweep_width(a.end.y, b.end.y, c.end.y, d.end.y));
    double wz = impi_larger(impi_sweep_width(a.begin.z, b.begin.z, c.begin.z, d.begin.z),
                            impi_sweep_width(a.end.z, b.end.z, c.end.z, d.end.z));
    double volume = wx * wy * wz, widest = impi_larger(impi_larger(wx, wy), wz);
    double silent = widest <= IMPI_FILTER_MAX_EXTENT ? 0 : (double)INFINITY;
    return (impi_SweepErrors){
        impi_flat_error(wy * wz) + silent, impi_flat_error(wz * wx) + silent,
        impi_flat_error(wx * wy) + silent,
        (volume >= IMPI_FILTER_MIN_VOLUME ? IMPI_SWEEP_VOLUME_ERROR * volume : (double)INFINITY) + silent};
}

#endif
