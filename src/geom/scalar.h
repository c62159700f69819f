/// What is done with single numbers, in few instructions.
#ifndef IMPINGE_GEOM_SCALAR_H
#define IMPINGE_GEOM_SCALAR_H

#include <math.h>
#include <stdint.h>
#include <string.h>

// The smaller and the larger of two: where one of them is NaN, the second.

static inline double impi_smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline double impi_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline float impi_larger_float(float a, float b)
{
    return a > b ? a : b;
}

/// x times 2^exponent, rounded once: what scalbn gives, without a call where that power is a double of full
/// precision.
static inline double impi_times_power(double x, int exponent)
{
    const int bias = 1023, mantissa_bits = 52;
    if (exponent <= -bias || exponent > bias)
        return scalbn(x, exponent);
    uint64_t bits = (uint64_t)(exponent + bias) << mantissa_bits;
    double power;
    memcpy(&power, &bits, sizeof power);
    return x * power;
}

#endif
