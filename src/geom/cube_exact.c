// A point x of the target and a point p of the source, which is moved to M p + t, are at a distance of
//
//     d . (x - t) - (transpose(M) d) . p
//
// along the direction d. The matrix is put on one grid, together with the number 1, coordinates on another.
// Directions are 1, first or second degree in the matrix; times 1 they get the degree of transpose(M) d, so
// that both sides are integers in the same steps. Midpoints are doubled, and with them all else.
//
// Bits beyond those of the factors: minors one, determinants three, x - t doubled two, the sum of six
// products three, the sign one.
#include "geom/cube_exact.h"

#include "geom/exact_integer.h"

#define DIRECTION_WORDS (3 * IMPI_CUBE_MATRIX_WORDS)

typedef struct DirectionIntegers {
    int n; // words
    uint64_t target[3][DIRECTION_WORDS], source[3][DIRECTION_WORDS];
} DirectionIntegers;

void impi_exact_matrix_init(impi_ExactMatrix *matrix, const imp_Transform *transform)
{
    impi_GridNumber numbers[3][3], one = impi_split_double(1);
    impi_GridSpan span = IMPI_NO_SPAN;
    impi_span_add(&span, one);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) {
            numbers[row][column] = impi_split_double(transform->rows[row][column]);
            impi_span_add(&span, numbers[row][column]);
        }
    matrix->n = impi_span_words(span, IMPI_CUBE_MATRIX_HEADROOM);
    impi_integer_load(matrix->n, matrix->one, one, span.low);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            impi_integer_load(matrix->n, matrix->rows[row][column], numbers[row][column], span.low);
}

static void set_zero(int n, uint64_t *out)
{
    for (int i = 0; i < n; ++i)
        out[i] = 0;
}

// Component `row` of the cross product of the two columns other than `column`: 2n words.
static void find_minor(const impi_ExactMatrix *m, int row, int column, uint64_t *out)
{
    int r1 = (row + 1) % 3, r2 = (row + 2) % 3, c1 = (column + 1) % 3, c2 = (column + 2) % 3;
    impi_integer_minor(m->n, out, m->rows[r1][c1], m->rows[r1][c2], m->rows[r2][c1], m->rows[r2][c2]);
}

static void find_axis(const impi_ExactMatrix *m, int axis, DirectionIntegers *direction)
{
    direction->n = m->n;
    for (int i = 0; i < 3; ++i) {
        set_zero(m->n, direction->target[i]);
        for (int w = 0; w < m->n; ++w)
            direction->source[i][w] = m->rows[axis][i][w];
    }
    for (int w = 0; w < m->n; ++w)
        direction->target[axis][w] = m->one[w];
}

static void find_normal(const impi_ExactMatrix *m, int column, DirectionIntegers *direction)
{
    uint64_t minor[2 * IMPI_CUBE_MATRIX_WORDS], term[DIRECTION_WORDS];
    direction->n = 3 * m->n;
    for (int i = 0; i < 3; ++i)
        set_zero(direction->n, direction->source[i]);
    for (int row = 0; row < 3; ++row) {
        find_minor(m, row, column, minor);
        impi_integer_multiply(2 * m->n, m->n, direction->target[row], minor, m->one);
        impi_integer_multiply(2 * m->n, m->n, term, minor, m->rows[row][column]);
        impi_integer_add(direction->n, direction->source[column], term);
    }
}

// d = axis x column, and with the next two columns
//     d . next = (normal of the one after next) . axis,    d . (after next) = -(normal of the next) . axis.
static void find_cross(const impi_ExactMatrix *m, int axis, int column, DirectionIntegers *direction)
{
    int a1 = (axis + 1) % 3, a2 = (axis + 2) % 3, c1 = (column + 1) % 3, c2 = (column + 2) % 3;
    direction->n = 2 * m->n;
    set_zero(direction->n, direction->target[axis]);
    impi_integer_multiply(m->n, m->n, direction->target[a1], m->rows[a2][column], m->one);
    impi_integer_negate(direction->n, direction->target[a1]);
    impi_integer_multiply(m->n, m->n, direction->target[a2], m->rows[a1][column], m->one);
    set_zero(direction->n, direction->source[column]);
    find_minor(m, axis, c2, direction->source[c1]);
    find_minor(m, axis, c1, direction->source[c2]);
    impi_integer_negate(direction->n, direction->source[c2]);
}

static void find_direction(const impi_ExactMatrix *matrix, int number, DirectionIntegers *direction)
{
    if (number < 3)
        find_axis(matrix, number, direction);
    else if (number < 6)
        find_normal(matrix, number - 3, direction);
    else
        find_cross(matrix, (number - 6) / 3, (number - 6) % 3, direction);
}

void impi_exact_direction_signs(const impi_ExactMatrix *matrix, int direction, int signs[3])
{
    DirectionIntegers integers;
    find_direction(matrix, direction, &integers);
    for (int i = 0; i < 3; ++i)
        signs[i] = impi_integer_sign(integers.n, integers.target[i]);
}

// ---- boxes

// The sum of two numbers less twice a third one.
static void load_sum(int n, uint64_t *out, impi_GridNumber a, impi_GridNumber b, impi_GridNumber less,
                     int step)
{
    uint64_t other[IMPI_CUBE_COORDINATE_WORDS];
    impi_integer_load(n, out, a, step);
    impi_integer_load(n, other, b, step);
    impi_integer_add(n, out, other);
    if (less.bits) {
        impi_integer_load(n, other, less, step);
        impi_integer_subtract(n, out, out, other);
        impi_integer_subtract(n, out, out, other);
    }
}

void impi_exact_cubes_init(impi_ExactCubes *cubes, const imp_Transform *transform,
                           const impi_SourceBox *source, const impi_TargetBox *target)
{
    const imp_Vec3 *t = &transform->translation;
    const double translation[3] = {t->x, t->y, t->z};
    impi_GridNumber numbers[3][7], zero = {0, 0, false};
    impi_GridSpan span = IMPI_NO_SPAN;
    for (int axis = 0; axis < 3; ++axis) {
        const double values[7] = {target->min[axis][0], target->min[axis][1], target->max[axis][0],
                                  target->max[axis][1], source->min[axis],    source->max[axis],
                                  translation[axis]};
        for (int i = 0; i < 7; ++i) {
            numbers[axis][i] = impi_split_double(values[i]);
            impi_span_add(&span, numbers[axis][i]);
        }
    }
    impi_exact_matrix_init(&cubes->matrix, transform);
    cubes->n = impi_span_words(span, IMPI_CUBE_COORDINATE_HEADROOM);
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            const impi_GridNumber *v = numbers[axis];
            load_sum(cubes->n, cubes->target[side][axis], v[2 * side], v[2 * side + 1], v[6], span.low);
            load_sum(cubes->n, cubes->source[side][axis], v[4 + side], v[4 + side], zero, span.low);
        }
}

// The sign of the distance from the source's end to the target's along a direction; 0 is the least end, 1 the
// largest.
static int distance_sign(const DirectionIntegers *direction, const impi_ExactCubes *cubes, int target_end,
                         int source_end)
{
    const int n = direction->n + cubes->n;
    uint64_t sum[DIRECTION_WORDS + IMPI_CUBE_COORDINATE_WORDS],
        term[DIRECTION_WORDS + IMPI_CUBE_COORDINATE_WORDS];
    set_zero(n, sum);
    for (int i = 0; i < 3; ++i) {
        int sign = impi_integer_sign(direction->n, direction->target[i]);
        if (sign != 0) {
            int side = sign > 0 ? target_end : 1 - target_end;
            impi_integer_multiply(direction->n, cubes->n, term, direction->target[i], cubes->target[side][i]);
            impi_integer_add(n, sum, term);
        }
        sign = impi_integer_sign(direction->n, direction->source[i]);
        if (sign != 0) {
            int side = sign > 0 ? source_end : 1 - source_end;
            impi_integer_multiply(direction->n, cubes->n, term, direction->source[i], cubes->source[side][i]);
            impi_integer_subtract(n, sum, sum, term);
        }
    }
    return impi_integer_sign(n, sum);
}

impi_CubeGaps impi_exact_cube_gaps(const impi_ExactCubes *cubes, int direction)
{
    DirectionIntegers integers;
    find_direction(&cubes->matrix, direction, &integers);
    return (impi_CubeGaps){distance_sign(&integers, cubes, 0, 1), -distance_sign(&integers, cubes, 1, 0)};
}

impi_CubeEnds impi_exact_cube_ends(const impi_ExactCubes *cubes, int direction)
{
    DirectionIntegers integers;
    find_direction(&cubes->matrix, direction, &integers);
    return (impi_CubeEnds){distance_sign(&integers, cubes, 0, 0), distance_sign(&integers, cubes, 1, 1)};
}
