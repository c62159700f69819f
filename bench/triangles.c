// Triangle-triangle tests, ns a pair: impinge (lists), impinge-single (one call a pair), CGAL's do_intersect
// with exact predicates, and a plain double test.
#include "bench.h"
#include "cgal_triangles.h"
#include "plain_triangles.h"

#include <impinge/impinge.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAIR_COUNT 20000

typedef struct Pairs {
    imp_Context *context;
    imp_Triangle a[PAIR_COUNT], b[PAIR_COUNT];
    bool impinge[PAIR_COUNT], single[PAIR_COUNT], cgal[PAIR_COUNT], plain[PAIR_COUNT];
} Pairs;

static uint64_t random_state = 1;

static double random_unit(void)
{
    uint64_t z = random_state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static imp_Vec3 random_point(double scale)
{
    double x = random_unit() - 0.5, y = random_unit() - 0.5, z = random_unit() - 0.5;
    return (imp_Vec3){x * scale, y * scale, z * scale};
}

static imp_Vec3 sum(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static uint64_t count_true(const bool *verdicts)
{
    uint64_t count = 0;
    for (size_t i = 0; i < PAIR_COUNT; ++i)
        count += verdicts[i];
    return count;
}

// Triangles of size 1 whose boxes overlap, as a broad phase hands them on; the spread of their distance is
// chosen so that a tenth of them touch.
static void make_generic(Pairs *pairs)
{
    for (size_t i = 0; i < PAIR_COUNT; ++i) {
        imp_Vec3 shift = random_point(1.0);
        for (int k = 0; k < 3; ++k) {
            pairs->a[i].v[k] = random_point(1);
            pairs->b[i].v[k] = sum(random_point(1), shift);
        }
    }
}

// In one plane, exactly: integer combinations of two integer directions, or the plane z = 0. Each contains
// the origin of the plane, so they overlap.
static void make_coplanar(Pairs *pairs, bool tilted)
{
    imp_Vec3 u = tilted ? (imp_Vec3){3, 1, 2} : (imp_Vec3){1, 0, 0};
    imp_Vec3 v = tilted ? (imp_Vec3){-1, 4, 1} : (imp_Vec3){0, 1, 0};
    for (size_t i = 0; i < 2 * PAIR_COUNT; ++i) {
        imp_Triangle *t = i & 1 ? &pairs->a[i / 2] : &pairs->b[i / 2];
        static const double sector[3][2] = {{1, 0}, {-0.5, 0.9}, {-0.5, -0.9}};
        for (int k = 0; k < 3; ++k) {
            double s = (double)(int)((sector[k][0] + 0.3 * random_unit()) * 0x1p30);
            double r = (double)(int)((sector[k][1] + 0.3 * random_unit()) * 0x1p30);
            t->v[k] = (imp_Vec3){s * u.x + r * v.x, s * u.y + r * v.y, s * u.z + r * v.z};
        }
    }
}

static uint64_t run_impinge(void *state)
{
    Pairs *pairs = state;
    bench_require(imp_triangle_pairs_touch(pairs->context, pairs->a, pairs->b, PAIR_COUNT, pairs->impinge));
    return count_true(pairs->impinge);
}

static uint64_t run_single(void *state)
{
    Pairs *pairs = state;
    for (size_t i = 0; i < PAIR_COUNT; ++i)
        bench_require(imp_triangles_touch(&pairs->a[i], &pairs->b[i], &pairs->single[i]));
    return count_true(pairs->single);
}

static uint64_t run_plain(void *state)
{
    Pairs *pairs = state;
    for (size_t i = 0; i < PAIR_COUNT; ++i)
        pairs->plain[i] = plain_triangles_touch(&pairs->a[i], &pairs->b[i]);
    return count_true(pairs->plain);
}

#if IMPINGE_BENCH_CGAL
static uint64_t run_cgal(void *state)
{
    Pairs *pairs = state;
    cgal_triangles_touch(pairs->a, pairs->b, PAIR_COUNT, pairs->cgal);
    return count_true(pairs->cgal);
}
#endif

static const char *describe_difference(const bool *verdicts, const bool *truth, char text[32])
{
    int missing = 0, invented = 0;
    for (size_t i = 0; i < PAIR_COUNT; ++i) {
        missing += truth[i] && !verdicts[i];
        invented += verdicts[i] && !truth[i];
    }
    snprintf(text, 32, "-%d/+%d", missing, invented);
    return missing || invented ? text : "yes";
}

static void measure(Pairs *pairs, const char *scene, const BenchOptions *options)
{
    char plain_text[32], cgal_text[32];
    run_impinge(pairs);
    run_single(pairs);
    run_plain(pairs);
    bench_check(memcmp(pairs->impinge, pairs->single, sizeof pairs->single) == 0,
                "lists and single calls differ");
    BenchSystem systems[] = {
        {.name = "impinge", .threads = 1, .run = run_impinge, .state = pairs},
        {.name = "impinge-single", .threads = 1, .run = run_single, .state = pairs},
        {.name = "plain-double", .threads = 1, .run = run_plain, .state = pairs},
#if IMPINGE_BENCH_CGAL
        {.name = "cgal-do-intersect", .threads = 1, .run = run_cgal, .state = pairs},
#endif
    };
    systems[2].agrees = describe_difference(pairs->plain, pairs->impinge, plain_text);
#if IMPINGE_BENCH_CGAL
    run_cgal(pairs);
    systems[3].agrees = describe_difference(pairs->cgal, pairs->impinge, cgal_text);
    bench_check(strcmp(systems[3].agrees, "yes") == 0, "CGAL's exact predicates say otherwise");
#else
    (void)cgal_text;
#endif
    BenchScene description = {scene, "static", "ns", PAIR_COUNT, options->quick ? 5 : 31};
    bench_measure(options, &description, systems, sizeof systems / sizeof systems[0]);
}

int bench_triangles(const BenchOptions *options)
{
    Pairs *pairs = malloc(sizeof *pairs);
    if (!pairs || imp_context_create(NULL, &pairs->context) != IMP_STATUS_OK)
        return 1;
#if !IMPINGE_BENCH_CGAL
    fprintf(stderr, "impinge-bench: cgal-do-intersect is left out: install libcgal-dev\n");
#endif
    if (bench_wants(options, "generic")) {
        make_generic(pairs);
        measure(pairs, "generic", options);
    }
    if (bench_wants(options, "coplanar-flat")) {
        make_coplanar(pairs, false);
        measure(pairs, "coplanar-flat", options);
    }
    if (bench_wants(options, "coplanar-tilted")) {
        make_coplanar(pairs, true);
        measure(pairs, "coplanar-tilted", options);
    }
    imp_context_destroy(pairs->context);
    free(pairs);
    return 0;
}
