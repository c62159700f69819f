// The variants of the sphere test for each instruction set against each other, bit by bit, and against sums
// in higher precision.
#include "object/sphere_test.h"

#include "base/cpu.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct {
    uint64_t meeting, apart, endless;
} tally;

static size_t list_variants(const impi_SphereTest *variants[4])
{
    size_t count = 0;
    variants[count++] = impi_sphere_test();
    variants[count++] = &impi_sphere_test_portable;
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx2())
        variants[count++] = &impi_sphere_test_avx2;
    if (impi_cpu_has_avx512())
        variants[count++] = &impi_sphere_test_avx512;
#endif
    return count;
}

// ---- random input

// Mostly near to 1; sometimes what no sphere should have.
static float random_number(bool is_wild)
{
    static const float odd[] = {0, -0.0F, INFINITY, -INFINITY, NAN, 1e38F, -1e38F, 1e-40F, 1e-30F, 1e25F};
    if (is_wild && test_random_below(12) == 0)
        return odd[test_random_below(sizeof odd / sizeof *odd)];
    return (float)test_random_between(-1, 1);
}

static impi_SphereGroup random_group(bool is_wild)
{
    impi_SphereGroup group;
    for (unsigned lane = 0; lane < IMPI_SPHERE_LANES; ++lane) {
        for (int axis = 0; axis < 3; ++axis) {
            group.center[axis][lane] = random_number(is_wild);
            group.point[axis][lane] = random_number(is_wild);
        }
        group.radius[lane] = fabsf(random_number(is_wild));
        group.reach[lane] = fabsf(random_number(is_wild));
        group.protrusion[lane] = fabsf(random_number(is_wild));
        group.depth[lane] = random_number(is_wild);
    }
    return group;
}

static impi_SphereMotion random_motion(bool is_wild)
{
    impi_SphereMotion motion;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k)
            motion.rows[i][k] = random_number(is_wild);
        motion.translation[i] = random_number(is_wild);
    }
    motion.ratio = fabsf(random_number(is_wild));
    motion.widening = 1e-3F * fabsf(random_number(is_wild));
    return motion;
}

static impi_SpherePlace random_place(bool is_wild)
{
    impi_SpherePlace place;
    for (int axis = 0; axis < 3; ++axis) {
        place.center[axis] = random_number(is_wild);
        place.point[axis] = random_number(is_wild);
    }
    place.radius = fabsf(random_number(is_wild));
    place.reach = fabsf(random_number(is_wild));
    place.protrusion = fabsf(random_number(is_wild));
    place.depth = random_number(is_wild);
    return place;
}

// ---- the same bits

// All NaN are alike.
static bool are_same_floats(const float *a, const float *b, size_t count)
{
    bool same = true;
    for (size_t i = 0; i < count; ++i)
        same &= memcmp(&a[i], &b[i], sizeof *a) == 0 || (isnan(a[i]) && isnan(b[i]));
    return same;
}

static void check_same(const impi_SphereHits *got, const impi_SphereHits *want)
{
    CHECK_INT(got->meeting, want->meeting);
    CHECK_INT(got->touching, want->touching);
    CHECK_INT(got->deep, want->deep);
    CHECK(are_same_floats(got->center[0], want->center[0], 3 * IMPI_SPHERE_LANES));
    CHECK(are_same_floats(got->point[0], want->point[0], 3 * IMPI_SPHERE_LANES));
    CHECK(are_same_floats(got->bound, want->bound, IMPI_SPHERE_LANES));
    CHECK(are_same_floats(got->distance, want->distance, IMPI_SPHERE_LANES));
}

TEST(variants_give_the_same_bits)
{
    const impi_SphereTest *variants[4];
    size_t variant_count = list_variants(variants);
    uint64_t count = test_count(20000);
    for (uint64_t i = 0; i < count; ++i) {
        bool is_wild = i % 2;
        impi_SphereGroup group = random_group(is_wild);
        impi_SphereMotion motion = random_motion(is_wild);
        impi_SpherePlace place = random_place(is_wild);
        impi_SphereHits want[2], got[2];
        variants[0]->children_of_a(&group, &motion, &place, &want[0]);
        variants[0]->children_of_b(&group, &motion, &place, &want[1]);
        for (size_t variant = 1; variant < variant_count; ++variant) {
            variants[variant]->children_of_a(&group, &motion, &place, &got[0]);
            variants[variant]->children_of_b(&group, &motion, &place, &got[1]);
            check_same(&got[0], &want[0]);
            check_same(&got[1], &want[1]);
        }
    }
    printf("%zu variants\n", variant_count);
}

// ---- what they say

// Where a child of a is, in higher precision.
static void pose_child(const impi_SphereMotion *motion, const float from[3][IMPI_SPHERE_LANES], unsigned lane,
                       double to[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        to[axis] = (double)motion->translation[axis];
        for (int k = 0; k < 3; ++k)
            to[axis] += (double)motion->rows[axis][k] * (double)from[k][lane];
    }
}

static double distance(const double a[3], const float b[3])
{
    return hypot(hypot(a[0] - (double)b[0], a[1] - (double)b[1]), a[2] - (double)b[2]);
}

static void check_lane(const impi_SphereGroup *group, const impi_SphereMotion *motion,
                       const impi_SpherePlace *place, const impi_SphereHits *hits, unsigned lane)
{
    double center[3], point[3];
    pose_child(motion, group->center, lane, center);
    pose_child(motion, group->point, lane, point);
    double reach = (double)group->radius[lane] * (double)motion->ratio + (double)place->radius;
    double apart = distance(center, place->center);
    double between = distance(point, place->point);
    double protrusion = (double)group->protrusion[lane] * (double)motion->ratio + (double)place->protrusion;
    bool meets = hits->meeting >> lane & 1;
    double slack = 1e-5 * (1 + apart + reach);
    CHECK(!(apart <= reach) || meets);
    CHECK(!meets || apart <= reach + (double)motion->widening + slack);
    CHECK((double)hits->bound[lane] >= fmin(between, protrusion) - 1e-5);
    CHECK((double)hits->bound[lane] <= fmin(between, protrusion) + 2 * (double)motion->widening + slack);
    tally.meeting += meets;
    tally.apart += !meets;
}

TEST(spheres_that_share_a_point_meet_and_bounds_hold)
{
    uint64_t count = test_count(5000);
    for (uint64_t i = 0; i < count; ++i) {
        impi_SphereGroup group = random_group(false);
        impi_SphereMotion motion = random_motion(false);
        impi_SpherePlace place = random_place(false);
        impi_SphereHits hits;
        impi_sphere_test()->children_of_a(&group, &motion, &place, &hits);
        for (unsigned lane = 0; lane < IMPI_SPHERE_LANES; ++lane)
            check_lane(&group, &motion, &place, &hits, lane);
    }
    printf("%llu meet, %llu don't\n", (unsigned long long)tally.meeting, (unsigned long long)tally.apart);
    CHECK(tally.meeting * 20 > tally.apart && tally.apart * 10 > tally.meeting);
}

TEST(what_is_no_number_meets_everything)
{
    static const float endless[] = {NAN, INFINITY};
    for (int i = 0; i < 200; ++i) {
        impi_SphereGroup group = random_group(false);
        impi_SphereMotion motion = random_motion(false);
        impi_SpherePlace place = random_place(false);
        impi_SphereHits hits;
        motion.widening = endless[i % 2];
        impi_sphere_test()->children_of_a(&group, &motion, &place, &hits);
        CHECK_INT(hits.meeting, (1u << IMPI_SPHERE_LANES) - 1);
        for (unsigned lane = 0; lane < IMPI_SPHERE_LANES; ++lane)
            tally.endless += !(hits.bound[lane] < INFINITY);
        motion.widening = 0;
        motion.translation[i % 3] = NAN;
        impi_sphere_test()->children_of_a(&group, &motion, &place, &hits);
        CHECK_INT(hits.meeting, (1u << IMPI_SPHERE_LANES) - 1);
    }
    CHECK_INT(tally.endless, 200 * IMPI_SPHERE_LANES);
}
