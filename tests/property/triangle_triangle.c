// imp_triangles_touch and imp_triangle_pairs_touch against the exact oracle, on pairs of every kind.
#include "harness.h"
#include "oracle/exact_oracle.h"
#include "oracle/triangle_cases.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define MAX_BATCH 100

typedef struct Tally {
    uint64_t touching, count;
} Tally;

static struct {
    Tally kinds[TRIANGLE_KIND_COUNT];   // exact cases only: their shares are known
    Tally rounded[TRIANGLE_KIND_COUNT]; // after a scaling that rounds
    Tally scalings[SCALING_COUNT];
    uint64_t shifted, degenerate, differences;
} tallies;

static void count_verdict(Tally *tally, bool touch)
{
    ++tally->count;
    tally->touching += touch;
}

static double share(Tally tally)
{
    return tally.count ? (double)tally.touching / (double)tally.count : 0;
}

static void expect(const TriangleCase *pair, const imp_Triangle *a, const imp_Triangle *b, bool want,
                   const char *what)
{
    bool touch = !want;
    bool same = imp_triangles_touch(a, b, &touch) == IMP_STATUS_OK && touch == want;
    if (!CHECK(same) && ++tallies.differences <= 20) {
        printf("  %s: expected %s\n", what, want ? "touch" : "apart");
        triangle_case_print(pair);
    }
}

// The three turns of a and, mirrored, of b: with the swap they reach every role that a vertex can have.
static void expect_symmetry(const TriangleCase *pair, bool want)
{
    expect(pair, &pair->b, &pair->a, want, "swapped");
    uint32_t turn = test_random_below(3);
    imp_Triangle a, b;
    for (uint32_t k = 0; k < 3; ++k) {
        a.v[k] = pair->a.v[(k + turn) % 3];
        b.v[k] = pair->b.v[(turn + 3 - k) % 3];
    }
    expect(pair, &a, &b, want, "vertices permuted");
}

static bool add_exactly(double *value, double shift)
{
    double moved = *value + shift;
    bool exact = isfinite(moved) && moved - *value == shift && moved - shift == *value;
    *value = moved;
    return exact;
}

// A shift by about the size of the case, kept only if no coordinate is rounded by it.
static void expect_shift_invariance(const TriangleCase *pair, bool want)
{
    TriangleCase moved = *pair;
    bool exact = true;
    for (int axis = 0; axis < 3; ++axis) {
        int exponent;
        (void)frexp(((const double *)&pair->a)[axis], &exponent);
        double steps = random_integer(16);
        double shift = ldexp(steps, exponent - (int)test_random_below(8));
        for (int k = 0; k < 3; ++k) {
            exact = add_exactly((double *)&moved.a + 3 * k + axis, shift) && exact;
            exact = add_exactly((double *)&moved.b + 3 * k + axis, shift) && exact;
        }
    }
    if (exact) {
        ++tallies.shifted;
        expect(&moved, &moved.a, &moved.b, want, "shifted");
    }
}

static void try_batch(imp_Context *context, TriangleKind first_kind, uint32_t count)
{
    static TriangleCase pairs[MAX_BATCH];
    static imp_Triangle a[MAX_BATCH], b[MAX_BATCH];
    bool want[MAX_BATCH], touch[MAX_BATCH];
    for (uint32_t i = 0; i < count; ++i) {
        pairs[i] = triangle_case_make((first_kind + i) % TRIANGLE_KIND_COUNT);
        a[i] = pairs[i].a;
        b[i] = pairs[i].b;
        want[i] = oracle_triangles_touch(&a[i], &b[i]);
        touch[i] = !want[i];
    }
    CHECK_INT(imp_triangle_pairs_touch(context, a, b, count, touch), IMP_STATUS_OK);
    for (uint32_t i = 0; i < count; ++i) {
        const TriangleCase *pair = &pairs[i];
        if (!CHECK(touch[i] == want[i]) && ++tallies.differences <= 20) {
            printf("  pair %u of a batch of %u: expected %s\n", i, count, want[i] ? "touch" : "apart");
            triangle_case_print(pair);
        }
        expect(pair, &pair->a, &pair->b, want[i], "single");
        expect_symmetry(pair, want[i]);
        expect_shift_invariance(pair, want[i]);
        count_verdict(pair->is_exact ? &tallies.kinds[pair->kind] : &tallies.rounded[pair->kind], want[i]);
        count_verdict(&tallies.scalings[pair->scaling], want[i]);
        tallies.degenerate += triangle_kinds[pair->kind].is_degenerate;
    }
}

static void report(uint64_t total)
{
    printf("%-22s %10s %10s %10s %10s\n", "kind", "touch", "apart", "touch*", "apart*");
    for (int kind = 0; kind < TRIANGLE_KIND_COUNT; ++kind) {
        Tally exact = tallies.kinds[kind], rounded = tallies.rounded[kind];
        printf("%-22s %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "\n", triangle_kinds[kind].name,
               exact.touching, exact.count - exact.touching, rounded.touching,
               rounded.count - rounded.touching);
    }
    printf("(* after a scaling that rounds)\n");
    for (int scaling = 0; scaling < SCALING_COUNT; ++scaling)
        printf("%-22s %10" PRIu64 " %10" PRIu64 "\n", scaling_names[scaling],
               tallies.scalings[scaling].touching,
               tallies.scalings[scaling].count - tallies.scalings[scaling].touching);
    printf("%" PRIu64 " pairs, %" PRIu64 " degenerate or nearly so, %" PRIu64 " also shifted, %" PRIu64
           " differences\n",
           total, tallies.degenerate, tallies.shifted, tallies.differences);
}

// The test must not become empty: each kind and each scale has the verdicts it should have.
static void check_shares(uint64_t total)
{
    for (int kind = 0; kind < TRIANGLE_KIND_COUNT; ++kind) {
        double touching = share(tallies.kinds[kind]);
        bool expected = tallies.kinds[kind].count > 0 && touching >= triangle_kinds[kind].least_touching &&
                        touching <= triangle_kinds[kind].most_touching;
        if (!CHECK(expected))
            printf("  %s: a share of %g touches\n", triangle_kinds[kind].name, touching);
    }
    for (int scaling = 0; scaling < SCALING_COUNT; ++scaling) {
        double touching = share(tallies.scalings[scaling]);
        CHECK(touching > 0.3 && touching < 0.9);
    }
    CHECK(3 * tallies.degenerate >= total);
    CHECK(5 * tallies.shifted >= total);
}

TEST(triangle_pairs_agree_with_the_oracle)
{
    uint64_t total = test_count(100000);
    imp_Context *contexts[2] = {NULL, NULL};
    for (uint32_t i = 0; i < 2; ++i)
        if (!CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = i + 1}, &contexts[i]),
                       IMP_STATUS_OK))
            goto cleanup;
    for (uint64_t done = 0; done < total;) {
        uint32_t count = 1 + test_random_below(MAX_BATCH);
        if (count > total - done)
            count = (uint32_t)(total - done);
        try_batch(contexts[test_random_below(2)], (TriangleKind)(done % TRIANGLE_KIND_COUNT), count);
        done += count;
    }
    report(total);
    check_shares(total);
    CHECK_INT((int64_t)tallies.differences, 0);
cleanup:
    imp_context_destroy(contexts[0]);
    imp_context_destroy(contexts[1]);
}

TEST(large_batches_are_the_same_on_any_number_of_threads)
{
    enum { COUNT = 20011 };
    static imp_Triangle a[COUNT], b[COUNT];
    static bool want[COUNT], touch[COUNT];
    for (uint32_t i = 0; i < COUNT; ++i) {
        TriangleCase pair = triangle_case_make((TriangleKind)(i % TRIANGLE_KIND_COUNT));
        a[i] = pair.a;
        b[i] = pair.b;
        want[i] = oracle_triangles_touch(&a[i], &b[i]);
    }
    static const uint32_t thread_counts[] = {1, 2, 5};
    for (int k = 0; k < 3; ++k) {
        imp_Context *context = NULL;
        imp_ContextDef def = {.thread_count = thread_counts[k]};
        if (!CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK))
            return;
        for (uint32_t i = 0; i < COUNT; ++i)
            touch[i] = !want[i];
        CHECK_INT(imp_triangle_pairs_touch(context, a, b, COUNT, touch), IMP_STATUS_OK);
        for (uint32_t i = 0; i < COUNT; ++i)
            CHECK_INT(touch[i], want[i]);
        imp_context_destroy(context);
    }
}
