/// A frame in which a mesh is near the origin and about as large as 1, whatever its size and place are, so
/// that squares neither overflow nor vanish.
#ifndef IMPINGE_SHAPE_LOCAL_FRAME_H
#define IMPINGE_SHAPE_LOCAL_FRAME_H

#include "geom/scalar.h"
#include "geom/vector.h"

/// local = (point - origin) * 2^exponent. The mesh's bounds lie within [-1, 1] on each axis.
typedef struct impi_LocalFrame {
    imp_Vec3 origin; // the middle of the bounds, rounded
    int exponent;
    bool is_point; // the bounds are a single point: then all lengths are 0 and nothing is rounded
} impi_LocalFrame;

/// How far what impi_to_local gives may be from the truth, on each axis, for points within four times the
/// bounds: half an ulp of 8.
#define IMPI_LOCAL_ERROR 0x1p-50

impi_LocalFrame impi_local_frame_make(const imp_Box *bounds);

static inline imp_Vec3 impi_to_local(const impi_LocalFrame *frame, imp_Vec3 point)
{
    return (imp_Vec3){impi_times_power(point.x - frame->origin.x, frame->exponent),
                      impi_times_power(point.y - frame->origin.y, frame->exponent),
                      impi_times_power(point.z - frame->origin.z, frame->exponent)};
}

/// Rounded: take impi_to_local of it to know where it is.
static inline imp_Vec3 impi_from_local(const impi_LocalFrame *frame, imp_Vec3 local)
{
    return (imp_Vec3){frame->origin.x + impi_times_power(local.x, -frame->exponent),
                      frame->origin.y + impi_times_power(local.y, -frame->exponent),
                      frame->origin.z + impi_times_power(local.z, -frame->exponent)};
}

/// A length in the mesh's units, not less: infinite beyond the largest double.
double impi_length_from_local_up(const impi_LocalFrame *frame, double length);

/// A length in the local frame, not more.
double impi_length_to_local_down(const impi_LocalFrame *frame, double length);

#endif
