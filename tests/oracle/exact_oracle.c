// Phase one of the simplex method, in integers.
//
// Hulls of a0..am and b0..bn meet if and only if there are s_i, t_j >= 0 with sum s <= 1, sum t <= 1 and
//     a0 + sum s_i (a_i - a0) = b0 + sum t_j (b_j - b0).
// Each axis gives one equation, which may be scaled by a power of two of its own: so each axis is made
// integer by itself, and magnitudes from 2^-1074 to 2^1023 cost only the bits they need. A tableau keeps
// one common denominator and every division in it is exact (its cells are minors of the first one).
// Bland's rule (the lowest index enters, among equals the lowest leaves) is proven to end.
#include "exact_oracle.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#define AXES        3
#define MAX_POINTS  6
#define MAX_ROWS    8 // the objective included
#define MAX_COLUMNS 6 // the right-hand side included
#define RIGHT_SIDE  0

// Row i reads: denominator * variable(basic[i]) + sum over j of cell[i][j] * variable(free[j]) =
// cell[i][RIGHT_SIDE]. The last row is the sum of the artificial variables, which is to become zero.
typedef struct Tableau {
    mpz_t cell[MAX_ROWS][MAX_COLUMNS];
    mpz_t denominator;
    int basic[MAX_ROWS], free[MAX_COLUMNS];
    int row_count, column_count;
} Tableau;

// Kept from call to call, so that GMP seldom has to allocate.
static struct {
    bool ready;
    mpz_t point[MAX_POINTS][AXES];
    mpz_t product, other;
    Tableau tableau;
} work;

static void prepare(void)
{
    if (work.ready)
        return;
    work.ready = true;
    mpz_inits(work.product, work.other, work.tableau.denominator, NULL);
    for (int i = 0; i < MAX_POINTS; ++i)
        for (int axis = 0; axis < AXES; ++axis)
            mpz_init(work.point[i][axis]);
    for (int i = 0; i < MAX_ROWS; ++i)
        for (int j = 0; j < MAX_COLUMNS; ++j)
            mpz_init(work.tableau.cell[i][j]);
}

// value = mantissa * 2^exponent with an odd mantissa, or a mantissa of zero.
typedef struct Binary {
    int64_t mantissa;
    int exponent;
} Binary;

static Binary read_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int biased = (int)(bits >> 52 & 0x7FF);
    int64_t mantissa = (int64_t)(bits & ((UINT64_C(1) << 52) - 1));
    if (biased == 0x7FF)
        abort(); // not finite: a mistake in the test
    if (biased == 0)
        biased = 1; // subnormal
    else
        mantissa |= INT64_C(1) << 52;
    if (mantissa == 0)
        return (Binary){0, 0};
    int zeros = __builtin_ctzll((unsigned long long)mantissa);
    mantissa >>= zeros;
    return (Binary){bits >> 63 ? -mantissa : mantissa, biased - 1075 + zeros};
}

// Make work.point[0..count-1][axis] the values, all multiplied by the power of two that makes them integer.
static void load_axis(int axis, const double *values, int count)
{
    Binary binary[MAX_POINTS];
    int lowest = INT32_MAX;
    for (int i = 0; i < count; ++i) {
        binary[i] = read_double(values[i]);
        if (binary[i].mantissa != 0 && binary[i].exponent < lowest)
            lowest = binary[i].exponent;
    }
    for (int i = 0; i < count; ++i) {
        mpz_set_si(work.point[i][axis], binary[i].mantissa);
        if (binary[i].mantissa != 0)
            mpz_mul_2exp(work.point[i][axis], work.point[i][axis],
                         (mp_bitcnt_t)(binary[i].exponent - lowest));
    }
}

static void load_points(const imp_Vec3 *points, int count)
{
    double x[MAX_POINTS], y[MAX_POINTS], z[MAX_POINTS];
    for (int i = 0; i < count; ++i) {
        x[i] = points[i].x;
        y[i] = points[i].y;
        z[i] = points[i].z;
    }
    prepare();
    load_axis(0, x, count);
    load_axis(1, y, count);
    load_axis(2, z, count);
}

// ------------------------------------------------------------------------------------------ simplex

static void tableau_begin(int column_count)
{
    Tableau *tableau = &work.tableau;
    tableau->row_count = 0;
    tableau->column_count = column_count;
    mpz_set_ui(tableau->denominator, 1);
    for (int j = 0; j < column_count; ++j)
        tableau->free[j] = AXES + j; // the artificial variables, one per axis, have the lowest indices
}

static mpz_t *tableau_add_row(int basic)
{
    Tableau *tableau = &work.tableau;
    tableau->basic[tableau->row_count] = basic;
    for (int j = 0; j < tableau->column_count; ++j)
        mpz_set_ui(tableau->cell[tableau->row_count][j], 0);
    return tableau->cell[tableau->row_count++];
}

// The variables of columns first..last sum up to at most what the caller puts on the right-hand side.
static mpz_t *tableau_add_limit(int first, int last)
{
    mpz_t *row = tableau_add_row(AXES + MAX_COLUMNS + work.tableau.row_count);
    for (int j = first; j <= last; ++j)
        mpz_set_ui(row[j], 1);
    return row;
}

// The equations of the axes stand in the first rows; their right-hand sides must not be negative.
static void tableau_add_objective(void)
{
    Tableau *tableau = &work.tableau;
    for (int i = 0; i < AXES; ++i)
        if (mpz_sgn(tableau->cell[i][RIGHT_SIDE]) < 0)
            for (int j = 0; j < tableau->column_count; ++j)
                mpz_neg(tableau->cell[i][j], tableau->cell[i][j]);
    mpz_t *objective = tableau_add_row(INT32_MAX);
    for (int i = 0; i < AXES; ++i)
        for (int j = 0; j < tableau->column_count; ++j)
            mpz_add(objective[j], objective[j], tableau->cell[i][j]);
}

// The free variable with the lowest index whose growth lessens the objective; 0 when there is none.
static int entering_column(void)
{
    const Tableau *tableau = &work.tableau;
    int best = 0;
    for (int j = 1; j < tableau->column_count; ++j)
        if (mpz_sgn(tableau->cell[tableau->row_count - 1][j]) > 0 &&
            (best == 0 || tableau->free[j] < tableau->free[best]))
            best = j;
    return best;
}

// The basic variable that becomes zero first when the entering one grows. There is always one, because the
// objective can't fall below zero.
static int leaving_row(int column)
{
    Tableau *tableau = &work.tableau;
    int best = -1;
    for (int i = 0; i < tableau->row_count - 1; ++i) {
        if (mpz_sgn(tableau->cell[i][column]) <= 0)
            continue;
        int order = -1;
        if (best >= 0) {
            mpz_mul(work.product, tableau->cell[i][RIGHT_SIDE], tableau->cell[best][column]);
            mpz_mul(work.other, tableau->cell[best][RIGHT_SIDE], tableau->cell[i][column]);
            order = mpz_cmp(work.product, work.other);
        }
        if (order < 0 || (order == 0 && tableau->basic[i] < tableau->basic[best]))
            best = i;
    }
    if (best < 0)
        abort();
    return best;
}

static void pivot_row(int i, int row, int column)
{
    Tableau *tableau = &work.tableau;
    for (int j = 0; j < tableau->column_count; ++j) {
        mpz_t *cell = &tableau->cell[i][j];
        if (j == column)
            continue;
        mpz_mul(*cell, *cell, tableau->cell[row][column]);
        mpz_submul(*cell, tableau->cell[i][column], tableau->cell[row][j]);
        if (mpz_sgn(*cell) != 0)
            mpz_divexact(*cell, *cell, tableau->denominator);
    }
    mpz_neg(tableau->cell[i][column], tableau->cell[i][column]);
}

static void remove_column(int column)
{
    Tableau *tableau = &work.tableau;
    int last = --tableau->column_count;
    tableau->free[column] = tableau->free[last];
    for (int i = 0; i < tableau->row_count; ++i)
        mpz_swap(tableau->cell[i][column], tableau->cell[i][last]);
}

static void pivot(int row, int column)
{
    Tableau *tableau = &work.tableau;
    for (int i = 0; i < tableau->row_count; ++i)
        if (i != row)
            pivot_row(i, row, column);
    mpz_swap(tableau->cell[row][column], tableau->denominator);
    int leaving = tableau->basic[row];
    tableau->basic[row] = tableau->free[column];
    tableau->free[column] = leaving;
    if (leaving < AXES) // an artificial variable never comes back
        remove_column(column);
}

// Can the artificial variables all be zero?
static bool tableau_is_feasible(void)
{
    mpz_t *rest = &work.tableau.cell[work.tableau.row_count - 1][RIGHT_SIDE];
    while (mpz_sgn(*rest) != 0) {
        int column = entering_column();
        if (column == 0)
            return false;
        pivot(leaving_row(column), column);
    }
    return true;
}

// ------------------------------------------------------------------------------------------ shapes

// Is some axis enough to tell points [0, split) from points [split, count)?
static bool boxes_are_apart(int split, int count)
{
    for (int axis = 0; axis < AXES; ++axis) {
        int below = 0, above = 0;
        for (int i = 0; i < split; ++i)
            for (int j = split; j < count; ++j) {
                int order = mpz_cmp(work.point[i][axis], work.point[j][axis]);
                below += order < 0;
                above += order > 0;
            }
        int pairs = split * (count - split);
        if (below == pairs || above == pairs)
            return true;
    }
    return false;
}

// Does the hull of points [0, split) meet that of points [split, count)?
static bool hulls_touch(int split, int count)
{
    if (boxes_are_apart(split, count))
        return false;
    tableau_begin(count - 1); // the right-hand side, and one variable for each point but the two origins
    for (int axis = 0; axis < AXES; ++axis) {
        mpz_t *row = tableau_add_row(axis);
        mpz_sub(row[RIGHT_SIDE], work.point[split][axis], work.point[0][axis]);
        for (int i = 1; i < split; ++i)
            mpz_sub(row[i], work.point[i][axis], work.point[0][axis]);
        for (int i = split + 1; i < count; ++i)
            mpz_sub(row[i - 1], work.point[split][axis], work.point[i][axis]);
    }
    mpz_set_ui(tableau_add_limit(1, split - 1)[RIGHT_SIDE], 1);
    mpz_set_ui(tableau_add_limit(split, count - 2)[RIGHT_SIDE], 1);
    tableau_add_objective();
    return tableau_is_feasible();
}

bool oracle_triangles_touch(const imp_Triangle *a, const imp_Triangle *b)
{
    imp_Vec3 points[6] = {a->v[0], a->v[1], a->v[2], b->v[0], b->v[1], b->v[2]};
    load_points(points, 6);
    return hulls_touch(3, 6);
}

bool oracle_segment_touches_triangle(const imp_Segment *segment, const imp_Triangle *triangle)
{
    imp_Vec3 points[5] = {segment->v[0], segment->v[1], triangle->v[0], triangle->v[1], triangle->v[2]};
    load_points(points, 5);
    return hulls_touch(2, 5);
}

// A point of the box is min + p with 0 <= p <= max - min, so its three coordinates are variables with
// limits of their own.
bool oracle_triangle_touches_box(const imp_Triangle *triangle, const imp_Box *box)
{
    imp_Vec3 points[5] = {triangle->v[0], triangle->v[1], triangle->v[2], box->min, box->max};
    load_points(points, 5);
    if (boxes_are_apart(3, 5))
        return false;
    tableau_begin(1 + 2 + AXES);
    for (int axis = 0; axis < AXES; ++axis) {
        mpz_t *row = tableau_add_row(axis);
        mpz_sub(row[RIGHT_SIDE], work.point[3][axis], work.point[0][axis]);
        mpz_sub(row[1], work.point[1][axis], work.point[0][axis]);
        mpz_sub(row[2], work.point[2][axis], work.point[0][axis]);
        mpz_set_si(row[3 + axis], -1);
    }
    mpz_set_ui(tableau_add_limit(1, 2)[RIGHT_SIDE], 1);
    for (int axis = 0; axis < AXES; ++axis)
        mpz_sub(tableau_add_limit(3 + axis, 3 + axis)[RIGHT_SIDE], work.point[4][axis], work.point[3][axis]);
    tableau_add_objective();
    return tableau_is_feasible();
}

// ------------------------------------------------------------------------------------- orientation

// result = the determinant of what is left of three vectors without this row and column, columns in cyclic
// order: a component of a cross product.
static void minor(mpz_t result, mpz_t vector[AXES][AXES], int row, int column)
{
    int row1 = (row + 1) % 3, row2 = (row + 2) % 3, column1 = (column + 1) % 3, column2 = (column + 2) % 3;
    mpz_mul(result, vector[row1][column1], vector[row2][column2]);
    mpz_submul(result, vector[row1][column2], vector[row2][column1]);
}

int oracle_orient2d(imp_Vec2 a, imp_Vec2 b, imp_Vec2 c)
{
    imp_Vec3 points[3] = {{a.x, a.y, 0}, {b.x, b.y, 0}, {c.x, c.y, 0}};
    load_points(points, 3);
    for (int axis = 0; axis < 2; ++axis) {
        mpz_sub(work.point[1][axis], work.point[1][axis], work.point[0][axis]);
        mpz_sub(work.point[2][axis], work.point[2][axis], work.point[0][axis]);
    }
    minor(work.product, work.point, 0, 2);
    return mpz_sgn(work.product);
}

int oracle_orient3d(imp_Vec3 a, imp_Vec3 b, imp_Vec3 c, imp_Vec3 d)
{
    imp_Vec3 points[4] = {b, c, d, a};
    load_points(points, 4);
    for (int i = 0; i < 3; ++i)
        for (int axis = 0; axis < AXES; ++axis)
            mpz_sub(work.point[i][axis], work.point[i][axis], work.point[3][axis]);
    mpz_set_ui(work.other, 0);
    for (int axis = 0; axis < AXES; ++axis) {
        minor(work.product, work.point, 2, axis);
        mpz_addmul(work.other, work.product, work.point[2][axis]);
    }
    return mpz_sgn(work.other);
}
