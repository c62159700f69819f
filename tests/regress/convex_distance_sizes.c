// Beyond sizes of 2^100 imp_convex_distance gave touching bodies a depth of 0 and a normal of zeros, and
// separate ones the distance of two vertices.
#include "harness.h"

#include <impinge/convex.h>

#include <float.h>
#include <math.h>

static imp_Convex *make_cube(imp_Context *context, double size)
{
    double points[24];
    imp_Convex *cube = NULL;
    for (int i = 0; i < 24; ++i)
        points[i] = i / 3 >> i % 3 & 1 ? size : -size;
    CHECK_INT(imp_convex_create(context, &(imp_ConvexDef){.points = points, .point_count = 8}, &cube),
              IMP_STATUS_OK);
    return cube;
}

static imp_ConvexDistance measure(imp_Context *context, imp_ConvexPair pair)
{
    imp_ConvexDistance d = {0};
    CHECK_INT(imp_convex_distance(context, NULL, &pair, NULL, &d), IMP_STATUS_OK);
    CHECK(fabs(hypot(hypot(d.normal.x, d.normal.y), d.normal.z) - 1) < 1e-15);
    return d;
}

TEST(cubes_of_any_size_have_depths_and_distances)
{
    static const int exponents[] = {-1074, -1073, -1030, -1000, -200, -101, 0, 101, 200, 1000, 1019};
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; ++i) {
        double size = ldexp(1, exponents[i]);
        imp_Convex *cube = make_cube(context, 2 * size);
        imp_ConvexPair pair = {.a = cube, .b = cube, .pose_b.translation = {3 * size, size, 0}};
        imp_ConvexDistance d = measure(context, pair);
        CHECK(d.touch && d.depth == size && d.normal.x == 1);
        pair.pose_b.translation = (imp_Vec3){7 * size, 8 * size, 0}; // edges 3 and 4 apart
        d = measure(context, pair);
        CHECK(!d.touch && fabs(d.distance - 5 * size) <= 1e-6 * d.distance && d.lower_bound > 0);
        CHECK(d.lower_bound <= 5 * size);
        CHECK(d.reached_accuracy || exponents[i] < -1030);
        imp_convex_release(cube);
    }
    imp_context_destroy(context);
}

TEST(a_small_body_on_a_large_one)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    imp_Convex *large = make_cube(context, 0x1p600), *small = make_cube(context, 0x1p-600);
    imp_ConvexPair pair = {.a = large, .b = small};
    pair.pose_a.translation.x = -0x1p600; // its face at 0
    imp_ConvexDistance d = measure(context, pair);
    CHECK(d.touch && d.depth == 0x1p-600 && d.normal.x == 1);
    pair.pose_b.translation.x = 0x1p-599;
    d = measure(context, pair);
    CHECK(!d.touch && d.distance == 0x1p-600 && d.reached_accuracy);
    imp_convex_release(large);
    imp_convex_release(small);
    imp_context_destroy(context);
}

TEST(a_distance_beyond_the_largest_double_is_infinite)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    imp_Convex *cube = make_cube(context, 0x1p1000);
    imp_ConvexPair pair = {.a = cube, .b = cube};
    pair.pose_a.translation.x = -0x1.8p1023;
    pair.pose_b.translation.x = 0x1.8p1023;
    imp_ConvexDistance d = measure(context, pair);
    CHECK(!d.touch && isinf(d.distance) && d.lower_bound == DBL_MAX && !d.reached_accuracy);
    CHECK(d.normal.x == 1 && isfinite(d.point_a.x) && isfinite(d.point_b.x));
    imp_convex_release(cube);
    imp_context_destroy(context);
}
