#include "geom/pose.h"

#include "geom/predicates.h"

#include <math.h>

#define MAX_NORM_ERROR 1e-6

imp_Status impi_pose_transform(const imp_Pose *pose, imp_Transform *transform)
{
    double w = pose->rotation.w, x = pose->rotation.x, y = pose->rotation.y, z = pose->rotation.z;
    if (!impi_vec3_is_finite(&pose->translation))
        return IMP_STATUS_BAD_NUMBER;
    if (w == 0 && x == 0 && y == 0 && z == 0) {
        *transform = (imp_Transform){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, pose->translation};
        return IMP_STATUS_OK;
    }
    double norm = sqrt(((w * w + x * x) + y * y) + z * z);
    if (!(fabs(norm - 1) <= MAX_NORM_ERROR))
        return IMP_STATUS_BAD_NUMBER;
    w /= norm;
    x /= norm;
    y /= norm;
    z /= norm;
    *transform = (imp_Transform){
        {
            {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)},
        },
        pose->translation,
    };
    return IMP_STATUS_OK;
}

imp_Vec3 impi_transform_apply(const imp_Transform *transform, imp_Vec3 point)
{
    return impi_pose_vertex(transform, &point);
}

void impi_transform_apply_many(const imp_Transform *transform, const imp_Vec3 *points, size_t count,
                               imp_Vec3 *restrict posed)
{
    imp_Transform local = *transform;
    for (size_t i = 0; i < count; ++i)
        posed[i] = impi_pose_vertex(&local, &points[i]);
}
