// A box is inside of a convex surface when its corners are, which are doubles, so that nothing is rounded.
// Seven of them fill about half of a ball and nearly all of a box.
#include "shape/hull_inside.h"

#include "geom/vector.h"

#define FEW_POINTS      10000
#define BISECTION_STEPS 8

// Half extents of the boxes, as shares of those of the bounds that are then scaled together.
static const imp_Vec3 shapes[IMPI_INSIDE_BOXES] = {
    {1, 1, 1}, {1, 1, 0.4}, {1, 0.4, 1}, {0.4, 1, 1}, {1, 0.5, 0.5}, {0.5, 1, 0.5}, {0.5, 0.5, 1},
};

static bool is_inside(const impi_HullSurface *surface, const imp_Vec3 *point)
{
    double height;
    for (size_t f = 0; f < surface->faces.count; ++f)
        if (surface->faces.data[f].mark != IMPI_HULL_FREE &&
            impi_hull_side(surface, &surface->faces.data[f], point, &height) >= 0)
            return false;
    return true;
}

static bool box_is_inside(const impi_HullSurface *surface, const imp_Box *box)
{
    for (int corner = 0; corner < 8; ++corner) {
        imp_Vec3 p = {corner & 1 ? box->max.x : box->min.x, corner & 2 ? box->max.y : box->min.y,
                      corner & 4 ? box->max.z : box->min.z};
        if (!impi_vec3_is_finite(&p) || !is_inside(surface, &p))
            return false;
    }
    return true;
}

// The mean of the corners of all faces, a point well inside.
static imp_Vec3 find_centre(const impi_HullSurface *surface)
{
    imp_Vec3 sum = {0, 0, 0};
    size_t count = 0;
    for (size_t f = 0; f < surface->faces.count; ++f)
        if (surface->faces.data[f].mark != IMPI_HULL_FREE) {
            sum = impi_add_scaled(sum, 1, surface->faces.data[f].base);
            ++count;
        }
    return impi_scale(sum, 1 / (double)count);
}

void impi_inside_boxes_find(const impi_HullSurface *surface, const imp_Box *bounds, impi_InsideBoxes *inside)
{
    imp_Vec3 centre = find_centre(surface), extent = impi_subtract(bounds->max, bounds->min);
    for (int i = 0; i < IMPI_INSIDE_BOXES; ++i) {
        imp_Vec3 half = {extent.x * shapes[i].x / 2, extent.y * shapes[i].y / 2, extent.z * shapes[i].z / 2};
        double low = 0, high = 1;
        inside->boxes[i] = (imp_Box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        for (int step = 0; step < BISECTION_STEPS && surface->points.count >= FEW_POINTS; ++step) {
            double scale = (low + high) / 2;
            imp_Box box = {impi_add_scaled(centre, -scale, half), impi_add_scaled(centre, scale, half)};
            if (box_is_inside(surface, &box)) {
                inside->boxes[i] = box;
                low = scale;
            } else {
                high = scale;
            }
        }
    }
}
