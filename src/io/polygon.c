#include "io/polygon.h"

#include "geom/vector.h"

#include <math.h>

static double length(imp_Vec3 a)
{
    return sqrt(impi_dot(a, a));
}

static double largest_component(imp_Vec3 a)
{
    return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
}

// The power of two that brings numbers up to `size` to about 1, as far as doubles go.
static double unit_scale(double size)
{
    int exponent;
    frexp(size, &exponent);
    return ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
}

// The polygon moved to its first vertex and scaled, by powers of two, to a size of about 1. Products of
// such coordinates neither overflow nor vanish.
typedef struct UnitPolygon {
    const imp_Vec3 *vertices;
    const uint32_t *corners;
    size_t count;
    double scale, local_scale;
} UnitPolygon;

static imp_Vec3 unit_corner(const UnitPolygon *polygon, size_t i)
{
    imp_Vec3 corner = impi_scale(polygon->vertices[polygon->corners[i % polygon->count]], polygon->scale);
    imp_Vec3 first = impi_scale(polygon->vertices[polygon->corners[0]], polygon->scale);
    return impi_scale(impi_subtract(corner, first), polygon->local_scale);
}

static bool turns_back(imp_Vec3 a, imp_Vec3 b, imp_Vec3 normal)
{
    return impi_dot(impi_cross(a, b), normal) < -1e-6 * length(a) * length(b) * length(normal);
}

bool impi_polygon_is_convex(const imp_Vec3 *vertices, const uint32_t *corners, size_t count)
{
    double size = 0.0, local_size = 0.0;
    for (size_t i = 0; i < count; ++i)
        size = fmax(size, largest_component(vertices[corners[i]]));
    // The margin of 4 keeps the difference of two coordinates finite.
    UnitPolygon polygon = {vertices, corners, count, 0.25 * unit_scale(size), 1.0};
    for (size_t i = 1; i < count; ++i)
        local_size = fmax(local_size, largest_component(unit_corner(&polygon, i)));
    polygon.local_scale = unit_scale(local_size);

    imp_Vec3 normal = {0, 0, 0};
    for (size_t i = 1; i + 1 < count; ++i) {
        imp_Vec3 area = impi_cross(unit_corner(&polygon, i), unit_corner(&polygon, i + 1));
        normal = (imp_Vec3){normal.x + area.x, normal.y + area.y, normal.z + area.z};
    }
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 corner = unit_corner(&polygon, i), next = unit_corner(&polygon, i + 1);
        imp_Vec3 after_next = unit_corner(&polygon, i + 2);
        if (turns_back(corner, next, normal) ||
            turns_back(impi_subtract(next, corner), impi_subtract(after_next, next), normal))
            return false;
    }
    return true;
}
