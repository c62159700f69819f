// A sum of two doubles is the nearest double to it and the rest, which is a double, too. The nearest double
// grows with the sum, so that sums are compared by it first and by rest then. Where sums may overflow,
// integers are asked.
#include "geom/half_sum.h"

#include "geom/exact_integer.h"

#include <math.h>

#define LARGEST  0x1p1000
#define HEADROOM 4
#define WORDS    IMPI_MAX_GRID_WORDS(HEADROOM)

typedef struct TwoPart {
    double nearest, rest;
} TwoPart;

static TwoPart add(double a, double b)
{
    double nearest = a + b, part = nearest - a;
    return (TwoPart){nearest, (a - (nearest - part)) + (b - part)};
}

static int compare_integers(double a, double b, double c, double d)
{
    const double values[4] = {a, b, -c, -d};
    impi_GridNumber numbers[4];
    impi_GridSpan span = IMPI_NO_SPAN;
    for (int i = 0; i < 4; ++i) {
        numbers[i] = impi_split_double(values[i]);
        impi_span_add(&span, numbers[i]);
    }
    int n = impi_span_words(span, HEADROOM);
    uint64_t sum[WORDS] = {0}, term[WORDS];
    for (int i = 0; i < 4; ++i) {
        impi_integer_load(n, term, numbers[i], span.low);
        impi_integer_add(n, sum, term);
        if (i < 2)
            impi_integer_add(n, sum, term);
    }
    return impi_integer_sign(n, sum);
}

int impi_compare_half_sum(double a, double b, double c, double d)
{
    double largest = fmax(fmax(fabs(a), fabs(b)), fmax(fabs(c), fabs(d)));
    if (!(largest <= LARGEST))
        return compare_integers(a, b, c, d);
    TwoPart left = add(a, b), right = add(c, d);
    left.nearest *= 2;
    left.rest *= 2;
    if (left.nearest != right.nearest)
        return left.nearest > right.nearest ? 1 : -1;
    return (left.rest > right.rest) - (left.rest < right.rest);
}
