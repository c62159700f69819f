#include "geom/exact_round.h"

#include "geom/exact_compare.h"
#include "geom/exact_integer.h"

#include <assert.h>

// What is below the 64 leading bits is cut off; they are rounded as they become a double.
impi_WideNumber impi_integer_round(int width, const uint64_t *words)
{
    assert(width <= IMPI_MAX_ROUNDED_WORDS);
    uint64_t magnitude[IMPI_MAX_ROUNDED_WORDS];
    memcpy(magnitude, words, (size_t)width * sizeof *magnitude);
    bool is_negative = impi_integer_sign(width, words) < 0;
    if (is_negative)
        impi_integer_negate(width, magnitude);
    int length = impi_integer_length(width, magnitude);
    if (length == 0)
        return (impi_WideNumber){0, 0};
    int low = length > 64 ? length - 64 : 0, word = low / 64, bit = low % 64;
    uint64_t top = magnitude[word] >> bit;
    if (bit && word + 1 < width)
        top |= magnitude[word + 1] << (64 - bit);
    if (length < 64) {
        top <<= 64 - length;
        low = length - 64;
    }
    return (impi_WideNumber){is_negative ? -(double)top : (double)top, low};
}

// ---------------------------------------------------------------------------------- to the nearest

#define LEAST_EXPONENT (-1074)
#define MANTISSA_BITS  53

// A number of 64 bits, the highest one set, times 2^exponent; `has_more` tells whether bits follow.
typedef struct LeadingBits {
    uint64_t bits;
    int exponent;
    bool has_more, is_negative;
} LeadingBits;

// How many of the bits a double does not have.
static int dropped_bits(LeadingBits leading)
{
    int most = 64 - MANTISSA_BITS, least = LEAST_EXPONENT - leading.exponent;
    return most > least ? most : least;
}

// size * 2^exponent, for a result that is a double.
static double scale_exactly(uint64_t size, int exponent)
{
    if (exponent < -1022 || exponent > 1023 - MANTISSA_BITS)
        return ldexp((double)size, exponent);
    uint64_t raw = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &raw, sizeof power);
    return (double)size * power;
}

static double nearest(LeadingBits leading)
{
    int dropped = dropped_bits(leading);
    if (dropped > 64) // less than half of the least double
        return 0;
    uint64_t kept = dropped == 64 ? 0 : leading.bits >> dropped, half = 1ull << (dropped - 1);
    uint64_t rest = dropped == 64 ? leading.bits : leading.bits & (2 * half - 1);
    kept += rest > half || (rest == half && (leading.has_more || (kept & 1)));
    double size = scale_exactly(kept, leading.exponent + dropped);
    return leading.is_negative && kept ? -size : size;
}

// The words of the integer's size one by one, from the lowest.
static uint64_t next_word(uint64_t word, bool is_negative, uint64_t *carry)
{
    if (!is_negative)
        return word;
    uint64_t negated = ~word + *carry;
    *carry &= negated == 0;
    return negated;
}

static LeadingBits leading_bits(int width, const uint64_t *words, int exponent)
{
    LeadingBits leading = {.is_negative = words[width - 1] >> 63};
    uint64_t carry = 1, top = 0, below = 0; // the last word that is not 0, and the one below
    int position = 0;
    bool has_more = false;
    for (int i = 0; i < width; ++i) {
        uint64_t word = next_word(words[i], leading.is_negative, &carry);
        if (word == 0)
            continue;
        has_more |= below != 0 || (top != 0 && position < i - 1);
        below = position == i - 1 ? top : 0;
        top = word;
        position = i;
    }
    if (top == 0)
        return leading;
    int zeros = __builtin_clzll(top);
    leading.bits = zeros ? top << zeros | below >> (64 - zeros) : top;
    leading.has_more = has_more || below << zeros != 0;
    leading.exponent = exponent + 64 * position - zeros;
    return leading;
}

double impi_integer_nearest(int width, const uint64_t *words, int exponent)
{
    LeadingBits leading = leading_bits(width, words, exponent);
    return leading.bits ? nearest(leading) : 0;
}

// What counts is how far the dropped bits are from their middle.
bool impi_nearly_integer_nearest(int width, const uint64_t *words, int error_bits, int exponent,
                                 double *result)
{
    LeadingBits leading = leading_bits(width, words, exponent);
    int dropped = dropped_bits(leading), bits = error_bits + exponent - leading.exponent;
    if (!leading.bits || dropped > 60 || bits > dropped - 3)
        return false;
    uint64_t half = 1ull << (dropped - 1), rest = leading.bits & (2 * half - 1);
    uint64_t off = rest > half ? rest - half : half - rest, error = (bits > 0 ? 1ull << bits : 1) + 1;
    *result = nearest(leading);
    return off > error;
}

// How far the quotient of leading bits can be off, in units of the last one.
#define QUOTIENT_ERROR 8

// Is the size of dividend / divisor above the middle of two doubles, middle * 2^exponent, or on it and to be
// rounded up?
static bool is_above(int width, const uint64_t *dividend, int divisor_width, const uint64_t *divisor,
                     uint64_t middle, int exponent)
{
    uint64_t size[IMPI_MAX_DIVIDED_WORDS], product[IMPI_MAX_DIVIDED_WORDS + 1];
    assert(width <= IMPI_MAX_DIVIDED_WORDS && divisor_width <= IMPI_MAX_DIVIDED_WORDS);
    memcpy(size, dividend, (size_t)width * sizeof *size);
    if (size[width - 1] >> 63)
        impi_integer_negate(width, size);
    impi_integer_multiply(divisor_width, 1, product, divisor, &middle);
    int order = exponent >= 0 ? -impi_compare_shifted(divisor_width + 1, product, exponent, width, size)
                              : impi_compare_shifted(width, size, -exponent, divisor_width + 1, product);
    return order > 0 || (order == 0 && (middle & 2));
}

// Leading bits are divided; where they do not tell which double is nearest, the middle of the two in question
// is compared with.
double impi_quotient_nearest(int width, const uint64_t *dividend, int divisor_width, const uint64_t *divisor,
                             int exponent)
{
    LeadingBits high = leading_bits(width, dividend, 0), low = leading_bits(divisor_width, divisor, 0);
    if (!high.bits)
        return 0;
    assert(low.bits != 0);
    int shift = high.bits < low.bits ? 64 : 63;
    LeadingBits quotient = {(uint64_t)(((impi_Uint128)high.bits << shift) / low.bits),
                            exponent + high.exponent - low.exponent - shift, true, high.is_negative};
    int dropped = dropped_bits(quotient);
    if (dropped > 65)
        return 0;
    uint64_t kept = dropped < 64 ? quotient.bits >> dropped : 0;
    impi_Uint128 half = (impi_Uint128)1 << (dropped - 1);
    impi_Uint128 rest = quotient.bits - ((impi_Uint128)kept << dropped);
    impi_Uint128 off = rest > half ? rest - half : half - rest;
    if (off > QUOTIENT_ERROR)
        kept += rest > half;
    else
        kept += is_above(width, dividend, divisor_width, divisor, 2 * kept + 1,
                         quotient.exponent + dropped - 1 - exponent);
    double size = scale_exactly(kept, quotient.exponent + dropped);
    return quotient.is_negative && kept ? -size : size;
}
