// Poses to the bit, against an evaluation of the documented formula in which every step is stored, so that no
// compiler can contract or reorder it.
#include "geom/pose.h"
#include "harness.h"

#include <impinge/math.h>

#include <float.h>
#include <math.h>
#include <string.h>

static double add(double a, double b)
{
    volatile double result = a + b;
    return result;
}

static double times(double a, double b)
{
    volatile double result = a * b;
    return result;
}

// 2(a*b + sign*c*d)
static double twice(double a, double b, double sign, double c, double d)
{
    return times(2, add(times(a, b), sign * times(c, d)));
}

static imp_Transform expected_transform(const imp_Pose *pose)
{
    const imp_Quat *r = &pose->rotation;
    imp_Transform transform = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, pose->translation};
    if (r->w == 0 && r->x == 0 && r->y == 0 && r->z == 0)
        return transform;
    volatile double n =
        sqrt(add(add(add(times(r->w, r->w), times(r->x, r->x)), times(r->y, r->y)), times(r->z, r->z)));
    volatile double w = r->w / n, x = r->x / n, y = r->y / n, z = r->z / n;
    const double rows[3][3] = {
        {add(1, -twice(y, y, 1, z, z)), twice(x, y, -1, w, z), twice(x, z, 1, w, y)},
        {twice(x, y, 1, w, z), add(1, -twice(x, x, 1, z, z)), twice(y, z, -1, w, x)},
        {twice(x, z, -1, w, y), twice(y, z, 1, w, x), add(1, -twice(x, x, 1, y, y))},
    };
    memcpy(transform.rows, rows, sizeof rows);
    return transform;
}

static double expected_coordinate(const double row[3], imp_Vec3 p, double t)
{
    return add(add(add(times(row[0], p.x), times(row[1], p.y)), times(row[2], p.z)), t);
}

static imp_Vec3 expected_point(const imp_Transform *transform, imp_Vec3 p)
{
    return (imp_Vec3){expected_coordinate(transform->rows[0], p, transform->translation.x),
                      expected_coordinate(transform->rows[1], p, transform->translation.y),
                      expected_coordinate(transform->rows[2], p, transform->translation.z)};
}

static void check_vector(imp_Vec3 got, imp_Vec3 want)
{
    CHECK_DOUBLE(got.x, want.x);
    CHECK_DOUBLE(got.y, want.y);
    CHECK_DOUBLE(got.z, want.z);
}

static void check_rows(const imp_Transform *got, const imp_Transform *want)
{
    for (int i = 0; i < 9; ++i)
        CHECK_DOUBLE(got->rows[i / 3][i % 3], want->rows[i / 3][i % 3]);
}

static void check_pose(const imp_Pose *pose, imp_Vec3 point)
{
    imp_Transform want = expected_transform(pose), transform;
    imp_Vec3 posed;
    if (!CHECK_INT(imp_pose_transform(pose, &transform), IMP_STATUS_OK))
        return;
    check_rows(&transform, &want);
    check_vector(transform.translation, pose->translation);
    check_vector(imp_transform_apply(&transform, point), expected_point(&want, point));
    CHECK_INT(imp_pose_apply(pose, point, &posed), IMP_STATUS_OK);
    check_vector(posed, expected_point(&want, point));
}

static imp_Quat scaled(imp_Quat q, double factor)
{
    return (imp_Quat){q.w * factor, q.x * factor, q.y * factor, q.z * factor};
}

static imp_Quat random_rotation(void)
{
    imp_Quat q;
    double square;
    do {
        q.w = test_random_between(-1, 1);
        q.x = test_random_between(-1, 1);
        q.y = test_random_between(-1, 1);
        q.z = test_random_below(4) ? test_random_between(-1, 1) : 0;
        square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    } while (square > 1 || square < 0.01);
    return scaled(q, 1 / sqrt(square));
}

static imp_Vec3 random_vector(void)
{
    imp_Vec3 v;
    int exponent_x = (int)test_random_below(2000) - 1060, exponent_y = (int)test_random_below(40) - 20;
    v.x = ldexp(test_random_between(-1, 1), exponent_x);
    v.y = ldexp(test_random_between(-1, 1), exponent_y);
    v.z = test_random_below(4) ? test_random_between(-1, 1) : -0.0;
    return v;
}

TEST(random_poses_equal_the_formula)
{
    for (uint64_t i = 0, count = test_count(100000); i < count; ++i) {
        // Within the tolerance of the norm, on both sides of 1.
        double factor = 1 + test_random_between(-9.9e-7, 9.9e-7);
        imp_Quat rotation = scaled(random_rotation(), factor);
        imp_Pose pose = {random_vector(), rotation};
        check_pose(&pose, random_vector());
    }
}

// As normalising leaves it, some ulps longer or shorter, or none at all.
static imp_Quat nearly_unit_rotation(void)
{
    if (test_random_below(8) == 0)
        return (imp_Quat){test_random_below(2) ? 0 : -0.0, 0, test_random_below(2) ? 0 : -0.0, 0};
    return scaled(random_rotation(),
                  test_random_below(2) ? 1 : 1 + 0x1p-52 * ((int)test_random_below(9) - 4));
}

static double square_of(imp_Quat q)
{
    return add(add(add(times(q.w, q.w), times(q.x, q.x)), times(q.y, q.y)), times(q.z, q.z));
}

// Where there is nothing to divide by, nothing is divided; here it is found out that nobody can tell.
TEST(pairs_of_poses_equal_the_formula)
{
    uint64_t ones = 0, next_ones = 0, count = test_count(100000);
    for (uint64_t i = 0; i < count; ++i) {
        imp_Pose a = {random_vector(), nearly_unit_rotation()}, b = {random_vector(), nearly_unit_rotation()};
        imp_Transform want_a = expected_transform(&a), want_b = expected_transform(&b), got_a, got_b;
        if (!CHECK(impi_pose_pair_transform(&a, &b, &got_a, &got_b)))
            return;
        check_rows(&got_a, &want_a);
        check_rows(&got_b, &want_b);
        check_vector(got_a.translation, a.translation);
        check_vector(got_b.translation, b.translation);
        ones += square_of(a.rotation) == 1;
        next_ones += square_of(a.rotation) == 1 + 0x1p-52;
    }
    CHECK(10 * ones > count && 10 * next_ones > count && 4 * (ones + next_ones) < 3 * count);
}

TEST(a_bad_rotation_of_two_leaves_both_transforms_alone)
{
    const imp_Pose good = {0}, bad = {{0, 0, 0}, {0.5, 0, 0, NAN}};
    imp_Transform a = {.rows = {{77}}}, b = {.rows = {{78}}};
    CHECK(!impi_pose_pair_transform(&good, &bad, &a, &b));
    CHECK(!impi_pose_pair_transform(&bad, &good, &a, &b));
    CHECK(a.rows[0][0] == 77 && b.rows[0][0] == 78);
}

TEST(zero_rotation_is_the_identity)
{
    imp_Pose zero = {0}, negative_zero = {{1, 2, 3}, {-0.0, 0, -0.0, 0}}, unit = {{1, 2, 3}, {1, 0, 0, 0}};
    imp_Vec3 point = {0.1, -1e-310, 1e300}, posed;
    check_pose(&zero, point);
    check_pose(&negative_zero, point);
    check_pose(&unit, point);
    CHECK_INT(imp_pose_apply(&zero, point, &posed), IMP_STATUS_OK);
    check_vector(posed, point);
}

TEST(rotations_turn_the_right_way)
{
    double half = sqrt(0.5);
    imp_Pose quarter_turn_about_z = {{10, 20, 30}, {half, 0, 0, half}};
    imp_Vec3 posed;
    CHECK_INT(imp_pose_apply(&quarter_turn_about_z, (imp_Vec3){1, 2, 3}, &posed), IMP_STATUS_OK);
    CHECK(fabs(posed.x - 8) < 1e-14 && fabs(posed.y - 21) < 1e-14 && posed.z == 33);
    imp_Pose half_turn_about_x = {{0, 0, 0}, {0, 1, 0, 0}};
    CHECK_INT(imp_pose_apply(&half_turn_about_x, (imp_Vec3){1, 2, 3}, &posed), IMP_STATUS_OK);
    check_vector(posed, (imp_Vec3){1, -2, -3});
}

static void check_refused(imp_Quat rotation)
{
    imp_Pose pose = {{0, 0, 0}, rotation};
    imp_Transform transform;
    imp_Vec3 posed;
    CHECK_INT(imp_pose_transform(&pose, &transform), IMP_STATUS_BAD_NUMBER);
    CHECK_INT(imp_pose_apply(&pose, (imp_Vec3){1, 2, 3}, &posed), IMP_STATUS_BAD_NUMBER);
}

TEST(rotations_that_are_not_of_unit_length_are_refused)
{
    for (int i = 0; i < 1000; ++i) {
        imp_Quat unit = random_rotation();
        check_refused(scaled(unit, 1 + 1.01e-6));
        check_refused(scaled(unit, 1 - 1.01e-6));
        check_refused(scaled(unit, test_random_between(2, 100)));
        check_refused(scaled(unit, 1e-200)); // its norm underflows to zero
        check_refused(scaled(unit, 1e+200)); // its norm overflows
    }
    check_refused((imp_Quat){0, DBL_TRUE_MIN, 0, 0});
    check_refused((imp_Quat){NAN, 0, 0, 0});
    check_refused((imp_Quat){1, 0, 0, -INFINITY});
    imp_Pose far = {{INFINITY, 0, 0}, {1, 0, 0, 0}};
    imp_Transform transform;
    CHECK_INT(imp_pose_transform(&far, &transform), IMP_STATUS_BAD_NUMBER);
}
