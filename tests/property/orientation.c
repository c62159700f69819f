// imp_orient2d and imp_orient3d against the exact oracle: generic points, points exactly on the line or plane
// of the others, one ulp beside it, rounded onto it, and of all magnitudes.
#include "harness.h"
#include "oracle/case_numbers.h"
#include "oracle/exact_oracle.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

typedef enum Arrangement {
    GENERIC,
    EXACT,   ///< the last point lies in the flat of the others
    ONE_ULP, ///< the same with one coordinate moved
    ROUNDED, ///< a rounded combination of the others
    SMALL_LATTICE,
    MIXED,
    HUGE_NUMBERS,
    ARRANGEMENT_COUNT
} Arrangement;

static const char *const arrangement_names[ARRANGEMENT_COUNT] = {
    "generic", "exact", "one_ulp", "rounded", "small_lattice", "mixed", "huge"};

// Signs by arrangement, for cases that no rounding scale has moved: -1, 0, 1.
typedef struct Tally {
    uint64_t signs[ARRANGEMENT_COUNT][3];
} Tally;

// p = 64 q for all points but the last, which is the sum of weights times q: exactly in their flat.
static void put_exactly(imp_Vec3 *points, int count)
{
    double range = random_range(), weights[3] = {0};
    if (count == 4) {
        random_weights(-30, weights);
    } else {
        weights[0] = random_integer(100);
        weights[1] = WEIGHT_SUM - weights[0];
    }
    imp_Vec3 last = {0};
    for (int i = 0; i < count - 1; ++i) {
        imp_Vec3 q = random_lattice_point(range);
        points[i] = along((imp_Vec3){0}, WEIGHT_SUM, q);
        last = along(last, weights[i], q);
    }
    points[count - 1] = last;
}

static void put_rounded(imp_Vec3 *points, int count)
{
    imp_Vec3 last = points[0];
    for (int i = 1; i < count - 1; ++i)
        last = along(last, random_signed_unit(), along(points[i], -1, points[0]));
    points[count - 1] = last;
}

static void fill(double *coordinates, int count, double (*next)(void))
{
    for (int i = 0; i < count; ++i)
        coordinates[i] = next();
}

static double small_integer(void)
{
    return test_random_below(4);
}

static double huge_number(void)
{
    uint32_t choice = test_random_below(6);
    return choice == 0 ? DBL_MAX : choice == 1 ? -DBL_MAX : DBL_MAX * random_signed_unit();
}

// Zero now and then, so that products of very different sizes can cancel.
static double mixed_number(void)
{
    return test_random_below(4) ? random_of_any_size() : 0;
}

// False when a scaling has rounded the points. `count` is 3 in the plane (z is then left out) and 4 in space.
static bool arrange(Arrangement arrangement, imp_Vec3 *points, int count)
{
    double coordinates[12];
    int number_count = 3 * count;
    fill(coordinates, number_count,
         arrangement == SMALL_LATTICE  ? small_integer
         : arrangement == MIXED        ? mixed_number
         : arrangement == HUGE_NUMBERS ? huge_number
                                       : random_signed_unit);
    for (int i = 0; i < count; ++i)
        points[i] = (imp_Vec3){coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]};
    if (arrangement == ROUNDED)
        put_rounded(points, count);
    if (arrangement == EXACT || arrangement == ONE_ULP)
        put_exactly(points, count);
    for (int i = 0; i < number_count; ++i)
        coordinates[i] = ((const double *)points)[i];
    if (arrangement == ONE_ULP) {
        double *moved = coordinates + 3 * test_random_below((uint32_t)count);
        moved += test_random_below(2);
        *moved = one_ulp_off(*moved);
    }
    bool exact = scale_coordinates(coordinates, number_count, random_scaling());
    flip_zeros(coordinates, number_count);
    for (int i = 0; i < count; ++i)
        points[i] = (imp_Vec3){coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]};
    return exact;
}

static void print_points(const imp_Vec3 *points, int count)
{
    static int printed;
    if (++printed > 20)
        return;
    for (int i = 0; i < count; ++i)
        printf("  {%a, %a, %a}\n", points[i].x, points[i].y, points[i].z);
}

static int try_orient2d(const imp_Vec3 *p)
{
    imp_Vec2 a = {p[0].x, p[0].y}, b = {p[1].x, p[1].y}, c = {p[2].x, p[2].y};
    int want = oracle_orient2d(a, b, c), sign = 7, turned = 7, mirrored = 7;
    CHECK_INT(imp_orient2d(a, b, c, &sign), IMP_STATUS_OK);
    CHECK_INT(imp_orient2d(b, c, a, &turned), IMP_STATUS_OK);
    CHECK_INT(imp_orient2d(b, a, c, &mirrored), IMP_STATUS_OK);
    if (!CHECK_INT(sign, want) || !CHECK_INT(turned, want) || !CHECK_INT(mirrored, -want))
        print_points(p, 3);
    return want;
}

static int try_orient3d(const imp_Vec3 *p)
{
    int want = oracle_orient3d(p[0], p[1], p[2], p[3]), sign = 7, turned = 7, mirrored = 7;
    CHECK_INT(imp_orient3d(p[0], p[1], p[2], p[3], &sign), IMP_STATUS_OK);
    CHECK_INT(imp_orient3d(p[1], p[2], p[0], p[3], &turned), IMP_STATUS_OK);
    CHECK_INT(imp_orient3d(p[0], p[1], p[3], p[2], &mirrored), IMP_STATUS_OK);
    if (!CHECK_INT(sign, want) || !CHECK_INT(turned, want) || !CHECK_INT(mirrored, -want))
        print_points(p, 4);
    return want;
}

static void check_tally(const Tally *tally)
{
    printf("%-16s %10s %10s %10s\n", "arrangement", "-1", "0", "1");
    for (int i = 0; i < ARRANGEMENT_COUNT; ++i) {
        const uint64_t *signs = tally->signs[i];
        uint64_t count = signs[0] + signs[1] + signs[2];
        printf("%-16s %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "\n", arrangement_names[i], signs[0], signs[1],
               signs[2]);
        if (i == EXACT)
            CHECK(signs[1] == count && count > 0);
        else
            CHECK(signs[0] * 10 > count && signs[2] * 10 > count);
        if (i == SMALL_LATTICE)
            CHECK(signs[1] * 20 > count);
    }
}

static void try_arrangements(int point_count, int (*try_points)(const imp_Vec3 *))
{
    Tally tally = {0};
    uint64_t total = test_count(100000);
    for (uint64_t i = 0; i < total; ++i) {
        Arrangement arrangement = (Arrangement)(i % ARRANGEMENT_COUNT);
        imp_Vec3 points[4];
        bool exact = arrange(arrangement, points, point_count);
        int sign = try_points(points);
        if (exact)
            ++tally.signs[arrangement][sign + 1];
    }
    check_tally(&tally);
}

TEST(orient2d_agrees_with_the_oracle)
{
    try_arrangements(3, try_orient2d);
}

TEST(orient3d_agrees_with_the_oracle)
{
    try_arrangements(4, try_orient3d);
}
