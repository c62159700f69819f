/// Numbers beyond the range of doubles, value * 2^exponent, brought into it by directed rounding.
#ifndef IMPINGE_GEOM_POWER_SCALE_H
#define IMPINGE_GEOM_POWER_SCALE_H

#include <float.h>
#include <math.h>

/// value * 2^exponent or the next double above; `value` is not negative. Above the largest double: infinity.
static inline double impi_power_scale_up(double value, int exponent)
{
    double scaled = ldexp(value, exponent);
    return ldexp(scaled, -exponent) < value ? nextafter(scaled, INFINITY) : scaled;
}

/// value * 2^exponent or the next double below; `value` is not negative. Above the largest double: that.
static inline double impi_power_scale_down(double value, int exponent)
{
    double scaled = ldexp(value, exponent);
    if (scaled > DBL_MAX)
        return DBL_MAX;
    return ldexp(scaled, -exponent) > value ? nextafter(scaled, 0) : scaled;
}

#endif
