/// Posed vertices, by the one formula that all verdicts rest on. Default floating-point mode expected.
#ifndef IMPINGE_GEOM_POSE_H
#define IMPINGE_GEOM_POSE_H

#include <impinge/math.h>

/// As imp_pose_transform.
imp_Status impi_pose_transform(const imp_Pose *pose, imp_Transform *transform);

/// As imp_transform_apply.
imp_Vec3 impi_transform_apply(const imp_Transform *transform, imp_Vec3 point);

/// The same for an array; `posed` may not overlap it.
void impi_transform_apply_many(const imp_Transform *transform, const imp_Vec3 *points, size_t count,
                               imp_Vec3 *posed);

#endif
