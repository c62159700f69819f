// Certificates of touching and separate polytopes, checked in integers.
//
// Posed vertices are put on a common grid (geom/exact_integer.h). One number of words is chosen for all
// integers of a check, wide enough for the largest that can arise, so no product needs care.
//
// Separate: the ends of both bodies along w, by one sign for each vertex, of w . (vertex - end so far), and
// one sign for the two ends. Doubles decide nearly all of them when w is given in doubles.
//
// Touching: by Caratheodory's theorem the origin lies in the hull of some points if and only if it lies in
// the hull of an affinely independent subset of them, and there its weights are unique: quotients of
// determinants, whose signs are enough. All subsets are tried, so no degenerate position needs care.
//
// Cost: linear in the vertices. Shares with the search nothing but the posed vertices and the words.
#include "object/certificate_check.h"

#include "base/float_guard.h"
#include "geom/exact_integer.h"
#include "geom/pose.h"
#include "geom/predicates.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// Coordinates below 2^s. Differences d lie below 2^(s+1), e below 2^(s+2), e x d0 below 2^(2s+4),
// (e x d0) x e below 2^(3s+7), its product with a difference below 2^(4s+10), and the sign takes one bit.
// Everything else here has a lower degree.
#define HEADROOM_BITS 11
#define MAX_WORDS     ((4 * IMPI_DOUBLE_BITS + HEADROOM_BITS + 63) / 64)

typedef struct Vector {
    uint64_t x[3][MAX_WORDS];
} Vector;

typedef struct Body {
    imp_Vec3 *points; // posed; those that no face uses are not set
    uint8_t *is_used; // by a face
    size_t point_count;
} Body;

typedef struct Check {
    Body a, b;
    int step;       // exponent of the grid's step
    int word_count; // of every integer
} Check;

// ---------------------------------------------------------------------------------- integer vectors

static void load(const Check *check, imp_Vec3 value, int step, Vector *out)
{
    const double coordinates[3] = {value.x, value.y, value.z};
    for (int axis = 0; axis < 3; ++axis)
        // cppcheck-suppress uninitvar; it is written here
        impi_integer_load(check->word_count, out->x[axis], impi_split_double(coordinates[axis]), step);
}

static void subtract(const Check *check, const Vector *a, const Vector *b, Vector *out)
{
    for (int axis = 0; axis < 3; ++axis)
        impi_integer_subtract(check->word_count, out->x[axis], a->x[axis], b->x[axis]);
}

static void load_difference(const Check *check, imp_Vec3 from, imp_Vec3 to, Vector *out)
{
    Vector start;
    load(check, from, check->step, &start);
    load(check, to, check->step, out);
    subtract(check, out, &start, out);
}

static void negate(const Check *check, Vector *v)
{
    for (int axis = 0; axis < 3; ++axis)
        impi_integer_negate(check->word_count, v->x[axis]);
}

static void cross(const Check *check, const Vector *a, const Vector *b, Vector *out)
{
    uint64_t other[MAX_WORDS];
    for (int axis = 0; axis < 3; ++axis) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        // cppcheck-suppress uninitvar; it is written here
        impi_integer_multiply_low(check->word_count, out->x[axis], a->x[next], b->x[last]);
        impi_integer_multiply_low(check->word_count, other, a->x[last], b->x[next]);
        impi_integer_subtract(check->word_count, out->x[axis], out->x[axis], other);
    }
}

static int dot_sign(const Check *check, const Vector *a, const Vector *b)
{
    uint64_t sum[MAX_WORDS], term[MAX_WORDS];
    impi_integer_multiply_low(check->word_count, sum, a->x[0], b->x[0]);
    for (int axis = 1; axis < 3; ++axis) {
        impi_integer_multiply_low(check->word_count, term, a->x[axis], b->x[axis]);
        impi_integer_add(check->word_count, sum, term);
    }
    return impi_integer_sign(check->word_count, sum);
}

static bool is_zero(const Check *check, const Vector *v)
{
    for (int axis = 0; axis < 3; ++axis)
        if (impi_integer_sign(check->word_count, v->x[axis]) != 0)
            return false;
    return true;
}

// ---------------------------------------------------------------------------------------- vertices

static imp_Status pose_vertices(imp_Context *context, const imp_Convex *convex,
                                const imp_Transform *transform, Body *body)
{
    const imp_Mesh *mesh = imp_convex_get_mesh(convex);
    const uint32_t *indices = imp_mesh_get_indices(mesh);
    const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
    size_t count = imp_mesh_get_vertex_count(mesh);
    body->point_count = count;
    body->points = impi_arena_allocate_array(&context->scratch, count, sizeof *body->points);
    body->is_used = impi_arena_allocate_array(&context->scratch, count, sizeof *body->is_used);
    if (!body->points || !body->is_used)
        return impi_fail_out_of_memory(context);
    memset(body->is_used, 0, count);
    for (size_t i = 0; i < 3 * imp_mesh_get_triangle_count(mesh); ++i)
        body->is_used[indices[i]] = 1;
    for (size_t i = 0; i < count; ++i) {
        if (!body->is_used[i])
            continue;
        body->points[i] = impi_transform_apply(transform, vertices[i]);
        if (!impi_vec3_is_finite(&body->points[i]))
            return impi_fail(context, IMP_STATUS_BAD_NUMBER, i, "vertex %zu is posed beyond finite numbers",
                             i);
    }
    return IMP_STATUS_OK;
}

static void span_add_vector(impi_GridSpan *span, imp_Vec3 v)
{
    impi_span_add(span, impi_split_double(v.x));
    impi_span_add(span, impi_split_double(v.y));
    impi_span_add(span, impi_split_double(v.z));
}

static void span_add_body(impi_GridSpan *span, const Body *body)
{
    for (size_t i = 0; i < body->point_count; ++i)
        if (body->is_used[i])
            span_add_vector(span, body->points[i]);
}

static int span_bits(impi_GridSpan span)
{
    return span.high > span.low ? span.high - span.low : 0;
}

static bool is_vertex(const Body *body, uint32_t vertex)
{
    return vertex < body->point_count && body->is_used[vertex];
}

static bool are_vertices(const Check *check, const imp_VertexPair *pairs, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        if (!is_vertex(&check->a, pairs[i].vertex_a) || !is_vertex(&check->b, pairs[i].vertex_b))
            return false;
    return true;
}

// d of the header.
static void load_pair(const Check *check, imp_VertexPair pair, Vector *out)
{
    load_difference(check, check->a.points[pair.vertex_a], check->b.points[pair.vertex_b], out);
}

// ---------------------------------------------------------------------------------------- touching

// A segment, also one that is a point.
static bool segment_has_origin(const Check *check, const Vector *d0, const Vector *d1)
{
    Vector normal;
    cross(check, d0, d1, &normal);
    return is_zero(check, &normal) && dot_sign(check, d0, d1) <= 0;
}

// A triangle that is none of its edges. In a plane with the origin the areas of the three triangles that the
// origin makes with the edges are weights: vectors along the normal, so one axis on which any of them is not
// zero tells their signs.
static bool triangle_has_origin(const Check *check, const Vector *d0, const Vector *d1, const Vector *d2)
{
    Vector areas[3];
    cross(check, d0, d1, &areas[0]);
    if (dot_sign(check, &areas[0], d2) != 0)
        return false;
    cross(check, d1, d2, &areas[1]);
    cross(check, d2, d0, &areas[2]);
    for (int axis = 0; axis < 3; ++axis) {
        int least = 0, most = 0;
        for (int i = 0; i < 3; ++i) {
            int sign = impi_integer_sign(check->word_count, areas[i].x[axis]);
            least = sign < least ? sign : least;
            most = sign > most ? sign : most;
        }
        if (least != most)
            return least * most == 0;
    }
    return false;
}

// A tetrahedron that is not flat: the volumes of the four tetrahedra that the origin makes with the faces are
// weights, and their sum is its own volume.
static bool tetrahedron_has_origin(const Check *check, const Vector d[4])
{
    int least = 0, most = 0;
    for (int left_out = 0; left_out < 4; ++left_out) {
        const Vector *face[3];
        for (int i = 0, k = 0; i < 4; ++i)
            if (i != left_out)
                face[k++] = &d[i];
        Vector normal;
        cross(check, face[0], face[1], &normal);
        int sign = dot_sign(check, &normal, face[2]) * (left_out % 2 ? -1 : 1);
        least = sign < least ? sign : least;
        most = sign > most ? sign : most;
    }
    return least != most && least * most == 0;
}

static bool hull_has_origin(const Check *check, const Vector *d, uint32_t count)
{
    if (count == 4 && tetrahedron_has_origin(check, d))
        return true;
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t j = i; j < count; ++j) {
            if (segment_has_origin(check, &d[i], &d[j]))
                return true;
            for (uint32_t k = j + 1; k < count && j > i; ++k)
                if (triangle_has_origin(check, &d[i], &d[j], &d[k]))
                    return true;
        }
    return false;
}

static bool proves_touching(Check *check, const imp_Certificate *certificate)
{
    uint32_t count = certificate->pair_count;
    if (count < 1 || count > IMP_MAX_WITNESSES || !are_vertices(check, certificate->pairs, count))
        return false;
    impi_GridSpan span = IMPI_NO_SPAN;
    for (uint32_t i = 0; i < count; ++i) {
        span_add_vector(&span, check->a.points[certificate->pairs[i].vertex_a]);
        span_add_vector(&span, check->b.points[certificate->pairs[i].vertex_b]);
    }
    check->step = span.low;
    check->word_count = (3 * span_bits(span) + HEADROOM_BITS + 63) / 64;
    Vector d[IMP_MAX_WITNESSES];
    for (uint32_t i = 0; i < count; ++i)
        load_pair(check, certificate->pairs[i], &d[i]);
    return hull_has_origin(check, d, count);
}

// ---------------------------------------------------------------------------------------- separate

// w, exactly; and in doubles where it is given in them.
typedef struct Direction {
    Vector exact;
    bool has_doubles;
    imp_Vec3 doubles;
} Direction;

// The sign of w . (to - from) if doubles can tell it, otherwise 0. With the rounding error u of one
// operation, each term has been rounded four times, and underflow takes at most half the least double from
// each. Overflow makes the bound infinite or the sum not a number, which decides nothing.
static int sign_in_doubles(const imp_Vec3 *w, const imp_Vec3 *from, const imp_Vec3 *to)
{
    double x = w->x * (to->x - from->x), y = w->y * (to->y - from->y), z = w->z * (to->z - from->z);
    double sum = (x + y) + z;
    double bound = 0x1p-50 * ((fabs(x) + fabs(y)) + fabs(z)) + 0x1p-1000;
    return sum > bound ? 1 : sum < -bound ? -1 : 0;
}

static int sign_along(const Check *check, const Direction *w, const imp_Vec3 *from, const imp_Vec3 *to)
{
    int sign = w->has_doubles ? sign_in_doubles(&w->doubles, from, to) : 0;
    if (sign != 0)
        return sign;
    Vector difference;
    load_difference(check, *from, *to, &difference);
    return dot_sign(check, &w->exact, &difference);
}

// w of the pairs, as the header tells. False when it has no such sign as is asked for.
static bool load_direction_of_pairs(const Check *check, const imp_Certificate *certificate, Vector *w)
{
    Vector d0, d1, d2, normal;
    load_pair(check, certificate->pairs[0], &d0);
    if (certificate->pair_count == 1) {
        *w = d0;
        return true;
    }
    load_pair(check, certificate->pairs[1], &d1);
    subtract(check, &d1, &d0, &d1);
    if (certificate->pair_count == 2) {
        cross(check, &d1, &d0, &normal);
        cross(check, &normal, &d1, w);
        return true;
    }
    load_pair(check, certificate->pairs[2], &d2);
    subtract(check, &d2, &d0, &d2);
    cross(check, &d1, &d2, w);
    int sign = dot_sign(check, w, &d0);
    if (sign < 0)
        negate(check, w);
    return sign != 0;
}

// Choose the grid, which all vertices of both bodies fit, and the words, and load w.
static bool load_direction(Check *check, const imp_Certificate *certificate, Direction *w)
{
    impi_GridSpan span = IMPI_NO_SPAN, direction_span = IMPI_NO_SPAN;
    span_add_body(&span, &check->a);
    span_add_body(&span, &check->b);
    check->step = span.low;
    if (certificate->pair_count > 0) {
        check->word_count = (4 * span_bits(span) + HEADROOM_BITS + 63) / 64;
        w->has_doubles = false;
        return load_direction_of_pairs(check, certificate, &w->exact);
    }
    span_add_vector(&direction_span, certificate->direction);
    check->word_count = (span_bits(span) + span_bits(direction_span) + HEADROOM_BITS + 63) / 64;
    w->has_doubles = true;
    w->doubles = certificate->direction;
    load(check, certificate->direction, direction_span.low, &w->exact);
    return true;
}

// The vertex of the body that lies farthest along w for `side` 1, least far for -1: most likely the one that
// is begun with.
static const imp_Vec3 *find_end(const Check *check, const Body *body, uint32_t begin, int side,
                                const Direction *w)
{
    const imp_Vec3 *end = &body->points[begin];
    for (size_t i = 0; i < body->point_count; ++i)
        if (body->is_used[i] && sign_along(check, w, end, &body->points[i]) == side)
            end = &body->points[i];
    return end;
}

static bool is_direction(const imp_Vec3 *v)
{
    return impi_vec3_is_finite(v) && (v->x != 0 || v->y != 0 || v->z != 0);
}

static bool proves_separation(Check *check, const imp_Certificate *certificate)
{
    uint32_t count = certificate->pair_count;
    imp_VertexPair support = certificate->support;
    if (count >= IMP_MAX_WITNESSES || !are_vertices(check, certificate->pairs, count) ||
        !are_vertices(check, &support, 1) || !is_direction(&certificate->direction))
        return false;
    Direction w;
    if (!load_direction(check, certificate, &w))
        return false;
    const imp_Vec3 *end_a = find_end(check, &check->a, support.vertex_a, 1, &w);
    const imp_Vec3 *end_b = find_end(check, &check->b, support.vertex_b, -1, &w);
    return sign_along(check, &w, end_a, end_b) > 0;
}

imp_Status impi_certificate_check(imp_Context *context, const impi_PosedPair *pair,
                                  const imp_Certificate *certificate, bool *is_valid)
{
    assert(impi_float_mode_is_default(impi_float_mode_get()));
    Check check;
    imp_Status status = pose_vertices(context, pair->a, pair->transform_a, &check.a);
    if (status == IMP_STATUS_OK)
        status = pose_vertices(context, pair->b, pair->transform_b, &check.b);
    if (status == IMP_STATUS_OK)
        *is_valid = certificate->touch ? proves_touching(&check, certificate)
                                       : proves_separation(&check, certificate);
    return status;
}
