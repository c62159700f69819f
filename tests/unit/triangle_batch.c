// The vector paths of the triangle filter: same verdicts from every instruction set, silent on NaN.
#include "geom/triangle_batch.h"
#include "base/cpu.h"
#include "geom/touch.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>

typedef struct Path {
    const char *name;
    impi_BatchDecideFn decide;
    bool supported;
} Path;

static int list_paths(Path paths[3])
{
    int count = 0;
    paths[count++] = (Path){"portable", impi_batch_decide_portable, true};
#if IMPI_CPU_VARIANTS
    paths[count++] = (Path){"avx2", impi_batch_decide_avx2, impi_cpu_has_avx2()};
    paths[count++] = (Path){"avx512", impi_batch_decide_avx512, impi_cpu_has_avx512()};
#endif
    return count;
}

static double random_coordinate(uint32_t kind)
{
    switch (kind) {
    case 0:
        return (double)test_random_below(4);
    case 1:
        return ldexp(test_random_unit() - 0.5, (int)test_random_below(2000) - 1000);
    default:
        return test_random_unit();
    }
}

static void fill_random(impi_TriangleBatch *batch)
{
    uint32_t kind = test_random_below(4);
    for (int i = 0; i < 9 * IMPI_BATCH_LANES; ++i) {
        (&batch->a[0][0][0])[i] = random_coordinate(kind);
        (&batch->b[0][0][0])[i] = random_coordinate(kind);
    }
}

static imp_Triangle lane_triangle(double lanes[3][3][IMPI_BATCH_LANES], int lane)
{
    imp_Triangle t;
    for (int i = 0; i < 3; ++i)
        t.v[i] = (imp_Vec3){lanes[i][0][lane], lanes[i][1][lane], lanes[i][2][lane]};
    return t;
}

TEST(every_instruction_set_gives_the_same_verdicts)
{
    Path paths[3];
    int path_count = list_paths(paths), separate = 0, touching = 0, open = 0;
    for (uint64_t n = test_count(20000); n > 0; --n) {
        impi_TriangleBatch batch;
        fill_random(&batch);
        impi_BatchVerdict expected = impi_batch_decide_portable(&batch);
        for (int i = 1; i < path_count; ++i) {
            if (!paths[i].supported)
                continue;
            impi_BatchVerdict verdict = paths[i].decide(&batch);
            CHECK_INT(verdict.separate, expected.separate);
            CHECK_INT(verdict.touch, expected.touch);
        }
        for (int lane = 0; lane < IMPI_BATCH_LANES; ++lane) {
            imp_Triangle a = lane_triangle(batch.a, lane), b = lane_triangle(batch.b, lane);
            bool is_separate = expected.separate >> lane & 1, is_touching = expected.touch >> lane & 1;
            CHECK(!(is_separate && is_touching));
            if (is_separate || is_touching)
                CHECK_INT(impi_triangles_touch(&a, &b), is_touching);
            separate += is_separate;
            touching += is_touching;
            open += !is_separate && !is_touching;
        }
    }
    printf("separate %d, touching %d, left open %d\n", separate, touching, open);
    CHECK(separate > 1000 && touching > 1000 && open > 1000);
    for (int i = 0; i < path_count; ++i) {
        if (!paths[i].supported)
            printf("not compared: this processor has no %s\n", paths[i].name);
    }
}

TEST(nan_and_infinity_are_never_certain)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    Path paths[3];
    int path_count = list_paths(paths);
    for (int n = 0; n < 54; ++n) {
        impi_TriangleBatch batch;
        for (int i = 0; i < 9 * IMPI_BATCH_LANES; ++i) {
            (&batch.a[0][0][0])[i] = test_random_unit();
            (&batch.b[0][0][0])[i] = test_random_unit() + 10;
        }
        double(*side)[3][IMPI_BATCH_LANES] = n % 18 < 9 ? batch.a : batch.b;
        int lane = n % IMPI_BATCH_LANES;
        side[n % 9 / 3][n % 3][lane] = bad[n / 18];
        for (int i = 0; i < path_count; ++i) {
            if (!paths[i].supported)
                continue;
            impi_BatchVerdict verdict = paths[i].decide(&batch);
            CHECK_INT(verdict.separate, 0xFF & ~(1 << lane));
            CHECK_INT(verdict.touch, 0);
        }
    }
}
