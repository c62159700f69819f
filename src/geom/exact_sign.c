// Exact signs of determinants, for all finite doubles.
//
// Coordinates are put on a common grid, where they are integers (geom/exact_integer.h). Coordinates of one
// scale with single-precision mantissas need one word, nearly everything else two, and 1e-300 beside 1e+300
// needs 33.
//
// Departs from the usual floating-point expansions (Shewchuk 1997): those are exact only in a range of
// exponents and need a second mechanism outside it, while words have no such range and one mechanism is
// enough.
//
// Cost: about 48 multiplications of words for orient3d on two words; it grows with the square of the words.
#include "geom/exact_sign.h"

#include "geom/exact_integer.h"

#include <string.h>

// Of a product of three differences, each difference needs one bit more, a 2 x 2 minor one, the sum of three
// terms two, and the sign one: seven, of the nine that three factors bring.
#define HEADROOM_BITS 3
#define MAX_WORDS     IMPI_MAX_GRID_WORDS(HEADROOM_BITS)

#define ALWAYS_INLINE IMPI_ALWAYS_INLINE

// Split all coordinates and find the grid: the exponent of its step, and the words an integer needs.
static int split_coordinates(const double *values, int count, impi_GridNumber *numbers, int *step)
{
    impi_GridSpan span = IMPI_NO_SPAN;
    for (int i = 0; i < count; ++i) {
        numbers[i] = impi_split_double(values[i]);
        impi_span_add(&span, numbers[i]);
    }
    *step = span.low;
    return impi_span_words(span, HEADROOM_BITS);
}

static ALWAYS_INLINE int orient2d_words(int n, const impi_GridNumber *numbers, int step)
{
    uint64_t v[6][MAX_WORDS], minor[2 * MAX_WORDS];
    for (int i = 0; i < 6; ++i)
        impi_integer_load(n, v[i], numbers[i], step);
    for (int i = 2; i < 6; ++i)
        impi_integer_subtract(n, v[i], v[i], v[i & 1]);
    impi_integer_minor(n, minor, v[2], v[3], v[4], v[5]);
    return impi_integer_sign(2 * n, minor);
}

static ALWAYS_INLINE void plane_sides_words(int n, const impi_GridNumber *numbers, int step, int count,
                                            int *signs)
{
    uint64_t v[9][MAX_WORDS], normal[3][2 * MAX_WORDS];
    for (int i = 0; i < 9; ++i)
        impi_integer_load(n, v[i], numbers[i], step);
    for (int i = 3; i < 9; ++i)
        impi_integer_subtract(n, v[i], v[i], v[i % 3]);
    for (int axis = 0; axis < 3; ++axis) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        impi_integer_minor(n, normal[axis], v[3 + next], v[3 + last], v[6 + next], v[6 + last]);
    }
    for (int point = 0; point < count; ++point) {
        uint64_t offset[MAX_WORDS], term[3 * MAX_WORDS], sum[3 * MAX_WORDS];
        for (int axis = 0; axis < 3; ++axis) {
            impi_integer_load(n, offset, numbers[9 + 3 * point + axis], step);
            impi_integer_subtract(n, offset, offset, v[axis]);
            impi_integer_multiply(2 * n, n, axis ? term : sum, normal[axis], offset);
            if (axis)
                impi_integer_add(3 * n, sum, term);
        }
        signs[point] = impi_integer_sign(3 * n, sum);
    }
}

int impi_exact_orient2d(imp_Vec2 a, imp_Vec2 b, imp_Vec2 c)
{
    // Common on axis-aligned and shared geometry, and free.
    if ((b.x == a.x || c.y == a.y) && (b.y == a.y || c.x == a.x))
        return 0;
    double values[6] = {a.x, a.y, b.x, b.y, c.x, c.y};
    impi_GridNumber numbers[6];
    int step, n = split_coordinates(values, 6, numbers, &step);
    switch (n) {
    case 1:
        return orient2d_words(1, numbers, step);
    case 2:
        return orient2d_words(2, numbers, step);
    default:
        return orient2d_words(n, numbers, step);
    }
}

void impi_exact_plane_sides(const imp_Vec3 *plane, const imp_Vec3 *points, int count, int *signs)
{
    double values[9 + 3 * IMPI_EXACT_MAX_POINTS];
    impi_GridNumber numbers[9 + 3 * IMPI_EXACT_MAX_POINTS];
    memcpy(values, plane, 9 * sizeof *values);
    memcpy(values + 9, points, (size_t)count * sizeof *points);
    int step, n = split_coordinates(values, 9 + 3 * count, numbers, &step);
    switch (n) {
    case 1:
        plane_sides_words(1, numbers, step, count, signs);
        break;
    case 2:
        plane_sides_words(2, numbers, step, count, signs);
        break;
    default:
        plane_sides_words(n, numbers, step, count, signs);
    }
}
