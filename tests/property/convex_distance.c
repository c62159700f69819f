// imp_convex_distance against rational arithmetic, at sizes from the least subnormal to the largest double:
// bounds that hold, an accuracy that was reached where it is said to be, normals of unit length, and depths
// that part the bodies.
#include "object/exact_distance.h"

#include "harness.h"
#include "oracle/case_numbers.h"
#include "oracle/distance_oracle.h"
#include "sanitizers.h"

#include <impinge/convex.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_POINTS 12

typedef enum Kind {
    APART,         ///< of one size, with gaps from a part in 2^50 of it to several of it
    BOXES,         ///< along the axes, on a small lattice: the least overlap is known
    SMALL_LATTICE, ///< few lattice points: contacts of vertices, edges and faces, exactly
    SHARED,        ///< with vertices in common
    NESTED,        ///< a small copy of one in the other
    DEEP,          ///< one across the other
    MIXED_SIZES,   ///< up to 2^1900 times as large, beside or upon a vertex
    ULP_LATTICE,   ///< of a few ulps of their coordinates
    SUBNORMAL,     ///< a few of the least double
    LARGEST,       ///< coordinates up to the largest double
    POSED,         ///< with rotations, at any size
    ANY_MAGNITUDE, ///< coordinates of all sizes in one body
    KIND_COUNT
} Kind;

typedef struct KindInfo {
    const char *name;
    double least_touching, most_touching; ///< bounds on the share of pairs that touch
} KindInfo;

static const KindInfo kinds[KIND_COUNT] = {
    [APART] = {"apart", 0, 0},
    [BOXES] = {"boxes", 0.15, 0.9},
    [SMALL_LATTICE] = {"small_lattice", 0.2, 0.9},
    [SHARED] = {"shared", 1, 1},
    [NESTED] = {"nested", 1, 1},
    [DEEP] = {"deep", 0.9, 1},
    [MIXED_SIZES] = {"mixed_sizes", 0.3, 0.8},
    [ULP_LATTICE] = {"ulp_lattice", 0.2, 0.9},
    [SUBNORMAL] = {"subnormal", 0.2, 0.9},
    [LARGEST] = {"largest", 0.1, 0.9},
    [POSED] = {"posed", 0.1, 0.8},
    [ANY_MAGNITUDE] = {"any_magnitude", 0.2, 1},
};

// Those that ask for integers of a hundred words come in one of so many turns.
#define SLOW_TURNS 16

typedef struct Body {
    imp_Vec3 points[MAX_POINTS]; // what its hull is made of
    size_t count;
    imp_Pose pose;
    imp_Convex *convex;
    imp_Vec3 posed[MAX_POINTS]; // the vertices of the hull
    size_t vertex_count;
} Body;

typedef struct Trial {
    Kind kind;
    Body a, b;
    double size; // the largest posed coordinate
} Trial;

static struct {
    uint64_t touching[KIND_COUNT], apart[KIND_COUNT];
    uint64_t within, beyond; // of impi_exact_within
    uint64_t below_ulp, reached, beyond_largest, without_lower_bound, flat_depths, least_known, complaints;
} tallies;

// -------------------------------------------------------------------------------------------- cases

static void add(Body *body, imp_Vec3 point)
{
    body->points[body->count++] = point;
}

static imp_Vec3 times(double factor, imp_Vec3 v)
{
    return (imp_Vec3){factor * v.x, factor * v.y, factor * v.z};
}

static void add_cloud(Body *body, imp_Vec3 centre, double size)
{
    for (uint32_t i = 4 + test_random_below(MAX_POINTS - 3); i > 0; --i)
        add(body, along(centre, size, random_vector(1)));
}

static void add_lattice(Body *body, double most)
{
    for (uint32_t i = 4 + test_random_below(MAX_POINTS - 3); i > 0; --i)
        add(body, random_lattice_point(most));
}

static void scale_body(Body *body, double factor)
{
    for (size_t i = 0; i < body->count; ++i)
        body->points[i] = times(factor, body->points[i]);
}

static double random_power(int least, int most)
{
    return ldexp(1, least + (int)test_random_below((uint32_t)(most - least + 1)));
}

static void build_apart(Trial *trial)
{
    double gap = random_power(-50, 2);
    add_cloud(&trial->a, (imp_Vec3){-1, 0, 0}, 1);
    add_cloud(&trial->b, (imp_Vec3){1 + gap, 0, 0}, 1);
    for (size_t i = 0; i < trial->a.count; ++i)
        trial->a.points[i].x = fmin(trial->a.points[i].x, -gap);
}

static void build_boxes(Trial *trial)
{
    double thickness = test_random_below(3) ? 1 : random_power(-60, 0);
    for (int which = 0; which < 2; ++which) {
        imp_Vec3 corner = random_lattice_point(4), sides = random_lattice_point(3);
        for (unsigned i = 0; i < 8; ++i)
            add(which ? &trial->b : &trial->a,
                (imp_Vec3){corner.x + (i & 1 ? 4 + sides.x : 0), corner.y + (i & 2 ? 4 + sides.y : 0),
                           thickness * (corner.z + (i & 4 ? 4 + sides.z : 0))});
    }
}

static void build_small_lattice(Trial *trial)
{
    add_lattice(&trial->a, 3);
    add_lattice(&trial->b, 3);
    double shift = random_integer(5);
    for (size_t i = 0; i < trial->b.count; ++i)
        trial->b.points[i].x += shift;
}

static void build_shared(Trial *trial)
{
    add_cloud(&trial->a, (imp_Vec3){-1, 0, 0}, 1);
    uint32_t common = 1 + test_random_below(3);
    for (uint32_t i = 0; i < common; ++i)
        add(&trial->b, trial->a.points[i]);
    for (uint32_t i = 3 + test_random_below(4); i > 0; --i)
        add(&trial->b, along((imp_Vec3){1, 0, 0}, 1, random_vector(1)));
}

static void build_nested(Trial *trial)
{
    add_cloud(&trial->a, (imp_Vec3){0, 0, 0}, 1);
    double factor = random_power(-30, -1);
    for (size_t i = 0; i < trial->a.count; ++i) // towards the first vertex, or the second
        add(&trial->b, along(trial->a.points[i], 1 - factor,
                             along(trial->a.points[test_random_below(8) == 0], -1, trial->a.points[i])));
}

static void build_deep(Trial *trial)
{
    add_cloud(&trial->a, (imp_Vec3){0, 0, 0}, 1);
    add_cloud(&trial->b, times(0.1, random_vector(1)), 1);
    for (size_t i = 0; i < 2; ++i) // around the origin
        for (int sign = -1; sign <= 1 && trial->a.count < MAX_POINTS && trial->b.count < MAX_POINTS;
             sign += 2) {
            add(&trial->a, (imp_Vec3){sign, sign * (i ? 1 : -1), 0.5});
            add(&trial->b, (imp_Vec3){0.5, sign, sign * (i ? 1 : -1)});
        }
}

static void build_mixed_sizes(Trial *trial)
{
    add_cloud(&trial->a, (imp_Vec3){0, 0, 0}, 1);
    add_cloud(&trial->b, (imp_Vec3){0, 0, 0}, 1);
    scale_body(&trial->b, random_power(test_random_below(SLOW_TURNS) ? -120 : -950, -1));
    bool upon = test_random_below(2); // a vertex of a; else somewhere
    imp_Vec3 shift = upon ? trial->a.points[0] : times(test_random_below(2) ? 1 : 0.5, random_vector(1));
    if (test_random_below(3)) {
        for (size_t i = 0; i < trial->b.count; ++i)
            trial->b.points[i] = sum(trial->b.points[i], shift);
    } else {
        for (size_t i = 0; i < trial->a.count; ++i)
            trial->a.points[i] = along(trial->a.points[i], -1, shift);
    }
}

// Around a place where doubles have steps of 1.
static void build_ulp_lattice(Trial *trial)
{
    imp_Vec3 place = along((imp_Vec3){0x1p52, 0x1p52, 0x1p52}, 0x1p51, random_vector(1));
    place = (imp_Vec3){rint(place.x), rint(place.y), rint(place.z)};
    build_small_lattice(trial);
    for (int which = 0; which < 2; ++which) {
        Body *body = which ? &trial->b : &trial->a;
        for (size_t i = 0; i < body->count; ++i)
            body->points[i] = sum(body->points[i], place);
    }
}

// Across each other, beside each other, or so far apart that no double is that large.
static void build_largest(Trial *trial)
{
    static const double inner[3] = {-1, 0.01, 0.7};
    double least = inner[test_random_below(3)];
    for (int which = 0; which < 2; ++which) {
        double side = which ? 1 : -1;
        for (uint32_t i = 4 + test_random_below(MAX_POINTS - 3); i > 0; --i) {
            imp_Vec3 v = random_vector(1);
            v.x = side * (test_random_below(4)   ? test_random_between(least, 1)
                          : test_random_below(2) ? least
                                                 : 1);
            add(which ? &trial->b : &trial->a, times(DBL_MAX, v));
        }
    }
}

static imp_Quat random_rotation(void)
{
    imp_Quat q;
    double norm;
    do {
        imp_Vec3 v = random_vector(1);
        q = (imp_Quat){random_signed_unit(), v.x, v.y, v.z};
        norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    } while (norm < 0.1);
    return (imp_Quat){q.w / norm, q.x / norm, q.y / norm, q.z / norm};
}

static void build_posed(Trial *trial)
{
    add_cloud(&trial->a, (imp_Vec3){0, 0, 0}, 1);
    add_cloud(&trial->b, (imp_Vec3){0, 0, 0}, 1);
    double far = random_power(0, 60), size = random_power(-1000, 900);
    trial->a.pose.rotation = random_rotation();
    trial->b.pose.rotation = random_rotation();
    imp_Vec3 place = times(far, random_vector(1)), shift = random_vector(2);
    trial->a.pose.translation = times(size, place);
    trial->b.pose.translation = times(size, sum(place, shift));
    scale_body(&trial->a, size);
    scale_body(&trial->b, size);
}

static void build_any_magnitude(Trial *trial)
{
    for (int which = 0; which < 2; ++which)
        for (uint32_t i = 4 + test_random_below(4); i > 0; --i) {
            double x = random_of_any_size(), y = random_of_any_size(), z = random_of_any_size();
            add(which ? &trial->b : &trial->a, (imp_Vec3){x, y, z});
        }
}

static void build(Kind kind, Trial *trial)
{
    static void (*const builders[KIND_COUNT])(Trial *) = {
        [APART] = build_apart,
        [BOXES] = build_boxes,
        [SMALL_LATTICE] = build_small_lattice,
        [SHARED] = build_shared,
        [NESTED] = build_nested,
        [DEEP] = build_deep,
        [MIXED_SIZES] = build_mixed_sizes,
        [ULP_LATTICE] = build_ulp_lattice,
        [SUBNORMAL] = build_small_lattice,
        [LARGEST] = build_largest,
        [POSED] = build_posed,
        [ANY_MAGNITUDE] = build_any_magnitude,
    };
    memset(trial, 0, sizeof *trial);
    trial->kind = kind;
    builders[kind](trial);
    double scale = 1;
    if (kind == SUBNORMAL)
        scale = random_power(-1074, -1060);
    else if (kind == MIXED_SIZES)
        scale = random_power(-20, 1000);
    else if (kind == ULP_LATTICE)
        scale = test_random_below(4) ? random_power(-1120, 960) : 0x1p-29; // 1e7 in ulps
    else if (kind < ULP_LATTICE)
        scale = random_power(-1000, 1000);
    scale_body(&trial->a, scale);
    scale_body(&trial->b, scale);
}

// ------------------------------------------------------------------------------------------- checks

static bool is_in_box(const imp_Vec3 *p, const Body *body)
{
    const imp_Vec3 *v = body->posed;
    imp_Box box = {v[0], v[0]};
    for (size_t i = 0; i < body->vertex_count; ++i) {
        box.min = (imp_Vec3){fmin(box.min.x, v[i].x), fmin(box.min.y, v[i].y), fmin(box.min.z, v[i].z)};
        box.max = (imp_Vec3){fmax(box.max.x, v[i].x), fmax(box.max.y, v[i].y), fmax(box.max.z, v[i].z)};
    }
    double slack = 8 * DBL_EPSILON;
    imp_Vec3 least = box.min, most = box.max;
    return p->x >= least.x - slack * fabs(least.x) && p->x <= most.x + slack * fabs(most.x) &&
           p->y >= least.y - slack * fabs(least.y) && p->y <= most.y + slack * fabs(most.y) &&
           p->z >= least.z - slack * fabs(least.z) && p->z <= most.z + slack * fabs(most.z);
}

// Points are rounded, by some ulps of the largest coordinate; long doubles have exponents to spare.
static bool has_points(const Trial *trial, const imp_ConvexDistance *d)
{
    if (!isfinite(d->point_a.x + d->point_a.y * 0 + d->point_a.z * 0) || !is_in_box(&d->point_a, &trial->a) ||
        !is_in_box(&d->point_b, &trial->b))
        return false;
    long double x = (long double)d->point_b.x - d->point_a.x, y = (long double)d->point_b.y - d->point_a.y;
    long double z = (long double)d->point_b.z - d->point_a.z, length = sqrtl(x * x + y * y + z * z);
    long double rounding = 128 * (long double)DBL_EPSILON * trial->size + 8 * 0x1p-1074L;
    return isinf(d->distance) ? length > (long double)DBL_MAX * (1 - 1e-15L)
                              : fabsl(length - d->distance) <= rounding + 1e-15L * length;
}

static double a_little_more(double value, double part)
{
    return fmax(value * (1 + part), nextafter(value, INFINITY));
}

static double a_little_less(double value, double part)
{
    return fmin(value * (1 - part), nextafter(nextafter(value, 0), 0));
}

// In the rounding of the exact computation, and where that can't be had because doubles are too coarse there.
static bool may_fail(const imp_ConvexDistance *d, double accuracy)
{
    return accuracy < 0x1p-48 || isinf(d->distance) || d->distance * accuracy < 0x1p-1073;
}

static bool is_right_gap(const Trial *trial, const imp_ConvexDistance *d, double accuracy)
{
    bool is_close = d->distance - d->lower_bound <= accuracy * d->distance;
    if (d->reached_accuracy)
        tallies.reached++;
    tallies.below_ulp += d->distance < DBL_EPSILON * trial->size;
    tallies.without_lower_bound += d->lower_bound == 0;
    if (isinf(d->distance)) {
        ++tallies.beyond_largest;
        return CHECK(d->lower_bound == DBL_MAX && !d->reached_accuracy) &&
               CHECK(oracle_distance_compare(DBL_MAX * (1 - 0x1p-48)) < 0);
    }
    return CHECK(d->distance > 0 && d->lower_bound >= 0 && d->lower_bound <= d->distance) &&
           CHECK(d->lower_bound > 0 || d->distance < 0x1p-1072) &&
           CHECK(oracle_distance_compare(d->lower_bound) <= 0) &&
           CHECK(oracle_distance_compare(a_little_more(d->distance, fmax(accuracy, 0x1p-50))) >= 0) &&
           CHECK(d->reached_accuracy ? is_close : may_fail(d, accuracy)) && CHECK(d->depth == 0);
}

static int compare_depth(const Trial *trial, const imp_Vec3 *normal, double depth)
{
    return oracle_depth_compare(trial->a.posed, trial->a.vertex_count, trial->b.posed, trial->b.vertex_count,
                                normal, depth);
}

// Of boxes along the axes the least overlap is along one of these.
static bool is_least_of_boxes(const Trial *trial, double depth)
{
    static const imp_Vec3 axes[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    ++tallies.least_known;
    for (int i = 0; i < 6; ++i)
        if (compare_depth(trial, &axes[i], a_little_less(depth, 1e-5)) > 0)
            return false;
    return true;
}

// The header promises a part in a million.
static bool is_right_depth(const Trial *trial, const imp_ConvexDistance *d)
{
    tallies.flat_depths += d->depth == 0;
    if (isinf(d->depth))
        return CHECK(compare_depth(trial, &d->normal, DBL_MAX * (1 - 0x1p-48)) < 0);
    return CHECK(d->depth >= 0 && d->distance == 0 && d->lower_bound == 0 && d->reached_accuracy) &&
           CHECK(compare_depth(trial, &d->normal, d->depth == 0 ? 0 : a_little_more(d->depth, 1e-6)) >= 0) &&
           CHECK(d->depth == 0 || compare_depth(trial, &d->normal, a_little_less(d->depth, 2e-6)) <= 0) &&
           CHECK(trial->kind != BOXES || d->depth == 0 || is_least_of_boxes(trial, d->depth));
}

static bool is_right(const Trial *trial, const imp_ConvexDistance *d, double accuracy)
{
    const imp_Vec3 *n = &d->normal;
    bool apart =
        oracle_distance_find(trial->a.posed, trial->a.vertex_count, trial->b.posed, trial->b.vertex_count);
    ++(apart ? tallies.apart : tallies.touching)[trial->kind];
    return CHECK(d->touch == !apart) &&
           CHECK(fabs((n->x * n->x + n->y * n->y) + n->z * n->z - 1) <= 8 * DBL_EPSILON) &&
           CHECK(has_points(trial, d)) &&
           (apart ? is_right_gap(trial, d, accuracy) : is_right_depth(trial, d));
}

// ------------------------------------------------------------------------------------------- trials

static void print_body(const char *name, const Body *body)
{
    const imp_Quat *q = &body->pose.rotation;
    printf("  pose of %s {%a, %a, %a} {%a, %a, %a, %a}\n", name, body->pose.translation.x,
           body->pose.translation.y, body->pose.translation.z, q->w, q->x, q->y, q->z);
    for (size_t i = 0; i < body->count; ++i)
        printf("  %s {%a, %a, %a},\n", name, body->points[i].x, body->points[i].y, body->points[i].z);
}

static void complain(const Trial *trial, const imp_ConvexDistance *d, double accuracy)
{
    if (++tallies.complaints > 10)
        return;
    printf("  %s, accuracy %g\n", kinds[trial->kind].name, accuracy);
    print_body("a", &trial->a);
    print_body("b", &trial->b);
    printf("  %s distance %a lower bound %a depth %a normal %a %a %a\n", d->touch ? "touch" : "apart",
           d->distance, d->lower_bound, d->depth, d->normal.x, d->normal.y, d->normal.z);
}

static bool make_body(imp_Context *context, Body *body)
{
    imp_ConvexDef def = {.points = &body->points->x, .point_count = body->count};
    if (imp_convex_create(context, &def, &body->convex) != IMP_STATUS_OK)
        return false;
    const imp_Mesh *mesh = imp_convex_get_mesh(body->convex);
    body->vertex_count = imp_mesh_get_vertex_count(mesh);
    for (size_t i = 0; i < body->vertex_count; ++i)
        if (imp_pose_apply(&body->pose, imp_mesh_get_vertices(mesh)[i], &body->posed[i]) != IMP_STATUS_OK)
            return false;
    return true;
}

static void measure(Trial *trial)
{
    for (int which = 0; which < 2; ++which) {
        const Body *body = which ? &trial->b : &trial->a;
        for (size_t i = 0; i < body->vertex_count; ++i) {
            const imp_Vec3 *v = &body->posed[i];
            trial->size = fmax(trial->size, fmax(fabs(v->x), fmax(fabs(v->y), fabs(v->z))));
        }
    }
}

// The least double that is not less than the distance that the oracle has found, or the largest one.
static double least_above(void)
{
    double most = DBL_MAX, none = 0;
    uint64_t low, high; // doubles that are not negative are in the order of their bits
    memcpy(&low, &none, sizeof low);
    memcpy(&high, &most, sizeof high);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        double value;
        memcpy(&value, &middle, sizeof value);
        if (oracle_distance_compare(value) >= 0)
            high = middle;
        else
            low = middle + 1;
    }
    memcpy(&most, &high, sizeof most);
    return most;
}

// impi_exact_within, next to the true distance on either side, at 0 and anywhere.
static void check_within(imp_Context *context, const Trial *trial)
{
    imp_Transform transform_a, transform_b;
    CHECK_INT(imp_pose_transform(&trial->a.pose, &transform_a), IMP_STATUS_OK);
    CHECK_INT(imp_pose_transform(&trial->b.pose, &transform_b), IMP_STATUS_OK);
    impi_Polytope a = impi_convex_polytope(trial->a.convex, &transform_a);
    impi_Polytope b = impi_convex_polytope(trial->b.convex, &transform_b);
    bool apart =
        oracle_distance_find(trial->a.posed, trial->a.vertex_count, trial->b.posed, trial->b.vertex_count);
    double above = apart ? least_above() : 0;
    double asked[4] = {above, nextafter(above, 0), 0, fabs(random_of_any_size())};
    for (int i = 0; i < 4; ++i) {
        bool want = !apart || oracle_distance_compare(asked[i]) >= 0, within = !want;
        impi_Simplex start = {.count = 0};
        CHECK_INT(impi_exact_within(&context->scratch, &a, &b, &start, asked[i], &within), IMP_STATUS_OK);
        CHECK_INT(within, want);
        ++*(want ? &tallies.within : &tallies.beyond);
    }
}

// Small lattices are flat now and then: then it is tried again.
static bool try_trial(imp_Context *context, Trial *trial)
{
    static const double accuracies[] = {1e-6, 1e-6, 1e-6, 0.01, 1e-12, 1e-14, 1e-17};
    double accuracy = accuracies[test_random_below(sizeof accuracies / sizeof *accuracies)];
    bool made = make_body(context, &trial->a) && make_body(context, &trial->b);
    if (made) {
        imp_ConvexPair pair = {trial->a.convex, trial->b.convex, trial->a.pose, trial->b.pose};
        imp_DistanceDef def = {.relative_accuracy = accuracy};
        imp_ConvexState state = {0};
        imp_ConvexDistance d = {0};
        measure(trial);
        imp_Status status = imp_convex_distance(context, &state, &pair, &def, &d);
        if (!CHECK_INT(status, IMP_STATUS_OK) || !is_right(trial, &d, accuracy))
            complain(trial, &d, accuracy);
        check_within(context, trial);
    }
    imp_convex_release(trial->a.convex);
    imp_convex_release(trial->b.convex);
    return made;
}

static void report(void)
{
    printf("%-18s %10s %10s\n", "kind", "touch", "apart");
    for (int kind = 0; kind < KIND_COUNT; ++kind)
        printf("%-18s %10" PRIu64 " %10" PRIu64 "\n", kinds[kind].name, tallies.touching[kind],
               tallies.apart[kind]);
    printf("%" PRIu64 " gaps below an ulp, %" PRIu64 " beyond the largest double, %" PRIu64
           " without a lower bound, %" PRIu64 " reached their accuracy; %" PRIu64 " depths of 0, %" PRIu64
           " known otherwise\n",
           tallies.below_ulp, tallies.beyond_largest, tallies.without_lower_bound, tallies.reached,
           tallies.flat_depths, tallies.least_known);
}

#define LEAST_FOR_SHARE 60

// As many as show every outcome.
#define LARGE_COUNT 6000

// The test must not become empty.
static void check_shares(uint64_t total)
{
    uint64_t apart = 0;
    for (int kind = 0; kind < KIND_COUNT; ++kind) {
        uint64_t count = tallies.touching[kind] + tallies.apart[kind];
        double share = (double)tallies.touching[kind] / (double)count;
        bool expected = share >= kinds[kind].least_touching && share <= kinds[kind].most_touching;
        if (count >= LEAST_FOR_SHARE && !CHECK(expected))
            printf("  %s: a share of %g touches\n", kinds[kind].name, share);
        apart += tallies.apart[kind];
    }
    CHECK(10 * apart > 3 * total && 10 * apart < 7 * total);
    CHECK(tallies.within > total && tallies.beyond > total); // four questions each
    CHECK(100 * tallies.below_ulp > total);
    CHECK(200 * tallies.beyond_largest > total);
    CHECK(50 * tallies.flat_depths > total);
    CHECK(300 * tallies.least_known > total);
    CHECK(10 * tallies.reached > 7 * apart);
    CHECK(tallies.without_lower_bound > 0 || total < LARGE_COUNT); // few, so a small run may have none
    CHECK(50 * tallies.without_lower_bound < apart);
}

#ifdef TEST_UNDER_SANITIZER
#define DEFAULT_COUNT 1200
#else
#define DEFAULT_COUNT LARGE_COUNT
#endif

TEST(lengths_hold_at_every_exponent)
{
    static Trial trial;
    uint64_t total = test_count(DEFAULT_COUNT);
    imp_Context *context;
    if (!CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK))
        return;
    for (uint64_t i = 0; i < total; ++i) {
        Kind kind = (Kind)(i % KIND_COUNT);
        if (kind == ANY_MAGNITUDE && i / KIND_COUNT % SLOW_TURNS > 0)
            kind = APART;
        do
            build(kind, &trial);
        while (!try_trial(context, &trial));
    }
    report();
    if (total >= LEAST_FOR_SHARE * KIND_COUNT)
        check_shares(total);
    imp_context_destroy(context);
}
