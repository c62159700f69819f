/// Integers of n 64-bit words, and doubles put on a common grid so that they are such integers.
///
/// A double is an integer times a power of two. The grid's step is the lowest bit set in any of the numbers
/// at hand, so all of them are integers of as many words as the distance from that bit to the highest one
/// asks for; their sums and products are exact. Integers are two's complement, least significant word first.
/// The functions are inlined into callers that pass a constant n, where all loops unroll.
#ifndef IMPINGE_GEOM_EXACT_INTEGER_H
#define IMPINGE_GEOM_EXACT_INTEGER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/// From the lowest bit of a subnormal (2^-1074) to the highest of the largest double (2^1023).
#define IMPI_DOUBLE_BITS 2098

/// Words for numbers on a grid, with `headroom` bits to spare for sums and signs.
#define IMPI_MAX_GRID_WORDS(headroom) ((IMPI_DOUBLE_BITS + (headroom) + 63) / 64)

// Sanitizers check each step of what is inlined: files that take seconds to compile would take minutes.
#if defined(IMPINGE_SANITIZE)
#define IMPI_ALWAYS_INLINE inline
#else
#define IMPI_ALWAYS_INLINE inline __attribute__((always_inline))
#endif

__extension__ typedef unsigned __int128 impi_Uint128;

/// The lowest bit set of a number stands for 2^exponent; zero has no bits.
typedef struct impi_GridNumber {
    uint64_t bits;
    int exponent;
    bool negative;
} impi_GridNumber;

static inline impi_GridNumber impi_split_double(double value)
{
    uint64_t raw;
    memcpy(&raw, &value, sizeof raw);
    int biased = (int)(raw >> 52 & 0x7FF);
    uint64_t mantissa = raw & 0xFFFFFFFFFFFFFu;
    impi_GridNumber number = {mantissa, -1074, raw >> 63};
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

/// Bits that numbers cover, from the lowest one set in any of them to the highest. Begin with none.
typedef struct impi_GridSpan {
    int low, high; // the exponent of the lowest bit, and one more than that of the highest
} impi_GridSpan;

#define IMPI_NO_SPAN ((impi_GridSpan){1024, -1075})

static inline void impi_span_add(impi_GridSpan *span, impi_GridNumber number)
{
    if (!number.bits)
        return;
    int top = number.exponent + 64 - __builtin_clzll(number.bits);
    span->low = number.exponent < span->low ? number.exponent : span->low;
    span->high = top > span->high ? top : span->high;
}

/// Words for integers of the span times 2^headroom; at least one.
static inline int impi_span_words(impi_GridSpan span, int headroom)
{
    return span.high < span.low ? 1 : (span.high - span.low + headroom + 63) / 64;
}

static IMPI_ALWAYS_INLINE void impi_integer_subtract(int n, uint64_t *out, const uint64_t *a,
                                                     const uint64_t *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < n; ++i) {
        // The analyzer does not see that loops over the same n have written all words.
        impi_Uint128 difference = (impi_Uint128)a[i] - b[i] - borrow; // NOLINT(clang-analyzer-core.*)
        out[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
}

static IMPI_ALWAYS_INLINE void impi_integer_add(int n, uint64_t *sum, const uint64_t *a)
{
    uint64_t carry = 0;
    for (int i = 0; i < n; ++i) {
        impi_Uint128 word = (impi_Uint128)sum[i] + a[i] + carry; // NOLINT(clang-analyzer-core.*)
        sum[i] = (uint64_t)word;
        carry = (uint64_t)(word >> 64);
    }
}

static IMPI_ALWAYS_INLINE int impi_integer_sign(int n, const uint64_t *a)
{
    if (a[n - 1] >> 63)
        return -1;
    uint64_t any = 0;
    for (int i = 0; i < n; ++i)
        any |= a[i];
    return any != 0;
}

static IMPI_ALWAYS_INLINE void impi_integer_negate(int n, uint64_t *a)
{
    uint64_t carry = 1;
    for (int i = 0; i < n; ++i) {
        a[i] = ~a[i] + carry;
        carry &= a[i] == 0;
    }
}

/// How many bits an integer has that is not negative; none is 0.
static inline int impi_integer_length(int n, const uint64_t *a)
{
    for (int i = n - 1; i >= 0; --i)
        if (a[i])
            return 64 * i + 64 - __builtin_clzll(a[i]);
    return 0;
}

/// Words of an integer that say more than its sign; at least one.
static inline int impi_integer_significant_words(int n, const uint64_t *a)
{
    uint64_t fill = a[n - 1] >> 63 ? UINT64_MAX : 0;
    while (n > 1 && a[n - 1] == fill && (a[n - 2] ^ fill) >> 63 == 0)
        --n;
    return n;
}

/// The number in steps of 2^step, which is not above its exponent.
static IMPI_ALWAYS_INLINE void impi_integer_load(int n, uint64_t *out, impi_GridNumber number, int step)
{
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
        impi_integer_negate(n, out);
}

/// out (na + nb words) = a * b.
// The unsigned product is too large by b * 2^(64 na) when a is negative, and
// by a * 2^(64 nb) when b is.
static IMPI_ALWAYS_INLINE void impi_integer_multiply(int na, int nb, uint64_t *out, const uint64_t *a,
                                                     const uint64_t *b)
{
    for (int i = 0; i < na + nb; ++i)
        out[i] = 0;
    for (int i = 0; i < na; ++i) {
        uint64_t carry = 0;
        for (int j = 0; j < nb; ++j) {
            impi_Uint128 word =
                (impi_Uint128)a[i] * b[j] + out[i + j] + carry; // NOLINT(clang-analyzer-core.*)
            out[i + j] = (uint64_t)word;
            carry = (uint64_t)(word >> 64);
        }
        out[i + nb] = carry;
    }
    if (a[na - 1] >> 63)
        impi_integer_subtract(nb, out + na, out + na, b);
    if (b[nb - 1] >> 63)
        impi_integer_subtract(na, out + nb, out + nb, a);
}

/// a = a * factor, for a product that fits.
static IMPI_ALWAYS_INLINE void impi_integer_scale(int n, uint64_t *a, uint64_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i < n; ++i) {
        impi_Uint128 word = (impi_Uint128)a[i] * factor + carry;
        a[i] = (uint64_t)word;
        carry = (uint64_t)(word >> 64);
    }
}

/// out (2n words) = a*d - b*c, with a bit to spare in each of them.
static IMPI_ALWAYS_INLINE void impi_integer_minor(int n, uint64_t *out, const uint64_t *a, const uint64_t *b,
                                                  const uint64_t *c, const uint64_t *d)
{
    uint64_t other[2 * IMPI_MAX_GRID_WORDS(64)];
    impi_integer_multiply(n, n, out, a, d);
    impi_integer_multiply(n, n, other, b, c);
    impi_integer_subtract(2 * n, out, out, other);
}

/// out = a * b, all of n words, for products that fit: then signs need no care. `out` is neither of the
/// factors.
static inline void impi_integer_multiply_low(int n, uint64_t *restrict out, const uint64_t *a,
                                             const uint64_t *b)
{
    for (int i = 0; i < n; ++i)
        out[i] = 0;
    for (int i = 0; i < n; ++i) {
        uint64_t carry = 0;
        for (int j = 0; i + j < n; ++j) {
            impi_Uint128 word = (impi_Uint128)a[i] * b[j] + out[i + j] + carry;
            out[i + j] = (uint64_t)word;
            carry = (uint64_t)(word >> 64);
        }
    }
}

#endif
