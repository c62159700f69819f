/// Arithmetic of rotations, rounded at each step.
#ifndef IMPINGE_GEOM_QUATERNION_H
#define IMPINGE_GEOM_QUATERNION_H

#include <impinge/math.h>

#include <math.h>

/// First b, then a.
static inline imp_Quat impi_quat_multiply(imp_Quat a, imp_Quat b)
{
    return (imp_Quat){
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

/// For rotations: of about unit length already.
static inline imp_Quat impi_quat_normalise(imp_Quat q)
{
    double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (imp_Quat){q.w / length, q.x / length, q.y / length, q.z / length};
}

#endif
