// A coordinate of a point is begin + (w0 * e0 + w1 * e1) / divisor, in integers. The fractions w / divisor to
// 64 bits tell which double is nearest unless it lies so close to the middle of two that those bits do not
// tell; then all of it is multiplied out and divided bit by bit.
#include "geom/exact_point.h"

#include "geom/exact_round.h"

#include <assert.h>

#define WORDS IMPI_PAIR_MAX_WORDS

typedef struct Weighted {
    int words;             // of a coordinate
    int step;              // exponent of the grid
    int edge_count;        // 1 or 2
    const uint64_t *begin; // a vector
    uint64_t edges[2][3 * WORDS];
    const uint64_t *weights[2];
    int divisor_words; // and of weights
    const uint64_t *divisor;
} Weighted;

// 64 bits of the integer from a bit on, which may be negative.
static uint64_t bits_from(int width, const uint64_t *words, int bit)
{
    int word = bit >= 0 ? bit / 64 : -((63 - bit) / 64), shift = bit - 64 * word;
    uint64_t low = word >= 0 && word < width ? words[word] : 0;
    uint64_t high = word + 1 >= 0 && word + 1 < width ? words[word + 1] : 0;
    return shift ? low >> shift | high << (64 - shift) : low;
}

// weight / divisor, which is between 0 and 1, times 2^64; off by less than 4. Of the divisor the leading 64
// bits are taken, of the weight what stands above the same place and 64 bits below.
#define FRACTION_ERROR_BITS 2

static uint64_t fraction(int width, const uint64_t *weight, const uint64_t *divisor)
{
    int low = impi_integer_length(width, divisor) - 64;
    impi_Uint128 top = (impi_Uint128)bits_from(width, weight, low) << 64 | bits_from(width, weight, low - 64);
    uint64_t leading = bits_from(width, divisor, low);
    assert(leading != 0);
    impi_Uint128 quotient = top / leading;
    return quotient >> 64 ? UINT64_MAX : (uint64_t)quotient;
}

// sum (n + 1 words) += a (n words) * factor
static void add_product(int n, uint64_t *sum, const uint64_t *a, uint64_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i <= n; ++i) {
        uint64_t word = i < n ? a[i] : a[n - 1] >> 63 ? UINT64_MAX : 0;
        impi_Uint128 product = (impi_Uint128)word * factor + sum[i] + carry;
        sum[i] = (uint64_t)product;
        carry = (uint64_t)(product >> 64);
    }
}

static int bit_length(uint64_t size)
{
    return size ? 64 - __builtin_clzll(size) : 0;
}

// The size of an integer is at most 2 to the power of this. 0 is for 0 alone.
static int size_bits(int n, const uint64_t *a)
{
    uint64_t sign = a[n - 1] >> 63 ? UINT64_MAX : 0;
    for (int i = n - 1; i >= 0; --i)
        if (a[i] != sign)
            return 64 * i + bit_length(a[i] ^ sign);
    return sign ? 1 : 0;
}

// With the fractions: true unless their error hides which double is nearest.
static bool round_with_fractions(const Weighted *point, int axis, const uint64_t *fractions, double *nearest)
{
    int n = point->words, bits = 0;
    uint64_t sum[WORDS + 1];
    sum[0] = 0;
    for (int i = 0; i < n; ++i)
        sum[i + 1] = point->begin[axis * n + i];
    for (int i = 0; i < point->edge_count; ++i) {
        const uint64_t *edge = point->edges[i] + axis * n;
        int edge_bits = size_bits(n, edge);
        bits = edge_bits > bits ? edge_bits : bits;
        add_product(n, sum, edge, fractions[i]);
    }
    if (bits == 0) { // no error at all
        *nearest = impi_integer_nearest(n + 1, sum, point->step - 64);
        return true;
    }
    // Two edges, each off by less than 2^bits * 2^FRACTION_ERROR_BITS.
    return impi_nearly_integer_nearest(n + 1, sum, bits + FRACTION_ERROR_BITS + 1, point->step - 64, nearest);
}

static double round_exactly(const Weighted *point, int axis)
{
    int n = point->words, width = n + point->divisor_words;
    uint64_t sum[5 * WORDS], term[5 * WORDS];
    impi_integer_multiply(n, point->divisor_words, sum, point->begin + axis * n, point->divisor);
    for (int i = 0; i < point->edge_count; ++i) {
        impi_integer_multiply(n, point->divisor_words, term, point->edges[i] + axis * n, point->weights[i]);
        impi_integer_add(width, sum, term);
    }
    return impi_quotient_nearest(width, sum, point->divisor_words, point->divisor, point->step);
}

static imp_Vec3 round_point(const Weighted *point)
{
    uint64_t fractions[2] = {0, 0};
    double coordinates[3];
    for (int i = 0; i < point->edge_count; ++i)
        fractions[i] = fraction(point->divisor_words, point->weights[i], point->divisor);
    for (int axis = 0; axis < 3; ++axis)
        if (!round_with_fractions(point, axis, fractions, &coordinates[axis]))
            coordinates[axis] = round_exactly(point, axis);
    return (imp_Vec3){coordinates[0], coordinates[1], coordinates[2]};
}

// Zeros become positive.
static imp_Vec3 vertex_position(const impi_GridPair *pair, impi_Part part, int side)
{
    imp_Vec3 v = pair->triangles[side]->v[part.corner];
    return (imp_Vec3){v.x + 0.0, v.y + 0.0, v.z + 0.0};
}

static void begin_edges(const impi_GridPair *pair, int begin, int edge_count, Weighted *point)
{
    int n = impi_grid_words(pair), end = begin;
    point->words = n;
    point->step = pair->step;
    point->begin = pair->vertices[begin];
    point->edge_count = edge_count;
    for (int i = 0; i < edge_count; ++i) {
        end = impi_next_vertex(end);
        impi_grid_subtract(n, point->edges[i], pair->vertices[end], pair->vertices[begin]);
    }
}

imp_Vec3 impi_exact_point(const impi_GridPair *pair, const impi_ExactLength *length, impi_Part part, int side)
{
    if (part.feature == IMP_FEATURE_VERTEX)
        return vertex_position(pair, part, side);
    Weighted point;
    begin_edges(pair, impi_part_begin(part, side), part.feature == IMP_FEATURE_EDGE ? 1 : 2, &point);
    point.weights[0] = length->weights[side][0];
    point.weights[1] = length->weights[side][1];
    point.divisor_words = length->divisor_words;
    point.divisor = length->divisor;
    return round_point(&point);
}

// ---------------------------------------------------------------------------------- common points

// Of an edge, with the plane of a face: normal . (corner - begin) / normal . e. With an edge f in the same
// plane: the plane is that through f upright to the common one, whose normal is f x (e x f).
static imp_Vec3 crossing(const impi_GridPair *pair, int begin, impi_Part other, int side)
{
    int n = impi_grid_words(pair), corner = impi_part_begin(other, side), next = impi_next_vertex(corner);
    uint64_t f[3 * WORDS], g[3 * WORDS], normal[9 * WORDS], flat[6 * WORDS];
    uint64_t weight[4 * WORDS], divisor[4 * WORDS];
    Weighted point;
    begin_edges(pair, begin, 1, &point);
    int width = other.feature == IMP_FEATURE_FACE ? 2 * n : 3 * n;
    impi_grid_subtract(n, f, pair->vertices[next], pair->vertices[corner]);
    if (other.feature == IMP_FEATURE_FACE) {
        impi_grid_subtract(n, g, pair->vertices[impi_next_vertex(next)], pair->vertices[corner]);
        impi_grid_cross(2 * n, n, n, normal, f, g);
    } else {
        impi_grid_cross(2 * n, n, n, flat, point.edges[0], f);
        impi_grid_cross(3 * n, 2 * n, n, normal, flat, f);
    }
    impi_grid_subtract(n, g, pair->vertices[corner], pair->vertices[begin]);
    impi_grid_dot(width + n, width, n, weight, normal, g);
    impi_grid_dot(width + n, width, n, divisor, normal, point.edges[0]);
    if (impi_integer_sign(width + n, divisor) < 0) {
        impi_integer_negate(width + n, divisor);
        impi_integer_negate(width + n, weight);
    }
    point.weights[0] = weight;
    point.divisor_words = width + n;
    point.divisor = divisor;
    return round_point(&point);
}

imp_Vec3 impi_exact_common_point(const impi_GridPair *pair, const impi_PartPair *parts)
{
    int side = parts->of[0].feature <= parts->of[1].feature ? 0 : 1;
    if (parts->of[side].feature == IMP_FEATURE_VERTEX)
        return vertex_position(pair, parts->of[side], side);
    return crossing(pair, impi_part_begin(parts->of[side], side), parts->of[1 - side], 1 - side);
}
