/// Arithmetic of vectors, rounded at each step, and their order.
#ifndef IMPINGE_GEOM_VECTOR_H
#define IMPINGE_GEOM_VECTOR_H

#include <impinge/math.h>

#include <math.h>

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

/// The largest size of a coordinate.
static inline double impi_longest(imp_Vec3 v)
{
    double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z), longer = x > y ? x : y;
    return longer > z ? longer : z;
}

/// The vector over its length, for all finite ones; zeros stay. Scaled first, so that squares neither
/// overflow nor vanish.
static inline imp_Vec3 impi_unit(imp_Vec3 v)
{
    double longest = impi_longest(v);
    if (!(longest > 0))
        return v;
    imp_Vec3 scaled = {v.x / longest, v.y / longest, v.z / longest};
    return impi_scale(scaled, 1 / sqrt(impi_dot(scaled, scaled)));
}

/// Its length, infinite only where the largest double is less.
static inline double impi_length(imp_Vec3 v)
{
    double longest = impi_longest(v);
    if (!(longest > 0))
        return 0;
    imp_Vec3 scaled = {v.x / longest, v.y / longest, v.z / longest};
    return longest * sqrt(impi_dot(scaled, scaled));
}

/// A power of two that brings lengths of this size near to 1, so that their squares neither overflow nor
/// vanish.
static inline double impi_unit_power(double size)
{
    int exponent;
    frexp(size, &exponent);
    return ldexp(1, exponent > 1000 ? -1000 : exponent < -1000 ? 1000 : -exponent);
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
