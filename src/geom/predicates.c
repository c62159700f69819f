// Exact orientation: a filter in double arithmetic answers nearly always, integers answer the rest.
#include "geom/predicates.h"

int impi_orient2d(const imp_Vec3 *a, const imp_Vec3 *b, const imp_Vec3 *c, impi_Axis dropped)
{
    return impi_area_sign(impi_project(a, dropped), impi_project(b, dropped), impi_project(c, dropped));
}

static double largest(double a, double b, double c)
{
    double m = a > b ? a : b;
    return m > c ? m : c;
}

int impi_orient3d(const imp_Vec3 *a, const imp_Vec3 *b, const imp_Vec3 *c, const imp_Vec3 *d)
{
    double ux = b->x - a->x, uy = b->y - a->y, uz = b->z - a->z;
    double vx = c->x - a->x, vy = c->y - a->y, vz = c->z - a->z;
    double wx = d->x - a->x, wy = d->y - a->y, wz = d->z - a->z;
    double volume = (wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz)) + wz * (ux * vy - uy * vx);
    double extent_x = largest(fabs(ux), fabs(vx), fabs(wx));
    double extent_y = largest(fabs(uy), fabs(vy), fabs(wy));
    double extent_z = largest(fabs(uz), fabs(vz), fabs(wz));
    double size = extent_x * extent_y * extent_z;
    bool in_range =
        size >= IMPI_FILTER_MIN_VOLUME && largest(extent_x, extent_y, extent_z) <= IMPI_FILTER_MAX_EXTENT;
    if (in_range && fabs(volume) > IMPI_ORIENT3D_ERROR * size)
        return volume > 0 ? 1 : -1;
    if (extent_x == 0 || extent_y == 0 || extent_z == 0)
        return 0;
    int sign;
    impi_exact_plane_sides((imp_Vec3[3]){*a, *b, *c}, d, 1, &sign);
    return sign;
}
