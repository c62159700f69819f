// imp_sweep_vertex_faces, imp_sweep_edges and imp_sweep_triangles against the exact oracle, on queries of
// every kind and on the public ones beside the project; and the filters of each instruction set.
#include "harness.h"
#include "oracle/ccd_queries.h"
#include "oracle/sweep_cases.h"
#include "oracle/sweep_oracle.h"

#include "base/cpu.h"
#include "geom/sweep.h"
#include "geom/sweep_batch.h"
#include "geom/triangle_sweep_batch.h"

#include <impinge/sweep.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_BATCH 100

typedef struct Tally {
    uint64_t hits, count;
} Tally;

static struct {
    Tally kinds[SWEEP_KIND_COUNT][SWEEP_FEATURES_COUNT]; // exact cases only: their shares are known
    Tally scales[SWEEP_SCALE_COUNT];
    uint64_t degenerate, filtered, left;
} tallies;

static imp_Status sweep(imp_Context *context, SweepFeatures features, const imp_SweepQuery *queries,
                        size_t count, double *times)
{
    return features == SWEEP_VERTEX_FACE ? imp_sweep_vertex_faces(context, queries, count, times)
                                         : imp_sweep_edges(context, queries, count, times);
}

static double oracle_time(SweepFeatures features, const imp_Vec3 points[8])
{
    double time = NAN;
    if (features == SWEEP_VERTEX_FACE)
        (void)oracle_sweep_vertex_face(points, &time);
    else
        (void)oracle_sweep_edge_edge(points, &time);
    return time;
}

static imp_SweepQuery query_of(const imp_Vec3 points[8])
{
    imp_SweepQuery query;
    memcpy(&query, points, sizeof query);
    return query;
}

static void exchange(imp_Vec3 points[8], int i, int k)
{
    for (int end = 0; end < 8; end += 4) {
        imp_Vec3 kept = points[end + i];
        points[end + i] = points[end + k];
        points[end + k] = kept;
    }
}

// The same features in other words: vertices of the face permuted; edges exchanged or turned around.
static void permute(SweepFeatures features, imp_Vec3 points[8])
{
    if (features == SWEEP_VERTEX_FACE) {
        int i = 1 + (int)test_random_below(3), k = 1 + (int)test_random_below(3);
        exchange(points, i, k);
        return;
    }
    if (test_random_below(2))
        exchange(points, 0, 1);
    if (test_random_below(2)) {
        exchange(points, 0, 2);
        exchange(points, 1, 3);
    }
}

static void expect(imp_Context *context, const SweepCase *query, const imp_Vec3 points[8], double want,
                   const char *what)
{
    double time = -1;
    imp_SweepQuery asked = query_of(points);
    CHECK_INT(sweep(context, query->features, &asked, 1, &time), IMP_STATUS_OK);
    if (!CHECK_DOUBLE(time, want)) {
        printf("  %s\n", what);
        sweep_case_print(query);
    }
}

static void expect_symmetry(imp_Context *context, const SweepCase *query, double want)
{
    imp_Vec3 points[8];
    memcpy(points, query->points, sizeof points);
    permute(query->features, points);
    expect(context, query, points, want, "in another order");
    memcpy(points, query->points + 4, 4 * sizeof *points);
    memcpy(points + 4, query->points, 4 * sizeof *points);
    double backwards = -1;
    imp_SweepQuery asked = query_of(points);
    CHECK_INT(sweep(context, query->features, &asked, 1, &backwards), IMP_STATUS_OK);
    // The first time backwards is the last one forwards, which is not before the first; both are rounded
    // down.
    if (!CHECK(isnan(backwards) == isnan(want)) || !CHECK(!(1 - backwards < want)))
        sweep_case_print(query);
}

// The filter of each instruction set says the same, and never that features are apart which touch.
static void expect_filters(const SweepCase *queries, const double *want, uint32_t count)
{
    impi_SweepBatch batch;
    for (uint32_t lane = 0; lane < IMPI_SWEEP_LANES; ++lane) {
        const SweepCase *query = &queries[lane < count ? lane : count - 1];
        impi_sweep_batch_set(&batch, (int)lane,
                             query->features == SWEEP_VERTEX_FACE ? IMPI_SWEEP_VERTEX_FACE : IMPI_SWEEP_EDGES,
                             query->points, query->points + 4);
    }
    uint32_t apart = impi_sweep_apart_portable(&batch);
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx2())
        CHECK_INT(impi_sweep_apart_avx2(&batch), apart);
    if (impi_cpu_has_avx512())
        CHECK_INT(impi_sweep_apart_avx512(&batch), apart);
#endif
    for (uint32_t lane = 0; lane < IMPI_SWEEP_LANES && lane < count; ++lane) {
        if (!CHECK(!(apart >> lane & 1) || isnan(want[lane])))
            sweep_case_print(&queries[lane]);
        ++*(apart >> lane & 1 ? &tallies.filtered : &tallies.left);
    }
}

static void count_query(const SweepCase *query, bool is_hit)
{
    Tally *kind = &tallies.kinds[query->kind][query->features], *scale = &tallies.scales[query->scale];
    if (query->is_exact) {
        ++kind->count;
        kind->hits += is_hit;
    }
    ++scale->count;
    scale->hits += is_hit;
    tallies.degenerate += sweep_kinds[query->kind].is_degenerate;
}

static void try_batch(imp_Context *context, uint64_t first, uint32_t count, SweepFeatures features)
{
    static SweepCase cases[MAX_BATCH];
    static imp_SweepQuery queries[MAX_BATCH];
    double want[MAX_BATCH], times[MAX_BATCH];
    for (uint32_t i = 0; i < count; ++i) {
        cases[i] =
            sweep_case_make((SweepKind)((first + i) % SWEEP_KIND_COUNT), features, sweep_random_scale());
        queries[i] = query_of(cases[i].points);
        want[i] = oracle_time(features, cases[i].points);
        times[i] = -1;
        count_query(&cases[i], !isnan(want[i]));
        if (cases[i].is_exact && cases[i].most_time != SWEEP_UNKNOWN)
            CHECK(want[i] <= cases[i].most_time);
    }
    CHECK_INT(sweep(context, features, queries, count, times), IMP_STATUS_OK);
    for (uint32_t i = 0; i < count; ++i) {
        if (!CHECK_DOUBLE(times[i], want[i]))
            sweep_case_print(&cases[i]);
        expect_symmetry(context, &cases[i], want[i]);
    }
    expect_filters(cases, want, count);
}

static void report(uint64_t total)
{
    printf("%-20s %22s %22s\n", "kind", "vertex-face hits", "edge-edge hits");
    for (int kind = 0; kind < SWEEP_KIND_COUNT; ++kind) {
        const Tally *t = tallies.kinds[kind];
        printf("%-20s %10" PRIu64 " of %8" PRIu64 " %10" PRIu64 " of %8" PRIu64 "\n", sweep_kinds[kind].name,
               t[0].hits, t[0].count, t[1].hits, t[1].count);
    }
    printf("%" PRIu64 " queries, %" PRIu64 " degenerate or nearly so; the filter of eight settled %" PRIu64
           " of %" PRIu64 "\n",
           total, tallies.degenerate, tallies.filtered, tallies.filtered + tallies.left);
}

// What a share of `count` may be off by chance: three standard deviations.
static double chance(double share, uint64_t count)
{
    return 3 * sqrt(share * (1 - share) / (double)count);
}

// The test must not become empty: each kind and each scale has the outcomes that it should have.
static void check_shares(uint64_t total)
{
    for (int kind = 0; kind < SWEEP_KIND_COUNT; ++kind)
        for (int features = 0; features < SWEEP_FEATURES_COUNT; ++features) {
            Tally tally = tallies.kinds[kind][features];
            double share = (double)tally.hits / (double)(tally.count ? tally.count : 1);
            double least = sweep_kinds[kind].hits[features].least,
                   most = sweep_kinds[kind].hits[features].most;
            bool is_expected = tally.count > 0 && share >= least - chance(least, tally.count) &&
                               share <= most + chance(most, tally.count);
            if (!CHECK(is_expected))
                printf("  %s, %s: a share of %g of %" PRIu64 " hits\n", sweep_kinds[kind].name,
                       sweep_features_names[features], share, tally.count);
        }
    for (int scale = 0; scale < SWEEP_SCALE_COUNT; ++scale)
        CHECK(tallies.scales[scale].hits > 0 && tallies.scales[scale].hits < tallies.scales[scale].count);
    CHECK(3 * tallies.degenerate >= total);
}

TEST(moving_features_agree_with_the_oracle)
{
    uint64_t total = test_count(8000);
    imp_Context *contexts[2] = {NULL, NULL};
    for (uint32_t i = 0; i < 2; ++i)
        if (!CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = i + 1}, &contexts[i]),
                       IMP_STATUS_OK))
            goto cleanup;
    for (uint64_t done = 0; done < total;) {
        uint32_t count = 1 + test_random_below(MAX_BATCH);
        if (count > total - done)
            count = (uint32_t)(total - done);
        try_batch(contexts[test_random_below(2)], done, count, (SweepFeatures)test_random_below(2));
        done += count;
    }
    report(total);
    check_shares(total);
cleanup:
    imp_context_destroy(contexts[0]);
    imp_context_destroy(contexts[1]);
}

static void check_known_contact(const SweepCase *query, uint64_t *known, uint64_t *outside)
{
    impi_SweepKind kind = query->features == SWEEP_VERTEX_FACE ? IMPI_SWEEP_VERTEX_FACE : IMPI_SWEEP_EDGES;
    double time = impi_sweep(kind, query->points, 1);
    bool is_known = query->is_exact && query->most_time != SWEEP_UNKNOWN;
    bool is_outside = query->is_exact && query->kind == SWEEP_KIND_CONTACT_OUTSIDE;
    if (!CHECK(!is_known || time <= query->most_time) ||
        !CHECK(!(is_known && query->is_first) || time == query->most_time) ||
        !CHECK(!is_outside || isinf(time)))
        sweep_case_print(query);
    *known += is_known;
    *outside += is_outside;
}

// The same with one coordinate off by an ulp: whether that still touches is for the oracle to say.
static void check_an_ulp_off(SweepCase *query, Tally *moved)
{
    impi_SweepKind kind = query->features == SWEEP_VERTEX_FACE ? IMPI_SWEEP_VERTEX_FACE : IMPI_SWEEP_EDGES;
    double *coordinate = &query->points[0].x + test_random_below(SWEEP_COORDINATES);
    *coordinate = one_ulp_off(*coordinate);
    double time = impi_sweep(kind, query->points, 1), want = oracle_time(query->features, query->points);
    if (!CHECK_DOUBLE(time <= 1 ? time : (double)NAN, want))
        sweep_case_print(query);
    ++moved->count;
    moved->hits += time <= 1;
}

// Contacts that are there by construction, at each scale: none is missed, whatever the oracle says. A step of
// an ulp makes many of them miss each other, and none of those is found.
TEST(contacts_at_known_times_are_never_missed)
{
    static const SweepKind kinds[] = {SWEEP_KIND_CONTACT_AT_START, SWEEP_KIND_CONTACT_AT_END,
                                      SWEEP_KIND_CONTACT_AT_DYADIC, SWEEP_KIND_MEETING_VERTICES,
                                      SWEEP_KIND_CONTACT_OUTSIDE};
    uint64_t count = test_count(8000) / 8;
    for (int scale = 0; scale <= SWEEP_SCALE_1E300; ++scale) {
        uint64_t known = 0, outside = 0;
        Tally moved = {0, 0};
        for (uint64_t i = 0; i < count; ++i) {
            SweepCase query =
                sweep_case_make(kinds[i % 5], (SweepFeatures)test_random_below(2), (SweepScale)scale);
            check_known_contact(&query, &known, &outside);
            check_an_ulp_off(&query, &moved);
        }
        printf("%s: %" PRIu64 " known contacts, %" PRIu64 " just outside; of %" PRIu64
               " that are an ulp off %" PRIu64 " touch\n",
               sweep_scale_names[scale], known, outside, moved.count, moved.hits);
        CHECK(10 * known >= 7 * count && 10 * outside > count);
        CHECK(5 * moved.hits > moved.count && 10 * moved.hits < 8 * moved.count);
    }
}

// Times after the limit are not found, all others are; whatever the limit.
TEST(limits_of_time_change_nothing_before_them)
{
    uint32_t kept = 0, dropped = 0;
    for (uint32_t i = 0; i < 3000; ++i) {
        SweepFeatures features = (SweepFeatures)(i & 1);
        SweepCase query = sweep_case_make((SweepKind)(i % SWEEP_KIND_COUNT), features, SWEEP_SCALE_ASIS);
        impi_SweepKind kind = features == SWEEP_VERTEX_FACE ? IMPI_SWEEP_VERTEX_FACE : IMPI_SWEEP_EDGES;
        double time = impi_sweep(kind, query.points, 1), exact = impi_sweep_exact(kind, query.points);
        double until = test_random_below(3) ? test_random_unit() : time;
        CHECK_DOUBLE(time, exact);
        CHECK_DOUBLE(impi_sweep(kind, query.points, until), time <= until ? time : (double)INFINITY);
        kept += time <= until;
        dropped += time <= 1 && time > until;
    }
    CHECK(kept > 500 && dropped > 200);
}

static imp_MovingTriangle random_triangle(double size, bool on_lattice)
{
    imp_MovingTriangle t;
    imp_Vec3 middle = {test_random_between(-1, 1), test_random_between(-1, 1), test_random_between(-1, 1)};
    imp_Vec3 way = {test_random_between(-1, 1), test_random_between(-1, 1), test_random_between(-1, 1)};
    for (int i = 0; i < 18; ++i) {
        double offset = (&middle.x)[i % 3] + (i < 9 ? 0 : (&way.x)[i % 3]);
        double value = on_lattice ? (double)test_random_below(4) : offset + size * test_random_between(-1, 1);
        ((double *)&t)[i] = value;
    }
    return t;
}

// Triangles that directions part are never among those that touch, with each instruction set alike. Returns
// how many are parted.
static unsigned check_parted(const imp_MovingTriangle *a, const imp_MovingTriangle *b, const double *want)
{
    impi_TriangleSweepBatch batch;
    for (int lane = 0; lane < IMPI_TRIANGLE_SWEEP_LANES; ++lane) {
        impi_triangle_sweep_set(batch.a, lane, &a[lane]);
        impi_triangle_sweep_set(batch.b, lane, &b[lane]);
    }
    uint32_t apart = impi_triangles_apart_portable(&batch);
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx2())
        CHECK_INT(impi_triangles_apart_avx2(&batch), apart);
    if (impi_cpu_has_avx512())
        CHECK_INT(impi_triangles_apart_avx512(&batch), apart);
#endif
    for (int lane = 0; lane < IMPI_TRIANGLE_SWEEP_LANES; ++lane)
        CHECK(!(apart >> lane & 1) || isnan(want[lane]));
    return (unsigned)__builtin_popcount(apart);
}

TEST(moving_triangles_agree_with_the_oracle)
{
    enum { COUNT = 2 * IMPI_TRIANGLE_SWEEP_LANES };
    uint64_t total = test_count(8000) / 10, hits = 0, at_start = 0, parted = 0;
    imp_Context *context = NULL;
    if (!CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK))
        return;
    for (uint64_t done = 0; done < total; done += COUNT) {
        imp_MovingTriangle a[COUNT], b[COUNT];
        double times[COUNT], wanted[COUNT];
        for (int i = 0; i < COUNT; ++i) {
            bool on_lattice = test_random_below(3) == 0;
            a[i] = random_triangle(0.8, on_lattice);
            b[i] = random_triangle(0.8, on_lattice);
        }
        CHECK_INT(imp_sweep_triangles(context, a, b, COUNT, times), IMP_STATUS_OK);
        for (int i = 0; i < COUNT; ++i) {
            double want = NAN;
            (void)oracle_sweep_triangles((const imp_Triangle[2]){a[i].begin, a[i].end},
                                         (const imp_Triangle[2]){b[i].begin, b[i].end}, &want);
            CHECK_DOUBLE(times[i], want);
            wanted[i] = want;
            hits += !isnan(want);
            at_start += want == 0;
        }
        parted += check_parted(a, b, wanted) + check_parted(a + COUNT / 2, b + COUNT / 2, wanted + COUNT / 2);
    }
    printf("%" PRIu64 " pairs of triangles: %" PRIu64 " meet, %" PRIu64 " at the start, %" PRIu64
           " are parted by a direction\n",
           total, hits, at_start, parted);
    CHECK(5 * parted > total - hits);
    CHECK(5 * hits > total && 5 * hits < 4 * total && 20 * at_start > total);
    imp_context_destroy(context);
}

TEST(public_queries_are_answered_right)
{
    CcdQueries public_queries;
    imp_Context *context = NULL;
    if (!test_data_dir() || !ccd_queries_load(test_data_dir(), &public_queries)) {
        test_skip("no folder of continuous queries beside the project");
        return;
    }
    CHECK_INT((int64_t)public_queries.malformed_count, 0);
    CHECK(public_queries.count > 1000);
    if (CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK))
        for (size_t i = 0; i < public_queries.count; ++i) {
            const CcdQuery *query = &public_queries.queries[i];
            imp_SweepQuery asked = query_of(query->points);
            double time = -1;
            CHECK_INT(sweep(context, query->features, &asked, 1, &time), IMP_STATUS_OK);
            if (!CHECK_INT(!isnan(time), query->is_hit))
                printf("  %s, file %d, query %d\n", query->folder, query->file, query->number);
        }
    imp_context_destroy(context);
    ccd_queries_release(&public_queries);
}

TEST(large_lists_are_the_same_on_any_number_of_threads)
{
    enum { COUNT = 5003 };
    static imp_SweepQuery queries[COUNT];
    static double want[COUNT], times[COUNT];
    static const uint32_t thread_counts[] = {1, 2, 5};
    for (uint32_t i = 0; i < COUNT; ++i) {
        SweepCase query =
            sweep_case_make((SweepKind)(i % SWEEP_KIND_COUNT), SWEEP_EDGE_EDGE, SWEEP_SCALE_ASIS);
        queries[i] = query_of(query.points);
    }
    for (int k = 0; k < 3; ++k) {
        imp_Context *context = NULL;
        if (!CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = thread_counts[k]}, &context),
                       IMP_STATUS_OK))
            return;
        CHECK_INT(imp_sweep_edges(context, queries, COUNT, k ? times : want), IMP_STATUS_OK);
        for (uint32_t i = 0; k && i < COUNT; ++i)
            CHECK_DOUBLE(times[i], want[i]);
        imp_context_destroy(context);
    }
}
