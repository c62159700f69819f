// Eight distances of triangles at a time: bounds that hold in rational arithmetic, for triangles of all kinds
// and sizes; tight where they are well apart; the same bits from every instruction set.
#include "geom/triangle_distance.h"
#include "base/cpu.h"
#include "harness.h"
#include "oracle/distance_oracle.h"
#include "oracle/triangle_cases.h"
#include "sanitizers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct {
    int touching, apart, tight, finite, bounded;
} tallies;

static int list_paths(const impi_TriangleDistance *paths[3])
{
    int count = 0;
    paths[count++] = &impi_triangle_distance_portable;
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx2())
        paths[count++] = &impi_triangle_distance_avx2;
    if (impi_cpu_has_avx512())
        paths[count++] = &impi_triangle_distance_avx512;
#endif
    return count;
}

static void set_lane(impi_TriangleBatch *batch, int lane, const TriangleCase *pair)
{
    for (int i = 0; i < 3; ++i) {
        const double a[3] = {pair->a.v[i].x, pair->a.v[i].y, pair->a.v[i].z};
        const double b[3] = {pair->b.v[i].x, pair->b.v[i].y, pair->b.v[i].z};
        for (int axis = 0; axis < 3; ++axis) {
            batch->a[i][axis][lane] = a[axis];
            batch->b[i][axis][lane] = b[axis];
        }
    }
}

static bool is_not_more(double lower)
{
    return !isnan(lower) && (lower <= 0 || oracle_distance_compare(lower) <= 0);
}

static void check_lane(const TriangleCase *pair, const impi_BatchDistance *distance, double bound, int lane)
{
    double lower = distance->lower[lane], upper = distance->upper[lane];
    bool apart = oracle_distance_find(pair->a.v, 3, pair->b.v, 3);
    bool held = CHECK(is_not_more(lower) && is_not_more(bound)) &&
                CHECK(!isnan(upper) && upper >= 0 && oracle_distance_compare(upper) >= 0);
    if (!held) {
        triangle_case_print(pair);
        printf("  lower %a bound %a upper %a\n", lower, bound, upper);
    }
    ++*(apart ? &tallies.apart : &tallies.touching);
    tallies.finite += apart && isfinite(upper);
    if (!apart || pair->kind != KIND_GENERIC || pair->scaling != SCALING_NONE || !(upper > 1e-3))
        return;
    CHECK(upper - lower <= 1e-9 * upper);
    ++tallies.tight;
    tallies.bounded += bound > 0;
}

static bool same_bits(const impi_BatchDistance *a, const impi_BatchDistance *b)
{
    return memcmp(a->lower, b->lower, sizeof a->lower) == 0 &&
           memcmp(a->upper, b->upper, sizeof a->upper) == 0 && memcmp(a->way, b->way, sizeof a->way) == 0;
}

static void check_batch(TriangleKind kind)
{
    const impi_TriangleDistance *paths[3];
    int path_count = list_paths(paths);
    TriangleCase pairs[IMPI_BATCH_LANES];
    impi_TriangleBatch batch;
    impi_BatchDistance first, other;
    double bound[IMPI_BATCH_LANES], other_bound[IMPI_BATCH_LANES];
    for (int lane = 0; lane < IMPI_BATCH_LANES; ++lane) {
        pairs[lane] = triangle_case_make(kind);
        set_lane(&batch, lane, &pairs[lane]);
    }
    paths[0]->measure(&batch, &first);
    paths[0]->bound(&batch, bound);
    for (int i = 1; i < path_count; ++i) {
        paths[i]->measure(&batch, &other);
        paths[i]->bound(&batch, other_bound);
        CHECK(same_bits(&first, &other) && memcmp(bound, other_bound, sizeof bound) == 0);
    }
    for (int lane = 0; lane < IMPI_BATCH_LANES; ++lane)
        check_lane(&pairs[lane], &first, bound[lane], lane);
}

#ifdef TEST_UNDER_SANITIZER
#define DEFAULT_COUNT 300
#else
#define DEFAULT_COUNT 750
#endif

// Those that ask for integers of a hundred words come in one of so many turns.
#define SLOW_TURNS 8

TEST(bounds_hold_for_triangles_of_all_kinds)
{
    uint64_t total = test_count(DEFAULT_COUNT);
    for (uint64_t i = 0; i < total; ++i) {
        TriangleKind kind = (TriangleKind)(i % TRIANGLE_KIND_COUNT);
        if (kind == KIND_MIXED_MAGNITUDES && i / TRIANGLE_KIND_COUNT % SLOW_TURNS > 0)
            kind = KIND_GENERIC;
        check_batch(kind);
    }
    printf("%d touch, %d apart, %d generic ones tight, %d of these with a cheap bound, %d of those "
           "apart with an upper one\n",
           tallies.touching, tallies.apart, tallies.tight, tallies.bounded, tallies.finite);
    CHECK(tallies.touching > tallies.apart / 10 && tallies.apart > tallies.touching / 10);
    CHECK(tallies.tight > 0 && 2 * tallies.bounded > tallies.tight);
    CHECK(2 * tallies.finite > tallies.apart);
}
