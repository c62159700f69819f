// The public face of the exact kernel: arguments checked, the host's floating-point mode set aside. The
// arithmetic itself stands in other files (see base/float_guard.h for why).
#include "base/call.h"
#include "geom/pose.h"
#include "geom/predicates.h"
#include "geom/touch.h"
#include "geom/triangle_closest.h"
#include "geom/triangle_pairs.h"
#include "geom/triangle_within.h"

#include <float.h>

imp_Status imp_pose_transform(const imp_Pose *pose, imp_Transform *transform)
{
    if (!pose || !transform)
        return IMP_STATUS_BAD_ARGUMENT;
    impi_FloatGuard guard = impi_float_guard_enter();
    imp_Status status = impi_pose_transform(pose, transform);
    impi_float_guard_leave(guard);
    return status;
}

imp_Vec3 imp_transform_apply(const imp_Transform *transform, imp_Vec3 point)
{
    impi_FloatGuard guard = impi_float_guard_enter();
    imp_Vec3 posed = impi_transform_apply(transform, point);
    impi_float_guard_leave(guard);
    return posed;
}

imp_Status imp_pose_apply(const imp_Pose *pose, imp_Vec3 point, imp_Vec3 *posed)
{
    imp_Transform transform;
    if (!pose || !posed)
        return IMP_STATUS_BAD_ARGUMENT;
    impi_FloatGuard guard = impi_float_guard_enter();
    imp_Status status = impi_pose_transform(pose, &transform);
    if (status == IMP_STATUS_OK) {
        imp_Vec3 result = impi_transform_apply(&transform, point);
        if (impi_vec3_is_finite(&result))
            *posed = result;
        else
            status = IMP_STATUS_BAD_NUMBER;
    }
    impi_float_guard_leave(guard);
    return status;
}

imp_Status imp_pose_compose(const imp_Pose *outer, const imp_Pose *inner, imp_Pose *result)
{
    if (!outer || !inner || !result)
        return IMP_STATUS_BAD_ARGUMENT;
    impi_FloatGuard guard = impi_float_guard_enter();
    imp_Status status = impi_pose_compose(outer, inner, result);
    impi_float_guard_leave(guard);
    return status;
}

imp_Status imp_pose_inverse(const imp_Pose *pose, imp_Pose *inverse)
{
    if (!pose || !inverse)
        return IMP_STATUS_BAD_ARGUMENT;
    impi_FloatGuard guard = impi_float_guard_enter();
    imp_Status status = impi_pose_inverse(pose, inverse);
    impi_float_guard_leave(guard);
    return status;
}

static bool are_finite(const imp_Vec3 *points, int count)
{
    bool finite = true;
    for (int i = 0; i < count; ++i)
        finite &= impi_vec3_is_finite(&points[i]);
    return finite;
}

imp_Status imp_orient2d(imp_Vec2 a, imp_Vec2 b, imp_Vec2 c, int *sign)
{
    imp_Vec3 points[3] = {{a.x, a.y, 0}, {b.x, b.y, 0}, {c.x, c.y, 0}};
    if (!sign)
        return IMP_STATUS_BAD_ARGUMENT;
    impi_FloatGuard guard = impi_float_guard_enter();
    bool finite = are_finite(points, 3);
    if (finite)
        *sign = impi_orient2d(&points[0], &points[1], &points[2], IMPI_AXIS_Z);
    impi_float_guard_leave(guard);
    return finite ? IMP_STATUS_OK : IMP_STATUS_BAD_NUMBER;
}

imp_Status imp_orient3d(imp_Vec3 a, imp_Vec3 b, imp_Vec3 c, imp_Vec3 d, int *sign)
{
    imp_Vec3 points[4] = {a, b, c, d};
    if (!sign)
        return IMP_STATUS_BAD_ARGUMENT;
    impi_FloatGuard guard = impi_float_guard_enter();
    bool finite = are_finite(points, 4);
    if (finite)
        *sign = impi_orient3d(&points[0], &points[1], &points[2], &points[3]);
    impi_float_guard_leave(guard);
    return finite ? IMP_STATUS_OK : IMP_STATUS_BAD_NUMBER;
}

imp_Status imp_triangles_touch(const imp_Triangle *a, const imp_Triangle *b, bool *touch)
{
    if (!a || !b || !touch)
        return IMP_STATUS_BAD_ARGUMENT;
    impi_FloatGuard guard = impi_float_guard_enter();
    bool finite = are_finite(a->v, 3) && are_finite(b->v, 3);
    if (finite)
        *touch = impi_triangles_touch(a, b);
    impi_float_guard_leave(guard);
    return finite ? IMP_STATUS_OK : IMP_STATUS_BAD_NUMBER;
}

imp_Status imp_triangles_within(const imp_Triangle *a, const imp_Triangle *b, double distance, bool *within)
{
    if (!a || !b || !within)
        return IMP_STATUS_BAD_ARGUMENT;
    impi_FloatGuard guard = impi_float_guard_enter();
    bool valid = are_finite(a->v, 3) && are_finite(b->v, 3) && distance >= 0 && distance <= DBL_MAX;
    if (valid)
        *within = impi_triangles_within(a, b, distance);
    impi_float_guard_leave(guard);
    return valid ? IMP_STATUS_OK : IMP_STATUS_BAD_NUMBER;
}

imp_Status imp_triangles_distance(const imp_Triangle *a, const imp_Triangle *b, imp_Distance *result)
{
    if (!a || !b || !result)
        return IMP_STATUS_BAD_ARGUMENT;
    impi_FloatGuard guard = impi_float_guard_enter();
    bool finite = are_finite(a->v, 3) && are_finite(b->v, 3);
    if (finite)
        impi_triangles_closest(a, b, result);
    impi_float_guard_leave(guard);
    return finite ? IMP_STATUS_OK : IMP_STATUS_BAD_NUMBER;
}

imp_Status imp_segment_touches_triangle(const imp_Segment *segment, const imp_Triangle *triangle, bool *touch)
{
    if (!segment || !triangle || !touch)
        return IMP_STATUS_BAD_ARGUMENT;
    impi_FloatGuard guard = impi_float_guard_enter();
    bool finite = are_finite(segment->v, 2) && are_finite(triangle->v, 3);
    if (finite)
        *touch = impi_segment_touches_triangle(segment, triangle);
    impi_float_guard_leave(guard);
    return finite ? IMP_STATUS_OK : IMP_STATUS_BAD_NUMBER;
}

static bool is_valid_box(const imp_Box *box)
{
    return impi_vec3_is_finite(&box->min) && impi_vec3_is_finite(&box->max) && box->min.x <= box->max.x &&
           box->min.y <= box->max.y && box->min.z <= box->max.z;
}

imp_Status imp_triangle_touches_box(const imp_Triangle *triangle, const imp_Box *box, bool *touch)
{
    if (!triangle || !box || !touch)
        return IMP_STATUS_BAD_ARGUMENT;
    impi_FloatGuard guard = impi_float_guard_enter();
    bool valid = are_finite(triangle->v, 3) && is_valid_box(box);
    if (valid)
        *touch = impi_triangle_touches_box(triangle, box);
    impi_float_guard_leave(guard);
    return valid ? IMP_STATUS_OK : IMP_STATUS_BAD_NUMBER;
}

imp_Status imp_triangle_pairs_touch(imp_Context *context, const imp_Triangle *a, const imp_Triangle *b,
                                    size_t count, bool *touch)
{
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    if (count && (!a || !b || !touch))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "an array of triangle pairs is null");
    impi_FloatGuard guard = impi_call_begin(context);
    return impi_call_end(context, guard, impi_triangle_pairs_touch(context, a, b, count, touch));
}
