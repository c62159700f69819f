/// Integers of many words, and other numbers beyond the range of doubles, as a double and a power of two.
#ifndef IMPINGE_GEOM_EXACT_ROUND_H
#define IMPINGE_GEOM_EXACT_ROUND_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/// value * 2^exponent. Zero has any exponent.
typedef struct impi_WideNumber {
    double value;
    int exponent;
} impi_WideNumber;

/// The most words of an integer that can be rounded: six times those of a coordinate on a grid, and a few.
#define IMPI_MAX_ROUNDED_WORDS 204

/// An integer of `width` words, off by less than 1.01 * 2^-53 of it. The size of the value is 0 or between
/// 2^63 and 2^64.
impi_WideNumber impi_integer_round(int width, const uint64_t *words);

/// An integer times 2^exponent, rounded to the nearest double, to even where two are as near; zero is
/// positive. Not more than the largest double.
double impi_integer_nearest(int width, const uint64_t *words, int exponent);

/// The same for a number that differs from the integer by less than 2^error_bits, before 2^exponent. False
/// where that hides which double is nearest.
bool impi_nearly_integer_nearest(int width, const uint64_t *words, int error_bits, int exponent,
                                 double *nearest);

/// The most words of a dividend, and of a divisor.
#define IMPI_MAX_DIVIDED_WORDS 204

/// dividend / divisor * 2^exponent, rounded in the same way. The divisor is positive.
double impi_quotient_nearest(int width, const uint64_t *dividend, int divisor_width, const uint64_t *divisor,
                             int exponent);

/// The number over 2^exponent.
static inline double impi_wide_over(impi_WideNumber a, int exponent)
{
    return a.value == 0 ? 0 : ldexp(a.value, a.exponent - exponent);
}

/// The larger of an exponent and that of a number unless it is zero.
static inline int impi_wide_exponent(impi_WideNumber a, int exponent)
{
    return a.value != 0 && a.exponent > exponent ? a.exponent : exponent;
}

/// Less than every exponent that numbers here have.
#define IMPI_NO_EXPONENT (-100000)

#endif
