// Coordinates are integers on a grid (geom/exact_integer.h). Below 2^B in size, a 2 x 2 minor is below
// 2^(2B+1) and a determinant below 2^(3B+3); in n, 2n and 3n words with B + 1 <= 64 n that fits with its
// sign, and one more word holds sums.
#include "geom/exact_measure.h"

#include <assert.h>

static_assert(3 * IMPI_VOLUME_MAX_WORDS + 1 <= IMPI_MAX_ROUNDED_WORDS, "a sum of volumes can be rounded");

// Differences take one bit more, so B is one more for areas.
#define AREA_HEADROOM_BITS 2
#define AREA_MAX_WORDS     IMPI_MAX_GRID_WORDS(AREA_HEADROOM_BITS)

static void split_triangle(const imp_Triangle *triangle, impi_GridNumber numbers[9])
{
    for (int corner = 0; corner < 3; ++corner) {
        numbers[3 * corner] = impi_split_double(triangle->v[corner].x);
        numbers[3 * corner + 1] = impi_split_double(triangle->v[corner].y);
        numbers[3 * corner + 2] = impi_split_double(triangle->v[corner].z);
    }
}

// ----------------------------------------------------------------------------------------- areas

static IMPI_ALWAYS_INLINE void normal_words(int n, const impi_GridNumber *numbers, int step,
                                            impi_WideNumber normal[3])
{
    uint64_t v[9][AREA_MAX_WORDS], minor[2 * AREA_MAX_WORDS];
    for (int i = 0; i < 9; ++i)
        impi_integer_load(n, v[i], numbers[i], step);
    for (int i = 3; i < 9; ++i)
        impi_integer_subtract(n, v[i], v[i], v[i % 3]);
    for (int axis = 0; axis < 3; ++axis) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        impi_integer_minor(n, minor, v[3 + next], v[3 + last], v[6 + next], v[6 + last]);
        normal[axis] = impi_integer_round(2 * n, minor);
    }
}

impi_WideNumber impi_exact_twice_area(const imp_Triangle *triangle)
{
    impi_GridNumber numbers[9];
    impi_GridSpan span = IMPI_NO_SPAN;
    impi_WideNumber normal[3];
    split_triangle(triangle, numbers);
    for (int i = 0; i < 9; ++i)
        impi_span_add(&span, numbers[i]);
    int n = impi_span_words(span, AREA_HEADROOM_BITS), longest = IMPI_NO_EXPONENT;
    if (n <= 2)
        normal_words(2, numbers, span.low, normal);
    else
        normal_words(n, numbers, span.low, normal);
    for (int axis = 0; axis < 3; ++axis)
        longest = impi_wide_exponent(normal[axis], longest);
    if (longest == IMPI_NO_EXPONENT)
        return (impi_WideNumber){0, 0};
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double coordinate = impi_wide_over(normal[axis], longest + 64);
        square += coordinate * coordinate;
    }
    return (impi_WideNumber){sqrt(square), longest + 64 + 2 * span.low};
}

// --------------------------------------------------------------------------------------- volumes

void impi_volume_sum_begin(impi_VolumeSum *sum, impi_GridSpan span)
{
    sum->step = span.low;
    sum->word_count = impi_span_words(span, 1);
    memset(sum->words, 0, sizeof sum->words);
}

// The term has 3n words, the sum one more.
static IMPI_ALWAYS_INLINE void add_term(int n, uint64_t *sum, uint64_t *term)
{
    term[3 * n] = term[3 * n - 1] >> 63 ? UINT64_MAX : 0;
    impi_integer_add(3 * n + 1, sum, term);
}

static IMPI_ALWAYS_INLINE void add_words(int n, impi_VolumeSum *sum, const impi_GridNumber *numbers)
{
    uint64_t v[9][IMPI_VOLUME_MAX_WORDS], minor[2 * AREA_MAX_WORDS], term[3 * IMPI_VOLUME_MAX_WORDS + 1];
    for (int i = 0; i < 9; ++i)
        impi_integer_load(n, v[i], numbers[i], sum->step);
    for (int axis = 0; axis < 3; ++axis) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        impi_integer_minor(n, minor, v[3 + next], v[3 + last], v[6 + next], v[6 + last]);
        impi_integer_multiply(2 * n, n, term, minor, v[axis]);
        add_term(n, sum->words, term);
    }
}

void impi_volume_sum_add(impi_VolumeSum *sum, const imp_Triangle *triangle)
{
    impi_GridNumber numbers[9];
    split_triangle(triangle, numbers);
    switch (sum->word_count) {
    case 1:
        add_words(1, sum, numbers);
        break;
    case 2:
        add_words(2, sum, numbers);
        break;
    default:
        add_words(sum->word_count, sum, numbers);
    }
}

impi_WideNumber impi_volume_sum_round(const impi_VolumeSum *sum)
{
    impi_WideNumber rounded = impi_integer_round(3 * sum->word_count + 1, sum->words);
    rounded.exponent += 3 * sum->step;
    return rounded;
}
