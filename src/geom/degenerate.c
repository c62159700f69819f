#include "geom/degenerate.h"

#include "geom/touch.h"
#include "geom/vector.h"

bool impi_triangle_plane(const imp_Triangle *triangle, impi_Axis *dropped)
{
    const imp_Vec3 *a = &triangle->v[0], *b = &triangle->v[1], *c = &triangle->v[2];
    double ux = b->x - a->x, uy = b->y - a->y, uz = b->z - a->z;
    double vx = c->x - a->x, vy = c->y - a->y, vz = c->z - a->z;
    double nx = fabs(uy * vz - uz * vy), ny = fabs(uz * vx - ux * vz), nz = fabs(ux * vy - uy * vx);
    impi_Axis best = nx > ny ? (nx > nz ? IMPI_AXIS_X : IMPI_AXIS_Z) : (ny > nz ? IMPI_AXIS_Y : IMPI_AXIS_Z);
    for (int i = 0; i < 3; ++i) {
        impi_Axis axis = (impi_Axis)((best + i) % 3);
        if (impi_orient2d(a, b, c, axis) != 0) {
            *dropped = axis;
            return true;
        }
    }
    return false;
}

bool impi_triangle_is_degenerate(const imp_Triangle *triangle)
{
    impi_Axis ignored;
    return !impi_triangle_plane(triangle, &ignored);
}

// Along a line the lexicographic order of points is their order on the line, so the ends are the least and
// the greatest.
imp_Segment impi_degenerate_triangle_segment(const imp_Triangle *triangle)
{
    const imp_Vec3 *low = &triangle->v[0], *high = &triangle->v[0];
    for (int i = 1; i < 3; ++i) {
        if (impi_is_before(&triangle->v[i], low))
            low = &triangle->v[i];
        if (impi_is_before(high, &triangle->v[i]))
            high = &triangle->v[i];
    }
    return (imp_Segment){{*low, *high}};
}
