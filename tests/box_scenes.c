#include "box_scenes.h"

#include "harness.h"

#include <math.h>
#include <string.h>

static void set_box(double row[6], const double center[3], const double half[3])
{
    for (int k = 0; k < 3; ++k) {
        row[k] = center[k] - half[k];
        row[k + 3] = center[k] + half[k];
    }
}

static double random_power(double low, double high)
{
    return exp2(test_random_between(log2(low), log2(high)));
}

static double random_sign(void)
{
    return test_random() & 1 ? 1 : -1;
}

static void make_row(const BoxScene *scene, size_t i, double world, double row[6])
{
    double center[3], half[3], range = scene->is_float ? 1e30 : 1e300;
    for (int k = 0; k < 3; ++k) {
        center[k] = test_random_between(0, world);
        half[k] = 0.5;
    }
    switch (scene->kind) {
    case BOXES_POINTS:
        for (int k = 0; k < 3; ++k) {
            center[k] = (double)test_random_below(1 + (uint32_t)world);
            half[k] = 0;
        }
        break;
    case BOXES_FLAT:
        half[test_random_below(3)] = 0;
        half[test_random_below(3)] *= 4;
        break;
    case BOXES_NEEDLES:
        half[0] = half[1] = half[2] = 0.01;
        half[test_random_below(3)] = world;
        break;
    case BOXES_SIZES_1E9:
        half[0] = half[1] = half[2] = random_power(1e-8, 1e1);
        break;
    case BOXES_IDENTICAL:
        memset(center, 0, sizeof center);
        break;
    case BOXES_LINE:
        center[0] = (double)i;
        center[1] = center[2] = 0;
        break;
    case BOXES_CORNER_GRID:
        for (int k = 0; k < 3; ++k)
            center[k] = (double)test_random_below(1 + (uint32_t)world);
        break;
    case BOXES_SIGNED_ZEROS:
        for (int k = 0; k < 3; ++k) {
            row[k] = test_random_below(3) ? -1 : copysign(0.0, random_sign());
            row[k + 3] = test_random_below(3) ? copysign(0.0, random_sign()) : 1;
        }
        return;
    case BOXES_SUBNORMAL:
        for (int k = 0; k < 3; ++k) {
            double unit = scene->is_float ? 1e-45 : 5e-324;
            row[k] = (double)test_random_below(50) * unit;
            row[k + 3] = row[k] + (double)test_random_below(8) * unit;
        }
        return;
    case BOXES_HUGE_RANGE:
        for (int k = 0; k < 3; ++k) {
            center[k] = random_sign() * random_power(1 / range, range / 4);
            half[k] = fabs(center[k]) * test_random_between(0.5, 3);
        }
        break;
    case BOXES_FAR_AWAY:
        for (int k = 0; k < 3; ++k)
            center[k] += scene->is_float ? 1e6 : 1e12;
        break;
    case BOXES_OUTLIERS:
        if (test_random_below(100) == 0)
            center[test_random_below(3)] = random_sign() * range;
        break;
    case BOXES_CLUSTERS:
        for (int k = 0; k < 3; ++k)
            center[k] = center[k] * 0.2 + 1e4 * (double)(i % 7) * (double)(k + 1);
        break;
    case BOXES_ONE_LARGE:
        if (i == 0)
            half[0] = half[1] = half[2] = 2 * world;
        break;
    default:
        break;
    }
    set_box(row, center, half);
}

static void round_rows(BoxScene *scene)
{
    for (size_t i = 0; i < 6 * scene->count; ++i) {
        volatile float narrow =
            (float)scene->rows[i / 6][i % 6]; // gcc 12 at -O3 leaves out roundings to and fro
        scene->float_rows[i / 6][i % 6] = narrow;
        if (scene->is_float)
            scene->rows[i / 6][i % 6] = (double)narrow;
    }
}

void box_scene_make_random(BoxScene *scene, BoxKind kind, bool is_float)
{
    scene->kind = kind;
    scene->is_float = is_float;
    // All sizes from 0 to the largest, small ones more often.
    scene->count = test_random_below(20) ? 2 + test_random_below(1 + test_random_below(BOX_SCENE_MAX - 2))
                                         : test_random_below(2);
    double world = test_random_between(0.5, 3) * cbrt((double)scene->count);
    for (size_t i = 0; i < scene->count; ++i)
        make_row(scene, i, world, scene->rows[i]);
    round_rows(scene);
    for (size_t i = scene->count; i-- > 1;) { // numbers say nothing about places
        size_t k = test_random_below((uint32_t)i + 1);
        double row[6];
        float float_row[6];
        memcpy(row, scene->rows[i], sizeof row);
        memcpy(scene->rows[i], scene->rows[k], sizeof row);
        memcpy(scene->rows[k], row, sizeof row);
        memcpy(float_row, scene->float_rows[i], sizeof float_row);
        memcpy(scene->float_rows[i], scene->float_rows[k], sizeof float_row);
        memcpy(scene->float_rows[k], float_row, sizeof float_row);
    }
}

static bool rows_overlap(const double p[6], const double q[6])
{
    for (int k = 0; k < 3; ++k)
        if (p[k] > q[k + 3] || q[k] > p[k + 3])
            return false;
    return true;
}

void box_scene_brute_force(const BoxScene *scene, PairList *list)
{
    list->count = 0;
    for (uint32_t a = 0; a < scene->count; ++a)
        for (uint32_t b = a + 1; b < scene->count; ++b)
            if (rows_overlap(scene->rows[a], scene->rows[b]))
                list->pairs[list->count++] = (imp_IndexPair){a, b};
}

imp_BoxArray box_scene_array(const BoxScene *scene)
{
    return (imp_BoxArray){scene->is_float ? scene->float_rows[0] : NULL,
                          scene->is_float ? NULL : scene->rows[0], scene->count};
}
