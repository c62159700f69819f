/// Squares of doubles against fractions of integers.
#ifndef IMPINGE_GEOM_EXACT_COMPARE_H
#define IMPINGE_GEOM_EXACT_COMPARE_H

#include <stdint.h>

/// The most words of a divisor.
#define IMPI_MAX_DIVISOR_WORDS 204

/// The sign of value^2 * divisor - square * 2^exponent. The value is finite; the integers are not negative.
int impi_compare_square(double value, int divisor_words, const uint64_t *divisor, int square_words,
                        const uint64_t *square, int exponent);

#endif
