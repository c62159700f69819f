/// Posed vertices, by the one formula that all verdicts rest on. Default floating-point mode expected.
#ifndef IMPINGE_GEOM_POSE_H
#define IMPINGE_GEOM_POSE_H

#include <impinge/math.h>

/// As imp_pose_transform.
imp_Status impi_pose_transform(const imp_Pose *pose, imp_Transform *transform);

/// Two at once, faster. Translations are taken as they are. False, and nothing is written, when a rotation is
/// not finite or not of unit length.
bool impi_pose_pair_transform(const imp_Pose *a, const imp_Pose *b, imp_Transform *transform_a,
                              imp_Transform *transform_b);

/// As imp_pose_compose and imp_pose_inverse.
imp_Status impi_pose_compose(const imp_Pose *outer, const imp_Pose *inner, imp_Pose *result);
imp_Status impi_pose_inverse(const imp_Pose *pose, imp_Pose *inverse);

/// As imp_transform_apply.
imp_Vec3 impi_transform_apply(const imp_Transform *transform, imp_Vec3 point);

/// The same where it can be inlined: not in a file that sets the floating-point mode (base/float_guard.h).
static inline imp_Vec3 impi_pose_vertex(const imp_Transform *t, const imp_Vec3 *p)
{
    return (imp_Vec3){
        ((t->rows[0][0] * p->x + t->rows[0][1] * p->y) + t->rows[0][2] * p->z) + t->translation.x,
        ((t->rows[1][0] * p->x + t->rows[1][1] * p->y) + t->rows[1][2] * p->z) + t->translation.y,
        ((t->rows[2][0] * p->x + t->rows[2][1] * p->y) + t->rows[2][2] * p->z) + t->translation.z,
    };
}

/// The same for an array; `posed` may not overlap it.
void impi_transform_apply_many(const imp_Transform *transform, const imp_Vec3 *points, size_t count,
                               imp_Vec3 *posed);

#endif
