// imp_triangles_distance against the oracle in rational arithmetic, on pairs of every kind: bounds, points,
// the parts that hold them, and the same bytes for the same geometry.
#include "harness.h"
#include "oracle/distance_oracle.h"
#include "oracle/gap_cases.h"

#include <impinge/distance.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct {
    uint64_t touching[4][4], apart[4][4]; // by the features of the points
    uint64_t exact, infinite, tied; // the distance is a double, or beyond them; several pairs are as near
    uint64_t permuted, scaled, differences;
} tallies;

static bool expect(const TriangleCase *pair, bool held, const char *what)
{
    if (!CHECK(held) && ++tallies.differences <= 20) {
        printf("  %s\n", what);
        triangle_case_print(pair);
    }
    return held;
}

// ------------------------------------------------------------------------------------------- parts

typedef struct Points {
    imp_Vec3 v[3];
    size_t count;
} Points;

static Points points_of(const imp_Triangle *triangle, imp_Feature feature, uint32_t corner)
{
    Points points = {.count = (size_t)feature};
    for (uint32_t i = 0; i < (uint32_t)feature; ++i)
        points.v[i] = triangle->v[(corner + i) % 3];
    return points;
}

static bool is_part(const imp_SurfacePoint *point)
{
    return point->face == 0 && point->corner < (point->feature == IMP_FEATURE_FACE ? 1 : 3) &&
           point->feature >= IMP_FEATURE_VERTEX && point->feature <= IMP_FEATURE_FACE;
}

// The sign of the parts' distance minus the one that was kept.
static int compare_parts(const Points *a, const Points *b)
{
    oracle_distance_find(a->v, a->count, b->v, b->count);
    return oracle_distance_compare_kept();
}

// Without any of its vertices, a part is farther from the other one: its point lies inside.
static bool is_inside(const Points *part, const Points *other)
{
    for (size_t left_out = 0; left_out < part->count && part->count > 1; ++left_out) {
        Points border = {.count = 0};
        for (size_t i = 0; i < part->count; ++i)
            if (i != left_out)
                border.v[border.count++] = part->v[i];
        if (compare_parts(&border, other) <= 0)
            return false;
    }
    return true;
}

static void check_parts(const TriangleCase *pair, const imp_Distance *found)
{
    if (!expect(pair, is_part(&found->a) && is_part(&found->b), "no parts"))
        return;
    Points a = points_of(&pair->a, found->a.feature, found->a.corner);
    Points b = points_of(&pair->b, found->b.feature, found->b.corner);
    expect(pair, compare_parts(&a, &b) == 0, "the parts are not nearest");
    expect(pair, is_inside(&a, &b) && is_inside(&b, &a), "smaller parts hold the points");
    ++(found->touch ? tallies.touching : tallies.apart)[found->a.feature][found->b.feature];
}

// ------------------------------------------------------------------------------------------ points

// Half of the distance to the next double away from 0: what rounding can move.
static double half_ulp(double value)
{
    double half = value != 0 ? ldexp(1, ilogb(value) - 53) : 0;
    return half > 0 ? half : DBL_TRUE_MIN;
}

static imp_Vec3 half_ulps(imp_Vec3 v)
{
    return (imp_Vec3){half_ulp(v.x), half_ulp(v.y), half_ulp(v.z)};
}

// On its part but for half an ulp of each coordinate.
static void check_on_part(const TriangleCase *pair, const imp_Triangle *triangle,
                          const imp_SurfacePoint *point)
{
    Points part = points_of(triangle, point->feature, point->corner);
    imp_Vec3 most = half_ulps(point->position);
    double off = nextafter(hypot(hypot(most.x, most.y), most.z), INFINITY);
    bool is_off = oracle_distance_find(&point->position, 1, part.v, part.count);
    expect(pair, !is_off || oracle_distance_compare(off) >= 0, "a point is not on its part");
}

// The way between the points is the shortest one but for half an ulp of each; for the sum to be a double it
// may be rounded up.
static void check_way(const TriangleCase *pair, const imp_Distance *found)
{
    imp_Vec3 a = half_ulps(found->a.position), b = half_ulps(found->b.position), most = sum(a, b);
    most = (imp_Vec3){nextafter(most.x, INFINITY), nextafter(most.y, INFINITY), nextafter(most.z, INFINITY)};
    expect(pair, oracle_distance_leads(&found->a.position, &found->b.position, &most),
           "the points are not the closest");
}

static void check_bounds(const TriangleCase *pair, const imp_Distance *found)
{
    int lower = oracle_distance_compare(found->lower_bound), upper = oracle_distance_compare(found->distance);
    bool is_double = found->lower_bound == found->distance;
    expect(pair, is_double ? lower == 0 : lower < 0 && upper > 0, "the bounds do not hold the distance");
    expect(pair, is_double || nextafter(found->lower_bound, INFINITY) == found->distance,
           "the bounds are not tight");
    bool reached =
        found->distance <= DBL_MAX && found->distance - found->lower_bound <= 1e-6 * found->distance;
    expect(pair, found->reached_accuracy == reached, "the accuracy is not as told");
    tallies.exact += is_double;
    tallies.infinite += isinf(found->distance);
}

// --------------------------------------------------------------------------------- the same geometry

static imp_Distance distance_of(const imp_Triangle *a, const imp_Triangle *b)
{
    imp_Distance found;
    memset(&found, 0x5A, sizeof found);
    CHECK_INT(imp_triangles_distance(a, b, &found), IMP_STATUS_OK);
    return found;
}

static void check_swap(const TriangleCase *pair, const imp_Distance *found)
{
    imp_Distance mirrored = distance_of(&pair->b, &pair->a);
    imp_SurfacePoint a = mirrored.a;
    mirrored.a = mirrored.b;
    mirrored.b = a;
    expect(pair, memcmp(&mirrored, found, sizeof mirrored) == 0, "swapped, it is not the same");
}

static imp_Vec3 permute(imp_Vec3 v, uint32_t which)
{
    return which == 0   ? (imp_Vec3){v.y, v.z, v.x}
           : which == 1 ? (imp_Vec3){v.y, v.x, v.z}
                        : (imp_Vec3){v.x, v.z, v.y};
}

static imp_Triangle permuted_triangle(const imp_Triangle *triangle, uint32_t which)
{
    return (imp_Triangle){
        {permute(triangle->v[0], which), permute(triangle->v[1], which), permute(triangle->v[2], which)}};
}

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

// Have both the same coordinates, in any order? Then the choice between mirror images knows of axes.
static bool have_same_coordinates(const TriangleCase *pair)
{
    double numbers[2][9];
    memcpy(numbers[0], &pair->a, sizeof numbers[0]);
    memcpy(numbers[1], &pair->b, sizeof numbers[1]);
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < 9; ++i)
            for (int k = i + 1; k < 9; ++k)
                if (compare_numbers(numbers[side][i], numbers[side][k]) > 0) {
                    double number = numbers[side][i];
                    numbers[side][i] = numbers[side][k];
                    numbers[side][k] = number;
                }
    for (int i = 0; i < 9; ++i)
        if (numbers[0][i] != numbers[1][i])
            return false;
    return true;
}

static void check_permutation(const TriangleCase *pair, const imp_Distance *found)
{
    if (have_same_coordinates(pair))
        return;
    uint32_t which = test_random_below(3);
    imp_Triangle a = permuted_triangle(&pair->a, which), b = permuted_triangle(&pair->b, which);
    imp_Distance want = *found, permuted = distance_of(&a, &b);
    want.a.position = permute(found->a.position, which);
    want.b.position = permute(found->b.position, which);
    expect(pair, memcmp(&permuted, &want, sizeof want) == 0, "with axes permuted, it is not the same");
    ++tallies.permuted;
}

// Times a power of two, where that is exact: every number is far from the ends of their range.
static bool can_be_scaled(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (numbers[i] != 0 && !(fabs(numbers[i]) > 0x1p-800 && fabs(numbers[i]) < 0x1p900))
            return false;
    return true;
}

static imp_Vec3 times(imp_Vec3 v, double factor)
{
    return (imp_Vec3){v.x * factor, v.y * factor, v.z * factor};
}

static void check_scale(const TriangleCase *pair, const imp_Distance *found)
{
    double lengths[8] = {found->distance,     found->lower_bound,  found->a.position.x, found->a.position.y,
                         found->a.position.z, found->b.position.x, found->b.position.y, found->b.position.z};
    if (!can_be_scaled((const double *)&pair->a, 9) || !can_be_scaled((const double *)&pair->b, 9) ||
        !can_be_scaled(lengths, 8))
        return;
    double factor = ldexp(1, (int)test_random_below(201) - 100);
    imp_Triangle a = pair->a, b = pair->b;
    for (int k = 0; k < 3; ++k) {
        a.v[k] = times(a.v[k], factor);
        b.v[k] = times(b.v[k], factor);
    }
    imp_Distance want = *found, scaled = distance_of(&a, &b);
    want.distance *= factor;
    want.lower_bound *= factor;
    want.a.position = times(want.a.position, factor);
    want.b.position = times(want.b.position, factor);
    expect(pair, memcmp(&scaled, &want, sizeof want) == 0, "scaled, it is not the same");
    ++tallies.scaled;
}

// -------------------------------------------------------------------------------------------- tests

static void try_pair(GapKind kind)
{
    TriangleCase pair = gap_case_make(kind);
    imp_Distance found = distance_of(&pair.a, &pair.b);
    bool is_apart = oracle_distance_find(pair.a.v, 3, pair.b.v, 3);
    oracle_distance_keep();
    expect(&pair, found.touch == !is_apart, "touch");
    expect(&pair, !found.a_inside_b && !found.b_inside_a && !found.has_stopped, "said without reason");
    if (is_apart) {
        check_bounds(&pair, &found);
        check_way(&pair, &found);
    } else {
        expect(&pair, found.distance == 0 && found.lower_bound == 0 && found.reached_accuracy, "not 0");
        expect(&pair, memcmp(&found.a.position, &found.b.position, sizeof(imp_Vec3)) == 0, "no common point");
    }
    check_parts(&pair, &found);
    check_on_part(&pair, &pair.a, &found.a);
    check_on_part(&pair, &pair.b, &found.b);
    check_swap(&pair, &found);
    check_permutation(&pair, &found);
    check_scale(&pair, &found);
}

static void report_features(const char *name, uint64_t counts[4][4])
{
    printf("%-10s", name);
    for (int a = 1; a <= 3; ++a)
        for (int b = 1; b <= 3; ++b)
            printf(" %c%c %" PRIu64, "?VEF"[a], "?VEF"[b], counts[a][b]);
    printf("\n");
}

TEST(distances_agree_with_the_oracle)
{
    uint64_t total = test_count(4000);
    for (uint64_t i = 0; i < total; ++i)
        try_pair((GapKind)(i % GAP_KIND_COUNT));
    report_features("touching", tallies.touching);
    report_features("apart", tallies.apart);
    printf("%" PRIu64 " distances are doubles, %" PRIu64 " beyond them; %" PRIu64 " permuted, %" PRIu64
           " scaled, %" PRIu64 " differences\n",
           tallies.exact, tallies.infinite, tallies.permuted, tallies.scaled, tallies.differences);
    for (int a = 1; a <= 3; ++a)
        for (int b = 1; b <= 3; ++b) {
            if (a + b <= 5) // all but two faces
                CHECK(500 * tallies.touching[a][b] >= total);
            if (a + b <= 4)
                CHECK(100 * tallies.apart[a][b] >= total);
        }
    CHECK(20 * tallies.exact >= total && 1000 * tallies.infinite >= total);
    CHECK(2 * tallies.permuted >= total && 2 * tallies.scaled >= total);
    CHECK_INT((int64_t)tallies.differences, 0);
}
