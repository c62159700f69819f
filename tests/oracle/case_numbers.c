#include "case_numbers.h"

#include "harness.h"

#include <float.h>
#include <math.h>

#define LOWEST_BIT  (-1074)
#define HIGHEST_BIT 1023

double random_signed_unit(void)
{
    return 2 * test_random_unit() - 1;
}

double random_of_any_size(void)
{
    double mantissa = test_random_below(2) ? 1 + test_random_unit() : -1 - test_random_unit();
    return ldexp(mantissa, (int)test_random_below(1993) - 996);
}

double random_integer(double most)
{
    return (double)(test_random() % (2 * (uint64_t)most + 1)) - most;
}

double random_range(void)
{
    static const double ranges[] = {2, 9, 1000, 0x1p30, 0x1p42};
    return ranges[test_random_below(sizeof ranges / sizeof *ranges)];
}

double one_ulp_off(double value)
{
    double next = nextafter(value, test_random_below(2) ? INFINITY : -INFINITY);
    return isinf(next) ? nextafter(value, 0) : next;
}

imp_Vec3 random_vector(double most)
{
    double x = most * random_signed_unit(), y = most * random_signed_unit(), z = most * random_signed_unit();
    return (imp_Vec3){x, y, z};
}

imp_Vec3 random_lattice_point(double most)
{
    double x = random_integer(most), y = random_integer(most), z = random_integer(most);
    return (imp_Vec3){x, y, z};
}

imp_Vec3 random_lattice_step(double most)
{
    imp_Vec3 step;
    do
        step = random_lattice_point(most);
    while (step.x == 0 && step.y == 0 && step.z == 0);
    return step;
}

imp_Vec3 sum(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

imp_Vec3 along(imp_Vec3 start, double factor, imp_Vec3 step)
{
    return (imp_Vec3){start.x + factor * step.x, start.y + factor * step.y, start.z + factor * step.z};
}

void random_weights(int least, double weights[3])
{
    uint32_t rest = (uint32_t)(WEIGHT_SUM - 3 * least);
    uint32_t first = test_random_below(rest + 1), second = test_random_below(rest + 1 - first);
    weights[0] = least + (int)first;
    weights[1] = least + (int)second;
    weights[2] = WEIGHT_SUM - weights[0] - weights[1];
}

const char *const scaling_names[SCALING_COUNT] = {"unscaled", "power_of_two", "axes", "subnormal",
                                                  "power_of_ten"};

Scaling random_scaling(void)
{
    uint32_t choice = test_random_below(10);
    return choice < SCALING_COUNT ? (Scaling)choice : SCALING_NONE;
}

// The exponents of the highest and the lowest bit that is set in any of some numbers.
typedef struct BitSpan {
    int highest, lowest;
} BitSpan;

static void widen(BitSpan *span, double value)
{
    if (value == 0)
        return;
    int highest = ilogb(value), lowest = highest;
    for (double rest = ldexp(value, -highest); rest != 0; rest = 2 * (rest - trunc(rest)), --lowest)
        ;
    ++lowest;
    if (highest > span->highest)
        span->highest = highest;
    if (lowest < span->lowest)
        span->lowest = lowest;
}

// Multiply the axes first..last by one power of two that keeps every bit.
static void scale_exactly(double *coordinates, int count, int first, int last, bool lowest)
{
    BitSpan span = {INT32_MIN, INT32_MAX};
    for (int i = 0; i < count; ++i)
        if (i % 3 >= first && i % 3 <= last)
            widen(&span, coordinates[i]);
    if (span.highest < span.lowest) // zeros only
        return;
    int least = LOWEST_BIT - span.lowest, most = HIGHEST_BIT - span.highest;
    int exponent = lowest ? least : least + (int)test_random_below((uint32_t)(most - least + 1));
    for (int i = 0; i < count; ++i)
        if (i % 3 >= first && i % 3 <= last)
            coordinates[i] = ldexp(coordinates[i], exponent);
}

static bool scale_by_power_of_ten(double *coordinates, int count)
{
    double power = pow(10, (int)test_random_below(601) - 300);
    for (int i = 0; i < count; ++i)
        if (!isfinite(coordinates[i] * power))
            return true;
    for (int i = 0; i < count; ++i)
        coordinates[i] *= power;
    return false;
}

bool scale_coordinates(double *coordinates, int count, Scaling scaling)
{
    switch (scaling) {
    case SCALING_POWER_OF_TWO:
    case SCALING_SUBNORMAL:
        scale_exactly(coordinates, count, 0, 2, scaling == SCALING_SUBNORMAL);
        return true;
    case SCALING_AXES:
        for (int axis = 0; axis < 3; ++axis)
            scale_exactly(coordinates, count, axis, axis, false);
        return true;
    case SCALING_POWER_OF_TEN:
        return scale_by_power_of_ten(coordinates, count);
    default:
        return true;
    }
}

void flip_zeros(double *coordinates, int count)
{
    for (int i = 0; i < count; ++i)
        if (coordinates[i] == 0 && test_random_below(2))
            coordinates[i] = -coordinates[i];
}
