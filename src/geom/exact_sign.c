// Exact signs of determinants, for all finite doubles.
//
// A double is an integer times a power of two. Put on a common grid, whose step is the lowest bit set in
// any of the coordinates, all of them are integers of as many 64-bit words as the distance from that bit
// to the highest one asks for; sums and products of integers are exact. Coordinates of one scale with
// single-precision mantissas need one word, nearly everything else two, and 1e-300 beside 1e+300 needs 33.
//
// Departs from the usual floating-point expansions (Shewchuk 1997): those are exact only in a range of
// exponents and need a second mechanism outside it, while words have no such range and one mechanism is
// enough.
//
// Cost: about 48 multiplications of words for orient3d on two words; it grows with the square of the words.
#include "geom/exact_sign.h"

#include <string.h>

// From the lowest bit of a subnormal (2^-1074) to the highest of the largest double (2^1023) are 2098 bits.
// Three more hold the sums below: of a product of three differences, each needs one bit more, a 2 x 2 minor
// one, the sum of three terms two, and the sign one: seven, of the nine that three factors bring.
#define HEADROOM_BITS 3
#define MAX_WORDS     ((2098 + HEADROOM_BITS + 63) / 64)

#define ALWAYS_INLINE inline __attribute__((always_inline))

__extension__ typedef unsigned __int128 uint128;

// The lowest bit set of a coordinate stands for 2^exponent; zero has no bits.
typedef struct Number {
    uint64_t bits;
    int exponent;
    bool negative;
} Number;

static Number split_double(double value)
{
    uint64_t raw;
    memcpy(&raw, &value, sizeof raw);
    int biased = (int)(raw >> 52 & 0x7FF);
    uint64_t mantissa = raw & 0xFFFFFFFFFFFFFu;
    Number number = {mantissa, -1074, raw >> 63};
    if (biased) {
        number.bits |= 1ull << 52;
        number.exponent = biased - 1075;
    }
    if (number.bits) {
        int zeros = __builtin_ctzll(number.bits);
        number.bits >>= zeros;
        number.exponent += zeros;
    }
    return number;
}

// Split all coordinates and find the grid: the exponent of its step, and the words an integer needs.
static int split_coordinates(const double *values, int count, Number *numbers, int *step)
{
    int low = 1024, high = -1075;
    for (int i = 0; i < count; ++i) {
        numbers[i] = split_double(values[i]);
        if (!numbers[i].bits)
            continue;
        int top = numbers[i].exponent + 64 - __builtin_clzll(numbers[i].bits);
        low = numbers[i].exponent < low ? numbers[i].exponent : low;
        high = top > high ? top : high;
    }
    *step = low;
    return high < low ? 1 : (high - low + HEADROOM_BITS + 63) / 64;
}

// Integers below are two's complement, least significant word first; n is their number of words. The
// functions are inlined into callers that pass a constant n, where all loops unroll.

static ALWAYS_INLINE void subtract(int n, uint64_t *out, const uint64_t *a, const uint64_t *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < n; ++i) {
        // The analyzer does not see that loops over the same n have written all words.
        uint128 difference = (uint128)a[i] - b[i] - borrow; // NOLINT(clang-analyzer-core.*)
        out[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
}

static ALWAYS_INLINE void add_to(int n, uint64_t *sum, const uint64_t *a)
{
    uint64_t carry = 0;
    for (int i = 0; i < n; ++i) {
        uint128 word = (uint128)sum[i] + a[i] + carry;
        sum[i] = (uint64_t)word;
        carry = (uint64_t)(word >> 64);
    }
}

static ALWAYS_INLINE int sign_of(int n, const uint64_t *a)
{
    if (a[n - 1] >> 63)
        return -1;
    uint64_t any = 0;
    for (int i = 0; i < n; ++i)
        any |= a[i];
    return any != 0;
}

static ALWAYS_INLINE void load(int n, uint64_t *out, Number number, int step)
{
    static const uint64_t zero[MAX_WORDS];
    for (int i = 0; i < n; ++i)
        out[i] = 0;
    if (!number.bits)
        return;
    int shift = number.exponent - step;
    int word = shift / 64, bit = shift % 64;
    out[word] = number.bits << bit;
    if (bit && word + 1 < n)
        out[word + 1] = number.bits >> (64 - bit);
    if (number.negative)
        subtract(n, out, zero, out);
}

// out (na + nb words) = a * b. The unsigned product is too large by b * 2^(64 na) when a is negative, and
// by a * 2^(64 nb) when b is.
static ALWAYS_INLINE void multiply(int na, int nb, uint64_t *out, const uint64_t *a, const uint64_t *b)
{
    for (int i = 0; i < na + nb; ++i)
        out[i] = 0;
    for (int i = 0; i < na; ++i) {
        uint64_t carry = 0;
        for (int j = 0; j < nb; ++j) {
            uint128 word = (uint128)a[i] * b[j] + out[i + j] + carry;
            out[i + j] = (uint64_t)word;
            carry = (uint64_t)(word >> 64);
        }
        out[i + nb] = carry;
    }
    if (a[na - 1] >> 63)
        subtract(nb, out + na, out + na, b);
    if (b[nb - 1] >> 63)
        subtract(na, out + nb, out + nb, a);
}

// out (2n words) = a*d - b*c
static ALWAYS_INLINE void minor2(int n, uint64_t *out, const uint64_t *a, const uint64_t *b,
                                 const uint64_t *c, const uint64_t *d)
{
    uint64_t other[2 * MAX_WORDS];
    multiply(n, n, out, a, d);
    multiply(n, n, other, b, c);
    subtract(2 * n, out, out, other);
}

static ALWAYS_INLINE int orient2d_words(int n, const Number *numbers, int step)
{
    uint64_t v[6][MAX_WORDS], minor[2 * MAX_WORDS];
    for (int i = 0; i < 6; ++i)
        load(n, v[i], numbers[i], step);
    for (int i = 2; i < 6; ++i)
        subtract(n, v[i], v[i], v[i & 1]);
    minor2(n, minor, v[2], v[3], v[4], v[5]);
    return sign_of(2 * n, minor);
}

static ALWAYS_INLINE void plane_sides_words(int n, const Number *numbers, int step, int count, int *signs)
{
    uint64_t v[9][MAX_WORDS], normal[3][2 * MAX_WORDS];
    for (int i = 0; i < 9; ++i)
        load(n, v[i], numbers[i], step);
    for (int i = 3; i < 9; ++i)
        subtract(n, v[i], v[i], v[i % 3]);
    for (int axis = 0; axis < 3; ++axis) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        minor2(n, normal[axis], v[3 + next], v[3 + last], v[6 + next], v[6 + last]);
    }
    for (int point = 0; point < count; ++point) {
        uint64_t offset[MAX_WORDS], term[3 * MAX_WORDS], sum[3 * MAX_WORDS];
        for (int axis = 0; axis < 3; ++axis) {
            load(n, offset, numbers[9 + 3 * point + axis], step);
            subtract(n, offset, offset, v[axis]);
            multiply(2 * n, n, axis ? term : sum, normal[axis], offset);
            if (axis)
                add_to(3 * n, sum, term);
        }
        signs[point] = sign_of(3 * n, sum);
    }
}

int impi_exact_orient2d(imp_Vec2 a, imp_Vec2 b, imp_Vec2 c)
{
    // Common on axis-aligned and shared geometry, and free.
    if ((b.x == a.x || c.y == a.y) && (b.y == a.y || c.x == a.x))
        return 0;
    double values[6] = {a.x, a.y, b.x, b.y, c.x, c.y};
    Number numbers[6];
    int step, n = split_coordinates(values, 6, numbers, &step);
    switch (n) {
    case 1:
        return orient2d_words(1, numbers, step);
    case 2:
        return orient2d_words(2, numbers, step);
    default:
        return orient2d_words(n, numbers, step);
    }
}

void impi_exact_plane_sides(const imp_Vec3 *plane, const imp_Vec3 *points, int count, int *signs)
{
    double values[9 + 3 * IMPI_EXACT_MAX_POINTS];
    Number numbers[9 + 3 * IMPI_EXACT_MAX_POINTS];
    memcpy(values, plane, 9 * sizeof *values);
    memcpy(values + 9, points, (size_t)count * sizeof *points);
    int step, n = split_coordinates(values, 9 + 3 * count, numbers, &step);
    switch (n) {
    case 1:
        plane_sides_words(1, numbers, step, count, signs);
        break;
    case 2:
        plane_sides_words(2, numbers, step, count, signs);
        break;
    default:
        plane_sides_words(n, numbers, step, count, signs);
    }
}
