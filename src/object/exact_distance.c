// Apart: the search of convex_exact.c goes on after a gap was found, until no difference lies nearer along
// the direction than the simplex does. That is the nearest point, found without rounding; each step comes
// strictly nearer, so it ends. The distance is w . d / |w|, with w the direction and d a corner of the
// simplex, both integers: rounded once each, then divided.
//
// Touching: nothing that is sought here needs to be certain but the depth along the normal that is told. So
// the normal is searched for in doubles, in a frame of the bodies' own: around the point they have in common,
// scaled by a power of two to unit size, so that neither a place far from the origin nor a tiny or huge
// size costs digits. The depth along it is measured in integers.
#include "object/exact_distance.h"

#include "geom/exact_compare.h"
#include "geom/power_scale.h"
#include "geom/scalar.h"
#include "geom/vector.h"
#include "object/exact_pair.h"
#include "object/penetration.h"
#include "shape/bounds.h"

#include <assert.h>

typedef struct Points {
    imp_Vec3 a, b;
} Points;

static double clamp(double value, double least, double most)
{
    return impi_smaller(impi_larger(value, least), most);
}

static imp_Vec3 clamp_to(imp_Vec3 v, const imp_Box *box)
{
    return (imp_Vec3){clamp(v.x, box->min.x, box->max.x), clamp(v.y, box->min.y, box->max.y),
                      clamp(v.z, box->min.z, box->max.z)};
}

// Not beyond the corners, whatever the weights' rounding does near the largest double.
static imp_Vec3 weighted(const imp_Vec3 *corners, const double *weights, unsigned count)
{
    imp_Box box = {corners[0], corners[0]};
    imp_Vec3 sum = {0, 0, 0};
    for (unsigned i = 0; i < count; ++i) {
        impi_box_add(&box, &corners[i]);
        sum = impi_add_scaled(sum, weights[i], corners[i]);
    }
    return clamp_to(sum, &box);
}

// The points of both bodies whose difference is the simplex's nearest point.
static Points points_of(const impi_ExactPair *pair)
{
    const impi_ExactSimplex *simplex = &pair->simplex;
    double weights[IMPI_MAX_SIMPLEX];
    imp_Vec3 a[IMPI_MAX_SIMPLEX], b[IMPI_MAX_SIMPLEX];
    impi_exact_simplex_weights(simplex, weights);
    for (unsigned i = 0; i < simplex->count; ++i) {
        a[i] = pair->a.posed[impi_exact_vertices_find(&pair->a, simplex->pairs[i].vertex_a)];
        b[i] = pair->b.posed[impi_exact_vertices_find(&pair->b, simplex->pairs[i].vertex_b)];
    }
    return (Points){weighted(a, weights, simplex->count), weighted(b, weights, simplex->count)};
}

// -------------------------------------------------------------------------------------------- apart

// False when they touch.
static bool find_nearest(impi_ExactPair *pair, const impi_Simplex *start)
{
    impi_ExactSimplex *simplex = &pair->simplex;
    for (unsigned i = 0; i < start->count; ++i)
        impi_exact_pair_take_over(pair, &start->points[i].pair, 1);
    if (simplex->count == 0)
        impi_exact_pair_add(pair, 0, 0);
    for (;;) {
        if (impi_exact_simplex_reduce(simplex))
            return false;
        impi_exact_pair_aim(pair);
        uint32_t a = impi_exact_pair_farthest(pair, &pair->a, 1);
        uint32_t b = impi_exact_pair_farthest(pair, &pair->b, -1);
        impi_ExactVector difference;
        impi_exact_pair_difference(pair, a, b, &difference);
        impi_exact_subtract(simplex->width, &difference, &simplex->differences[0], &difference);
        if (impi_exact_dot_sign(simplex->width, &simplex->direction, &difference) >= 0)
            return true;
        impi_exact_pair_add(pair, a, b);
    }
}

// The product is off by 1.01 u, the length by 3.6 u (squares and sums two and a half, its own rounding one,
// the half of them lost in the root, the coordinates 1.01), the quotient by one: less than 8 u, of which 16
// are taken off.
#define LESS_THAN_TRUE (1 - 16 * 0x1p-53)

static void tell_distance(const impi_ExactPair *pair, double relative_accuracy, imp_ConvexDistance *result)
{
    impi_WideNumber along = impi_exact_pair_along(pair, &pair->simplex.differences[0]);
    double value = along.value / impi_length(pair->rounded_direction);
    Points points = points_of(pair);
    double distance = impi_power_scale_up(value, along.exponent);
    double lower_bound = impi_power_scale_down(value * LESS_THAN_TRUE, along.exponent);
    *result = (imp_ConvexDistance){
        .distance = distance,
        .lower_bound = lower_bound,
        .reached_accuracy = distance <= DBL_MAX && distance - lower_bound <= relative_accuracy * distance,
        .point_a = points.a,
        .point_b = points.b,
        .normal = impi_unit(pair->rounded_direction),
    };
}

imp_Status impi_exact_distance(impi_Arena *arena, const impi_Polytope *a, const impi_Polytope *b,
                               const impi_Simplex *start, double relative_accuracy,
                               imp_ConvexDistance *result)
{
    impi_ArenaMark mark = impi_arena_mark(arena);
    impi_ExactPair *pair;
    imp_Status status = impi_exact_pair_begin(arena, a, b, &pair);
    if (status == IMP_STATUS_OK) {
        bool is_apart = find_nearest(pair, start);
        assert(is_apart);
        (void)is_apart;
        tell_distance(pair, relative_accuracy, result);
    }
    impi_arena_rewind(arena, mark);
    return status;
}

#define SQUARE_WORDS (2 * IMPI_EXACT_MAX_WORDS)
static_assert(SQUARE_WORDS <= IMPI_MAX_DIVISOR_WORDS, "a squared direction can be compared with");

// out = v . v
static void square_direction(int width, const impi_ExactVector *v, uint64_t *out)
{
    uint64_t term[SQUARE_WORDS];
    impi_integer_multiply(width, width, out, v->x.words, v->x.words);
    impi_integer_multiply(width, width, term, v->y.words, v->y.words);
    impi_integer_add(2 * width, out, term);
    impi_integer_multiply(width, width, term, v->z.words, v->z.words);
    impi_integer_add(2 * width, out, term);
}

// The square of the distance is (w . d)^2 / (w . w), with w the direction and d a corner of the simplex.
static bool is_within(const impi_ExactPair *pair, double distance)
{
    const impi_ExactSimplex *simplex = &pair->simplex;
    int width = simplex->width;
    impi_ExactInteger along;
    uint64_t square[SQUARE_WORDS], divisor[SQUARE_WORDS];
    impi_exact_dot(width, &simplex->direction, &simplex->differences[0], &along);
    impi_integer_multiply(width, width, square, along.words, along.words);
    square_direction(width, &simplex->direction, divisor);
    return impi_compare_square(distance, 2 * width, divisor, 2 * width, square, 2 * pair->span.low) >= 0;
}

imp_Status impi_exact_within(impi_Arena *arena, const impi_Polytope *a, const impi_Polytope *b,
                             const impi_Simplex *start, double distance, bool *within)
{
    impi_ArenaMark mark = impi_arena_mark(arena);
    impi_ExactPair *pair;
    imp_Status status = impi_exact_pair_begin(arena, a, b, &pair);
    if (status == IMP_STATUS_OK)
        *within = !find_nearest(pair, start) || is_within(pair, distance);
    impi_arena_rewind(arena, mark);
    return status;
}

// ----------------------------------------------------------------------------------------- touching

// The bodies' own frame: coordinates times `scale`, less `origin`, over 2^exponent.
typedef struct Frame {
    imp_Vec3 origin;
    double scale;
    int exponent;
} Frame;

// A polytope in it.
typedef struct Local {
    impi_SupportSet support;
    impi_Polytope polytope;
} Local;

static const imp_Transform as_it_is = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};

// The largest coordinate in the frame, before its power is taken out.
static double reach(const Frame *frame, const impi_ExactVertices *vertices)
{
    double most = 0;
    for (size_t i = 0; i < vertices->count; ++i) {
        imp_Vec3 v = impi_subtract(impi_scale(vertices->posed[i], frame->scale), frame->origin);
        most = impi_larger(impi_longest(v), most);
    }
    return most;
}

static bool lay_out(impi_Arena *arena, const Frame *frame, const impi_ExactVertices *vertices,
                    const impi_SupportSet *set, Local *local)
{
    imp_Vec3 *points = impi_arena_allocate_array(arena, vertices->count, sizeof *points);
    if (!points)
        return false;
    imp_Box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < vertices->count; ++i) {
        imp_Vec3 v = impi_subtract(impi_scale(vertices->posed[i], frame->scale), frame->origin);
        points[i] = (imp_Vec3){ldexp(v.x, -frame->exponent), ldexp(v.y, -frame->exponent),
                               ldexp(v.z, -frame->exponent)};
        impi_box_add(&box, &points[i]);
    }
    local->support = (impi_SupportSet){.block_count = set->block_count, .vertex_count = set->vertex_count};
    impi_support_set_frame(&local->support, &box);
    local->support.find = NULL; // all vertices are looked at
    local->support.points = points;
    local->support.vertices = set->vertices;
    local->polytope = (impi_Polytope){&local->support, points, vertices->count, &as_it_is};
    return true;
}

// Along the axes too, which the search begins with only where it lacks corners: where a body is so thin that
// the faces of the growing polytope have no normals, these are left.
static void look_along_axes(impi_DirectionSearch *search)
{
    static const imp_Vec3 axes[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    imp_Vec3 best = search->direction;
    double least = -search->gap / impi_length(best);
    for (unsigned i = 0; i < 6; ++i) {
        search->direction = axes[i];
        impi_search_look_precisely(search);
        if (-search->gap < least) {
            least = -search->gap;
            best = axes[i];
        }
    }
    search->direction = best;
}

// The direction of least overlap that is seen in the bodies' own frame; of unit length. All vertices in one
// point have no frame, and any direction is as good.
static bool find_normal(impi_Arena *arena, const impi_ExactPair *pair, const impi_Polytope *a,
                        const impi_Polytope *b, imp_Vec3 origin, imp_Vec3 *normal)
{
    Frame frame = {impi_scale(origin, pair->scale), pair->scale, 0};
    double size = impi_larger(reach(&frame, &pair->a), reach(&frame, &pair->b));
    *normal = (imp_Vec3){1, 0, 0};
    if (!(size > 0))
        return true;
    frexp(size, &frame.exponent);
    Local local_a, local_b;
    if (!lay_out(arena, &frame, &pair->a, a->support, &local_a) ||
        !lay_out(arena, &frame, &pair->b, b->support, &local_b))
        return false;
    impi_DirectionSearch search;
    bool is_in_range = impi_search_begin(&search, &local_a.polytope, &local_b.polytope);
    assert(is_in_range);
    (void)is_in_range;
    impi_Simplex start = {.count = pair->simplex.count};
    for (unsigned i = 0; i < start.count; ++i) {
        imp_VertexPair vertices = pair->simplex.pairs[i];
        imp_VertexPair positions = {impi_exact_vertices_find(&pair->a, vertices.vertex_a),
                                    impi_exact_vertices_find(&pair->b, vertices.vertex_b)};
        impi_search_difference(&search, positions, &start.points[i]);
    }
    impi_find_penetration(&search, &start);
    look_along_axes(&search);
    *normal = impi_unit(search.direction);
    return true;
}

static void tell_depth(impi_ExactPair *pair, Points points, imp_Vec3 normal, imp_ConvexDistance *result)
{
    impi_exact_pair_aim_along(pair, normal);
    uint32_t a = impi_exact_pair_farthest(pair, &pair->a, 1);
    uint32_t b = impi_exact_pair_farthest(pair, &pair->b, -1);
    impi_ExactVector difference;
    impi_exact_pair_difference(pair, a, b, &difference);
    impi_WideNumber along = impi_exact_pair_along(pair, &difference);
    assert(along.value <= 0); // they have a point in common
    *result = (imp_ConvexDistance){
        .touch = true,
        .reached_accuracy = true,
        .point_a = points.a,
        .point_b = points.b,
        .normal = normal,
        .depth = impi_power_scale_up(fabs(along.value), along.exponent),
    };
}

imp_Status impi_exact_depth(impi_Arena *arena, const impi_Polytope *a, const impi_Polytope *b,
                            const imp_Certificate *certificate, imp_ConvexDistance *result)
{
    impi_ArenaMark mark = impi_arena_mark(arena);
    impi_ExactPair *pair;
    imp_Status status = impi_exact_pair_begin(arena, a, b, &pair);
    if (status == IMP_STATUS_OK) {
        impi_exact_pair_take_over(pair, certificate->pairs, certificate->pair_count);
        bool has_origin = impi_exact_simplex_reduce(&pair->simplex);
        assert(has_origin);
        (void)has_origin;
        Points points = points_of(pair);
        imp_Vec3 normal;
        if (find_normal(arena, pair, a, b, points.a, &normal))
            tell_depth(pair, points, normal, result);
        else
            status = IMP_STATUS_OUT_OF_MEMORY;
    }
    impi_arena_rewind(arena, mark);
    return status;
}
