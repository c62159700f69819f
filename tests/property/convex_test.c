// imp_convex_test, imp_convex_distance and imp_certificate_check against the exact oracle, on pairs of every
// kind: each verdict is the oracle's, whatever is kept from earlier tests, with a and b swapped as well, and
// each comes with a certificate that holds.
#include "harness.h"
#include "object/direction_search.h"
#include "object/separating_vector.h"
#include "oracle/convex_cases.h"
#include "oracle/convex_oracle.h"
#include "oracle/exact_oracle.h"
#include "oracle/triangle_cases.h"
#include "sanitizers.h"

#include <impinge/convex.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Above this many vertices the oracle is asked only now and then; the certificate is a proof there as well.
#define MAX_ORACLE_VERTICES 400

// More than any test takes; exact steps have no bound of their own (separating_vector.h).
#define MAX_STEPS (IMPI_MAX_DOUBLE_STEPS + 64)

// Up to this many faces, distances are compared with those of all pairs of faces.
#define MAX_DISTANCE_FACES 40

typedef struct Tally {
    uint64_t count, touching, exact, steps;
} Tally;

static struct {
    Tally kinds[CONVEX_KIND_COUNT];
    uint64_t judged, refused, distances, distances_judged, clearly_apart, reached, parted, differences;
    uint32_t most_steps;
    size_t most_vertices;
} tallies;

typedef struct Body {
    imp_Convex *convex;
    imp_Vec3 *posed; // of the vertices of its mesh
    size_t vertex_count;
} Body;

// A pair under test. Where the oracle was not asked, the first verdict, which is proven, stands for its own.
typedef struct Trial {
    imp_Context *context;
    const ConvexCase *source;
    Body a, b;
    bool is_known, touch;
    double size; // the largest coordinate
} Trial;

static void complain(const Trial *trial, const char *what)
{
    ++tallies.differences;
    if (tallies.differences <= 10)
        printf("  %s; expected %s\n", what, trial->touch ? "touch" : "apart");
    convex_case_print(trial->source);
}

// --------------------------------------------------------------------------------------- verdicts

static bool is_proven(const Trial *trial, const imp_ConvexPair *pair, const imp_ConvexResult *result)
{
    bool is_valid = false;
    return result->certificate.touch == result->touch &&
           imp_certificate_check(trial->context, pair, &result->certificate, &is_valid) == IMP_STATUS_OK &&
           is_valid;
}

// Test in these poses; the verdict is the expected one, if there is one, and proven.
static imp_ConvexResult test_pair(const Trial *trial, const imp_ConvexPair *pair, imp_ConvexState *state,
                                  bool is_known, const char *what)
{
    imp_ConvexResult result = {0};
    Tally *tally = &tallies.kinds[trial->source->kind];
    if (!CHECK_INT(imp_convex_test(trial->context, state, pair, &result), IMP_STATUS_OK) ||
        !CHECK(!is_known || result.touch == trial->touch) || !CHECK(is_proven(trial, pair, &result)) ||
        !CHECK(result.step_count <= MAX_STEPS))
        complain(trial, what);
    tally->exact += result.used_exact;
    tally->steps += result.step_count;
    if (result.step_count > tallies.most_steps)
        tallies.most_steps = result.step_count;
    return result;
}

static imp_ConvexPair pair_of(const Trial *trial)
{
    return (imp_ConvexPair){trial->a.convex, trial->b.convex, trial->source->pose_a, trial->source->pose_b};
}

static void fill_with_garbage(imp_ConvexState *state)
{
    static const double odd[] = {0, NAN, INFINITY, -INFINITY, 0x1p-1074, 1e308, -1e-300, 1};
    uint32_t *words = (uint32_t *)state;
    for (size_t i = 0; i < sizeof *state / sizeof *words; ++i)
        words[i] = (uint32_t)test_random();
    if (test_random_below(2)) { // plausible in parts
        state->direction.x = odd[test_random_below(8)];
        state->direction.y = odd[test_random_below(8)];
        state->direction.z = odd[test_random_below(8)];
        state->witness_count = test_random_below(6);
    }
    for (uint32_t i = 0; i < IMP_MAX_WITNESSES && test_random_below(2); ++i)
        state->witnesses[i] = (imp_VertexPair){test_random_below(8), test_random_below(8)};
}

// What a motion leaves: the state of some tests on the way here, from a distance of the bodies' size down to
// some ulps.
static imp_ConvexState state_of_motion(const Trial *trial)
{
    imp_ConvexState state = {0};
    imp_ConvexPair pair = pair_of(trial);
    imp_Vec3 direction = random_vector(1);
    double distance = ldexp(trial->size, -(int)test_random_below(54));
    for (int step = 3; step > 0; --step) {
        pair.pose_b.translation = along(trial->source->pose_b.translation, distance * step, direction);
        if (trial->size < 1e290)
            test_pair(trial, &pair, &state, false, "on the way");
    }
    return state;
}

static void test_every_way(Trial *trial)
{
    imp_ConvexPair pair = pair_of(trial), swapped = {pair.b, pair.a, pair.pose_b, pair.pose_a};
    imp_ConvexState state = {0}, garbage;
    imp_ConvexResult first = test_pair(trial, &pair, &state, trial->is_known, "knowing nothing");
    trial->touch = first.touch;
    test_pair(trial, &pair, &state, true, "the same again");
    state = state_of_motion(trial);
    test_pair(trial, &pair, &state, true, "after a motion");
    fill_with_garbage(&garbage);
    test_pair(trial, &pair, &garbage, true, "with garbage");
    test_pair(trial, &swapped, NULL, true, "swapped");
    Tally *tally = &tallies.kinds[trial->source->kind];
    ++tally->count;
    tally->touching += first.touch;
}

// -------------------------------------------------------------------------------------- distances

static double length(imp_Vec3 v)
{
    return hypot(hypot(v.x, v.y), v.z);
}

// The least distance of two faces is that of some points of them, up to 1e-18 of the coordinates: no lower
// bound may exceed it. Nor may the distance be less, up to the rounding of the closest points.
static bool agrees_with_faces(const Trial *trial, const imp_ConvexDistance *distance)
{
    const imp_Mesh *a = imp_convex_get_mesh(trial->a.convex), *b = imp_convex_get_mesh(trial->b.convex);
    size_t count_a = imp_mesh_get_triangle_count(a), count_b = imp_mesh_get_triangle_count(b);
    if (count_a > MAX_DISTANCE_FACES || count_b > MAX_DISTANCE_FACES)
        return true;
    ++tallies.distances_judged;
    long double least = oracle_surface_distance(trial->a.posed, imp_mesh_get_indices(a), count_a,
                                                trial->b.posed, imp_mesh_get_indices(b), count_b);
    if (least > 1e-3L * trial->size) {
        ++tallies.clearly_apart;
        tallies.reached += distance->reached_accuracy;
    }
    return distance->lower_bound <= least + 1e-17L * trial->size &&
           distance->distance >= least - 1e-12L * trial->size;
}

static bool is_plausible_gap(const Trial *trial, const imp_ConvexDistance *distance)
{
    imp_Vec3 gap = along(distance->point_b, -1, distance->point_a);
    bool accurate = distance->distance - distance->lower_bound <= 1e-6 * distance->distance;
    return distance->lower_bound >= 0 && distance->lower_bound <= distance->distance &&
           fabs(length(gap) - distance->distance) <= 1e-14 * trial->size &&
           (accurate || !distance->reached_accuracy) && agrees_with_faces(trial, distance);
}

// Moving b by the depth, and a little more for the rounding, parts them.
static bool is_parted_by_depth(const Trial *trial, const imp_ConvexDistance *distance)
{
    imp_ConvexPair pair = pair_of(trial);
    imp_ConvexResult result = {.touch = true};
    double step = distance->depth * (1 + 1e-9) + 1e-12 * trial->size;
    pair.pose_b.translation = along(pair.pose_b.translation, step, distance->normal);
    ++tallies.parted;
    return distance->depth >= 0 && imp_convex_test(trial->context, NULL, &pair, &result) == IMP_STATUS_OK &&
           !result.touch;
}

static void test_distance(const Trial *trial)
{
    imp_ConvexPair pair = pair_of(trial);
    imp_ConvexDistance distance = {0};
    imp_ConvexState state = {0};
    ++tallies.distances;
    bool ok = CHECK_INT(imp_convex_distance(trial->context, &state, &pair, NULL, &distance), IMP_STATUS_OK) &&
              CHECK(distance.touch == trial->touch);
    if (ok && trial->touch)
        ok = CHECK(distance.distance == 0 && distance.lower_bound == 0);
    // Other sizes are for property/convex_distance, whose oracle has no range.
    if (ok && trial->size > IMPI_MIN_SEARCH_SIZE && trial->size < IMPI_MAX_SEARCH_SIZE / 64) {
        ok = CHECK(fabs(length(distance.normal) - 1) < 1e-14);
        ok = ok && (trial->touch ? CHECK(is_parted_by_depth(trial, &distance))
                                 : CHECK(is_plausible_gap(trial, &distance)));
    }
    if (!ok)
        complain(trial, "distance");
}

// ------------------------------------------------------------------------------------------ trials

static bool make_body(imp_Context *context, const imp_Vec3 *points, size_t count, const imp_Pose *pose,
                      Body *body)
{
    imp_Transform transform;
    imp_ConvexDef def = {
        .points = &points->x, .point_count = count, .keep_coplanar = test_random_below(4) == 0};
    imp_Status status = imp_convex_create(context, &def, &body->convex);
    if (status == IMP_STATUS_BAD_SHAPE)
        return false;
    if (!CHECK_INT(status, IMP_STATUS_OK))
        return false;
    const imp_Mesh *mesh = imp_convex_get_mesh(body->convex);
    body->vertex_count = imp_mesh_get_vertex_count(mesh);
    body->posed = malloc(body->vertex_count * sizeof *body->posed);
    if (!body->posed)
        abort();
    CHECK_INT(imp_pose_transform(pose, &transform), IMP_STATUS_OK);
    for (size_t i = 0; i < body->vertex_count; ++i)
        body->posed[i] = imp_transform_apply(&transform, imp_mesh_get_vertices(mesh)[i]);
    if (body->vertex_count > tallies.most_vertices)
        tallies.most_vertices = body->vertex_count;
    return true;
}

static double largest_coordinate(const Body *body)
{
    double largest = 0;
    for (size_t i = 0; i < body->vertex_count; ++i)
        largest =
            fmax(largest, fmax(fabs(body->posed[i].x), fmax(fabs(body->posed[i].y), fabs(body->posed[i].z))));
    return largest;
}

static void ask_oracle(Trial *trial)
{
    size_t vertex_count = trial->a.vertex_count + trial->b.vertex_count;
    trial->is_known = vertex_count <= MAX_ORACLE_VERTICES || test_random_below(10) == 0;
    if (!trial->is_known)
        return;
    trial->touch =
        oracle_hulls_touch(trial->a.posed, trial->a.vertex_count, trial->b.posed, trial->b.vertex_count);
    ++tallies.judged;
}

// Clouds on small lattices are flat now and then, and make no body.
static bool try_case(imp_Context *context, const ConvexCase *source)
{
    Trial trial = {.context = context, .source = source};
    bool made =
        make_body(context, source->points, source->count_a, &source->pose_a, &trial.a) &&
        make_body(context, source->points + source->count_a, source->count_b, &source->pose_b, &trial.b);
    tallies.refused += !made;
    if (made) {
        trial.size = fmax(largest_coordinate(&trial.a), largest_coordinate(&trial.b));
        ask_oracle(&trial);
        test_every_way(&trial);
        if (test_random_below(4) == 0)
            test_distance(&trial);
    }
    free(trial.a.posed);
    free(trial.b.posed);
    imp_convex_release(trial.a.convex);
    imp_convex_release(trial.b.convex);
    return made;
}

static void report(void)
{
    printf("%-18s %10s %10s %10s %10s\n", "kind", "touch", "apart", "exact/test", "steps/test");
    for (int kind = 0; kind < CONVEX_KIND_COUNT; ++kind) {
        Tally tally = tallies.kinds[kind];
        double tests = 8 * (double)tally.count;
        printf("%-18s %10" PRIu64 " %10" PRIu64 " %10.4f %10.2f\n", convex_kinds[kind].name, tally.touching,
               tally.count - tally.touching, (double)tally.exact / tests, (double)tally.steps / tests);
    }
    printf("%" PRIu64 " judged by the oracle, %" PRIu64 " refused as flat, at most %" PRIu32
           " steps, up to %zu vertices\n",
           tallies.judged, tallies.refused, tallies.most_steps, tallies.most_vertices);
    printf("%" PRIu64 " distances, %" PRIu64 " judged, %" PRIu64 " clearly apart, %" PRIu64
           " of these accurate, %" PRIu64 " parted; %" PRIu64 " differences\n",
           tallies.distances, tallies.distances_judged, tallies.clearly_apart, tallies.reached,
           tallies.parted, tallies.differences);
}

// Kinds with fewer cases than this may have any share of touching ones by chance.
#define LEAST_FOR_SHARE 60

// The test must not become empty: each kind has the verdicts it should have, and both arithmetics are used.
static void check_shares(uint64_t total)
{
    uint64_t near = 0, touching = 0, exact = 0;
    for (int kind = 0; kind < CONVEX_KIND_COUNT; ++kind) {
        Tally tally = tallies.kinds[kind];
        double share = (double)tally.touching / (double)tally.count;
        bool expected =
            share >= convex_kinds[kind].least_touching && share <= convex_kinds[kind].most_touching;
        if (tally.count >= LEAST_FOR_SHARE && !CHECK(expected))
            printf("  %s: a share of %g touches\n", convex_kinds[kind].name, share);
        near += convex_kinds[kind].is_near ? tally.count : 0;
        touching += tally.touching;
        exact += tally.exact;
    }
    CHECK(3 * near >= total);
    CHECK(10 * touching > 3 * total && 10 * touching < 7 * total);
    CHECK(exact > 0 && exact < 4 * total);
    CHECK(tallies.judged > total * 9 / 10);
    CHECK(tallies.refused < total / 4);
    CHECK(1000 * tallies.reached >= 999 * tallies.clearly_apart);
}

#ifdef TEST_UNDER_SANITIZER
#define DEFAULT_COUNT 1500
#else
#define DEFAULT_COUNT 6000
#endif

TEST(polytopes_agree_with_the_oracle)
{
    static ConvexCase source;
    uint64_t total = test_count(DEFAULT_COUNT);
    imp_Context *context;
    if (!CHECK_INT(imp_context_create(&(imp_ContextDef){0}, &context), IMP_STATUS_OK))
        return;
    for (uint64_t i = 0; i < total; ++i)
        do
            convex_case_make(convex_case_kind(i), &source);
        while (!try_case(context, &source));
    report();
    if (total >= LEAST_FOR_SHARE * CONVEX_KIND_COUNT)
        check_shares(total);
    CHECK_INT((int64_t)tallies.differences, 0);
    imp_context_destroy(context);
}

// The judge is judged: triangles are hulls too, and exact_oracle.h knows about those.
TEST(oracles_agree_on_triangles)
{
    uint64_t touching = 0, total = test_count(DEFAULT_COUNT);
    for (uint64_t i = 0; i < total; ++i) {
        TriangleCase pair = triangle_case_make((TriangleKind)(i % TRIANGLE_KIND_COUNT));
        bool touch = oracle_triangles_touch(&pair.a, &pair.b);
        if (!CHECK(oracle_hulls_touch(pair.a.v, 3, pair.b.v, 3) == touch))
            triangle_case_print(&pair);
        touching += touch;
    }
    CHECK(10 * touching > 3 * total && 10 * touching < 9 * total);
}
