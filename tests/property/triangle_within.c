// imp_triangles_within against the oracle in rational arithmetic: pairs of every kind, a third of the
// distances within an ulp of the true one either way.
#include "geom/triangle_within.h"

#include "harness.h"
#include "oracle/distance_oracle.h"
#include "oracle/exact_oracle.h"
#include "oracle/gap_cases.h"

#include <impinge/distance.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

typedef struct Tally {
    uint64_t within, beyond;
} Tally;

static struct {
    Tally kinds[GAP_KIND_COUNT];
    Tally filter, integers; // who decided
    Tally close;            // distances within an ulp of the true one
    Tally zero;             // distance 0
    uint64_t differences;
} tallies;

static void count_verdict(Tally *tally, bool within)
{
    ++*(within ? &tally->within : &tally->beyond);
}

static void expect(const TriangleCase *pair, const imp_Triangle *a, const imp_Triangle *b, double distance,
                   bool want)
{
    bool within = !want;
    bool same = imp_triangles_within(a, b, distance, &within) == IMP_STATUS_OK && within == want;
    if (!CHECK(same) && ++tallies.differences <= 20) {
        printf("  at most %a: expected %d\n", distance, want);
        triangle_case_print(pair);
    }
}

// The bounds of the true distance and their neighbours.
static double distance_nearby(const imp_Distance *found)
{
    double nearby[4] = {found->lower_bound, found->distance, nextafter(found->lower_bound, 0),
                        nextafter(found->distance, INFINITY)};
    double distance = nearby[test_random_below(4)];
    return distance <= DBL_MAX ? distance : DBL_MAX;
}

static double distance_anywhere(const imp_Distance *found)
{
    double scaled = found->distance * test_random_between(0.5, 1.5);
    switch (test_random_below(3)) {
    case 0:
        return scaled <= DBL_MAX ? scaled : DBL_MAX;
    case 1:
        return found->distance > 0 ? 0 : DBL_TRUE_MIN;
    default:
        return fabs(random_of_any_size());
    }
}

static void try_pair(GapKind kind, bool is_close)
{
    TriangleCase pair = gap_case_make(kind);
    imp_Distance found;
    CHECK_INT(imp_triangles_distance(&pair.a, &pair.b, &found), IMP_STATUS_OK);
    double distance = is_close ? distance_nearby(&found) : distance_anywhere(&found);
    bool is_apart = oracle_distance_find(pair.a.v, 3, pair.b.v, 3);
    bool want = !is_apart || oracle_distance_compare(distance) >= 0;
    expect(&pair, &pair.a, &pair.b, distance, want);
    expect(&pair, &pair.b, &pair.a, distance, want);
    impi_Decision decision = impi_triangles_within_filter(&pair.a, &pair.b, distance);
    bool is_true = decision == IMPI_DECISION_OPEN || (decision == IMPI_DECISION_WITHIN) == want;
    if (!CHECK(is_true))
        triangle_case_print(&pair);
    count_verdict(&tallies.kinds[kind], want);
    count_verdict(decision == IMPI_DECISION_OPEN ? &tallies.integers : &tallies.filter, want);
    if (is_close)
        count_verdict(&tallies.close, want);
    if (distance != 0)
        return;
    bool touch = want;
    CHECK_INT(imp_triangles_touch(&pair.a, &pair.b, &touch), IMP_STATUS_OK);
    CHECK_INT(touch, want);
    count_verdict(&tallies.zero, want);
}

static void report_tally(const char *name, Tally tally)
{
    printf("%-16s %10" PRIu64 " %10" PRIu64 "\n", name, tally.within, tally.beyond);
}

TEST(at_most_so_far_agrees_with_the_oracle)
{
    uint64_t total = test_count(6000);
    for (uint64_t i = 0; i < total; ++i)
        try_pair((GapKind)(i % GAP_KIND_COUNT), test_random_below(3) == 0);
    printf("%-16s %10s %10s\n", "kind", "within", "beyond");
    for (int kind = 0; kind < GAP_KIND_COUNT; ++kind) {
        report_tally(gap_names[kind], tallies.kinds[kind]);
        CHECK(20 * tallies.kinds[kind].within >= total / GAP_KIND_COUNT);
        CHECK(20 * tallies.kinds[kind].beyond >= total / GAP_KIND_COUNT);
    }
    report_tally("by doubles", tallies.filter);
    report_tally("by integers", tallies.integers);
    report_tally("within an ulp", tallies.close);
    report_tally("of 0", tallies.zero);
    CHECK(10 * tallies.filter.within >= total && 10 * tallies.filter.beyond >= total);
    CHECK(20 * tallies.integers.within >= total && 20 * tallies.integers.beyond >= total);
    CHECK(10 * tallies.close.within >= total && 10 * tallies.close.beyond >= total);
    CHECK(100 * tallies.zero.within >= total && 100 * tallies.zero.beyond >= total);
    CHECK_INT((int64_t)tallies.differences, 0);
}
