#include "geom/exact_compare.h"

#include "geom/exact_integer.h"

#include <assert.h>

// The word at `index` of a * 2^shift; words beyond the ends are 0.
static uint64_t shifted_word(int width, const uint64_t *a, int shift, int index)
{
    int word = index - shift / 64, bit = shift % 64;
    uint64_t high = word >= 0 && word < width ? a[word] : 0;
    if (bit == 0)
        return high;
    uint64_t low = word >= 1 && word <= width ? a[word - 1] : 0;
    return high << bit | low >> (64 - bit);
}

// Lengths decide nearly always. Where they are equal, the shift is not longer than b.
int impi_compare_shifted(int width_a, const uint64_t *a, int shift, int width_b, const uint64_t *b)
{
    int length_a = impi_integer_length(width_a, a), length_b = impi_integer_length(width_b, b);
    if (length_a == 0 || length_b == 0)
        return (length_a > 0) - (length_b > 0);
    if (length_a + shift != length_b)
        return length_a + shift > length_b ? 1 : -1;
    for (int i = (length_b + 63) / 64 - 1; i >= 0; --i) {
        uint64_t word = shifted_word(width_a, a, shift, i);
        if (word != b[i])
            return word > b[i] ? 1 : -1;
    }
    return 0;
}

int impi_compare_square(double value, int divisor_words, const uint64_t *divisor, int square_words,
                        const uint64_t *square, int exponent)
{
    assert(divisor_words <= IMPI_MAX_DIVISOR_WORDS);
    impi_GridNumber number = impi_split_double(value);
    impi_Uint128 value_squared = (impi_Uint128)number.bits * number.bits;
    uint64_t words[2] = {(uint64_t)value_squared, (uint64_t)(value_squared >> 64)};
    uint64_t product[IMPI_MAX_DIVISOR_WORDS + 2];
    impi_integer_multiply(divisor_words, 2, product, divisor, words);
    int shift = 2 * number.exponent - exponent, width = divisor_words + 2;
    return shift >= 0 ? impi_compare_shifted(width, product, shift, square_words, square)
                      : -impi_compare_shifted(square_words, square, -shift, width, product);
}
