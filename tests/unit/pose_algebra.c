// Poses composed and inverted, against the same in long doubles.
#include "harness.h"

#include <impinge/math.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define BOUND 0x1p-48L

typedef struct LongPose {
    long double w, x, y, z;
    long double t[3];
} LongPose;

static LongPose to_long(const imp_Pose *pose)
{
    const imp_Quat *q = &pose->rotation;
    const imp_Vec3 *t = &pose->translation;
    long double w = q->w, x = q->x, y = q->y, z = q->z, length = sqrtl(w * w + x * x + y * y + z * z);
    if (length == 0)
        return (LongPose){1, 0, 0, 0, {t->x, t->y, t->z}};
    return (LongPose){w / length, x / length, y / length, z / length, {t->x, t->y, t->z}};
}

static void turn(const LongPose *p, const long double v[3], long double turned[3])
{
    long double w = p->w, x = p->x, y = p->y, z = p->z;
    turned[0] = (1 - 2 * (y * y + z * z)) * v[0] + 2 * (x * y - w * z) * v[1] + 2 * (x * z + w * y) * v[2];
    turned[1] = 2 * (x * y + w * z) * v[0] + (1 - 2 * (x * x + z * z)) * v[1] + 2 * (y * z - w * x) * v[2];
    turned[2] = 2 * (x * z - w * y) * v[0] + 2 * (y * z + w * x) * v[1] + (1 - 2 * (x * x + y * y)) * v[2];
}

static LongPose compose(const LongPose *a, const LongPose *b)
{
    LongPose c = {a->w * b->w - a->x * b->x - a->y * b->y - a->z * b->z,
                  a->w * b->x + a->x * b->w + a->y * b->z - a->z * b->y,
                  a->w * b->y - a->x * b->z + a->y * b->w + a->z * b->x,
                  a->w * b->z + a->x * b->y - a->y * b->x + a->z * b->w,
                  {0, 0, 0}};
    turn(a, b->t, c.t);
    for (int i = 0; i < 3; ++i)
        c.t[i] += a->t[i];
    return c;
}

static LongPose invert(const LongPose *a)
{
    LongPose b = {a->w, -a->x, -a->y, -a->z, {0, 0, 0}};
    turn(&b, a->t, b.t);
    for (int i = 0; i < 3; ++i)
        b.t[i] = -b.t[i];
    return b;
}

static long double sum_of_sizes(imp_Vec3 v)
{
    return fabsl((long double)v.x) + fabsl((long double)v.y) + fabsl((long double)v.z);
}

// The error in parts of what is promised: no more than 1.
static double error_of(const imp_Pose *given, const LongPose *exact, long double size)
{
    const imp_Quat *q = &given->rotation;
    const imp_Vec3 *t = &given->translation;
    const long double errors[] = {fabsl(q->w - exact->w),           fabsl(q->x - exact->x),
                                  fabsl(q->y - exact->y),           fabsl(q->z - exact->z),
                                  fabsl(t->x - exact->t[0]) / size, fabsl(t->y - exact->t[1]) / size,
                                  fabsl(t->z - exact->t[2]) / size};
    long double worst = 0;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; ++i)
        worst = errors[i] > worst ? errors[i] : worst;
    return (double)(worst / BOUND);
}

// Rotations of all kinds, most of them off unit length by as much as is allowed or a little.
static imp_Pose random_pose(void)
{
    imp_Pose pose;
    double *q = &pose.rotation.w, *t = &pose.translation.x, length = 0;
    while (!(length > 0.1)) {
        length = 0;
        for (int i = 0; i < 4; ++i) {
            q[i] = test_random_between(-1, 1);
            if (test_random_below(6) == 0)
                q[i] = test_random_below(2) ? 0 : ldexp(q[i], -40);
            length += q[i] * q[i];
        }
        length = sqrt(length);
    }
    double off = 1 + (test_random_below(3) == 0 ? test_random_between(-9e-7, 9e-7) : 0);
    for (int i = 0; i < 4; ++i)
        q[i] = q[i] / length * off;
    int exponent = (int)test_random_below(40) - 20;
    for (int i = 0; i < 3; ++i)
        t[i] = ldexp(test_random_between(-1, 1), exponent + (int)test_random_below(4));
    if (test_random_below(20) == 0)
        pose.rotation = (imp_Quat){0, 0, 0, 0};
    return pose;
}

TEST(numbers_are_as_near_as_promised)
{
    double worst = 0;
    long count = test_count(200000);
    for (long i = 0; i < count; ++i) {
        imp_Pose a = random_pose(), b = random_pose(), both, back;
        LongPose exact_a = to_long(&a), exact_b = to_long(&b);
        if (!CHECK_INT(imp_pose_compose(&a, &b, &both), IMP_STATUS_OK) ||
            !CHECK_INT(imp_pose_inverse(&a, &back), IMP_STATUS_OK))
            return;
        LongPose exact_both = compose(&exact_a, &exact_b), exact_back = invert(&exact_a);
        double error =
            error_of(&both, &exact_both, sum_of_sizes(a.translation) + sum_of_sizes(b.translation));
        worst = fmax(worst, fmax(error, error_of(&back, &exact_back, sum_of_sizes(a.translation))));
    }
    printf("the worst error is %.3f of what is allowed\n", worst);
    CHECK(worst <= 1);
    CHECK(worst > 0.01); // otherwise nothing was measured
}

TEST(what_is_exact_stays_exact)
{
    const imp_Pose zero = {0}, moved = {{1, 2, 3}, {0, 0, 0, 0}}, turned = {{4, 5, 6}, {0, 1, 0, 0}};
    const imp_Pose identity = {{0, 0, 0}, {1, 0, 0, 0}};
    imp_Pose result;
    CHECK_INT(imp_pose_compose(&zero, &zero, &result), IMP_STATUS_OK);
    CHECK(memcmp(&result, &identity, sizeof result) == 0);
    CHECK_INT(imp_pose_inverse(&zero, &result), IMP_STATUS_OK);
    CHECK(memcmp(&result, &identity, sizeof result) == 0); // and no -0
    CHECK_INT(imp_pose_compose(&turned, &moved, &result), IMP_STATUS_OK);
    CHECK(memcmp(&result, &(imp_Pose){{5, 3, 3}, {0, 1, 0, 0}}, sizeof result) == 0);
    CHECK_INT(imp_pose_inverse(&turned, &result), IMP_STATUS_OK);
    CHECK(result.translation.x == -4 && result.translation.y == 5 && result.translation.z == 6);
    CHECK_INT(imp_pose_compose(&turned, &result, &result), IMP_STATUS_OK);
    CHECK(fabs(result.rotation.w) == 1 && result.translation.x == 0 && result.translation.y == 0);
}

TEST(results_may_be_arguments)
{
    for (int i = 0; i < 100; ++i) {
        imp_Pose a = random_pose(), b = random_pose(), both, back, x = a, y = b, z = a;
        CHECK_INT(imp_pose_compose(&a, &b, &both), IMP_STATUS_OK);
        CHECK_INT(imp_pose_inverse(&a, &back), IMP_STATUS_OK);
        CHECK_INT(imp_pose_compose(&x, &b, &x), IMP_STATUS_OK);
        CHECK_INT(imp_pose_compose(&a, &y, &y), IMP_STATUS_OK);
        CHECK_INT(imp_pose_inverse(&z, &z), IMP_STATUS_OK);
        CHECK(memcmp(&x, &both, sizeof both) == 0 && memcmp(&y, &both, sizeof both) == 0);
        CHECK(memcmp(&z, &back, sizeof back) == 0);
    }
}

TEST(refusals_leave_the_result_alone)
{
    const imp_Pose good = {{1, 2, 3}, {1, 0, 0, 0}}, far = {{DBL_MAX, 0, 0}, {1, 0, 0, 0}},
                   corner = {{DBL_MAX, DBL_MAX, 0}, {0.92387953251128674, 0, 0, 0.38268343236508978}};
    const imp_Pose bad[] = {{{0, NAN, 0}, {1, 0, 0, 0}},
                            {{0, 0, INFINITY}, {0, 0, 0, 0}},
                            {{0, 0, 0}, {0.5, 0, 0, 0}},
                            {{0, 0, 0}, {NAN, 0, 0, 0}}};
    imp_Pose result = good;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        CHECK_INT(imp_pose_compose(&bad[i], &good, &result), IMP_STATUS_BAD_NUMBER);
        CHECK_INT(imp_pose_compose(&good, &bad[i], &result), IMP_STATUS_BAD_NUMBER);
        CHECK_INT(imp_pose_inverse(&bad[i], &result), IMP_STATUS_BAD_NUMBER);
    }
    CHECK_INT(imp_pose_compose(&far, &far, &result), IMP_STATUS_BAD_NUMBER);
    CHECK_INT(imp_pose_inverse(&corner, &result), IMP_STATUS_BAD_NUMBER);
    CHECK_INT(imp_pose_compose(NULL, &good, &result), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pose_compose(&good, NULL, &result), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pose_compose(&good, &good, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pose_inverse(NULL, &result), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pose_inverse(&good, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK(memcmp(&result, &good, sizeof result) == 0);
    CHECK_INT(imp_pose_inverse(&far, &result), IMP_STATUS_OK);
    CHECK(result.translation.x == -DBL_MAX);
}
