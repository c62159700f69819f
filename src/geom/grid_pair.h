/// Two triangles on a common grid, and vectors of integers.
///
/// A vector of n words has three coordinates of n words each, one after the other. The functions are inlined
/// into callers that pass a constant n, where all loops unroll.
///
/// With coordinates below 2^B, differences are below 2^(B+1), cross products of them below 2^(2B+3), products
/// of three differences (volumes) below 2^(3B+6), of four below 2^(4B+8), of five below 2^(5B+11) and of six
/// below 2^(6B+12): with a bit for the sign they fit in as many times n words if B + 3 <= 64 n, and in 2, 3,
/// 4, 6 and 8 words those of one, two, three, four and six differences if B <= 82.
#ifndef IMPINGE_GEOM_GRID_PAIR_H
#define IMPINGE_GEOM_GRID_PAIR_H

#include "geom/exact_integer.h"

#include <impinge/math.h>

#define IMPI_PAIR_HEADROOM_BITS 3
#define IMPI_PAIR_MAX_WORDS     IMPI_MAX_GRID_WORDS(IMPI_PAIR_HEADROOM_BITS)

typedef struct impi_GridPair {
    const imp_Triangle *triangles[2];
    int bits;                                      // of a coordinate: the B above
    int words;                                     // of a coordinate
    int step;                                      // exponent of the grid
    uint64_t vertices[6][3 * IMPI_PAIR_MAX_WORDS]; // numbered as in geom/part_pair.h
} impi_GridPair;

void impi_grid_pair_load(const imp_Triangle *a, const imp_Triangle *b, impi_GridPair *pair);

/// Its words, for code that the compiler must know loops at least once.
static IMPI_ALWAYS_INLINE int impi_grid_words(const impi_GridPair *pair)
{
    if (pair->words < 1)
        __builtin_unreachable();
    return pair->words;
}

/// out = a - b
static IMPI_ALWAYS_INLINE void impi_grid_subtract(int n, uint64_t *out, const uint64_t *a, const uint64_t *b)
{
    for (int axis = 0; axis < 3; ++axis)
        impi_integer_subtract(n, out + axis * n, a + axis * n, b + axis * n);
}

// out -= a if `taken`, without a branch: signs are hard to foretell.
static IMPI_ALWAYS_INLINE void impi_grid_subtract_if(int n, uint64_t *out, const uint64_t *a, bool taken)
{
    uint64_t borrow = 0, mask = 0 - (uint64_t)taken;
    for (int i = 0; i < n; ++i) {
        uint64_t less = a[i] & mask, difference = out[i] - less;
        uint64_t under = (out[i] < less) | (difference < borrow);
        out[i] = difference - borrow;
        borrow = under;
    }
}

// As impi_integer_multiply, for a few words whose number is constant: written so that compilers find the
// additions with carry, and without branches.
static IMPI_ALWAYS_INLINE void impi_grid_multiply_few(int na, int nb, uint64_t *restrict out,
                                                      const uint64_t *a, const uint64_t *b)
{
    for (int i = 0; i < nb; ++i)
        out[i] = 0;
#pragma GCC unroll 6
    for (int i = 0; i < na; ++i) {
        uint64_t carry = 0;
#pragma GCC unroll 6
        for (int j = 0; j < nb; ++j) {
            impi_Uint128 product = (impi_Uint128)a[i] * b[j];
            uint64_t low = (uint64_t)product, high = (uint64_t)(product >> 64);
            low += carry;
            high += low < carry;
            low += out[i + j];
            high += low < out[i + j];
            out[i + j] = low;
            carry = high;
        }
        out[i + nb] = carry;
    }
    impi_grid_subtract_if(nb, out + na, b, a[na - 1] >> 63);
    impi_grid_subtract_if(na, out + nb, a, b[nb - 1] >> 63);
}

/// impi_integer_multiply for any number of words, as a call.
void impi_grid_multiply_many(int na, int nb, uint64_t *out, const uint64_t *a, const uint64_t *b);

/// out (no words) = a * b, which fits in them; `out` has room for na + nb. Less than na + nb are only
/// constants of at most 8, by one.
static IMPI_ALWAYS_INLINE void impi_grid_multiply(int no, int na, int nb, uint64_t *restrict out,
                                                  const uint64_t *a, const uint64_t *b)
{
    if (!__builtin_constant_p(no) || no > 8) {
        impi_grid_multiply_many(na, nb, out, a, b);
    } else {
        uint64_t product[9];
        impi_grid_multiply_few(na, nb, product, a, b);
        memcpy(out, product, (size_t)no * sizeof *out);
    }
}

/// out (no words, at most na + nb) = a x b, which fits in them
static IMPI_ALWAYS_INLINE void impi_grid_cross(int no, int na, int nb, uint64_t *out, const uint64_t *a,
                                               const uint64_t *b)
{
    uint64_t other[4 * IMPI_PAIR_MAX_WORDS];
    for (int axis = 0; axis < 3; ++axis) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        uint64_t *coordinate = out + axis * no;
        impi_grid_multiply(no, na, nb, coordinate, a + next * na, b + last * nb);
        impi_grid_multiply(no, na, nb, other, a + last * na, b + next * nb);
        impi_integer_subtract(no, coordinate, coordinate, other);
    }
}

/// out (an integer of no words, at most na + nb) = a . b, which fits in them
static IMPI_ALWAYS_INLINE void impi_grid_dot(int no, int na, int nb, uint64_t *out, const uint64_t *a,
                                             const uint64_t *b)
{
    uint64_t term[5 * IMPI_PAIR_MAX_WORDS];
    impi_grid_multiply(no, na, nb, out, a, b);
    for (int axis = 1; axis < 3; ++axis) {
        impi_grid_multiply(no, na, nb, term, a + axis * na, b + axis * nb);
        impi_integer_add(no, out, term);
    }
}

/// The sign of a . b, which fits in no words
static IMPI_ALWAYS_INLINE int impi_grid_dot_sign(int no, int na, int nb, const uint64_t *a, const uint64_t *b)
{
    uint64_t sum[5 * IMPI_PAIR_MAX_WORDS];
    impi_grid_dot(no, na, nb, sum, a, b);
    return impi_integer_sign(no, sum);
}

#endif
