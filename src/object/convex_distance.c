// The nearest points of two polytopes (Gilbert, Johnson & Keerthi 1988), once it is certain that they are
// apart. Every direction that is looked along proves a lower bound: the gap along it, less what rounding may
// have done, over its length. The points found are an upper bound, up to rounding.
#include "object/convex_distance.h"

#include "object/direction_search.h"
#include "object/penetration.h"
#include "object/simplex.h"

#include <assert.h>

// Steps before the best so far is taken, should rounding neither let it come nearer nor end it sooner.
#define MAX_STEPS 100

typedef struct Nearest {
    imp_Vec3 point_a, point_b;
    double distance;
} Nearest;

// Scaled, so that squares neither overflow nor underflow.
static double length_of(imp_Vec3 v)
{
    double longest = impi_larger(impi_larger(fabs(v.x), fabs(v.y)), fabs(v.z));
    if (!(longest > 0))
        return 0;
    imp_Vec3 scaled = {v.x / longest, v.y / longest, v.z / longest};
    return longest * sqrt(impi_dot(scaled, scaled));
}

static Nearest nearest_points(const impi_DirectionSearch *search, const impi_Simplex *simplex)
{
    double weights[IMPI_MAX_SIMPLEX];
    Nearest nearest = {{0, 0, 0}, {0, 0, 0}, 0};
    impi_simplex_weights(simplex, weights);
    for (unsigned i = 0; i < simplex->count; ++i) {
        imp_VertexPair pair = simplex->points[i].pair;
        imp_Vec3 a = impi_pose_vertex(search->a->transform, &search->a->vertices[pair.vertex_a]);
        imp_Vec3 b = impi_pose_vertex(search->b->transform, &search->b->vertices[pair.vertex_b]);
        nearest.point_a = impi_add_scaled(nearest.point_a, weights[i], a);
        nearest.point_b = impi_add_scaled(nearest.point_b, weights[i], b);
    }
    nearest.distance = length_of(impi_subtract(nearest.point_b, nearest.point_a));
    return nearest;
}

// Square, sum and root of the length take five roundings, the quotient one, the difference one: 8 u
// downwards.
static double proven_gap(const impi_DirectionSearch *search)
{
    double gap = (search->gap - search->error) / length_of(search->direction) * (1 - 12 * 0x1p-53);
    return gap > 0 ? gap : 0;
}

static bool is_in(const impi_Simplex *simplex, imp_VertexPair pair)
{
    for (unsigned i = 0; i < simplex->count; ++i)
        if (simplex->points[i].pair.vertex_a == pair.vertex_a &&
            simplex->points[i].pair.vertex_b == pair.vertex_b)
            return true;
    return false;
}

static void keep_nearer(const Nearest *nearest, imp_ConvexDistance *result)
{
    if (nearest->distance >= result->distance)
        return;
    result->point_a = nearest->point_a;
    result->point_b = nearest->point_b;
    result->distance = nearest->distance;
}

static void find_distance(impi_DirectionSearch *search, imp_Vec3 direction, double accuracy,
                          imp_ConvexDistance *result)
{
    impi_Simplex simplex = {.count = 0};
    *result = (imp_ConvexDistance){.distance = INFINITY};
    for (int step = 0; step < MAX_STEPS && impi_search_aim(search, direction.x, direction.y, direction.z);
         ++step) {
        impi_search_look_precisely(search);
        double proven = proven_gap(search);
        if (proven > result->lower_bound || step == 0) {
            result->lower_bound = proven;
            result->normal = impi_scale(search->direction, 1 / length_of(search->direction));
        }
        if (is_in(&simplex, search->found.pair))
            break;
        simplex.points[simplex.count++] = search->found;
        if (impi_simplex_reduce(&simplex, &direction))
            break; // as near as rounding lets it come
        Nearest nearest = nearest_points(search, &simplex);
        keep_nearer(&nearest, result);
        if (result->distance - result->lower_bound <= accuracy * result->distance)
            break;
    }
    // Where rounding has put the points nearer than what is proven, the proof holds.
    result->distance = impi_larger(result->distance, result->lower_bound);
    result->reached_accuracy = result->distance - result->lower_bound <= accuracy * result->distance;
}

static void find_contact(impi_DirectionSearch *search, const imp_Certificate *certificate,
                         imp_ConvexDistance *result)
{
    impi_Simplex simplex = {.count = certificate->pair_count};
    for (unsigned i = 0; i < simplex.count; ++i)
        impi_search_difference(search, certificate->pairs[i], &simplex.points[i]);
    // A flat simplex has weights of no meaning; what is nearest on it has.
    impi_Simplex reduced = simplex;
    imp_Vec3 direction;
    impi_simplex_reduce(&reduced, &direction);
    Nearest nearest = nearest_points(search, &reduced);
    impi_find_penetration(search, &simplex);
    double length = length_of(search->direction), depth = -search->gap / length;
    *result = (imp_ConvexDistance){
        .touch = true,
        .reached_accuracy = true,
        .point_a = nearest.point_a,
        .point_b = nearest.point_b,
        .normal = impi_scale(search->direction, 1 / length),
        .depth = depth > 0 ? depth : 0,
    };
}

// Beyond the sizes that doubles can be trusted with: what the certificate tells, and no more.
static void settle_for_certificate(const impi_DirectionSearch *search, const imp_ConvexResult *test,
                                   imp_ConvexDistance *result)
{
    imp_VertexPair pair = test->touch ? test->certificate.pairs[0] : test->certificate.support;
    impi_Simplex simplex = {.count = 1};
    impi_search_difference(search, pair, &simplex.points[0]);
    Nearest nearest = nearest_points(search, &simplex);
    *result =
        (imp_ConvexDistance){.touch = test->touch, .point_a = nearest.point_a, .point_b = nearest.point_b};
    if (!test->touch) {
        result->distance = nearest.distance;
        result->normal = impi_scale(test->certificate.direction, 1 / length_of(test->certificate.direction));
    }
}

imp_Status impi_convex_distance(impi_Arena *arena, const impi_Polytope *a, const impi_Polytope *b,
                                imp_ConvexState *state, double relative_accuracy, imp_ConvexDistance *result)
{
    assert(relative_accuracy > 0 && relative_accuracy < 1);
    imp_ConvexResult test;
    imp_Status status = impi_convex_test(arena, a, b, state, &test);
    if (status != IMP_STATUS_OK)
        return status;
    impi_DirectionSearch search;
    if (!impi_search_begin(&search, a, b))
        settle_for_certificate(&search, &test, result);
    else if (test.touch)
        find_contact(&search, &test.certificate, result);
    else
        find_distance(&search, test.certificate.direction, relative_accuracy, result);
    return IMP_STATUS_OK;
}
