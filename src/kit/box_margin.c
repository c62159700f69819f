#include "kit/box_margin.h"

#include <float.h>
#include <math.h>

// a - b rounded up; -DBL_MAX when it lies below all doubles.
static double subtract_up(double a, double b)
{
    double difference = a - b;
    if (isinf(difference))
        return -DBL_MAX;
    // What rounding took away is a double, and this subtraction from the larger one finds it.
    double error = fabs(a) >= fabs(b) ? (a - difference) - b : a - (difference + b);
    return error > 0 ? nextafter(difference, INFINITY) : difference;
}

// Rounding up to doubles and then to floats is rounding up to floats, which are doubles.
static float subtract_up_float(float a, double b)
{
    double difference = subtract_up((double)a, b);
    float near = (float)difference;
    return (double)near < difference ? nextafterf(near, INFINITY) : near;
}

void impi_boxes_apply_margin(double *rows, size_t count, double margin)
{
    for (size_t i = 0; i < count; ++i)
        for (size_t axis = 0; axis < 3; ++axis)
            rows[6 * i + axis] = subtract_up(rows[6 * i + axis], margin);
}

void impi_float_boxes_apply_margin(float *rows, size_t count, double margin)
{
    for (size_t i = 0; i < count; ++i)
        for (size_t axis = 0; axis < 3; ++axis)
            rows[6 * i + axis] = subtract_up_float(rows[6 * i + axis], margin);
}
