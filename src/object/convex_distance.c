// The nearest points of two polytopes (Gilbert, Johnson & Keerthi 1988), once it is certain that they are
// apart. Every direction that is looked along proves a lower bound: the gap along it, less what rounding may
// have done, over its length. The points found are an upper bound, up to rounding.
//
// What doubles leave open is measured in integers (exact_distance.h): sizes near the ends of the range of
// doubles, gaps of some ulps and less, contacts not deeper than that.
#include "object/convex_distance.h"

#include "object/direction_search.h"
#include "object/exact_distance.h"
#include "object/penetration.h"
#include "object/simplex.h"

#include <assert.h>

// Steps before the best so far is taken, should rounding neither let it come nearer nor end it sooner.
#define MAX_STEPS 100

// A depth is taken from doubles when their error is not more than this part of it.
#define DEPTH_ACCURACY 0x1p-20

typedef struct Nearest {
    imp_Vec3 point_a, point_b;
    double distance;
} Nearest;

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
    nearest.distance = impi_length(impi_subtract(nearest.point_b, nearest.point_a));
    return nearest;
}

// Square, sum and root of the length take five roundings, the quotient one, the difference one: 8 u
// downwards.
static double proven_gap(const impi_DirectionSearch *search)
{
    double gap = (search->gap - search->error) / impi_length(search->direction) * (1 - 12 * 0x1p-53);
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

// The distance of the points is off by what their coordinates were rounded by, 8 u of the sizes each, and the
// length by 5 u of itself, which the error of gaps covers.
static bool is_accurate(const impi_DirectionSearch *search, double accuracy, const imp_ConvexDistance *result)
{
    return result->distance <= DBL_MAX &&
           result->distance - result->lower_bound <= accuracy * result->distance &&
           search->unit_error <= accuracy * result->distance;
}

// The differences found last are left in the simplex.
static void find_distance(impi_DirectionSearch *search, imp_Vec3 direction, double accuracy,
                          impi_Simplex *simplex, imp_ConvexDistance *result)
{
    *result = (imp_ConvexDistance){.distance = INFINITY};
    for (int step = 0; step < MAX_STEPS && impi_search_aim(search, direction.x, direction.y, direction.z);
         ++step) {
        impi_search_look_precisely(search);
        double proven = proven_gap(search);
        if (proven > result->lower_bound || step == 0) {
            result->lower_bound = proven;
            result->normal = impi_unit(search->direction);
        }
        if (is_in(simplex, search->found.pair))
            break;
        simplex->points[simplex->count++] = search->found;
        if (impi_simplex_reduce(simplex, &direction))
            break; // as near as rounding lets it come
        Nearest nearest = nearest_points(search, simplex);
        keep_nearer(&nearest, result);
        if (result->distance - result->lower_bound <= accuracy * result->distance)
            break;
    }
    // Where rounding has put the points nearer than what is proven, the proof holds.
    result->distance = impi_larger(result->distance, result->lower_bound);
    result->reached_accuracy = is_accurate(search, accuracy, result);
}

static imp_Status tell_distance(impi_Arena *arena, impi_DirectionSearch *search, bool is_in_range,
                                imp_Vec3 direction, double accuracy, imp_ConvexDistance *result)
{
    impi_Simplex simplex = {.count = 0};
    imp_ConvexDistance found = {.reached_accuracy = false};
    if (is_in_range)
        find_distance(search, direction, accuracy, &simplex, &found);
    imp_Status status = IMP_STATUS_OK;
    if (!found.reached_accuracy)
        status = impi_exact_distance(arena, search->a, search->b, &simplex, accuracy, &found);
    if (status == IMP_STATUS_OK)
        *result = found;
    return status;
}

// False when what doubles find is too small for them.
static bool find_contact(impi_DirectionSearch *search, const imp_Certificate *certificate,
                         imp_ConvexDistance *result)
{
    impi_Simplex simplex = {.count = certificate->pair_count};
    for (unsigned i = 0; i < simplex.count; ++i)
        impi_search_difference(search, certificate->pairs[i], &simplex.points[i]);
    impi_find_penetration(search, &simplex);
    if (!(search->error <= DEPTH_ACCURACY * -search->gap))
        return false;
    // A flat simplex has weights of no meaning; what is nearest on it has.
    imp_Vec3 direction;
    impi_simplex_reduce(&simplex, &direction);
    Nearest nearest = nearest_points(search, &simplex);
    if (!(nearest.distance <= search->unit_error))
        return false;
    *result = (imp_ConvexDistance){
        .touch = true,
        .reached_accuracy = true,
        .point_a = nearest.point_a,
        .point_b = nearest.point_b,
        .normal = impi_unit(search->direction),
        .depth = -search->gap / impi_length(search->direction),
    };
    return true;
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
    bool is_in_range = impi_search_begin(&search, a, b);
    if (!test.touch)
        return tell_distance(arena, &search, is_in_range, test.certificate.direction, relative_accuracy,
                             result);
    if (is_in_range && find_contact(&search, &test.certificate, result))
        return IMP_STATUS_OK;
    return impi_exact_depth(arena, a, b, &test.certificate, result);
}
