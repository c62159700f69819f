// Triangles are convex. So two of their points are nearest to each other if and only if no vertex of a lies
// farther along w, from the point of a to that of b, than the point of a does, and no vertex of b less far
// than the point of b: signs of scalar products with w. No other length has to be compared.
//
//   parts            w, but for its length and sign           degree in the coordinates
//   vertex, vertex   w = b - a                                1
//   vertex, edge     w = (e x d) x e, d from edge to vertex   3
//   vertex, face     w = normal of the face                   2
//   edge, edge       w = e x f                                2
//
// Where all signs are strict, no other points are as near: those would lie on vertices or edges that are at
// right angles to w too.
//
// Cost on two words: about 220 multiplications of words for two edges, as many for a vertex and a face.
#include "geom/exact_length.h"

#include "geom/exact_compare.h"
#include "geom/exact_round.h"
#include "geom/scalar.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#define WORDS         IMPI_PAIR_MAX_WORDS
#define ALWAYS_INLINE IMPI_ALWAYS_INLINE

static_assert(6 * WORDS <= IMPI_MAX_ROUNDED_WORDS, "a square can be rounded");

// Words of integers that are products of so many differences.
typedef struct Widths {
    int one, two, three, four, six;
} Widths;

// Coordinates of two words that are so short need less than twice as many for products of two, and so on.
#define MAX_SHORT_BITS 82

// What is left of the verdict after a number that is to be positive, or at least 0.
static ALWAYS_INLINE void judge(impi_Nearness *verdict, int sign)
{
    impi_Nearness most = sign < 0 ? IMPI_NOT_NEAREST : sign == 0 ? IMPI_NEAREST : IMPI_ALONE_NEAREST;
    if (most < *verdict)
        *verdict = most;
}

// A weight is between 0 and 1.
static ALWAYS_INLINE void judge_weight(int words, impi_Nearness *verdict, const uint64_t *weight,
                                       const uint64_t *divisor)
{
    uint64_t rest[4 * WORDS];
    judge(verdict, impi_integer_sign(words, weight));
    impi_integer_subtract(words, rest, divisor, weight);
    judge(verdict, impi_integer_sign(words, rest));
}

// The other two vertices of a triangle do not lie lower along the direction, times sign, than this one.
static ALWAYS_INLINE void judge_vertex(Widths w, impi_Nearness *verdict, const impi_GridPair *pair,
                                       int vertex, int sum_width, int width, const uint64_t *direction,
                                       int sign)
{
    uint64_t edge[3 * WORDS];
    for (int k = impi_next_vertex(vertex); k != vertex && *verdict; k = impi_next_vertex(k)) {
        impi_grid_subtract(w.one, edge, pair->vertices[k], pair->vertices[vertex]);
        judge(verdict, sign * impi_grid_dot_sign(sum_width, width, w.one, direction, edge));
    }
}

static ALWAYS_INLINE impi_Nearness two_vertices(Widths w, const impi_GridPair *pair, int a, int b,
                                                impi_ExactLength *length)
{
    uint64_t way[3 * WORDS];
    impi_Nearness verdict = IMPI_ALONE_NEAREST;
    impi_grid_subtract(w.one, way, pair->vertices[b], pair->vertices[a]);
    judge_vertex(w, &verdict, pair, a, w.two, w.one, way, -1);
    judge_vertex(w, &verdict, pair, b, w.two, w.one, way, 1);
    if (!verdict)
        return verdict;
    length->square_words = w.two;
    length->divisor_words = 1;
    length->divisor[0] = 1;
    impi_grid_dot(w.two, w.one, w.one, length->square, way, way);
    return verdict;
}

// Signs of w . x are those of (e x d) . (e x x).
static ALWAYS_INLINE impi_Nearness vertex_and_edge(Widths w, const impi_GridPair *pair, int vertex, int begin,
                                                   impi_ExactLength *length)
{
    uint64_t e[3 * WORDS], d[3 * WORDS], x[3 * WORDS], moment[6 * WORDS], other[6 * WORDS];
    impi_Nearness verdict = IMPI_ALONE_NEAREST;
    int end = impi_next_vertex(begin);
    uint64_t *weight = length->weights[begin >= 3][0];
    e[w.one - 1] = 0; // compilers do not see that all words are written
    impi_grid_subtract(w.one, e, pair->vertices[end], pair->vertices[begin]);
    impi_grid_subtract(w.one, d, pair->vertices[vertex], pair->vertices[begin]);
    impi_grid_dot(w.two, w.one, w.one, length->divisor, e, e);
    impi_grid_dot(w.two, w.one, w.one, weight, d, e);
    length->divisor_words = w.two;
    if (impi_integer_sign(w.two, length->divisor) == 0)
        return IMPI_NOT_NEAREST;
    judge_weight(w.two, &verdict, weight, length->divisor);
    if (!verdict)
        return verdict;
    impi_grid_cross(w.two, w.one, w.one, moment, e, d);
    for (int k = impi_next_vertex(vertex); k != vertex && verdict; k = impi_next_vertex(k)) {
        impi_grid_subtract(w.one, x, pair->vertices[k], pair->vertices[vertex]);
        impi_grid_cross(w.two, w.one, w.one, other, e, x);
        judge(&verdict, impi_grid_dot_sign(w.four, w.two, w.two, moment, other));
    }
    impi_grid_subtract(w.one, x, pair->vertices[impi_next_vertex(end)], pair->vertices[begin]);
    impi_grid_cross(w.two, w.one, w.one, other, e, x);
    judge(&verdict, -impi_grid_dot_sign(w.four, w.two, w.two, moment, other));
    length->square_words = w.four;
    impi_grid_dot(w.four, w.two, w.two, length->square, moment, moment);
    return verdict;
}

// The length is height / |normal|.
static ALWAYS_INLINE void set_length_along(Widths w, const uint64_t *height, const uint64_t *normal,
                                           impi_ExactLength *length)
{
    length->square_words = w.six;
    length->divisor_words = w.four;
    impi_grid_multiply(w.six, w.three, w.three, length->square, height, height);
    impi_grid_dot(w.four, w.two, w.two, length->divisor, normal, normal);
}

static ALWAYS_INLINE impi_Nearness vertex_and_face(Widths w, const impi_GridPair *pair, int vertex,
                                                   impi_ExactLength *length)
{
    uint64_t e[3 * WORDS], f[3 * WORDS], d[3 * WORDS], normal[6 * WORDS], moment[6 * WORDS],
        height[3 * WORDS], rest[4 * WORDS];
    impi_Nearness verdict = IMPI_ALONE_NEAREST;
    int begin = vertex < 3 ? 3 : 0;
    impi_grid_subtract(w.one, e, pair->vertices[begin + 1], pair->vertices[begin]);
    impi_grid_subtract(w.one, f, pair->vertices[begin + 2], pair->vertices[begin]);
    impi_grid_subtract(w.one, d, pair->vertices[vertex], pair->vertices[begin]);
    impi_grid_cross(w.two, w.one, w.one, normal, e, f);
    impi_grid_dot(w.three, w.two, w.one, height, normal, d);
    int side = impi_integer_sign(w.three, height);
    if (side == 0)
        return IMPI_NOT_NEAREST;
    judge_vertex(w, &verdict, pair, vertex, w.three, w.two, normal, side);
    if (!verdict)
        return verdict;
    set_length_along(w, height, normal, length);
    uint64_t(*weights)[4 * WORDS] = length->weights[begin >= 3];
    impi_grid_cross(w.two, w.one, w.one, moment, d, f);
    impi_grid_dot(w.four, w.two, w.two, weights[0], normal, moment);
    judge(&verdict, impi_integer_sign(w.four, weights[0]));
    impi_grid_cross(w.two, w.one, w.one, moment, e, d);
    impi_grid_dot(w.four, w.two, w.two, weights[1], normal, moment);
    judge(&verdict, impi_integer_sign(w.four, weights[1]));
    impi_integer_subtract(w.four, rest, length->divisor, weights[0]);
    impi_integer_subtract(w.four, rest, rest, weights[1]);
    judge(&verdict, impi_integer_sign(w.four, rest));
    return verdict;
}

// The third vertex of a triangle does not lie lower along the normal, times sign, than the edge.
static ALWAYS_INLINE void judge_edge(Widths w, impi_Nearness *verdict, const impi_GridPair *pair, int begin,
                                     const uint64_t *normal, int sign)
{
    uint64_t x[3 * WORDS];
    int third = impi_next_vertex(impi_next_vertex(begin));
    impi_grid_subtract(w.one, x, pair->vertices[third], pair->vertices[begin]);
    judge(verdict, sign * impi_grid_dot_sign(w.three, w.two, w.one, normal, x));
}

static ALWAYS_INLINE impi_Nearness two_edges(Widths w, const impi_GridPair *pair, int a, int b,
                                             impi_ExactLength *length)
{
    uint64_t e[3 * WORDS], f[3 * WORDS], d[3 * WORDS], normal[6 * WORDS], moment[6 * WORDS],
        height[3 * WORDS];
    impi_Nearness verdict = IMPI_ALONE_NEAREST;
    impi_grid_subtract(w.one, e, pair->vertices[impi_next_vertex(a)], pair->vertices[a]);
    impi_grid_subtract(w.one, f, pair->vertices[impi_next_vertex(b)], pair->vertices[b]);
    impi_grid_subtract(w.one, d, pair->vertices[b], pair->vertices[a]);
    impi_grid_cross(w.two, w.one, w.one, normal, e, f);
    impi_grid_dot(w.three, w.two, w.one, height, normal, d);
    int side = impi_integer_sign(w.three, height);
    if (side == 0)
        return IMPI_NOT_NEAREST;
    judge_edge(w, &verdict, pair, a, normal, -side);
    judge_edge(w, &verdict, pair, b, normal, side);
    if (!verdict)
        return verdict;
    set_length_along(w, height, normal, length);
    impi_grid_cross(w.two, w.one, w.one, moment, d, f);
    impi_grid_dot(w.four, w.two, w.two, length->weights[0][0], normal, moment);
    judge_weight(w.four, &verdict, length->weights[0][0], length->divisor);
    impi_grid_cross(w.two, w.one, w.one, moment, d, e);
    impi_grid_dot(w.four, w.two, w.two, length->weights[1][0], normal, moment);
    judge_weight(w.four, &verdict, length->weights[1][0], length->divisor);
    return verdict;
}

static ALWAYS_INLINE impi_Nearness nearness(Widths w, const impi_GridPair *pair, const impi_PartPair *parts,
                                            impi_ExactLength *length)
{
    imp_Feature feature_a = parts->of[0].feature, feature_b = parts->of[1].feature;
    int a = impi_part_begin(parts->of[0], 0), b = impi_part_begin(parts->of[1], 1);
    bool has_vertex_a = feature_a == IMP_FEATURE_VERTEX, has_vertex_b = feature_b == IMP_FEATURE_VERTEX;
    if (feature_a == IMP_FEATURE_FACE || feature_b == IMP_FEATURE_FACE)
        return vertex_and_face(w, pair, has_vertex_a ? a : b, length);
    if (has_vertex_a && has_vertex_b)
        return two_vertices(w, pair, a, b, length);
    if (has_vertex_a || has_vertex_b)
        return vertex_and_edge(w, pair, has_vertex_a ? a : b, has_vertex_a ? b : a, length);
    return two_edges(w, pair, a, b, length);
}

impi_Nearness impi_exact_nearness(const impi_GridPair *pair, const impi_PartPair *parts,
                                  impi_ExactLength *length)
{
    length->step = pair->step;
    if (pair->words == 1)
        return nearness((Widths){1, 2, 3, 4, 6}, pair, parts, length);
    if (pair->words == 2 && pair->bits <= MAX_SHORT_BITS)
        return nearness((Widths){2, 3, 4, 6, 8}, pair, parts, length);
    int n = impi_grid_words(pair);
    return nearness((Widths){n, 2 * n, 3 * n, 4 * n, 6 * n}, pair, parts, length);
}

// ----------------------------------------------------------------------------------------- lengths

int impi_exact_length_compare(const impi_ExactLength *length, double value)
{
    return impi_compare_square(value, length->divisor_words, length->divisor, length->square_words,
                               length->square, 2 * length->step);
}

// Both integers are rounded, then their quotient and its root: it is off by less than two ulps, and the next
// doubles are soon looked through.
static double approximate(const impi_ExactLength *length)
{
    impi_WideNumber square = impi_integer_round(length->square_words, length->square);
    impi_WideNumber divisor = impi_integer_round(length->divisor_words, length->divisor);
    int exponent = square.exponent - divisor.exponent + 2 * length->step;
    int odd = exponent & 1;
    double root = sqrt(square.value / divisor.value * (1 + odd));
    return ldexp(root, (exponent - odd) / 2);
}

void impi_exact_length_round(const impi_ExactLength *length, double *lower, double *upper)
{
    double value = impi_smaller(approximate(length), DBL_MAX);
    int order = impi_exact_length_compare(length, value);
    while (order < 0 && value < DBL_MAX) {
        value = nextafter(value, DBL_MAX);
        order = impi_exact_length_compare(length, value);
    }
    while (order > 0) {
        double below = nextafter(value, 0);
        int next = impi_exact_length_compare(length, below);
        if (next < 0)
            break;
        value = below;
        order = next;
    }
    *upper = order < 0 ? INFINITY : value;
    *lower = order > 0 ? nextafter(value, 0) : value;
}
