// The oracle of moving features judged in its turn: by answers worked out by hand, by public queries with
// known verdicts, by what queries of each kind were built for, and by a linear program at many fixed times.
#include "oracle/sweep_oracle.h"

#include "harness.h"
#include "oracle/ccd_queries.h"
#include "oracle/distance_oracle.h"
#include "oracle/exact_oracle.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool sweep(SweepFeatures features, const imp_Vec3 points[8], double *time)
{
    return (features == SWEEP_VERTEX_FACE ? oracle_sweep_vertex_face : oracle_sweep_edge_edge)(points, time);
}

// ------------------------------------------------------------------------------------------ worked out by
// hand

#define NONE         (-1.0)
#define TINY         0x1p-1074
#define BIG          0x1p53
#define JUST_ABOVE_1 (1 + DBL_EPSILON)
#define THIRD        0x1.5555555555554p-2 // of 1, rounded down to a multiple of 2^-53
#define ROOT_HALF    0x1.6a09e667f3bccp-1 // of 1/2
#define GOLDEN       0x1.3c6ef372fe94fp-1 // (sqrt(5) - 1) / 2
#define FACE                                                                                                 \
    {0, 0, 0}, {4, 0, 0},                                                                                    \
    {                                                                                                        \
        0, 4, 0                                                                                              \
    }
#define FACE_SHIFTED                                                                                         \
    {10, 0, 0}, {14, 0, 0},                                                                                  \
    {                                                                                                        \
        10, 4, 0                                                                                             \
    }
#define LINE                                                                                                 \
    {0, 0, 0}, {2, 0, 0},                                                                                    \
    {                                                                                                        \
        4, 0, 0                                                                                              \
    }
#define POINT                                                                                                \
    {1, 1, 1}, {1, 1, 1},                                                                                    \
    {                                                                                                        \
        1, 1, 1                                                                                              \
    }
#define EDGE                                                                                                 \
    {-1, 0, 0},                                                                                              \
    {                                                                                                        \
        1, 0, 0                                                                                              \
    }
#define UNIT                                                                                                 \
    {0, 0, 0},                                                                                               \
    {                                                                                                        \
        1, 0, 0                                                                                              \
    }

typedef struct Known {
    const char *what;
    imp_Vec3 points[8];
    double time;
} Known;

// In those with a plane that turns, z = c t x, the vertex is over its line y = 0.
static const Known vertex_faces[] = {
    {"through the face", {{1, 1, 1}, FACE, {1, 1, -1}, FACE}, 0.5},
    {"at a third", {{1, 1, 1}, FACE, {1, 1, -2}, FACE}, THIRD},
    {"at the end", {{1, 1, 1}, FACE, {1, 1, 0}, FACE}, 1},
    {"at the start", {{1, 1, 0}, FACE, {1, 1, 5}, FACE}, 0},
    {"not quite at the end", {{1, 1, 1}, FACE, {1, 1, TINY}, FACE}, NONE},
    {"beside the face", {{3, 3, 1}, FACE, {3, 3, -1}, FACE}, NONE},
    {"through an edge", {{2, 2, 1}, FACE, {2, 2, -1}, FACE}, 0.5},
    {"through a vertex", {{4, 0, 1}, FACE, {4, 0, -1}, FACE}, 0.5},
    {"an ulp beside it", {{4 * JUST_ABOVE_1, 0, 1}, FACE, {4 * JUST_ABOVE_1, 0, -1}, FACE}, NONE},
    {"in its plane", {{5, 1, 0}, FACE, {1, 1, 0}, FACE}, 0.5},
    {"in its plane, past a vertex", {{4, -1, 0}, FACE, {4, 1, 0}, FACE}, 0.5},
    {"in its plane, beside it", {{5, -1, 0}, FACE, {5, 5, 0}, FACE}, NONE},
    {"in its plane, along an edge", {{6, 0, 0}, FACE, {2, 0, 0}, FACE}, 0.5},
    {"touch and go, (2 t - 1)^2",
     {{0, 0, 1}, {4, 1, 0}, {4, -1, 0}, {-4, 0, 0}, {2, 0, -3}, {4, 1, -8}, {4, -1, -8}, {-4, 0, 8}},
     0.5},
    {"touch and go, (3 t - 1)^2",
     {{0, 0, 1}, {4, 1, 0}, {4, -1, 0}, {-4, 0, 0}, {3, 0, -5}, {4, 1, -12}, {4, -1, -12}, {-4, 0, 12}},
     THIRD},
    {"go without touch",
     {{0, 0, JUST_ABOVE_1},
      {4, 1, 0},
      {4, -1, 0},
      {-4, 0, 0},
      {2, 0, -3},
      {4, 1, -8},
      {4, -1, -8},
      {-4, 0, 8}},
     NONE},
    {"2 t^2 = 1",
     {{0, 0, 1}, {4, 1, 0}, {4, -1, 0}, {-4, 0, 0}, {2, 0, 1}, {4, 1, 4}, {4, -1, 4}, {-4, 0, -4}},
     ROOT_HALF},
    {"1 - t = t^2",
     {{0, 0, 1}, {4, 1, 0}, {4, -1, 0}, {-4, 0, 0}, {1, 0, 0}, {4, 1, 4}, {4, -1, 4}, {-4, 0, -4}},
     GOLDEN},
    {"all meet, a triple root",
     {{-1, -1, -1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}, {1, 1, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
     0.5},
    {"coplanar at 1/4, 1/2 and 3/4, but only the last is a contact",
     {{0, 0, 0}, {-1, 0, -3}, {1, -2, -3}, {1, 2, -6}, {0, 0, 0}, {3, 0, 1}, {-3, 2, 1}, {-3, -2, 2}},
     0.75},
    {"flat face", {{1, 0, 1}, LINE, {1, 0, -1}, LINE}, 0.5},
    {"end of a flat face", {{4, 0, 1}, LINE, {4, 0, -1}, LINE}, 0.5},
    {"beside a flat face", {{1, 1e-300, 1}, LINE, {1, 1e-300, -1}, LINE}, NONE},
    {"along a flat face", {{5, 0, 0}, LINE, {3, 0, 0}, LINE}, 0.5},
    {"face that is a point", {{0, 0, 0}, POINT, {2, 2, 2}, POINT}, 0.5},
    {"beside a point", {{0, 0, 0}, POINT, {2, 2, 2 * JUST_ABOVE_1}, POINT}, NONE},
    {"flat at the time of contact",
     {{1, 0, 1}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 0, -1}, {0, 0, 0}, {4, 0, 0}, {0, -4, 0}},
     0.5},
    {"flat then, and beside it",
     {{1, 1, 1}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, -1}, {0, 0, 0}, {4, 0, 0}, {0, -4, 0}},
     NONE},
    {"the face grows from a point",
     {{1, 1, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 1, 0}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     0.5},
    {"nothing moves, on it", {{1, 1, 0}, FACE, {1, 1, 0}, FACE}, 0},
    {"nothing moves, off it", {{1, 1, TINY}, FACE, {1, 1, TINY}, FACE}, NONE},
    {"all move alike, on it", {{1, 1, 0}, FACE, {11, 1, 0}, FACE_SHIFTED}, 0},
    {"all move alike, off it", {{1, -1, 0}, FACE, {11, -1, 0}, FACE_SHIFTED}, NONE},
    {"a vertex of the face",
     {{4, 0, 0}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {7, 8, 9}, {1, 2, 3}, {7, 8, 9}, {3, 2, 1}},
     0},
    {"the least time", {{1, 1, -1}, FACE, {1, 1, BIG - 1}, FACE}, 0x1p-53},
    {"before the least time", {{1, 1, -1}, FACE, {1, 1, BIG}, FACE}, 0},
    {"the last time before the end", {{1, 1, 1 - BIG}, FACE, {1, 1, 1}, FACE}, 1 - 0x1p-53},
    {"after it", {{1, 1, -BIG}, FACE, {1, 1, 1}, FACE}, 1 - 0x1p-53},
    {"large beside small", {{1e-300, 1e-300, 1e300}, FACE, {1e-300, 1e-300, -1e300}, FACE}, 0.5},
    {"the smallest of all", {{1, 1, TINY}, FACE, {1, 1, -TINY}, FACE}, 0.5},
    {"the largest of all", {{1, 1, DBL_MAX}, FACE, {1, 1, -DBL_MAX}, FACE}, 0.5},
};

static const Known edges[] = {
    {"crossing", {EDGE, {0, -1, 1}, {0, 1, 1}, EDGE, {0, -1, -1}, {0, 1, -1}}, 0.5},
    {"at a third", {EDGE, {0, -1, 1}, {0, 1, 1}, EDGE, {0, -1, -2}, {0, 1, -2}}, THIRD},
    {"at the end", {EDGE, {0, -1, 1}, {0, 1, 1}, EDGE, {0, -1, 0}, {0, 1, 0}}, 1},
    {"at the start", {EDGE, {0, -1, 0}, {0, 1, 0}, EDGE, {0, -1, 1}, {0, 1, 1}}, 0},
    {"not quite at the end", {EDGE, {0, -1, 1}, {0, 1, 1}, EDGE, {0, -1, TINY}, {0, 1, TINY}}, NONE},
    {"through a vertex", {EDGE, {1, 0, 1}, {1, 5, 1}, EDGE, {1, 0, -1}, {1, 5, -1}}, 0.5},
    {"an ulp beside it",
     {EDGE, {JUST_ABOVE_1, 0, 1}, {1, 5, 1}, EDGE, {JUST_ABOVE_1, 0, -1}, {1, 5, -1}},
     NONE},
    {"on one line", {UNIT, {3, 0, 0}, {4, 0, 0}, UNIT, {-1, 0, 0}, {0, 0, 0}}, 0.5},
    {"on one line, at the end", {UNIT, {3, 0, 0}, {4, 0, 0}, UNIT, {1, 0, 0}, {2, 0, 0}}, 1},
    {"on one line, apart", {UNIT, {3, 0, 0}, {4, 0, 0}, UNIT, {JUST_ABOVE_1, 0, 0}, {2, 0, 0}}, NONE},
    {"on one line, overlapping", {UNIT, {0.5, 0, 0}, {4, 0, 0}, UNIT, {5, 0, 0}, {6, 0, 0}}, 0},
    {"parallel", {UNIT, {0, 1, 0}, {1, 1, 0}, UNIT, {0, -1, 0}, {1, -1, 0}}, 0.5},
    {"parallel, end to end", {UNIT, {1, 1, 0}, {2, 1, 0}, UNIT, {1, -1, 0}, {2, -1, 0}}, 0.5},
    {"parallel, an ulp beside it",
     {UNIT, {JUST_ABOVE_1, 1, 0}, {2, 1, 0}, UNIT, {JUST_ABOVE_1, -1, 0}, {2, -1, 0}},
     NONE},
    {"parallel in space", {UNIT, {0, 1, 1}, {1, 1, 1}, UNIT, {0, -1, -1}, {1, -1, -1}}, 0.5},
    {"points", {{0, 0, 0}, {0, 0, 0}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {0, 0, 0}, {0, 0, 0}}, 0.5},
    {"points that miss",
     {{0, 0, 0}, {0, 0, 0}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {0, 0, TINY}, {0, 0, TINY}},
     NONE},
    {"a point and an edge", {EDGE, {0, 0, 1}, {0, 0, 1}, EDGE, {0, 0, -1}, {0, 0, -1}}, 0.5},
    {"a point beside an edge", {EDGE, {2, 0, 1}, {2, 0, 1}, EDGE, {2, 0, -1}, {2, 0, -1}}, NONE},
    {"touch and go, (2 t - 1)^2",
     {{-4, 0, 0}, {4, 0, 0}, {0, -1, 1}, {0, 1, 1}, {-4, 0, 8}, {4, 0, -8}, {2, -1, -3}, {2, 1, -3}},
     0.5},
    {"touch and go, (3 t - 1)^2",
     {{-4, 0, 0}, {4, 0, 0}, {0, -1, 1}, {0, 1, 1}, {-4, 0, 12}, {4, 0, -12}, {3, -1, -5}, {3, 1, -5}},
     THIRD},
    {"go without touch",
     {{-4, 0, 0},
      {4, 0, 0},
      {0, -1, JUST_ABOVE_1},
      {0, 1, JUST_ABOVE_1},
      {-4, 0, 8},
      {4, 0, -8},
      {2, -1, -3},
      {2, 1, -3}},
     NONE},
    {"2 t^2 = 1",
     {{-4, 0, 0}, {4, 0, 0}, {0, -1, 1}, {0, 1, 1}, {-4, 0, -4}, {4, 0, 4}, {2, -1, 1}, {2, 1, 1}},
     ROOT_HALF},
    {"1 - t = t^2",
     {{-4, 0, 0}, {4, 0, 0}, {0, -1, 1}, {0, 1, 1}, {-4, 0, -4}, {4, 0, 4}, {1, -1, 0}, {1, 1, 0}},
     GOLDEN},
    {"a point at the time of contact",
     {EDGE, {0, -1, 1}, {0, 1, 1}, {1, 0, 0}, {-1, 0, 0}, {0, -1, -1}, {0, 1, -1}},
     0.5},
    {"a point beside the edge then",
     {EDGE, {0.5, -1, 1}, {0.5, 1, 1}, {1, 0, 0}, {-1, 0, 0}, {0.5, -1, -1}, {0.5, 1, -1}},
     NONE},
    {"in one plane", {UNIT, {0.5, 3, 0}, {0.5, 1, 0}, UNIT, {0.5, 1, 0}, {0.5, -1, 0}}, 0.5},
    {"in one plane, past the end", {UNIT, {2, 3, 0}, {2, 1, 0}, UNIT, {2, 1, 0}, {2, -1, 0}}, NONE},
    {"a vertex that is shared",
     {UNIT, {1, 0, 0}, {9, 9, 9}, {5, 5, 5}, {7, 8, 1}, {7, 8, 1}, {-9, -9, 2}},
     0},
    {"nothing moves, crossing", {EDGE, {0, -1, 0}, {0, 1, 0}, EDGE, {0, -1, 0}, {0, 1, 0}}, 0},
    {"nothing moves, apart", {EDGE, {0, -1, TINY}, {0, 1, TINY}, EDGE, {0, -1, TINY}, {0, 1, TINY}}, NONE},
    {"the least time", {EDGE, {0, -1, -1}, {0, 1, -1}, EDGE, {0, -1, BIG - 1}, {0, 1, BIG - 1}}, 0x1p-53},
    {"before the least time", {EDGE, {0, -1, -1}, {0, 1, -1}, EDGE, {0, -1, BIG}, {0, 1, BIG}}, 0},
};

static void check_known(SweepFeatures features, const Known *known, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        double time = NONE;
        bool hit = sweep(features, known[i].points, &time);
        bool same = CHECK(hit == (known[i].time != NONE));
        if (!CHECK_DOUBLE(time, known[i].time) || !same)
            printf("  %s\n", known[i].what);
    }
}

TEST(vertices_and_faces_worked_out_by_hand)
{
    check_known(SWEEP_VERTEX_FACE, vertex_faces, sizeof vertex_faces / sizeof *vertex_faces);
}

TEST(edges_worked_out_by_hand)
{
    check_known(SWEEP_EDGE_EDGE, edges, sizeof edges / sizeof *edges);
}

static imp_Triangle moved(imp_Triangle triangle, imp_Vec3 step)
{
    for (int i = 0; i < 3; ++i)
        triangle.v[i] = sum(triangle.v[i], step);
    return triangle;
}

TEST(triangles_worked_out_by_hand)
{
    static const imp_Triangle face = {{FACE}}, spike = {{{1, 1, 1}, {1, 1, 9}, {2, 1, 9}}};
    static const imp_Triangle roof = {{{-1, 1, 1}, {9, 1, 1}, {4, 1, 9}}};
    const struct {
        imp_Triangle b;
        imp_Vec3 step;
        double time;
    } known[] = {
        {spike, {0, 0, -2}, 0.5},                             // a vertex on the face
        {spike, {0, 0, -3}, THIRD},                           //
        {roof, {0, 0, -2}, 0.5},                              // an edge on edges
        {spike, {7, 0, 0}, NONE},                             // over the face
        {{{{1, 1, -1}, {1, 1, 9}, {2, 1, 9}}}, {1, 0, 0}, 0}, // an edge through the inside, at the start only
        {{{{5, 5, -1}, {5, 5, 9}, {6, 6, 9}}}, {-6, -6, 0}, 0.5}, // an edge comes in through an edge
        {{{{1, 1, 2}, {1, 1, 2}, {1, 1, 2}}}, {0, 0, -4}, 0.5},   // a point
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        for (int swap = 0; swap < 2; ++swap) {
            imp_Triangle a[2] = {face, face}, b[2] = {known[i].b, moved(known[i].b, known[i].step)};
            double time = NONE;
            bool hit = swap ? oracle_sweep_triangles(b, a, &time) : oracle_sweep_triangles(a, b, &time);
            CHECK_INT(hit, known[i].time != NONE);
            CHECK_DOUBLE(time, known[i].time);
        }
}

// ------------------------------------------------------------------------------------------------- public
// queries

TEST(public_queries_have_their_verdicts)
{
    CcdQueries known;
    const char *dir = test_data_dir();
    if (!dir || !ccd_queries_load(dir, &known)) {
        test_skip("there is no folder of sample data with ccd");
        return;
    }
    size_t hits = 0;
    for (size_t i = 0; i < known.count; ++i) {
        const CcdQuery *query = &known.queries[i];
        double time;
        bool hit = sweep(query->features, query->points, &time);
        if (!CHECK(hit == query->is_hit))
            printf("  query %d of %s, file %d: %s\n", query->number, query->folder, query->file,
                   hit ? "hit" : "no hit");
        hits += query->is_hit;
    }
    CHECK_INT((int64_t)known.count, 2324);
    CHECK_INT((int64_t)known.not_double_count, 0);
    CHECK_INT((int64_t)known.malformed_count, 0);
    CHECK_INT((int64_t)hits, 312);
    ccd_queries_release(&known);
}

// -------------------------------------------------------------------------------------------------- random
// queries

// Contact at the time that it was built for.
static void check_built_time(const SweepCase *query, bool hit, double time)
{
    if (query->most_time == SWEEP_UNKNOWN)
        return;
    bool expected = hit && (query->is_first ? time == query->most_time : time <= query->most_time);
    if (!CHECK(expected)) {
        printf("  time %a, built for %a\n", hit ? time : NONE, query->most_time);
        sweep_case_print(query);
    }
}

static void check_share(SweepKind kind, SweepFeatures features, uint64_t hits, uint64_t count)
{
    double share = (double)hits / (double)count;
    if (!CHECK(share >= sweep_kinds[kind].hits[features].least &&
               share <= sweep_kinds[kind].hits[features].most))
        printf("  %s, %s: a share of %g hits\n", sweep_features_names[features], sweep_kinds[kind].name,
               share);
}

static void try_kind(SweepKind kind, SweepFeatures features, uint64_t count)
{
    uint64_t hits = 0, exact = 0;
    for (uint64_t i = 0; i < count; ++i) {
        SweepCase query = sweep_case_make(kind, features, sweep_random_scale());
        double time = NONE;
        bool hit = sweep(features, query.points, &time);
        CHECK(hit ? time >= 0 && time <= 1 && ldexp(time, 53) == floor(ldexp(time, 53)) : time == NONE);
        check_built_time(&query, hit, time);
        hits += query.is_exact && hit;
        exact += query.is_exact;
    }
    check_share(kind, features, hits, exact);
}

TEST(queries_touch_when_they_were_built_to)
{
    uint64_t count = test_count(200);
    for (int features = 0; features < SWEEP_FEATURES_COUNT; ++features)
        for (int kind = 0; kind < SWEEP_KIND_COUNT; ++kind)
            try_kind(kind, features, count);
}

TEST(a_third_is_degenerate)
{
    int degenerate = 0;
    for (int kind = 0; kind < SWEEP_KIND_COUNT; ++kind)
        degenerate += sweep_kinds[kind].is_degenerate;
    CHECK(3 * degenerate >= SWEEP_KIND_COUNT);
}

// ----------------------------------------------------------------------------------------------- at fixed
// times

#define TICKS 256

// The points at t = tick / TICKS, multiplied by TICKS. Exact for integers below 2^43.
static void points_at(const imp_Vec3 points[8], double tick, imp_Vec3 now[4])
{
    for (int i = 0; i < 4; ++i)
        now[i] = along(along((imp_Vec3){0}, TICKS - tick, points[i]), tick, points[i + 4]);
}

static bool are_integers_below(const SweepCase *query, double limit)
{
    const double *coordinates = &query->points[0].x;
    for (int i = 0; i < SWEEP_COORDINATES; ++i)
        if (fabs(coordinates[i]) >= limit || coordinates[i] != floor(coordinates[i]))
            return false;
    return true;
}

// Two triangles, of which one is a point or both are segments: another oracle knows whether they touch.
static void as_triangles(SweepFeatures features, const imp_Vec3 p[4], imp_Triangle *a, imp_Triangle *b)
{
    bool is_face = features == SWEEP_VERTEX_FACE;
    *a = (imp_Triangle){{p[0], is_face ? p[0] : p[1], p[0]}};
    *b = (imp_Triangle){{is_face ? p[1] : p[2], is_face ? p[2] : p[3], p[3]}};
}

static bool touch_at(const SweepCase *query, double tick)
{
    imp_Vec3 now[4];
    imp_Triangle a, b;
    points_at(query->points, tick, now);
    as_triangles(query->features, now, &a, &b);
    return oracle_triangles_touch(&a, &b);
}

// The reported time is rounded, and so are the points: they are as close as rounding lets them.
static bool nearly_touch_at(const SweepCase *query, double time)
{
    imp_Vec3 now[4];
    size_t count = query->features == SWEEP_VERTEX_FACE ? 1 : 2;
    points_at(query->points, TICKS * time, now);
    if (!oracle_distance_find(now, count, now + count, 4 - count))
        return true;
    double size = 0;
    for (int i = 0; i < SWEEP_COORDINATES; ++i)
        size = fmax(size, fabs((&query->points[0].x)[i]));
    return oracle_distance_compare(0x1p-45 * TICKS * size) >= 0;
}

typedef struct TickTally {
    uint64_t queries, hits, touching, apart;
} TickTally;

// What was said is right at some fixed times: never contact before the reported one.
static void check_ticks(const SweepCase *query, TickTally *tally)
{
    double time = SWEEP_UNKNOWN;
    bool hit = sweep(query->features, query->points, &time), right = !hit || nearly_touch_at(query, time);
    for (int i = 0; i < 10; ++i) {
        double tick = i < 2 ? (double)i * TICKS : (double)test_random_below(TICKS + 1);
        if (hit && i >= 6) // near the reported time
            tick = fmin(fmax(floor(TICKS * time) + i - 7, 0), TICKS);
        bool touch = touch_at(query, tick);
        right = right && (!touch || time <= tick / TICKS);
        ++*(touch ? &tally->touching : &tally->apart);
    }
    ++tally->queries;
    tally->hits += hit;
    if (!CHECK(right))
        sweep_case_print(query);
}

TEST(no_contact_before_the_first)
{
    uint64_t count = test_count(10000);
    TickTally tally = {0};
    for (uint64_t i = 0; i < count; ++i) {
        SweepKind kind = (SweepKind)(i % SWEEP_KIND_COUNT);
        SweepCase query = sweep_case_make(kind, (SweepFeatures)test_random_below(2), SWEEP_SCALE_ASIS);
        if (are_integers_below(&query, 0x1p43))
            check_ticks(&query, &tally);
    }
    printf("%" PRIu64 " queries, %" PRIu64 " hits; at fixed times %" PRIu64 " touch, %" PRIu64 " are apart\n",
           tally.queries, tally.hits, tally.touching, tally.apart);
    CHECK(2 * tally.queries > count && 4 * tally.hits > tally.queries && 4 * tally.hits < 3 * tally.queries);
    CHECK(10 * tally.touching > tally.apart);
}

// --------------------------------------------------------------------------------------------------
// agreements

static void check_alike(const SweepCase *query, bool hit, double time, SweepFeatures features,
                        const imp_Vec3 points[8])
{
    double other = time;
    if (!CHECK(sweep(features, points, &other) == hit && other == time))
        sweep_case_print(query);
}

// An edge that is a point is a vertex; one that is not moves through as a face of two vertices.
static void check_point_edge(SweepCase *query)
{
    imp_Vec3 points[8];
    double time = NONE;
    for (int end = 0; end < 8; end += 4) {
        const imp_Vec3 *p = query->points + end;
        memcpy(points + end, (imp_Vec3[4]){p[0], p[0], p[2], p[3]}, 4 * sizeof *p);
        query->points[end + 1] = p[2];
    }
    bool hit = oracle_sweep_vertex_face(query->points, &time);
    check_alike(query, hit, time, SWEEP_EDGE_EDGE, points);
}

// Two triangles, of which one is a point or both are segments
static void check_triangles(const SweepCase *query)
{
    imp_Triangle a[2], b[2];
    double time = NONE, other = NONE;
    for (int end = 0; end < 2; ++end)
        as_triangles(query->features, query->points + 4 * end, &a[end], &b[end]);
    bool hit = sweep(query->features, query->points, &time);
    if (!CHECK(oracle_sweep_triangles(a, b, &other) == hit && other == time))
        sweep_case_print(query);
}

static void check_reversed(const SweepCase *query)
{
    imp_Vec3 points[8];
    double time, other;
    memcpy(points, query->points + 4, sizeof points / 2);
    memcpy(points + 4, query->points, sizeof points / 2);
    bool hit = sweep(query->features, query->points, &time);
    bool same = sweep(query->features, points, &other) == hit;
    if (!CHECK(same && (!hit || time + other <= 1)))
        sweep_case_print(query);
}

TEST(other_ways_to_ask_give_the_same)
{
    uint64_t count = test_count(400);
    for (uint64_t i = 0; i < count; ++i) {
        SweepKind kind = (SweepKind)(i % SWEEP_KIND_COUNT);
        SweepFeatures features = (SweepFeatures)test_random_below(2);
        SweepCase query = sweep_case_make(kind, features, sweep_random_scale());
        check_reversed(&query);
        check_triangles(&query);
        check_point_edge(&query);
    }
}

// Proper triangles, which the three functions know apart from each other only at t = 0.
TEST(triangles_do_not_touch_before_the_first_time)
{
    uint64_t count = test_count(500), hits = 0, late = 0;
    for (uint64_t i = 0; i < count; ++i) {
        imp_Triangle ends[2][2]; // of a, of b
        double time = SWEEP_UNKNOWN;
        for (int k = 0; k < 12; ++k)
            ends[k / 6][k / 3 % 2].v[k % 3] = random_lattice_point(9);
        bool hit = oracle_sweep_triangles(ends[0], ends[1], &time);
        for (double tick = 0; tick <= TICKS; tick += 16) {
            imp_Triangle now[2];
            for (int k = 0; k < 6; ++k)
                now[k / 3].v[k % 3] = along(along((imp_Vec3){0}, TICKS - tick, ends[k / 3][0].v[k % 3]), tick,
                                            ends[k / 3][1].v[k % 3]);
            CHECK(!oracle_triangles_touch(&now[0], &now[1]) || time <= tick / TICKS);
        }
        hits += hit;
        late += hit && time > 0;
    }
    CHECK(2 * hits > count && hits < count && 10 * late > count);
}
