// Rotations are (cos, axis sin) of half the angle so far, times the rotation at the start. Sine, cosine and
// the angle between two rotations come from series and corrections of our own: those of C libraries differ in
// their last bits. docs/exactness.md derives the bounds.
#include "geom/rigid_path.h"

#include "geom/pose.h"
#include "geom/predicates.h"
#include "geom/quaternion.h"
#include "geom/vector.h"

#include <assert.h>
#include <float.h>

// Half the angle's sine below which two rotations count as the same: what rounding makes of equal ones.
#define SAME_ROTATION 0x1p-49

// pi / 2 in three parts. The first two have 33 bits, so that their products with what has 20 are exact.
#define HALF_PI_1 0x1.921fb544p+0
#define HALF_PI_2 0x1.0b4611a6p-34
#define HALF_PI_3 0x1.3198a2e037073p-69
#define HALF_PI   0x1.921fb54442d18p+0
#define PI        0x1.921fb54442d18p+1

// ---- angles

// Taylor's series up to the 17th and 16th power. For at most pi / 4 in size (and a little more) what is left
// out is below 2^-63 and 2^-58; of the roundings only the last two count, each of at most 2^-54 and 2^-53.
static double sine_series(double x)
{
    double z = x * x;
    double sum = 1.0 / 355687428096000;
    sum = sum * z - 1.0 / 1307674368000;
    sum = sum * z + 1.0 / 6227020800;
    sum = sum * z - 1.0 / 39916800;
    sum = sum * z + 1.0 / 362880;
    sum = sum * z - 1.0 / 5040;
    sum = sum * z + 1.0 / 120;
    sum = sum * z - 1.0 / 6;
    return x + x * z * sum;
}

static double cosine_series(double x)
{
    double z = x * x;
    double sum = 1.0 / 20922789888000;
    sum = sum * z - 1.0 / 87178291200;
    sum = sum * z + 1.0 / 479001600;
    sum = sum * z - 1.0 / 3628800;
    sum = sum * z + 1.0 / 40320;
    sum = sum * z - 1.0 / 720;
    sum = sum * z + 1.0 / 24;
    return 1 - (0.5 * z - z * z * sum);
}

// The first difference is exact, since both are within a factor of two of each other or the second is zero;
// the next two are rounded at a size of at most 1, so that what is left is off by less than 2^-52.
void impi_sine_cosine(double angle, double *sine, double *cosine)
{
    assert(fabs(angle) <= 0x1p20);
    double quarters = nearbyint(angle / HALF_PI);
    double rest = ((angle - quarters * HALF_PI_1) - quarters * HALF_PI_2) - quarters * HALF_PI_3;
    double s = sine_series(rest), c = cosine_series(rest);
    switch ((int64_t)quarters & 3) {
    case 0:
        *sine = s, *cosine = c;
        break;
    case 1:
        *sine = c, *cosine = -s;
        break;
    case 2:
        *sine = -s, *cosine = -c;
        break;
    default:
        *sine = -c, *cosine = s;
        break;
    }
}

// A first guess is off by less than 0.01 (of the arc tangent of q up to 1, q / (1 + 0.28 q q) is off by
// 0.005). The sine of what is missing, length (sin a cos g - cos a sin g), is missing itself but for a sixth
// of its cube and 1e-6 of it; so after three corrections nothing but rounding is left.
double impi_angle_of(double x, double y)
{
    assert(y >= 0 && fabs(x * x + y * y - 1) < 1e-5);
    double run = fabs(x), ratio = y < run ? y / run : run / y;
    double angle = ratio / (1 + 0.28 * ratio * ratio);
    angle = y < run ? angle : HALF_PI - angle;
    angle = x < 0 ? PI - angle : angle;
    for (int i = 0; i < 3; ++i) {
        double sine, cosine;
        impi_sine_cosine(angle, &sine, &cosine);
        angle += y * cosine - x * sine;
    }
    return angle;
}

// ---- the path

static imp_Quat rotation_of(const imp_Pose *pose)
{
    const imp_Quat *q = &pose->rotation;
    bool is_none = q->w == 0 && q->x == 0 && q->y == 0 && q->z == 0;
    return is_none ? (imp_Quat){1, 0, 0, 0} : impi_quat_normalise(*q);
}

// From one rotation to the other, in the world, by at most half a turn. Of the two ways that are equally
// short it takes the one whose axis comes first.
static imp_Quat short_way(imp_Quat from, imp_Quat to)
{
    imp_Quat way = impi_quat_multiply(to, (imp_Quat){from.w, -from.x, -from.y, -from.z});
    imp_Vec3 zero = {0, 0, 0}, vector = {way.x, way.y, way.z};
    bool is_long = way.w < 0 || (way.w == 0 && impi_is_before(&vector, &zero));
    return is_long ? (imp_Quat){-way.w, -way.x, -way.y, -way.z} : way;
}

// False when there are turns about nothing.
static bool set_turn(const impi_RigidPathDef *def, impi_RigidPath *path)
{
    imp_Quat way = short_way(path->start, rotation_of(&def->to));
    imp_Vec3 vector = {way.x, way.y, way.z};
    double sine = impi_length(vector);
    bool is_same = sine <= SAME_ROTATION;
    if (is_same && def->turns != 0 && !(impi_longest(def->axis) > 0))
        return false;
    if (is_same && def->turns == 0)
        return true;
    double half_angle = (is_same ? 0 : impi_angle_of(way.w, sine)) + PI * def->turns;
    path->axis = impi_unit(is_same ? def->axis : vector);
    path->half_angle = fabs(half_angle);
    if (half_angle < 0)
        path->axis = impi_scale(path->axis, -1);
    return true;
}

imp_Status impi_rigid_path_make(const impi_RigidPathDef *def, impi_RigidPath *path)
{
    imp_Transform from, to;
    if (impi_pose_transform(&def->from, &from) != IMP_STATUS_OK ||
        impi_pose_transform(&def->to, &to) != IMP_STATUS_OK || !impi_vec3_is_finite(&def->pivot) ||
        !impi_vec3_is_finite(&def->axis))
        return IMP_STATUS_BAD_NUMBER;
    impi_RigidPath made = {.from = def->from,
                           .to = def->to,
                           .start = rotation_of(&def->from),
                           .pivot = def->pivot,
                           .pivot_from = impi_transform_apply(&from, def->pivot)};
    made.pivot_way = impi_subtract(impi_transform_apply(&to, def->pivot), made.pivot_from);
    if (!impi_vec3_is_finite(&made.pivot_from) || !impi_vec3_is_finite(&made.pivot_way))
        return IMP_STATUS_BAD_NUMBER;
    if (def->turns > IMPI_MAX_TURNS || def->turns < -IMPI_MAX_TURNS || !set_turn(def, &made))
        return IMP_STATUS_BAD_ARGUMENT;
    *path = made;
    return IMP_STATUS_OK;
}

imp_Vec3 impi_rigid_path_pivot(const impi_RigidPath *path, double time)
{
    return impi_add_scaled(path->pivot_from, time, path->pivot_way);
}

imp_Pose impi_rigid_path_pose(const impi_RigidPath *path, double time)
{
    assert(time >= 0 && time <= 1);
    if (time == 0 || time == 1)
        return time == 0 ? path->from : path->to;
    double sine, cosine;
    impi_sine_cosine(path->half_angle * time, &sine, &cosine);
    imp_Quat turn = {cosine, path->axis.x * sine, path->axis.y * sine, path->axis.z * sine};
    imp_Pose pose = {.rotation = impi_quat_normalise(impi_quat_multiply(turn, path->start))};
    imp_Transform turned;
    imp_Status status = impi_pose_transform(&pose, &turned);
    assert(status == IMP_STATUS_OK);
    (void)status;
    pose.translation =
        impi_subtract(impi_rigid_path_pivot(path, time), impi_transform_apply(&turned, path->pivot));
    return pose;
}

// ---- bounds

double impi_rigid_path_rounding(const impi_RigidPath *path, double largest)
{
    double size = largest + impi_longest(path->pivot) +
                  (impi_longest(path->pivot_from) + impi_longest(path->pivot_way));
    return 0x1p-44 * (1 + path->half_angle / 64) * size + 0x1p-1060;
}

double impi_rigid_path_reach(const impi_RigidPath *path, double radius, double from_time, double to_time)
{
    double speed = impi_length(path->pivot_way) + 2 * path->half_angle * radius;
    return speed * fabs(to_time - from_time) * (1 + 0x1p-48) + 0x1p-1060;
}

double impi_rigid_path_bend(const impi_RigidPath *path, double radius)
{
    double rate = 2 * path->half_angle;
    return rate * rate * radius * (1 + 0x1p-48);
}

imp_Vec3 impi_rigid_path_velocity(const impi_RigidPath *path, imp_Vec3 pivot, imp_Vec3 point)
{
    imp_Vec3 across = impi_cross(path->axis, impi_subtract(point, pivot));
    return impi_add_scaled(path->pivot_way, 2 * path->half_angle, across);
}
