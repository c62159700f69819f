#include "geom/exact_round.h"

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
