/// Which of two integers is larger, with powers of two, and squares of doubles.
#ifndef IMPINGE_GEOM_EXACT_COMPARE_H
#define IMPINGE_GEOM_EXACT_COMPARE_H

#include <stdint.h>

/// The sign of a * 2^shift - b. None of these is negative.
int impi_compare_shifted(int width_a, const uint64_t *a, int shift, int width_b, const uint64_t *b);

/// The most words of a divisor: eight times those of a coordinate on a grid, and a few.
#define IMPI_MAX_DIVISOR_WORDS 272

/// The sign of value^2 * divisor - square * 2^exponent. The value is finite; the integers are not negative.
int impi_compare_square(double value, int divisor_words, const uint64_t *divisor, int square_words,
                        const uint64_t *square, int exponent);

#endif
