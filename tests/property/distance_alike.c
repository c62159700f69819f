// The same question in other words has the same answer, to the last bit: bodies exchanged, posed or where a
// pose would put them, times a power of two, axes permuted, any number of threads, whatever was asked before.
// Other motions of both bodies change it by what posing rounds. And a question that may stop early stops
// exactly where the true distance says so.
#include "distance_answers.h"
#include "harness.h"
#include "oracle/distance_oracle.h"
#include "oracle/surface_oracle.h"
#include "posed_faces.h"
#include "sanitizers.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

#define THREAD_KINDS 3

static const uint32_t thread_counts[THREAD_KINDS] = {1, 2, 5};

static struct {
    uint64_t cases, touching, apart, solids, exchanged, exchanged_otherwise, permuted, permuted_otherwise,
        scaled, moved, near, far, neither, complaints;
} tallies;

typedef struct Trial {
    DistanceCase pair;
    CaseShape a, b;
} Trial;

static imp_Context *contexts[THREAD_KINDS];

static bool make_trial(Trial *trial)
{
    if (!case_shape_make(contexts[0], &trial->pair.a, &trial->a))
        return false;
    if (case_shape_make(contexts[0], &trial->pair.b, &trial->b))
        return true;
    case_shape_release(&trial->a);
    return false;
}

static void release_trial(Trial *trial)
{
    case_shape_release(&trial->a);
    case_shape_release(&trial->b);
}

static void random_trial(DistanceKind kind, Trial *trial)
{
    do
        distance_case_make(contexts[0], kind, &trial->pair);
    while (!make_trial(trial));
}

static bool has_solid(const Trial *trial)
{
    return trial->a.convex || trial->b.convex;
}

static imp_Distance ask(const Trial *trial)
{
    CaseWorld asked = case_world_make(contexts[0], &trial->a, &trial->b);
    imp_Distance distance = case_world_ask(&asked, NULL);
    imp_world_destroy(asked.world);
    return distance;
}

static bool agree(const char *title, const Trial *trial, const imp_Distance *got, const imp_Distance *want)
{
    bool is_same = same_distance(got, want);
    if (!is_same && ++tallies.complaints < 6) {
        distance_case_print(&trial->pair);
        print_distance("first", want);
        print_distance(title, got);
    }
    return CHECK(is_same);
}

// ------------------------------------------------------------------------------ threads and history

// Asks about other places first, and for faces, and goes back.
static imp_Distance ask_after_others(imp_Context *context, const Trial *trial)
{
    CaseWorld asked = case_world_make(context, &trial->a, &trial->b);
    for (int i = 0; i < 3; ++i) {
        imp_Pose pose = trial->pair.b.pose;
        pose.translation.x *= test_random_between(0, 1);
        pose.translation.y *= test_random_between(0, 1);
        const imp_Report *report = NULL;
        if (test_random_below(2))
            CHECK_INT(imp_world_detect(asked.world, NULL, &report), IMP_STATUS_OK);
        CHECK_INT(imp_body_set_pose(asked.world, asked.b, pose), IMP_STATUS_OK);
        case_world_ask(&asked, NULL);
    }
    CHECK_INT(imp_body_set_pose(asked.world, asked.b, trial->pair.b.pose), IMP_STATUS_OK);
    imp_Distance distance = case_world_ask(&asked, NULL), again = case_world_ask(&asked, NULL);
    agree("again", trial, &again, &distance);
    imp_world_destroy(asked.world);
    return distance;
}

static void check_threads_and_history(const Trial *trial, const imp_Distance *first)
{
    for (int i = 0; i < THREAD_KINDS; ++i) {
        imp_Distance distance = ask_after_others(contexts[i], trial);
        agree("after others", trial, &distance, first);
    }
}

// ---------------------------------------------------------------------------------------- exchanged

// Faces with the same two numbers, exchanged, are told apart by where they are: that may be the other one.
static bool is_tie(const imp_Distance *one, const imp_Distance *other)
{
    return one->a.face == other->b.face && one->b.face == other->a.face && one->a.face != one->b.face;
}

static void check_exchanged(const Trial *trial, const imp_Distance *first)
{
    static Trial exchanged;
    exchanged.pair.kind = trial->pair.kind;
    exchanged.pair.a = trial->pair.b;
    exchanged.pair.b = trial->pair.a;
    if (!CHECK(make_trial(&exchanged)))
        return;
    imp_Distance distance = ask(&exchanged), mirrored = mirrored_distance(&distance);
    bool is_otherwise = is_tie(&mirrored, first);
    ++tallies.exchanged;
    tallies.exchanged_otherwise += is_otherwise;
    if (is_otherwise)
        CHECK(same_lengths(&mirrored, first));
    else
        agree("exchanged", trial, &mirrored, first);

    CaseWorld asked = case_world_make(contexts[0], &trial->a, &trial->b);
    imp_BodyId a = asked.a;
    asked.a = asked.b;
    asked.b = a;
    distance = case_world_ask(&asked, NULL);
    mirrored = mirrored_distance(&distance);
    if (is_tie(&mirrored, first))
        CHECK(same_lengths(&mirrored, first));
    else
        agree("asked the other way", trial, &mirrored, first);
    imp_world_destroy(asked.world);
    release_trial(&exchanged);
}

// ------------------------------------------------------------------------------------- where posed

static void bake_body(const CaseShape *shape, CaseBody *body)
{
    const uint32_t *indices = imp_mesh_get_indices(shape->mesh);
    body->is_solid = body->is_deformed = false;
    body->pose = (imp_Pose){.rotation = {.w = 0}};
    body->vertex_count = shape->vertex_count;
    body->face_count = shape->face_count;
    for (size_t i = 0; i < shape->vertex_count; ++i)
        body->vertices[i] = shape->corners[i];
    for (size_t i = 0; i < 3 * shape->face_count; ++i)
        body->indices[i] = indices[i];
}

static imp_Vec3 permuted_point(imp_Vec3 v, int turn)
{
    const double c[3] = {v.x, v.y, v.z};
    static const int axes[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    return (imp_Vec3){c[axes[turn][0]], c[axes[turn][1]], c[axes[turn][2]]};
}

static void permute_body(CaseBody *body, int turn)
{
    for (size_t i = 0; i < body->vertex_count; ++i)
        body->vertices[i] = permuted_point(body->vertices[i], turn);
}

static void check_permuted(Trial *baked, const imp_Distance *first)
{
    int turn = 1 + (int)test_random_below(5);
    permute_body(&baked->pair.a, turn);
    permute_body(&baked->pair.b, turn);
    if (!CHECK(make_trial(baked)))
        return;
    imp_Distance want = *first, got = ask(baked);
    want.a.position = permuted_point(first->a.position, turn);
    want.b.position = permuted_point(first->b.position, turn);
    // A mirror turns closed surfaces inside out; the inside stays the inside.
    ++tallies.permuted;
    if (same_distance(&got, &want) || !CHECK(same_lengths(&got, &want))) {
        release_trial(baked);
        return;
    }
    ++tallies.permuted_otherwise;
    release_trial(baked);
}

// The surfaces of solids too, as surfaces.
static void check_baked(const Trial *trial, const imp_Distance *first)
{
    static Trial baked;
    baked.pair.kind = trial->pair.kind;
    bake_body(&trial->a, &baked.pair.a);
    bake_body(&trial->b, &baked.pair.b);
    if (!CHECK(make_trial(&baked)))
        return;
    imp_Distance distance = ask(&baked);
    if (!has_solid(trial))
        agree("where posed", trial, &distance, first);
    release_trial(&baked);
    check_permuted(&baked, &distance);
}

// ------------------------------------------------------------------------------------------- scaled

static imp_Vec3 scaled_point(imp_Vec3 v, int exponent)
{
    return (imp_Vec3){ldexp(v.x, exponent), ldexp(v.y, exponent), ldexp(v.z, exponent)};
}

static bool keeps_bits(double coordinate, int exponent)
{
    double size = fabs(coordinate);
    return size == 0 || fmin(size, ldexp(size, exponent)) >= 0x1p-960;
}

// False when a coordinate is, or became, so small that what is computed from it may lose bits.
static bool scale_body(CaseBody *body, int exponent)
{
    bool is_exact = true;
    body->pose.translation = scaled_point(body->pose.translation, exponent);
    for (size_t i = 0; i < body->vertex_count; ++i) {
        imp_Vec3 v = body->vertices[i];
        is_exact &= keeps_bits(v.x, exponent) && keeps_bits(v.y, exponent) && keeps_bits(v.z, exponent);
        body->vertices[i] = scaled_point(v, exponent);
    }
    return is_exact;
}

// Where nothing is near the ends of the range of exponents.
static void check_scaled(const Trial *trial, const imp_Distance *first)
{
    static const int exponents[] = {-700, -300, -60, -1, 1, 60, 300, 700};
    static Trial scaled;
    int exponent = exponents[test_random_below(sizeof exponents / sizeof *exponents)];
    if (trial->pair.is_extreme)
        return;
    scaled.pair = trial->pair;
    bool is_exact_a = scale_body(&scaled.pair.a, exponent), is_exact_b = scale_body(&scaled.pair.b, exponent);
    if (!is_exact_a || !is_exact_b || !CHECK(make_trial(&scaled)))
        return;
    imp_Distance distance = ask(&scaled), want = *first;
    want.distance = ldexp(first->distance, exponent);
    want.lower_bound = ldexp(first->lower_bound, exponent);
    want.a.position = scaled_point(first->a.position, exponent);
    want.b.position = scaled_point(first->b.position, exponent);
    ++tallies.scaled;
    if (!agree("scaled", trial, &distance, &want))
        printf("  by 2^%d\n", exponent);
    release_trial(&scaled);
}

// -------------------------------------------------------------------------------------------- moved

static double size_of(const Trial *trial)
{
    double size = 0;
    for (int which = 0; which < 2; ++which) {
        const CaseShape *shape = which ? &trial->b : &trial->a;
        for (size_t i = 0; i < shape->vertex_count; ++i) {
            const imp_Vec3 *v = &shape->corners[i];
            size = fmax(size, fmax(fabs(v->x), fmax(fabs(v->y), fabs(v->z))));
        }
    }
    return size;
}

// Of surfaces that stand where they are posed. Coordinates of the moved corners are at most 6 times as large,
// and each takes four roundings.
static void check_moved(const Trial *trial, const imp_Distance *first)
{
    static Trial moved;
    if (trial->pair.is_extreme || has_solid(trial))
        return;
    moved.pair.kind = trial->pair.kind;
    bake_body(&trial->a, &moved.pair.a);
    bake_body(&trial->b, &moved.pair.b);
    double size = size_of(trial);
    moved.pair.a.pose.rotation = random_rotation();
    moved.pair.a.pose.translation = (imp_Vec3){size, -0.5 * size, 0.25 * size};
    moved.pair.b.pose = moved.pair.a.pose;
    if (!CHECK(make_trial(&moved)))
        return;
    imp_Distance distance = ask(&moved);
    ++tallies.moved;
    CHECK(fabs(distance.distance - first->distance) <= 100 * DBL_EPSILON * size);
    release_trial(&moved);
}

// ---------------------------------------------------------------------------------------- early ends

static bool has_no_points(const imp_Distance *d)
{
    return d->a.face == IMP_NO_FACE && d->b.face == IMP_NO_FACE;
}

// The true distance is the last one of the oracle.
static void check_stop(const Trial *trial, double below, double above, const imp_Distance *first)
{
    CaseWorld asked = case_world_make(contexts[0], &trial->a, &trial->b);
    imp_DistanceDef def = {.stop_below = below, .stop_above = above};
    imp_Distance d = case_world_ask(&asked, &def);
    bool is_near = below > 0 && (first->touch || oracle_distance_compare(below) >= 0);
    bool is_far = above > 0 && !first->touch && oracle_distance_compare(above) < 0;
    imp_Distance whole = *first;
    bool held = true;
    if (above > 0 && has_solid(trial)) // whose bounds may be less sharp than what is known now
        whole.distance = fmin(whole.distance, above);
    if (is_near)
        held =
            CHECK(d.has_stopped && same_double(d.distance, below) && d.lower_bound == 0 && has_no_points(&d));
    else if (is_far)
        held = CHECK(d.has_stopped && isinf(d.distance) && same_double(d.lower_bound, above) && !d.touch &&
                     has_no_points(&d)) &&
               CHECK(d.a_inside_b == first->a_inside_b && d.b_inside_a == first->b_inside_a);
    else
        held = agree("not stopped", trial, &d, &whole);
    if (!held) {
        printf("  %s, stop below %a, above %a\n", distance_kind_names[trial->pair.kind], below, above);
        print_distance("stopped", &d);
        print_distance("wholly", first);
    }
    ++*(is_near ? &tallies.near : is_far ? &tallies.far : &tallies.neither);
    imp_world_destroy(asked.world);
}

static void check_stops(const Trial *trial, const imp_Distance *first)
{
    OracleBody a = case_shape_judged(&trial->a), b = case_shape_judged(&trial->b);
    bool apart = oracle_bodies_distance(&a, &b, trial->pair.is_extreme);
    CHECK(apart == !first->touch);
    double high = fmin(first->distance, DBL_MAX), low = first->lower_bound;
    const double around[] = {low,       nextafter(low, 0),         nextafter(low, DBL_MAX),
                             high,      nextafter(high, 0),        nextafter(high, DBL_MAX),
                             0.5 * low, fmin(1.5 * high, DBL_MAX), 0x1p-1074,
                             DBL_MAX};
    for (size_t i = 0; i < sizeof around / sizeof *around; ++i) {
        check_stop(trial, around[i], 0, first);
        check_stop(trial, 0, around[i], first);
    }
    check_stop(trial, 0.5 * low, fmin(1.5 * high, DBL_MAX), first);
    check_stop(trial, 0.5 * low, 0.75 * low, first);
    check_stop(trial, fmin(1.25 * high, DBL_MAX), fmin(1.5 * high, DBL_MAX), first);
}

// -------------------------------------------------------------------------------------------- trials

static void report(void)
{
    printf("%" PRIu64 " cases, %" PRIu64 " touch, %" PRIu64 " with solids; %" PRIu64 " exchanged (%" PRIu64
           " otherwise), %" PRIu64 " permuted (%" PRIu64 " otherwise), %" PRIu64 " scaled, %" PRIu64
           " moved; %" PRIu64 " near, %" PRIu64 " far, %" PRIu64 " neither\n",
           tallies.cases, tallies.touching, tallies.solids, tallies.exchanged, tallies.exchanged_otherwise,
           tallies.permuted, tallies.permuted_otherwise, tallies.scaled, tallies.moved, tallies.near,
           tallies.far, tallies.neither);
}

static void check_shares(void)
{
    CHECK(5 * tallies.touching > tallies.cases && 2 * tallies.touching < tallies.cases);
    CHECK(5 * tallies.solids > tallies.cases);
    CHECK(50 * tallies.exchanged_otherwise <= tallies.exchanged);
    CHECK(20 * tallies.permuted_otherwise <= tallies.permuted);
    CHECK(2 * tallies.scaled > tallies.cases && 3 * tallies.moved > tallies.cases);
    CHECK(tallies.near > tallies.cases && tallies.far > tallies.cases && tallies.neither > tallies.cases);
}

#define ENOUGH_FOR_SHARES 100

#ifdef TEST_UNDER_SANITIZER
#define DEFAULT_COUNT 24
#else
#define DEFAULT_COUNT 50
#endif

TEST(the_same_question_has_the_same_answer)
{
    static Trial trial;
    uint64_t total = test_count(DEFAULT_COUNT);
    for (int i = 0; i < THREAD_KINDS; ++i)
        contexts[i] = context_with_threads(thread_counts[i]);
    for (uint64_t i = 0; i < total; ++i) {
        int failed = test_failed_checks();
        random_trial(distance_case_kind(i), &trial);
        imp_Distance first = ask(&trial);
        ++tallies.cases;
        ++*(first.touch ? &tallies.touching : &tallies.apart);
        tallies.solids += has_solid(&trial);
        check_threads_and_history(&trial, &first);
        check_exchanged(&trial, &first);
        check_baked(&trial, &first);
        check_scaled(&trial, &first);
        check_moved(&trial, &first);
        check_stops(&trial, &first);
        release_trial(&trial);
        if (test_failed_checks() > failed)
            printf("  case %" PRIu64 ", %s\n", i, distance_kind_names[trial.pair.kind]);
    }
    report();
    if (total >= ENOUGH_FOR_SHARES)
        check_shares();
    for (int i = 0; i < THREAD_KINDS; ++i)
        imp_context_destroy(contexts[i]);
}
