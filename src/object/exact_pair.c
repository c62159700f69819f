#include "object/exact_pair.h"

#include "geom/pose.h"
#include "geom/predicates.h"
#include "geom/scalar.h"

#include <assert.h>
#include <math.h>

static imp_Vec3 times(double factor, imp_Vec3 v)
{
    return (imp_Vec3){factor * v.x, factor * v.y, factor * v.z};
}

// Which of two vertices lies farther along the direction: the sign of (p - q) . direction.
static int compare_along(const impi_ExactPair *pair, imp_Vec3 p, imp_Vec3 q)
{
    int width = pair->simplex.width;
    impi_ExactVector first, second;
    impi_exact_load(width, p, pair->span.low, &first);
    impi_exact_load(width, q, pair->span.low, &second);
    impi_exact_subtract(width, &first, &second, &first);
    return impi_exact_dot_sign(width, &pair->simplex.direction, &first);
}

// Doubles say which ones it may be: the rounded direction is off by less than 2^-52 of its longest
// coordinate, products and sums by three roundings, so 8 u * 3 * largest bounds both; twice that is taken
// between two vertices. With the scale the largest lies between 2^-174 and 2^1000, where underflow is far
// below that.
uint32_t impi_exact_pair_farthest(const impi_ExactPair *pair, const impi_ExactVertices *vertices, int sign)
{
    imp_Vec3 s = times(sign, pair->rounded_direction);
    double error = 0x1p-46 * (pair->largest * pair->scale), farthest = -INFINITY;
    for (size_t i = 0; i < vertices->count; ++i) {
        imp_Vec3 v = times(pair->scale, vertices->posed[i]);
        double distance = (s.x * v.x + s.y * v.y) + s.z * v.z;
        vertices->distances[i] = distance;
        farthest = impi_larger(distance, farthest);
    }
    size_t best = vertices->count;
    for (size_t i = 0; i < vertices->count; ++i) {
        if (vertices->distances[i] < farthest - error)
            continue;
        if (best == vertices->count ||
            sign * compare_along(pair, vertices->posed[i], vertices->posed[best]) > 0)
            best = i;
    }
    return (uint32_t)best;
}

void impi_exact_pair_aim(impi_ExactPair *pair)
{
    pair->rounded_direction =
        impi_exact_round_direction(pair->simplex.width, &pair->simplex.direction, &pair->direction_exponent);
}

static void add_to_span(impi_GridSpan *span, const imp_Vec3 *v)
{
    impi_span_add(span, impi_split_double(v->x));
    impi_span_add(span, impi_split_double(v->y));
    impi_span_add(span, impi_split_double(v->z));
}

static int bits_of(impi_GridSpan span)
{
    return span.high > span.low ? span.high - span.low : 0;
}

void impi_exact_pair_aim_along(impi_ExactPair *pair, imp_Vec3 direction)
{
    impi_GridSpan span = IMPI_NO_SPAN;
    add_to_span(&span, &direction);
    impi_ExactSimplex *simplex = &pair->simplex;
    simplex->count = 0;
    simplex->width = (bits_of(pair->span) + bits_of(span) + IMPI_EXACT_EXTRA_BITS + 63) / 64;
    assert(simplex->width <= IMPI_EXACT_MAX_WORDS);
    impi_exact_load(simplex->width, direction, span.low, &simplex->direction);
    pair->rounded_direction = direction;
    pair->direction_exponent = -span.low;
}

void impi_exact_pair_difference(const impi_ExactPair *pair, uint32_t position_a, uint32_t position_b,
                                impi_ExactVector *difference)
{
    int width = pair->simplex.width;
    impi_ExactVector a;
    impi_exact_load(width, pair->a.posed[position_a], pair->span.low, &a);
    impi_exact_load(width, pair->b.posed[position_b], pair->span.low, difference);
    impi_exact_subtract(width, difference, &a, difference);
}

impi_WideNumber impi_exact_pair_along(const impi_ExactPair *pair, const impi_ExactVector *difference)
{
    impi_ExactInteger product;
    impi_exact_dot(pair->simplex.width, &pair->simplex.direction, difference, &product);
    impi_WideNumber along = impi_integer_round(pair->simplex.width, product.words);
    along.exponent += pair->span.low - pair->direction_exponent;
    return along;
}

void impi_exact_pair_add(impi_ExactPair *pair, uint32_t position_a, uint32_t position_b)
{
    impi_ExactSimplex *simplex = &pair->simplex;
    assert(simplex->count < IMPI_MAX_SIMPLEX);
    simplex->pairs[simplex->count] = (imp_VertexPair){pair->a.ids[position_a], pair->b.ids[position_b]};
    impi_exact_pair_difference(pair, position_a, position_b, &simplex->differences[simplex->count++]);
}

static bool pose_vertices(impi_Arena *arena, const impi_Polytope *polytope, impi_ExactVertices *vertices)
{
    const impi_SupportSet *set = polytope->support;
    vertices->count = (size_t)set->block_count * IMPI_SUPPORT_LANES;
    vertices->ids = set->vertices;
    vertices->posed = impi_arena_allocate_array(arena, vertices->count, sizeof *vertices->posed);
    vertices->distances = impi_arena_allocate_array(arena, vertices->count, sizeof *vertices->distances);
    if (!vertices->posed || !vertices->distances)
        return false;
    for (size_t i = 0; i < vertices->count; ++i)
        vertices->posed[i] = impi_pose_vertex(polytope->transform, &set->points[i]);
    return true;
}

// False when a posed coordinate is not finite.
static bool measure(impi_ExactPair *pair, const impi_ExactVertices *vertices)
{
    for (size_t i = 0; i < vertices->count; ++i) {
        const imp_Vec3 *v = &vertices->posed[i];
        if (!impi_vec3_is_finite(v))
            return false;
        add_to_span(&pair->span, v);
        pair->largest =
            impi_larger(impi_larger(fabs(v->x), fabs(v->y)), impi_larger(fabs(v->z), pair->largest));
    }
    return true;
}

// Each allocation is rounded up to the alignment.
size_t impi_exact_pair_memory(size_t lane_count)
{
    return sizeof(impi_ExactPair) + lane_count * (sizeof(imp_Vec3) + sizeof(double)) + 5 * IMPI_ALIGNMENT;
}

imp_Status impi_exact_pair_begin(impi_Arena *arena, const impi_Polytope *a, const impi_Polytope *b,
                                 impi_ExactPair **pair)
{
    impi_ExactPair *made = impi_arena_allocate(arena, sizeof *made);
    if (!made || !pose_vertices(arena, a, &made->a) || !pose_vertices(arena, b, &made->b))
        return IMP_STATUS_OUT_OF_MEMORY;
    made->span = IMPI_NO_SPAN;
    made->largest = 0;
    if (!measure(made, &made->a) || !measure(made, &made->b))
        return IMP_STATUS_BAD_NUMBER;
    made->scale = made->largest > 0x1p1000 ? 0x1p-100 : made->largest < 0x1p-900 ? 0x1p900 : 1;
    made->simplex.width = (4 * bits_of(made->span) + IMPI_EXACT_EXTRA_BITS + 63) / 64;
    made->simplex.count = 0;
    *pair = made;
    return IMP_STATUS_OK;
}

// The list has every vertex of the polytope.
uint32_t impi_exact_vertices_find(const impi_ExactVertices *vertices, uint32_t id)
{
    for (uint32_t i = 0; i < vertices->count; ++i)
        if (vertices->ids[i] == id)
            return i;
    return UINT32_MAX;
}

void impi_exact_pair_take_over(impi_ExactPair *pair, const imp_VertexPair *differences, unsigned count)
{
    for (unsigned i = 0; i < count; ++i) {
        uint32_t a = impi_exact_vertices_find(&pair->a, differences[i].vertex_a);
        uint32_t b = impi_exact_vertices_find(&pair->b, differences[i].vertex_b);
        if (a != UINT32_MAX && b != UINT32_MAX)
            impi_exact_pair_add(pair, a, b);
    }
}
