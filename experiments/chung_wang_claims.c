#include "chung_wang_report.h"

#include <math.h>

static const ChungWangTally *distribution(const ChungWangResults *results, int kind)
{
    return &results->steps[kind][results->sizes->distribution];
}

static Verdict above(double value, double wanted, double partly)
{
    return value > wanted ? VERDICT_HOLDS : value > partly ? VERDICT_PARTLY : VERDICT_FAILS;
}

// ---- steps

static void claim_separate(ExperimentRun *run, const ChungWangResults *results)
{
    double shares[SCENE_CONVEX_KIND_COUNT], least = 100;
    for (int kind = 0; kind < SCENE_CONVEX_KIND_COUNT; ++kind) {
        shares[kind] = chung_wang_separate_within(distribution(results, kind), 3);
        least = fmin(least, shares[kind]);
    }
    experiment_claim(run, "C1", "tests of separate bodies end within three steps", "> 95 % (n = 500)",
                     above(least, 95, 90), "%.2f %% for ellipsoids, %.2f %% for rods, %.2f %% for plates.",
                     shares[SCENE_ELLIPSOID], shares[SCENE_ROD], shares[SCENE_PLATE]);
    double four = chung_wang_separate_within(distribution(results, SCENE_ELLIPSOID), 4);
    double five = chung_wang_separate_within(distribution(results, SCENE_ELLIPSOID), 5);
    experiment_claim(run, "C2", "those of ellipsoids within four", "> 99 %", above(four, 99, 95),
                     "%.2f %%; %.2f %% within five. How many depends on the proportions and on how closely "
                     "bodies stand, which the paper does not give.",
                     four, five);
}

static void claim_all(ExperimentRun *run, const ChungWangResults *results)
{
    double sum = 0, colliding = 0;
    for (int kind = 0; kind < SCENE_CONVEX_KIND_COUNT; ++kind) {
        const ChungWangTally *tally = distribution(results, kind);
        sum += chung_wang_all_within(tally, 3) / SCENE_CONVEX_KIND_COUNT;
        colliding +=
            100 * (double)tally->colliding / (double)chung_wang_tests(tally) / SCENE_CONVEX_KIND_COUNT;
    }
    experiment_claim(run, "C3", "all tests on average within three", "> 80 %", above(sum, 80, 70),
                     "%.2f %%, where %.1f %% of the tests find a collision.", sum, colliding);
}

static void claim_worst(ExperimentRun *run, const ChungWangResults *results)
{
    uint32_t first[SCENE_CONVEX_KIND_COUNT], last[SCENE_CONVEX_KIND_COUNT],
        end = results->sizes->size_count - 1;
    double growth = 0;
    for (int kind = 0; kind < SCENE_CONVEX_KIND_COUNT; ++kind) {
        uint64_t count = 0;
        first[kind] = chung_wang_worst(&results->steps[kind][0], &count);
        last[kind] = chung_wang_worst(&results->steps[kind][end], &count);
        growth = fmax(growth, (double)last[kind] / first[kind]);
    }
    double sizes = (double)results->sizes->counts[end] / results->sizes->counts[0];
    experiment_claim(
        run, "C4", "the largest k hardly grows with n",
        "ellipsoids about 22, plates 20 to 40, rods 25 to 55, for n = 10 to 1000",
        growth < 4             ? VERDICT_HOLDS
        : growth < sqrt(sizes) ? VERDICT_PARTLY
                               : VERDICT_FAILS,
        "Ellipsoids %u to %u, plates %u to %u, rods %u to %u, while n grows %.0f-fold. The largest "
        "of so many tests is a matter of chance, and of their number.",
        first[SCENE_ELLIPSOID], last[SCENE_ELLIPSOID], first[SCENE_PLATE], last[SCENE_PLATE],
        first[SCENE_ROD], last[SCENE_ROD], sizes);
}

static void claim_sizes(ExperimentRun *run, const ChungWangResults *results)
{
    double low[SCENE_CONVEX_KIND_COUNT], high[SCENE_CONVEX_KIND_COUNT], widest = 0;
    uint32_t end = results->sizes->size_count - 1;
    for (int kind = 0; kind < SCENE_CONVEX_KIND_COUNT; ++kind) {
        low[kind] = 100;
        high[kind] = 0;
        for (uint32_t i = 0; i <= end; ++i) {
            double share = chung_wang_separate_within(&results->steps[kind][i], 3);
            low[kind] = fmin(low[kind], share);
            high[kind] = fmax(high[kind], share);
        }
        widest = fmax(widest, high[kind] - low[kind]);
    }
    experiment_claim(
        run, "C5", "the distribution of k does not depend on n", "\"a similar curve\"",
        above(-widest, -4, -10),
        "Between n = %u and %u the share of separate tests within three steps is %.1f to %.1f %% "
        "for ellipsoids, %.1f to %.1f %% for plates, %.1f to %.1f %% for rods.",
        results->sizes->counts[0], results->sizes->counts[end], low[SCENE_ELLIPSOID], high[SCENE_ELLIPSOID],
        low[SCENE_PLATE], high[SCENE_PLATE], low[SCENE_ROD], high[SCENE_ROD]);
}

static double recurrence_percent(const ChungWangTally *tally)
{
    return 100 * (double)tally->recurrences / ((double)tally->separate + 1e-9);
}

static void claim_recurrence(ExperimentRun *run, const ChungWangResults *results)
{
    double shares[SCENE_CONVEX_KIND_COUNT], sum = 0, most = 0;
    for (int kind = 0; kind < SCENE_CONVEX_KIND_COUNT; ++kind) {
        shares[kind] = recurrence_percent(distribution(results, kind));
        sum += shares[kind];
        for (uint32_t i = 0; i < results->sizes->size_count; ++i)
            most = fmax(most, recurrence_percent(&results->steps[kind][i]));
    }
    experiment_claim(
        run, "C6", "recurrence of support vertices is rare", "< 0.1 % of the tests of separate bodies",
        above(-sum / SCENE_CONVEX_KIND_COUNT, -0.1, -0.5),
        "With n = %u in %.2f %% for ellipsoids, %.2f %% for rods, %.2f %% for plates. The fewer "
        "vertices, the more often: up to %.1f %%. The paper does not say for which n its figure is.",
        results->sizes->counts[results->sizes->distribution], shares[SCENE_ELLIPSOID], shares[SCENE_ROD],
        shares[SCENE_PLATE], most);
}

static void claim_rarity(ExperimentRun *run, const ChungWangResults *results)
{
    double share = 0;
    for (int kind = 0; kind < SCENE_CONVEX_KIND_COUNT; ++kind)
        for (uint32_t i = 0; i < results->sizes->size_count; ++i) {
            uint64_t count = 0;
            chung_wang_worst(&results->steps[kind][i], &count);
            share = fmax(share, 100 * (double)count / (double)chung_wang_tests(&results->steps[kind][i]));
        }
    experiment_claim(run, "C7", "the largest k is rare", "at most 0.01 % of the tests",
                     above(-share, -0.01, -0.1), "At most %.4f %% of the tests of a shape and size had it.",
                     share);
}

// ---- times

static const char *const speed_claim =
    "time hardly grows with translational speed, that of closest features does";
static const char *const turn_claim = "nor with rotational speed";
static const char *const density_claim = "faster at every density";

typedef struct Growth {
    double paper, gjk, ours;  // last value by first
    double first, last;       // GJK by the paper's method
    double least, ours_least; // over all values: GJK by the paper's method, by impinge
} Growth;

static Growth growth_of(const ChungWangResults *results, ChungWangSweep sweep)
{
    uint32_t size = results->sizes->timed_count - 1;
    const ChungWangTally *tallies = results->timed[sweep][size];
    const ChungWangTally *first = &tallies[0], *last = &tallies[CHUNG_WANG_MAX_POINTS - 1];
    double by_method[CHUNG_WANG_METHOD_COUNT];
    for (int m = 0; m < CHUNG_WANG_METHOD_COUNT; ++m)
        by_method[m] =
            chung_wang_test_ns(last, (ChungWangMethod)m) / chung_wang_test_ns(first, (ChungWangMethod)m);
    Growth growth = {.paper = by_method[CHUNG_WANG_PAPER],
                     .gjk = by_method[CHUNG_WANG_GJK],
                     .ours = by_method[CHUNG_WANG_OURS],
                     .first = first->ns[CHUNG_WANG_GJK] / first->ns[CHUNG_WANG_PAPER],
                     .last = last->ns[CHUNG_WANG_GJK] / last->ns[CHUNG_WANG_PAPER],
                     .least = INFINITY,
                     .ours_least = INFINITY};
    for (uint32_t i = 0; i < results->sizes->timed_count; ++i)
        for (int p = 0; p < CHUNG_WANG_MAX_POINTS; ++p) {
            const double *ns = results->timed[sweep][i][p].ns;
            growth.least = fmin(growth.least, ns[CHUNG_WANG_GJK] / ns[CHUNG_WANG_PAPER]);
            growth.ours_least = fmin(growth.ours_least, ns[CHUNG_WANG_GJK] / ns[CHUNG_WANG_OURS]);
        }
    return growth;
}

static Verdict growth_verdict(const Growth *growth)
{
    return growth->paper < 1.5 && growth->paper < growth->gjk ? VERDICT_PARTLY : VERDICT_FAILS;
}

static void claim_motion(ExperimentRun *run, const ChungWangResults *results)
{
    const uint32_t vertices = results->sizes->timed_counts[results->sizes->timed_count - 1];
    Growth speed = growth_of(results, CHUNG_WANG_SPEED), turn = growth_of(results, CHUNG_WANG_TURN);
    experiment_claim(
        run, "C8", speed_claim, "nearly 28 times faster at 20 %, n = 500", growth_verdict(&speed),
        "From 2 to 20 %% of the radius, n = %u, a test takes %.2f times as long by the paper's "
        "method, %.2f times by GJK, %.2f times by impinge. GJK takes %.1f times as long as the "
        "paper's method at 2 %%, %.1f times at 20 %%. The factor 28 is one over closest features, "
        "which are not here; at best the half about the paper's own method can hold.",
        vertices, speed.paper, speed.gjk, speed.ours, speed.first, speed.last);
    experiment_claim(
        run, "C9", turn_claim, "grows little, closest features much", growth_verdict(&turn),
        "From 5 to 40 degrees a test takes %.2f times as long by the paper's method, %.2f times by "
        "GJK, %.2f times by impinge.",
        turn.paper, turn.gjk, turn.ours);
}

static void claim_density(ExperimentRun *run, const ChungWangResults *results)
{
    Growth density = growth_of(results, CHUNG_WANG_DENSITY);
    experiment_claim(
        run, "C10", density_claim, "than closest features",
        density.least > 1 ? VERDICT_PARTLY : VERDICT_FAILS,
        "GJK takes at least %.2f times as long as the paper's method at every density and size, and "
        "at least %.2f times as long as impinge. Closest features themselves are not here.",
        density.least, density.ours_least);
}

static void claim_times(ExperimentRun *run, const ChungWangResults *results)
{
    static const char *const ids[] = {"C8", "C9", "C10"};
    const char *const claims[] = {speed_claim, turn_claim, density_claim};
    if (chung_wang_has_gjk) {
        claim_motion(run, results);
        claim_density(run, results);
        return;
    }
    for (int i = 0; i < 3; ++i)
        experiment_claim(run, ids[i], claims[i], "than closest features", VERDICT_UNTESTED,
                         "There was nothing to compare with: libccd was not installed.");
}

static void claim_hierarchy(ExperimentRun *run, const ChungWangResults *results)
{
    const ChungWangSupport *first = &results->support[0];
    const ChungWangSupport *last = &results->support[results->sizes->support_count - 1];
    double logarithms = log(last->vertex_count) / log(first->vertex_count);
    double growth = last->hierarchy / first->hierarchy;
    experiment_claim(run, "C11", "through the hierarchy support search without coherence is logarithmic",
                     "O(log n)",
                     growth < 3 * logarithms                                           ? VERDICT_HOLDS
                     : growth < sqrt((double)last->vertex_count / first->vertex_count) ? VERDICT_PARTLY
                                                                                       : VERDICT_FAILS,
                     "From n = %u to %u its logarithm grows %.1f-fold, vertices looked at %.1f-fold: %.1f to "
                     "%.1f. Local search from the table looks at %.1f of %u, from anywhere at %.1f.",
                     first->vertex_count, last->vertex_count, logarithms, growth, first->hierarchy,
                     last->hierarchy, last->from_table, last->vertex_count, last->from_anywhere);
}

void chung_wang_claims(ExperimentRun *run, const ChungWangResults *results)
{
    claim_separate(run, results);
    claim_all(run, results);
    claim_worst(run, results);
    claim_sizes(run, results);
    claim_recurrence(run, results);
    claim_rarity(run, results);
    claim_times(run, results);
    claim_hierarchy(run, results);
}
