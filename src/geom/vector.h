/// Arithmetic of vectors, rounded at each step, and their order.
#ifndef IMPINGE_GEOM_VECTOR_H
#define IMPINGE_GEOM_VECTOR_H

#include <impinge/math.h>

static inline imp_Vec3 impi_subtract(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline imp_Vec3 impi_scale(imp_Vec3 a, double factor)
{
    return (imp_Vec3){a.x * factor, a.y * factor, a.z * factor};
}

/// a + factor * b
static inline imp_Vec3 impi_add_scaled(imp_Vec3 a, double factor, imp_Vec3 b)
{
    return (imp_Vec3){a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z};
}

static inline double impi_dot(imp_Vec3 a, imp_Vec3 b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static inline imp_Vec3 impi_cross(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Zeros of both signs are equal.
static inline bool impi_is_equal(const imp_Vec3 *a, const imp_Vec3 *b)
{
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

/// The lexicographic order: by x, then y, then z.
static inline bool impi_is_before(const imp_Vec3 *a, const imp_Vec3 *b)
{
    if (a->x != b->x)
        return a->x < b->x;
    if (a->y != b->y)
        return a->y < b->y;
    return a->z < b->z;
}

#endif
