#include "shape/bounds.h"

#include <math.h>

// Halves first: min + max and max - min overflow for boxes as wide as the range of double.
static double middle(double min, double max)
{
    return 0.5 * min + 0.5 * max;
}

static double half_extent(double min, double max)
{
    return 0.5 * max - 0.5 * min;
}

impi_UnitFrame impi_unit_frame(const imp_Box *box)
{
    const imp_Vec3 *min = &box->min, *max = &box->max;
    impi_UnitFrame frame = {
        {middle(min->x, max->x), middle(min->y, max->y), middle(min->z, max->z)},
        0,
    };
    double extent = half_extent(min->x, max->x);
    extent = fmax(extent, half_extent(min->y, max->y));
    extent = fmax(extent, half_extent(min->z, max->z));
    frexp(extent, &frame.exponent);
    return frame;
}

#define ACCUMULATORS 8

// Eight at a time, which compilers turn into vectors. A number that is not finite makes its zero sum NaN.
double impi_largest_coordinate(const double *numbers, size_t count)
{
    double largest[ACCUMULATORS] = {0}, zero[ACCUMULATORS] = {0};
    size_t whole = count - count % ACCUMULATORS;
    for (size_t i = 0; i < whole; i += ACCUMULATORS) {
        for (unsigned k = 0; k < ACCUMULATORS; ++k) {
            double size = fabs(numbers[i + k]);
            largest[k] = size > largest[k] ? size : largest[k];
            zero[k] += numbers[i + k] * 0;
        }
    }
    for (size_t i = whole; i < count; ++i) {
        double size = fabs(numbers[i]);
        largest[0] = size > largest[0] ? size : largest[0];
        zero[0] += numbers[i] * 0;
    }
    for (unsigned k = 1; k < ACCUMULATORS; ++k) {
        largest[0] = largest[k] > largest[0] ? largest[k] : largest[0];
        zero[0] += zero[k];
    }
    return largest[0] + zero[0];
}

double impi_unit_scale(const impi_UnitFrame *frame)
{
    return ldexp(1.0, frame->exponent < -1000 ? 1000 : -frame->exponent);
}
