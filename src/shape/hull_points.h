/// Points in the caller's memory, at any stride.
#ifndef IMPINGE_SHAPE_HULL_POINTS_H
#define IMPINGE_SHAPE_HULL_POINTS_H

#include <impinge/math.h>

#include <string.h>

/// Points are named by 32-bit numbers, one of which names none.
#define IMPI_NO_POINT UINT32_MAX

typedef struct impi_HullPoints {
    const char *data;
    size_t stride; // bytes; need not keep numbers aligned
    size_t count;
} impi_HullPoints;

static inline imp_Vec3 impi_hull_point(const impi_HullPoints *points, size_t index)
{
    imp_Vec3 point;
    memcpy(&point, points->data + index * points->stride, sizeof point);
    return point;
}

#endif
