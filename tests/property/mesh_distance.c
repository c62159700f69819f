// Distances of posed bodies against all of their faces in rational arithmetic, at all sizes: bounds that hold
// and are as sharp as promised, 0 exactly where a detect finds a touch, the nearest faces and the features
// that are nearest, and points that lie on them.
#include "distance_answers.h"
#include "harness.h"
#include "oracle/distance_oracle.h"
#include "oracle/surface_oracle.h"
#include "sanitizers.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

static struct {
    uint64_t touching[DISTANCE_KIND_COUNT], apart[DISTANCE_KIND_COUNT];
    uint64_t inside, held, several_nearest, beyond_largest, inaccurate, with_solid, deformed;
    uint64_t features[3][3];
    int complaints;
} tallies;

typedef struct Trial {
    DistanceCase pair;
    CaseShape a, b;
    bool touch;
    double accuracy;
} Trial;

static bool has_solid(const Trial *trial)
{
    return trial->a.convex || trial->b.convex;
}

// ------------------------------------------------------------------------------------------- points

typedef struct Points {
    imp_Vec3 v[8];
    size_t count;
} Points;

// The corners of what a point is said to lie on.
static Points feature_of(const CaseShape *shape, const imp_SurfacePoint *point)
{
    const imp_Triangle *face = &shape->triangles[point->face];
    Points points = {.count = (size_t)point->feature};
    for (uint32_t k = 0; k < points.count; ++k)
        points.v[k] = face->v[(point->corner + k) % 3];
    return points;
}

// All points that are off by an ulp of each coordinate at most.
static Points box_around(imp_Vec3 p)
{
    Points points = {.count = 8};
    for (unsigned i = 0; i < 8; ++i)
        points.v[i] =
            (imp_Vec3){nextafter(p.x, i & 1 ? DBL_MAX : -DBL_MAX), nextafter(p.y, i & 2 ? DBL_MAX : -DBL_MAX),
                       nextafter(p.z, i & 4 ? DBL_MAX : -DBL_MAX)};
    return points;
}

static bool points_touch(const Points *a, const Points *b)
{
    return !oracle_distance_find(a->v, a->count, b->v, b->count);
}

static bool is_point(const CaseShape *shape, const imp_SurfacePoint *point)
{
    bool has_names = point->face < shape->face_count && point->feature >= IMP_FEATURE_VERTEX &&
                     point->feature <= IMP_FEATURE_FACE && point->corner < 3 &&
                     (point->feature != IMP_FEATURE_FACE || point->corner == 0);
    if (!CHECK(has_names) ||
        !CHECK(isfinite(point->position.x) && isfinite(point->position.y) && isfinite(point->position.z)))
        return false;
    Points feature = feature_of(shape, point), near = box_around(point->position);
    return CHECK(points_touch(&near, &feature));
}

// Leaves the distance of the features as the last one of the oracle.
static bool find_features(const Trial *trial, const imp_SurfacePoint *a, const imp_SurfacePoint *b)
{
    Points feature_a = feature_of(&trial->a, a), feature_b = feature_of(&trial->b, b);
    return oracle_distance_find(feature_a.v, feature_a.count, feature_b.v, feature_b.count);
}

// A point that is nearest to a vertex is the only one. Is it on a lesser part than the one that is told?
static bool is_least_part(const Trial *trial, const imp_Distance *d)
{
    if ((d->a.feature == IMP_FEATURE_VERTEX) == (d->b.feature == IMP_FEATURE_VERTEX))
        return true;
    bool in_a = d->b.feature == IMP_FEATURE_VERTEX;
    imp_SurfacePoint lesser = in_a ? d->a : d->b;
    bool is_least = true;
    find_features(trial, &d->a, &d->b);
    oracle_distance_keep();
    lesser.feature = (imp_Feature)(lesser.feature - 1);
    // Of a face all edges, of an edge both ends.
    uint32_t first = lesser.corner, count = lesser.feature == IMP_FEATURE_EDGE ? 3 : 2;
    for (uint32_t k = 0; k < count; ++k) {
        lesser.corner = (first + k) % 3;
        find_features(trial, in_a ? &lesser : &d->a, in_a ? &d->b : &lesser);
        is_least &= oracle_distance_compare_kept() > 0;
    }
    return is_least;
}

// Of the nearest, where bounds of the same bits are equally near.
static bool has_first_faces(const Trial *trial, const imp_Distance *d)
{
    OracleBody a = case_shape_judged(&trial->a), b = case_shape_judged(&trial->b);
    bool is_less = d->lower_bound < d->distance;
    OracleFaces first = oracle_first_faces(&a, &b, d->distance, is_less, trial->pair.is_extreme);
    uint32_t low = d->a.face < d->b.face ? d->a.face : d->b.face;
    uint32_t high = d->a.face < d->b.face ? d->b.face : d->a.face;
    tallies.several_nearest += first.count > 1;
    return first.low == low && first.high == high;
}

static bool has_right_points(const Trial *trial, const imp_Distance *d)
{
    if (!is_point(&trial->a, &d->a) || !is_point(&trial->b, &d->b))
        return false;
    Points near_a = box_around(d->a.position), near_b = box_around(d->b.position);
    ++tallies.features[d->a.feature - 1][d->b.feature - 1];
    oracle_distance_find(near_a.v, near_a.count, near_b.v, near_b.count);
    if (!CHECK(oracle_distance_compare(d->distance) >= 0))
        return false;
    if (d->touch && !CHECK(same_double(d->a.position.x, d->b.position.x) &&
                           same_double(d->a.position.y, d->b.position.y) &&
                           same_double(d->a.position.z, d->b.position.z)))
        return false;
    if (has_solid(trial)) {
        find_features(trial, &d->a, &d->b);
        return CHECK(oracle_distance_compare(d->distance) >= 0);
    }
    find_features(trial, &d->a, &d->b);
    return CHECK(oracle_distance_compare(d->distance) >= 0 && oracle_distance_compare(d->lower_bound) <= 0) &&
           CHECK(is_least_part(trial, d)) && CHECK(has_first_faces(trial, d));
}

// ------------------------------------------------------------------------------------------- bounds

// The distance is the last one of the oracle.
static bool has_right_bounds(const Trial *trial, const imp_Distance *d)
{
    bool is_sharp = d->distance - d->lower_bound <= trial->accuracy * d->distance;
    if (!CHECK(oracle_distance_compare(d->distance) >= 0 && oracle_distance_compare(d->lower_bound) <= 0))
        return false;
    if (trial->touch)
        return CHECK(d->distance == 0 && d->lower_bound == 0 && d->reached_accuracy);
    tallies.beyond_largest += isinf(d->distance);
    tallies.inaccurate += !d->reached_accuracy;
    if (!CHECK(d->distance > 0) || (isfinite(d->distance) && !CHECK(d->reached_accuracy == is_sharp)))
        return false;
    if (has_solid(trial))
        return CHECK(d->reached_accuracy || trial->accuracy < 0x1p-48 || d->distance < 0x1p-1000 ||
                     isinf(d->distance));
    return CHECK(oracle_distance_compare(nextafter(d->distance, 0)) < 0) &&
           CHECK(oracle_distance_compare(nextafter(d->lower_bound, INFINITY)) > 0);
}

// A solid holds what it touches: the point is in it, and on the other body, if that has a face.
static bool is_held_point(const CaseShape *shape, const imp_SurfacePoint *point)
{
    Points near = box_around(point->position);
    if (point->face != IMP_NO_FACE)
        return is_point(shape, point);
    return CHECK(shape->convex != NULL) &&
           CHECK(!oracle_distance_find(shape->corners, shape->vertex_count, near.v, near.count));
}

static bool has_held_points(const Trial *trial, const imp_Distance *d)
{
    return is_held_point(&trial->a, &d->a) && is_held_point(&trial->b, &d->b) &&
           CHECK(same_double(d->a.position.x, d->b.position.x) &&
                 same_double(d->a.position.y, d->b.position.y) &&
                 same_double(d->a.position.z, d->b.position.z));
}

static bool is_right(const Trial *trial, const imp_Distance *d)
{
    bool is_held = has_solid(trial) && d->touch && (d->a.face == IMP_NO_FACE || d->b.face == IMP_NO_FACE);
    tallies.held += is_held;
    return CHECK(!d->has_stopped && d->touch == trial->touch) && has_right_bounds(trial, d) &&
           (is_held ? has_held_points(trial, d) : has_right_points(trial, d));
}

// -------------------------------------------------------------------------------------------- asking

static uint32_t relations_of(imp_World *world)
{
    const imp_Report *report = NULL;
    CHECK_INT(imp_world_detect(world, NULL, &report), IMP_STATUS_OK);
    return report && report->body_pair_count ? report->body_pairs[0].relations : 0;
}

static bool is_detected(const imp_Distance *d, uint32_t relations)
{
    return d->touch == !!(relations & IMP_RELATION_TOUCH) &&
           d->a_inside_b == !!(relations & IMP_RELATION_A_INSIDE_B) &&
           d->b_inside_a == !!(relations & IMP_RELATION_B_INSIDE_A);
}

static bool query_says_the_same(imp_Query *query, const Trial *trial, const imp_DistanceDef *def,
                                const imp_Distance *wanted)
{
    if (has_solid(trial) || trial->pair.a.is_deformed || trial->pair.b.is_deformed)
        return true;
    imp_Pose poses[2] = {trial->pair.b.pose, trial->pair.b.pose};
    imp_Distance got[2] = {{.distance = -1}, {.distance = -1}};
    imp_MeshPair meshes = {trial->a.mesh, trial->b.mesh, trial->pair.a.pose, poses, 2};
    poses[0].translation.x *= 0.5;
    if (!CHECK_INT(imp_meshes_distance(query, &meshes, def, got), IMP_STATUS_OK))
        return false;
    bool is_same = same_distance(&got[1], wanted);
    if (!is_same)
        print_distance("query", &got[1]);
    return CHECK(is_same);
}

static bool try_trial(imp_Context *context, imp_Query *query, Trial *trial)
{
    imp_DistanceDef def = {.relative_accuracy = trial->accuracy};
    CaseWorld asked = case_world_make(context, &trial->a, &trial->b);
    imp_Distance d = case_world_ask(&asked, &def);
    uint32_t relations = relations_of(asked.world);
    OracleBody a = case_shape_judged(&trial->a), b = case_shape_judged(&trial->b);
    trial->touch = !oracle_bodies_distance(&a, &b, trial->pair.is_extreme);
    ++(trial->touch ? tallies.touching : tallies.apart)[trial->pair.kind];
    tallies.inside += d.a_inside_b || d.b_inside_a;
    tallies.with_solid += has_solid(trial);
    tallies.deformed += trial->pair.a.is_deformed || trial->pair.b.is_deformed;
    bool held = CHECK(is_detected(&d, relations)) && is_right(trial, &d) &&
                query_says_the_same(query, trial, &def, &d);
    if (!held && ++tallies.complaints < 6) {
        distance_case_print(&trial->pair);
        print_distance("world", &d);
    }
    imp_world_destroy(asked.world);
    return held;
}

// Hulls of few lattice points are flat now and then: then another case is made.
static void make_trial(imp_Context *context, DistanceKind kind, Trial *trial)
{
    static const double accuracies[] = {1e-6, 1e-6, 0.01, 1e-12, 1e-14};
    trial->accuracy = accuracies[test_random_below(sizeof accuracies / sizeof *accuracies)];
    for (;;) {
        distance_case_make(context, kind, &trial->pair);
        if (!case_shape_make(context, &trial->pair.a, &trial->a))
            continue;
        if (case_shape_make(context, &trial->pair.b, &trial->b))
            return;
        case_shape_release(&trial->a);
    }
}

// ------------------------------------------------------------------------------------------ tallies

static void report(void)
{
    printf("%-12s %8s %8s\n", "kind", "touch", "apart");
    for (int kind = 0; kind < DISTANCE_KIND_COUNT; ++kind)
        printf("%-12s %8" PRIu64 " %8" PRIu64 "\n", distance_kind_names[kind], tallies.touching[kind],
               tallies.apart[kind]);
    printf("%" PRIu64 " inside, %" PRIu64 " held, %" PRIu64 " with several nearest, %" PRIu64
           " beyond the largest double, %" PRIu64 " inaccurate, %" PRIu64 " with solids, %" PRIu64
           " deformed\n",
           tallies.inside, tallies.held, tallies.several_nearest, tallies.beyond_largest, tallies.inaccurate,
           tallies.with_solid, tallies.deformed);
    static const char *const names[] = {"vertex", "edge", "face"};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            printf("%s-%s %" PRIu64 "\n", names[i], names[k], tallies.features[i][k]);
}

#define ENOUGH_FOR_SHARES 240
#define ENOUGH_FOR_KINDS  2000

// The test must not become empty.
static void check_shares(uint64_t total)
{
    uint64_t apart = 0;
    for (int kind = 0; kind < DISTANCE_KIND_COUNT; ++kind) {
        apart += tallies.apart[kind];
        if (total >= ENOUGH_FOR_KINDS &&
            !CHECK(tallies.apart[kind] > 0 && (tallies.touching[kind] > 0 || kind == DISTANCE_HAIR)))
            printf("  %s\n", distance_kind_names[kind]);
    }
    CHECK(10 * apart > 4 * total && 10 * apart < 8 * total);
    CHECK(50 * tallies.inside > total);
    CHECK(200 * tallies.held > total);
    CHECK(50 * tallies.several_nearest > total);
    CHECK(10 * tallies.inaccurate < total);
    CHECK(5 * tallies.with_solid > total && 2 * tallies.with_solid < total);
    CHECK(10 * tallies.deformed > total);
    CHECK(tallies.beyond_largest > 0 || total < ENOUGH_FOR_KINDS); // few, so a small run may have none
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) // two faces need not be told
            CHECK(tallies.features[i][k] > 0 || i + k == 4);
}

#ifdef TEST_UNDER_SANITIZER
#define DEFAULT_COUNT 60
#else
#define DEFAULT_COUNT 120
#endif

TEST(distances_are_those_of_rational_arithmetic)
{
    static Trial trial;
    uint64_t total = test_count(DEFAULT_COUNT);
    imp_Context *context = NULL;
    imp_Query *query = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    CHECK_INT(imp_query_create(NULL, &query), IMP_STATUS_OK);
    for (uint64_t i = 0; i < total; ++i) {
        make_trial(context, distance_case_kind(i), &trial);
        if (!try_trial(context, query, &trial))
            printf("  case %" PRIu64 "\n", i);
        case_shape_release(&trial.a);
        case_shape_release(&trial.b);
    }
    report();
    if (total >= ENOUGH_FOR_SHARES)
        check_shares(total);
    imp_query_destroy(query);
    imp_context_destroy(context);
}
