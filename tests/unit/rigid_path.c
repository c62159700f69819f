// Rigid paths: exact ends, and bounds that hold against the same path in long doubles.
#include "harness.h"

#include "geom/pose.h"
#include "geom/rigid_path.h"
#include "geom/vector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI_LONG 3.14159265358979323846264338327950288L

typedef struct LongVec {
    long double v[3];
} LongVec;

static LongVec to_long(imp_Vec3 v)
{
    return (LongVec){{v.x, v.y, v.z}};
}

static LongVec cross(LongVec a, LongVec b)
{
    return (LongVec){{a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2],
                      a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}

static long double dot(LongVec a, LongVec b)
{
    return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}

static LongVec add(LongVec a, long double factor, LongVec b)
{
    return (LongVec){{a.v[0] + factor * b.v[0], a.v[1] + factor * b.v[1], a.v[2] + factor * b.v[2]}};
}

static long double length(LongVec a)
{
    return sqrtl(dot(a, a));
}

static long double distance(LongVec a, LongVec b)
{
    return length(add(a, -1, b));
}

static LongVec turn_by(imp_Quat q, LongVec v)
{
    long double w = q.w, norm = sqrtl(w * w + (long double)q.x * q.x + (long double)q.y * q.y +
                                      (long double)q.z * q.z);
    if (norm == 0)
        return v;
    LongVec u = {{q.x / norm, q.y / norm, q.z / norm}};
    LongVec t = cross(u, v), tt = cross(u, t);
    return add(add(v, 2 * w / norm, t), 2, tt);
}

// Where the ideal path has a point, in long doubles.
static LongVec ideal(const impi_RigidPath *path, imp_Vec3 point, long double time)
{
    LongVec arm = turn_by(path->from.rotation, add(to_long(point), -1, to_long(path->pivot)));
    LongVec axis = to_long(path->axis);
    long double norm = length(axis), angle = 2 * (long double)path->half_angle * time;
    LongVec turned = arm;
    if (norm > 0) {
        axis = (LongVec){{axis.v[0] / norm, axis.v[1] / norm, axis.v[2] / norm}};
        LongVec across = cross(axis, arm);
        turned = add(add(arm, sinl(angle), across), 1 - cosl(angle), cross(axis, across));
    }
    return add(add(to_long(path->pivot_from), time, to_long(path->pivot_way)), 1, turned);
}

static long double radius_of(const impi_RigidPath *path, imp_Vec3 point)
{
    LongVec arm = turn_by(path->from.rotation, add(to_long(point), -1, to_long(path->pivot)));
    LongVec axis = to_long(path->axis);
    long double norm = length(axis);
    return norm > 0 ? length(cross(axis, arm)) / norm : 0;
}

static imp_Vec3 random_point(double size)
{
    return (imp_Vec3){test_random_between(-size, size), test_random_between(-size, size),
                      test_random_between(-size, size)};
}

static imp_Quat random_rotation(void)
{
    static const imp_Quat special[] = {{0, 0, 0, 0}, {1, 0, 0, 0},  {0, 1, 0, 0},
                                       {0, 0, 0, 1}, {-1, 0, 0, 0}, {0.5, 0.5, -0.5, 0.5}};
    if (test_random_below(4) == 0)
        return special[test_random_below(6)];
    for (;;) {
        double q[4], square = 0;
        for (int i = 0; i < 4; ++i) {
            q[i] = test_random_between(-1, 1);
            square += q[i] * q[i];
        }
        if (square > 0.01 && square < 1) {
            double norm = sqrt(square) * test_random_between(1 - 9e-7, 1 + 9e-7);
            return (imp_Quat){q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm};
        }
    }
}

// A little off, by what is given, or the opposite quaternion, or anything.
static imp_Quat rotation_near(imp_Quat from)
{
    double size = ldexp(1, -(int)test_random_below(56));
    imp_Quat q = from;
    if (q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0)
        q.w = 1;
    switch (test_random_below(4)) {
    case 0:
        return from;
    case 1:
        return (imp_Quat){-q.w, -q.x, -q.y, -q.z};
    case 2:
        return (imp_Quat){-q.x, q.w, q.z, -q.y}; // half a turn
    default:
        break;
    }
    imp_Vec3 off = random_point(size);
    imp_Quat near = {q.w, q.x + off.x, q.y + off.y, q.z + off.z};
    double norm = sqrt(near.w * near.w + near.x * near.x + near.y * near.y + near.z * near.z);
    return (imp_Quat){near.w / norm, near.x / norm, near.y / norm, near.z / norm};
}

static double random_scale(void)
{
    return ldexp(1, (int)test_random_below(60) - 30);
}

static impi_RigidPathDef random_def(double size)
{
    double far = test_random_below(3) ? size : size * random_scale();
    impi_RigidPathDef def = {.from = {random_point(far), random_rotation()}, .to = {random_point(far), {0}}};
    def.to.rotation = test_random_below(2) ? random_rotation() : rotation_near(def.from.rotation);
    if (test_random_below(2))
        def.pivot = random_point(size);
    if (test_random_below(3) == 0)
        def.turns = (int32_t)test_random_below(7) - 3;
    if (test_random_below(40) == 0)
        def.turns = (int32_t)test_random_below(IMPI_MAX_TURNS);
    def.axis = random_point(1);
    return def;
}

static bool is_same_pose(const imp_Pose *a, const imp_Pose *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static LongVec posed(const imp_Pose *pose, imp_Vec3 point)
{
    imp_Vec3 at = {0, 0, 0};
    CHECK(imp_pose_apply(pose, point, &at) == IMP_STATUS_OK);
    return to_long(at);
}

static double random_time(void)
{
    switch (test_random_below(8)) {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return ldexp(1, -(int)test_random_below(1000));
    case 3:
        return 1 - ldexp(1, -(int)test_random_below(54));
    default:
        return test_random_unit();
    }
}

typedef struct Shares {
    uint64_t turned, half_turns, still, spun;
    long double worst_rounding, worst_reach, worst_sagitta;
} Shares;

static long double larger(long double a, long double b)
{
    return a > b ? a : b;
}

static void check_point(const impi_RigidPath *path, imp_Vec3 point, Shares *shares)
{
    double times[2] = {random_time(), random_time()};
    LongVec at[2];
    long double radius = radius_of(path, point);
    double rounding = impi_rigid_path_rounding(path, impi_longest(point));
    for (int i = 0; i < 2; ++i) {
        imp_Pose pose = impi_rigid_path_pose(path, times[i]);
        at[i] = ideal(path, point, times[i]);
        long double error = distance(posed(&pose, point), at[i]);
        shares->worst_rounding = larger(error / rounding, shares->worst_rounding);
    }
    long double moved = distance(at[0], at[1]);
    double reach = impi_rigid_path_reach(path, (double)radius * (1 + 0x1p-50), times[0], times[1]);
    shares->worst_reach = larger(moved / (reach + (long double)rounding * 0x1p-6L), shares->worst_reach);
    // What the bend bounds: how far the middle is from the straight way between both ends.
    LongVec middle = ideal(path, point, ((long double)times[0] + times[1]) / 2);
    LongVec chord = add(add((LongVec){{0}}, 0.5L, at[0]), 0.5L, at[1]);
    long double step = (long double)times[1] - times[0];
    long double sagitta = impi_rigid_path_bend(path, (double)radius * (1 + 0x1p-50)) * step * step / 8;
    shares->worst_sagitta =
        larger(distance(middle, chord) / (sagitta + (long double)rounding * 0x1p-6L), shares->worst_sagitta);
}

TEST(bounds_hold_against_long_doubles)
{
    Shares shares = {0};
    uint64_t count = test_count(200000);
    for (uint64_t i = 0; i < count; ++i) {
        double size = random_scale();
        impi_RigidPathDef def = random_def(size);
        impi_RigidPath path;
        if (!CHECK(impi_rigid_path_make(&def, &path) == IMP_STATUS_OK))
            return;
        imp_Pose ends[2] = {impi_rigid_path_pose(&path, 0), impi_rigid_path_pose(&path, 1)};
        CHECK(is_same_pose(&ends[0], &def.from) && is_same_pose(&ends[1], &def.to));
        shares.still += path.half_angle == 0;
        shares.turned += path.half_angle > 0;
        shares.half_turns += fabs(path.half_angle - 0x1.921fb54442d18p+0) < 1e-12;
        shares.spun += path.half_angle > 2;
        for (int k = 0; k < 3; ++k)
            check_point(&path, random_point(size), &shares);
    }
    printf("of the bounds: rounding %.3Lf, reach %.17Lg, bend %.17Lg\n", shares.worst_rounding,
           shares.worst_reach, shares.worst_sagitta);
    CHECK(shares.worst_rounding <= 1 && shares.worst_rounding > 0.001L);
    CHECK(shares.worst_reach <= 1 && shares.worst_reach > 0.99L);
    CHECK(shares.worst_sagitta <= 1 && shares.worst_sagitta > 0.9L);
    CHECK(shares.still > count / 40 && shares.turned > count / 2);
    CHECK(shares.half_turns > count / 40 && shares.spun > count / 10);
}

TEST(sines_and_angles_are_as_good_as_promised)
{
    long double worst = 0, worst_angle = 0;
    for (uint64_t i = 0; i < test_count(200000); ++i) {
        double angle = test_random_between(-1, 1) * ldexp(1, (int)test_random_below(60) - 39);
        double sine, cosine;
        impi_sine_cosine(angle, &sine, &cosine);
        worst = larger(fabsl(sine - sinl(angle)), larger(fabsl(cosine - cosl(angle)), worst));
        double round = test_random_below(2) ? fabs(fmod(angle, 3.14159)) : test_random_between(0, 3.14159265);
        double size = test_random_between(1 - 4e-7, 1 + 4e-7);
        double x = cos(round) * size, y = fabs(sin(round)) * size;
        worst_angle = larger(fabsl(impi_angle_of(x, y) - atan2l(y, x)), worst_angle);
    }
    printf("of the bounds: sine %.3Lf, angle %.3Lf\n", worst / 0x1p-50L, worst_angle / 0x1p-49L);
    CHECK(worst <= 0x1p-50L && worst_angle <= 0x1p-49L);
    CHECK_DOUBLE(impi_angle_of(1, 0), 0);
}

TEST(a_wheel_turns_as_often_as_it_is_told)
{
    impi_RigidPathDef def = {.turns = 3, .axis = {0, 0, 2}, .to = {{6, 0, 0}, {0}}};
    impi_RigidPath path;
    CHECK(impi_rigid_path_make(&def, &path) == IMP_STATUS_OK);
    imp_Pose pose = impi_rigid_path_pose(&path, 0.25); // three quarters of a turn
    LongVec at = posed(&pose, (imp_Vec3){1, 0, 0});
    CHECK(fabsl(at.v[0] - 1.5L) < 1e-14L && fabsl(at.v[1] + 1) < 1e-14L && fabsl(at.v[2]) < 1e-14L);
    def.turns = -3;
    CHECK(impi_rigid_path_make(&def, &path) == IMP_STATUS_OK);
    pose = impi_rigid_path_pose(&path, 0.25);
    at = posed(&pose, (imp_Vec3){1, 0, 0});
    CHECK(fabsl(at.v[0] - 1.5L) < 1e-14L && fabsl(at.v[1] - 1) < 1e-14L);
}

TEST(the_long_way_is_a_turn_back)
{
    imp_Quat quarter = {0x1.6a09e667f3bcdp-1, 0, 0, 0x1.6a09e667f3bcdp-1};
    impi_RigidPathDef def = {.to = {.rotation = quarter}, .turns = -1};
    impi_RigidPath path;
    CHECK(impi_rigid_path_make(&def, &path) == IMP_STATUS_OK);
    CHECK(fabsl(2 * path.half_angle - 1.5L * PI_LONG) < 1e-14L);
    CHECK(path.axis.z == -1);
}

// Of a door the hinge stays where it is.
TEST(the_pivot_goes_straight)
{
    imp_Quat quarter = {0x1.6a09e667f3bcdp-1, 0, 0, 0x1.6a09e667f3bcdp-1};
    impi_RigidPathDef def = {.from = {{1, 2, 3}, {0}}, .pivot = {5, 0, 0}};
    def.to = (imp_Pose){{6, -3, 3}, quarter};
    impi_RigidPath path;
    CHECK(impi_rigid_path_make(&def, &path) == IMP_STATUS_OK);
    for (int i = 0; i <= 16; ++i) {
        imp_Pose pose = impi_rigid_path_pose(&path, i / 16.0);
        CHECK(distance(posed(&pose, def.pivot), (LongVec){{6, 2, 3}}) < 1e-14L);
    }
}

TEST(both_quaternions_of_a_rotation_are_the_same)
{
    for (uint64_t i = 0; i < test_count(20000); ++i) {
        impi_RigidPathDef def = random_def(1);
        impi_RigidPath path, other;
        if (def.from.rotation.w == 0 && def.from.rotation.x == 0)
            def.from.rotation = (imp_Quat){1, 0, 0, 0};
        def.turns = 0;
        CHECK(impi_rigid_path_make(&def, &path) == IMP_STATUS_OK);
        imp_Quat *q = &def.to.rotation;
        *q = (imp_Quat){-q->w, -q->x, -q->y, -q->z};
        CHECK(impi_rigid_path_make(&def, &other) == IMP_STATUS_OK);
        CHECK_DOUBLE(other.half_angle, path.half_angle);
        CHECK(impi_is_equal(&other.axis, &path.axis));
    }
}

TEST(what_is_no_path_is_refused)
{
    impi_RigidPathDef def = {.turns = 1};
    impi_RigidPath path;
    CHECK(impi_rigid_path_make(&def, &path) == IMP_STATUS_BAD_ARGUMENT); // about what?
    def = (impi_RigidPathDef){.turns = IMPI_MAX_TURNS + 1, .axis = {1, 0, 0}};
    CHECK(impi_rigid_path_make(&def, &path) == IMP_STATUS_BAD_ARGUMENT);
    def = (impi_RigidPathDef){.pivot = {NAN, 0, 0}};
    CHECK(impi_rigid_path_make(&def, &path) == IMP_STATUS_BAD_NUMBER);
    def = (impi_RigidPathDef){.axis = {0, INFINITY, 0}};
    CHECK(impi_rigid_path_make(&def, &path) == IMP_STATUS_BAD_NUMBER);
    def = (impi_RigidPathDef){.to = {.rotation = {2, 0, 0, 0}}};
    CHECK(impi_rigid_path_make(&def, &path) == IMP_STATUS_BAD_NUMBER);
    def = (impi_RigidPathDef){.from = {.translation = {1e308, 0, 0}}, .to = {.translation = {-1e308, 0, 0}}};
    CHECK(impi_rigid_path_make(&def, &path) == IMP_STATUS_BAD_NUMBER);
}
