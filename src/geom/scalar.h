/// The smaller and the larger of two numbers, as single instructions: where one of them is NaN, the second.
#ifndef IMPINGE_GEOM_SCALAR_H
#define IMPINGE_GEOM_SCALAR_H

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

#endif
