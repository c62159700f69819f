// The search of separating_vector.c in integers: the point nearest to the origin of a simplex of differences
// gives a direction; if the least difference along it is positive, the bodies are apart; otherwise that
// difference joins the simplex. (Gilbert, Johnson & Keerthi 1988; nothing is ever rounded here.)
//
// It ends: a difference that is not positive along the direction of the nearest point makes the hull come
// nearer to the origin, so no simplex returns, and there are finitely many.
//
// Posed coordinates are integers on a common grid (geom/exact_integer.h). Directions have up to degree 3 in
// them, their products with vertices degree 4, so one width of four times the grid's words, and a little more
// for sums, holds every number.
//
// Cost: 4 microseconds for cubes face on face, 45 for hulls of 1000 vertices in general position, where one
// pass over the vertices per step counts most (Zen 4).
#include "object/convex_exact.h"

#include "geom/exact_integer.h"
#include "geom/pose.h"
#include "geom/predicates.h"
#include "geom/scalar.h"

#include <assert.h>
#include <float.h>
#include <math.h>

// A difference of coordinates takes a bit more than they do, an edge between differences two; a cross product
// of edges is twice that and one more, and so on: 4 * bits + 13 holds all that is computed here with its
// sign.
#define EXTRA_BITS 13
#define MAX_WORDS  ((4 * IMPI_DOUBLE_BITS + EXTRA_BITS + 63) / 64)

typedef struct Integer {
    uint64_t words[MAX_WORDS]; // as many as Exact.width are used
} Integer;

typedef struct Vector {
    Integer x, y, z;
} Vector;

typedef struct Vertices {
    imp_Vec3 *posed;
    const uint32_t *ids;
    size_t count;
    double *distances; // along the direction at hand, rounded
} Vertices;

typedef struct Exact {
    int width; // words of every integer
    int step;  // exponent of the grid
    double largest;
    Vertices a, b;
    // The simplex.
    unsigned count;
    imp_VertexPair pairs[IMPI_MAX_SIMPLEX];
    Vector differences[IMPI_MAX_SIMPLEX];
    // What is nearest.
    Vector direction;
    imp_Vec3 rounded_direction; // the longest coordinate between 1/2 and 1
} Exact;

static int sign_of(const Exact *exact, const Integer *a)
{
    return impi_integer_sign(exact->width, a->words);
}

static void load(const Exact *exact, double value, Integer *out)
{
    impi_integer_load(exact->width, out->words, impi_split_double(value), exact->step);
}

static void vector_load(const Exact *exact, imp_Vec3 v, Vector *out)
{
    load(exact, v.x, &out->x);
    load(exact, v.y, &out->y);
    load(exact, v.z, &out->z);
}

static void vector_subtract(const Exact *exact, const Vector *a, const Vector *b, Vector *out)
{
    // cppcheck-suppress uninitvar; it is written here
    impi_integer_subtract(exact->width, out->x.words, a->x.words, b->x.words);
    impi_integer_subtract(exact->width, out->y.words, a->y.words, b->y.words);
    impi_integer_subtract(exact->width, out->z.words, a->z.words, b->z.words);
}

static void vector_negate(const Exact *exact, Vector *a)
{
    impi_integer_negate(exact->width, a->x.words);
    impi_integer_negate(exact->width, a->y.words);
    impi_integer_negate(exact->width, a->z.words);
}

static void dot(const Exact *exact, const Vector *a, const Vector *b, Integer *out)
{
    Integer term;
    impi_integer_multiply_low(exact->width, out->words, a->x.words, b->x.words);
    impi_integer_multiply_low(exact->width, term.words, a->y.words, b->y.words);
    impi_integer_add(exact->width, out->words, term.words);
    impi_integer_multiply_low(exact->width, term.words, a->z.words, b->z.words);
    impi_integer_add(exact->width, out->words, term.words);
}

static int dot_sign(const Exact *exact, const Vector *a, const Vector *b)
{
    Integer product;
    product.words[exact->width - 1] = 0; // compilers do not see that all words are written
    dot(exact, a, b, &product);
    return sign_of(exact, &product);
}

// out = a*d - b*c
static void minor2(const Exact *exact, const Integer *a, const Integer *b, const Integer *c, const Integer *d,
                   Integer *out)
{
    Integer other;
    impi_integer_multiply_low(exact->width, out->words, a->words, d->words);
    impi_integer_multiply_low(exact->width, other.words, b->words, c->words);
    impi_integer_subtract(exact->width, out->words, out->words, other.words);
}

static void cross(const Exact *exact, const Vector *a, const Vector *b, Vector *out)
{
    minor2(exact, &a->y, &a->z, &b->y, &b->z, &out->x);
    minor2(exact, &a->z, &a->x, &b->z, &b->x, &out->y);
    minor2(exact, &a->x, &a->y, &b->x, &b->y, &out->z);
}

// Some of the simplex's points, and the direction of the point nearest to the origin in their plane or line.
typedef struct Part {
    unsigned count;
    uint8_t points[IMPI_MAX_SIMPLEX];
    bool holds_origin;
} Part;

static bool segment_direction(Exact *exact, const Part *part)
{
    const Vector *a = &exact->differences[part->points[0]], *b = &exact->differences[part->points[1]];
    Vector edge, normal;
    vector_subtract(exact, b, a, &edge);
    if (dot_sign(exact, a, &edge) >= 0 || dot_sign(exact, b, &edge) <= 0)
        return false;
    cross(exact, &edge, a, &normal);
    cross(exact, &normal, &edge, &exact->direction);
    return true;
}

static bool triangle_direction(Exact *exact, const Part *part)
{
    const Vector *corners[3] = {&exact->differences[part->points[0]], &exact->differences[part->points[1]],
                                &exact->differences[part->points[2]]};
    Vector first, second, normal, area;
    vector_subtract(exact, corners[1], corners[0], &first);
    vector_subtract(exact, corners[2], corners[0], &second);
    cross(exact, &first, &second, &normal);
    for (unsigned i = 0; i < 3; ++i) {
        cross(exact, corners[(i + 1) % 3], corners[(i + 2) % 3], &area);
        if (dot_sign(exact, &normal, &area) <= 0)
            return false;
    }
    if (dot_sign(exact, &normal, corners[0]) < 0)
        vector_negate(exact, &normal);
    exact->direction = normal;
    return true;
}

static bool tetrahedron_holds_origin(const Exact *exact)
{
    const Vector *d = exact->differences;
    Vector first, last;
    cross(exact, &d[0], &d[1], &first);
    cross(exact, &d[2], &d[3], &last);
    int sign = dot_sign(exact, &d[1], &last);
    return sign != 0 && -dot_sign(exact, &d[0], &last) == sign && dot_sign(exact, &d[3], &first) == sign &&
           -dot_sign(exact, &d[2], &first) == sign;
}

// Is no other point of the simplex nearer along the direction than those of the part?
static bool is_nearest(const Exact *exact, const Part *part)
{
    for (unsigned i = 0; i < exact->count; ++i) {
        Vector offset;
        vector_subtract(exact, &exact->differences[i], &exact->differences[part->points[0]], &offset);
        if (dot_sign(exact, &exact->direction, &offset) < 0)
            return false;
    }
    return true;
}

static Part part_of(unsigned mask)
{
    Part part = {0};
    for (uint8_t i = 0; i < IMPI_MAX_SIMPLEX; ++i)
        if (mask >> i & 1)
            part.points[part.count++] = i;
    return part;
}

// The point of the simplex nearest to the origin lies inside exactly one vertex, edge, triangle or the
// tetrahedron whose corners span it; it is told by the corners' weights being positive and by all other
// points lying beyond. (Should the points be dependent, as those taken over may be, there may be several such
// parts, and any will do.)
static Part find_nearest(Exact *exact)
{
    for (unsigned mask = 1; mask < 1u << exact->count; ++mask) {
        Part part = part_of(mask);
        if (part.count == 4) {
            if (!tetrahedron_holds_origin(exact))
                continue;
            part.holds_origin = true;
            return part;
        }
        if (part.count == 1)
            exact->direction = exact->differences[part.points[0]];
        else if (part.count == 2 ? !segment_direction(exact, &part) : !triangle_direction(exact, &part))
            continue;
        part.holds_origin = dot_sign(exact, &exact->direction, &exact->differences[part.points[0]]) == 0;
        if (part.holds_origin || is_nearest(exact, &part))
            return part;
    }
    assert(false); // every simplex has a nearest point
    return (Part){0};
}

static void keep_part(Exact *exact, const Part *part)
{
    // Ascending, so that nothing is overwritten before it is moved.
    for (unsigned i = 0; i < part->count; ++i) {
        exact->pairs[i] = exact->pairs[part->points[i]];
        exact->differences[i] = exact->differences[part->points[i]];
    }
    exact->count = part->count;
}

// How many bits the magnitude has.
static int bit_length(int width, const uint64_t *words)
{
    for (int i = width - 1; i >= 0; --i)
        if (words[i])
            return 64 * i + 64 - __builtin_clzll(words[i]);
    return 0;
}

// The magnitude's leading bits, as a multiple of 2^exponent.
static double leading(const Exact *exact, const Integer *a, int exponent)
{
    Integer magnitude = *a;
    bool is_negative = sign_of(exact, a) < 0;
    if (is_negative)
        impi_integer_negate(exact->width, magnitude.words);
    int length = bit_length(exact->width, magnitude.words);
    if (length == 0)
        return 0;
    int low = length > 64 ? length - 64 : 0, word = low / 64, bit = low % 64;
    uint64_t top = magnitude.words[word] >> bit;
    if (bit && word + 1 < exact->width)
        top |= magnitude.words[word + 1] << (64 - bit);
    double value = ldexp((double)top, low - exponent);
    return is_negative ? -value : value;
}

static int magnitude_bits(const Exact *exact, const Integer *a)
{
    Integer magnitude = *a;
    if (sign_of(exact, a) < 0)
        impi_integer_negate(exact->width, magnitude.words);
    return bit_length(exact->width, magnitude.words);
}

static void round_direction(Exact *exact)
{
    const Vector *w = &exact->direction;
    int x = magnitude_bits(exact, &w->x), y = magnitude_bits(exact, &w->y), z = magnitude_bits(exact, &w->z);
    int longest = x > y ? (x > z ? x : z) : (y > z ? y : z);
    exact->rounded_direction = (imp_Vec3){leading(exact, &w->x, longest), leading(exact, &w->y, longest),
                                          leading(exact, &w->z, longest)};
}

// Which of two vertices lies farther along the direction: the sign of (p - q) . direction.
static int compare_along(const Exact *exact, imp_Vec3 p, imp_Vec3 q)
{
    Vector first, second;
    vector_load(exact, p, &first);
    vector_load(exact, q, &second);
    vector_subtract(exact, &first, &second, &first);
    return dot_sign(exact, &exact->direction, &first);
}

// The position of the vertex that lies farthest along the direction, times `sign`. Doubles say which ones it
// may be: the rounded direction is off by less than 2^-52 of its longest coordinate, products and sums by
// three roundings, so 8 u * 3 * largest bounds both; twice that is taken between two vertices.
static uint32_t find_farthest(const Exact *exact, const Vertices *vertices, double sign)
{
    imp_Vec3 s = exact->rounded_direction;
    double error =
        exact->largest < 0x1p1000 && exact->largest > 0x1p-900 ? 0x1p-46 * exact->largest : INFINITY;
    double farthest = -INFINITY;
    for (size_t i = 0; i < vertices->count; ++i) {
        const imp_Vec3 *v = &vertices->posed[i];
        double distance = sign * ((s.x * v->x + s.y * v->y) + s.z * v->z);
        vertices->distances[i] = distance;
        farthest = impi_larger(distance, farthest);
    }
    size_t best = vertices->count;
    for (size_t i = 0; i < vertices->count; ++i) {
        if (vertices->distances[i] < farthest - error)
            continue;
        if (best == vertices->count ||
            sign * compare_along(exact, vertices->posed[i], vertices->posed[best]) > 0)
            best = i;
    }
    return (uint32_t)best;
}

static void add_difference(Exact *exact, uint32_t position_a, uint32_t position_b)
{
    Vector a, b;
    vector_load(exact, exact->a.posed[position_a], &a);
    vector_load(exact, exact->b.posed[position_b], &b);
    exact->pairs[exact->count] = (imp_VertexPair){exact->a.ids[position_a], exact->b.ids[position_b]};
    vector_subtract(exact, &b, &a, &exact->differences[exact->count++]);
}

static imp_ConvexResult result_of(const Exact *exact, bool touch, imp_VertexPair support, uint32_t steps)
{
    imp_ConvexResult result = {.touch = touch,
                               .used_exact = true,
                               .step_count = steps,
                               .certificate = {.touch = touch, .pair_count = exact->count}};
    for (unsigned i = 0; i < exact->count; ++i)
        result.certificate.pairs[i] = exact->pairs[i];
    if (!touch) {
        result.certificate.direction = exact->rounded_direction;
        result.certificate.support = support;
    }
    return result;
}

static imp_ConvexResult decide(Exact *exact)
{
    if (exact->count == 0)
        add_difference(exact, 0, 0);
    for (uint32_t steps = 0;; ++steps) {
        Part part = find_nearest(exact);
        keep_part(exact, &part);
        if (part.holds_origin)
            return result_of(exact, true, (imp_VertexPair){0}, steps);
        round_direction(exact);
        uint32_t a = find_farthest(exact, &exact->a, 1), b = find_farthest(exact, &exact->b, -1);
        if (compare_along(exact, exact->b.posed[b], exact->a.posed[a]) > 0)
            return result_of(exact, false, (imp_VertexPair){exact->a.ids[a], exact->b.ids[b]}, steps + 1);
        add_difference(exact, a, b);
    }
}

static bool pose_vertices(impi_Arena *arena, const impi_Polytope *polytope, Vertices *vertices)
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

// The grid that all posed coordinates lie on. False when one of them is not finite.
static bool add_to_span(const Vertices *vertices, impi_GridSpan *span, double *largest)
{
    for (size_t i = 0; i < vertices->count; ++i) {
        const imp_Vec3 *v = &vertices->posed[i];
        if (!impi_vec3_is_finite(v))
            return false;
        impi_span_add(span, impi_split_double(v->x));
        impi_span_add(span, impi_split_double(v->y));
        impi_span_add(span, impi_split_double(v->z));
        *largest = impi_larger(impi_larger(fabs(v->x), fabs(v->y)), impi_larger(fabs(v->z), *largest));
    }
    return true;
}

// Where a vertex stands in the list; the list has every vertex of the polytope.
static uint32_t position_of(const Vertices *vertices, uint32_t id)
{
    for (uint32_t i = 0; i < vertices->count; ++i)
        if (vertices->ids[i] == id)
            return i;
    return UINT32_MAX;
}

static void take_over(Exact *exact, const impi_Simplex *start)
{
    for (unsigned i = 0; i < start->count; ++i) {
        uint32_t a = position_of(&exact->a, start->points[i].pair.vertex_a);
        uint32_t b = position_of(&exact->b, start->points[i].pair.vertex_b);
        if (a != UINT32_MAX && b != UINT32_MAX)
            add_difference(exact, a, b);
    }
}

// Each allocation is rounded up to the alignment.
size_t impi_convex_exact_memory(size_t lane_count)
{
    return sizeof(Exact) + lane_count * (sizeof(imp_Vec3) + sizeof(double)) + 5 * IMPI_ALIGNMENT;
}

imp_Status impi_convex_decide_exact(impi_Arena *arena, const impi_Polytope *a, const impi_Polytope *b,
                                    const impi_Simplex *start, imp_ConvexResult *result)
{
    assert(start->count <= IMPI_MAX_SIMPLEX);
    impi_ArenaMark mark = impi_arena_mark(arena);
    imp_Status status = IMP_STATUS_OK;
    impi_GridSpan span = IMPI_NO_SPAN;
    Exact *exact = impi_arena_allocate(arena, sizeof *exact);
    if (!exact || !pose_vertices(arena, a, &exact->a) || !pose_vertices(arena, b, &exact->b)) {
        status = IMP_STATUS_OUT_OF_MEMORY;
        goto cleanup;
    }
    exact->largest = 0;
    if (!add_to_span(&exact->a, &span, &exact->largest) || !add_to_span(&exact->b, &span, &exact->largest)) {
        status = IMP_STATUS_BAD_NUMBER;
        goto cleanup;
    }
    exact->step = span.low;
    exact->width = span.high < span.low ? 1 : (4 * (span.high - span.low) + EXTRA_BITS + 63) / 64;
    exact->count = 0;
    take_over(exact, start);
    *result = decide(exact);
cleanup:
    impi_arena_rewind(arena, mark);
    return status;
}
