// Phase one of the revised simplex method, in integers.
//
// Hulls of a0..am and b0..bn meet if and only if there are s_i, t_j >= 0 and slack variables u, v >= 0 with
//     sum s_i (a_i - a0) + sum t_j (b0 - b_j) = b0 - a0,  sum s + u = 1,  sum t + v = 1.
// Each axis gives one equation, which may be scaled by a power of two of its own: so each axis is made
// integer by itself. With an artificial variable for each axis the sum of these is brought down from the
// identity basis; the hulls meet when it reaches zero.
//
// Kept is the part of the tableau that belongs to the identity: the inverse of the basis times a common
// denominator, its right-hand side, and the row of the objective. A column of the tableau is the inverse
// times the column of the problem. All divisions are exact, because cells are minors of the first tableau.
// Bland's rule (the lowest index enters, among equals the lowest leaves) is proven to end.
#include "convex_oracle.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AXES       3
#define EQUATIONS  5 // axes, then the sums of s and of t
#define OBJECTIVE  EQUATIONS
#define RIGHT_SIDE EQUATIONS

// Variables by index: the artificial ones of the axes, u, v, then s_i and t_j.
#define VARIABLE_U 3
#define VARIABLE_V 4
#define FIRST_FREE EQUATIONS

typedef struct Column {
    mpz_t x[AXES];
} Column;

// Kept from call to call, so that GMP seldom has to allocate.
static struct {
    bool ready;
    Column *columns; // of s_1.. and t_1..
    size_t column_capacity;
    Column first_a, first_b;
    mpz_t cell[EQUATIONS + 1][EQUATIONS + 1];
    mpz_t entering[EQUATIONS + 1]; // a column of the tableau
    mpz_t denominator, product, other;
    size_t basic[EQUATIONS];
} work;

static void init_column(Column *column)
{
    for (int axis = 0; axis < AXES; ++axis)
        mpz_init(column->x[axis]);
}

static void prepare(size_t column_count)
{
    if (!work.ready) {
        work.ready = true;
        mpz_inits(work.denominator, work.product, work.other, NULL);
        init_column(&work.first_a);
        init_column(&work.first_b);
        for (int i = 0; i <= EQUATIONS; ++i) {
            mpz_init(work.entering[i]);
            for (int j = 0; j <= EQUATIONS; ++j)
                mpz_init(work.cell[i][j]);
        }
    }
    if (column_count > work.column_capacity) {
        work.columns = realloc(work.columns, column_count * sizeof *work.columns);
        if (!work.columns)
            abort();
        while (work.column_capacity < column_count)
            init_column(&work.columns[work.column_capacity++]);
    }
}

static double coordinate(const imp_Vec3 *point, int axis)
{
    return axis == 0 ? point->x : axis == 1 ? point->y : point->z;
}

// The exponent of the last bit of a number that is not zero.
static int last_bit(double value)
{
    int exponent;
    double fraction = ldexp(frexp(value, &exponent), 53);
    return exponent - 53 + __builtin_ctzll((unsigned long long)fabs(fraction));
}

static int lowest_bit(const imp_Vec3 *points, size_t count, int axis, int lowest)
{
    for (size_t i = 0; i < count; ++i) {
        double value = coordinate(&points[i], axis);
        if (!isfinite(value))
            abort(); // a mistake in the test
        if (value != 0 && last_bit(value) < lowest)
            lowest = last_bit(value);
    }
    return lowest;
}

// out = value * 2^-step, an integer.
static void load(mpz_t out, double value, int step)
{
    if (value == 0) {
        mpz_set_ui(out, 0);
        return;
    }
    int last = last_bit(value);
    mpz_set_d(out, ldexp(value, -last));
    mpz_mul_2exp(out, out, (mp_bitcnt_t)(last - step));
}

static void load_axis(int axis, const imp_Vec3 *a, size_t count_a, const imp_Vec3 *b, size_t count_b)
{
    mpz_t *first_a = &work.first_a.x[axis], *first_b = &work.first_b.x[axis];
    int step = lowest_bit(b, count_b, axis, lowest_bit(a, count_a, axis, 1024));
    load(*first_a, coordinate(&a[0], axis), step);
    load(*first_b, coordinate(&b[0], axis), step);
    for (size_t i = 1; i < count_a; ++i) {
        mpz_t *cell = &work.columns[i - 1].x[axis];
        load(*cell, coordinate(&a[i], axis), step);
        mpz_sub(*cell, *cell, *first_a);
    }
    for (size_t i = 1; i < count_b; ++i) {
        mpz_t *cell = &work.columns[count_a - 1 + i - 1].x[axis];
        load(*cell, coordinate(&b[i], axis), step);
        mpz_sub(*cell, *first_b, *cell);
    }
}

// The identity, with equations turned so that no right-hand side is negative. The columns are turned as well.
static void begin(size_t column_count)
{
    for (int i = 0; i <= EQUATIONS; ++i)
        for (int j = 0; j <= EQUATIONS; ++j)
            mpz_set_ui(work.cell[i][j], i == j && i < EQUATIONS);
    for (int axis = 0; axis < AXES; ++axis) {
        mpz_t *right = &work.cell[axis][RIGHT_SIDE];
        mpz_sub(*right, work.first_b.x[axis], work.first_a.x[axis]);
        if (mpz_sgn(*right) < 0) {
            mpz_neg(*right, *right);
            for (size_t i = 0; i < column_count; ++i)
                mpz_neg(work.columns[i].x[axis], work.columns[i].x[axis]);
        }
        mpz_add(work.cell[OBJECTIVE][RIGHT_SIDE], work.cell[OBJECTIVE][RIGHT_SIDE], *right);
        mpz_set_ui(work.cell[OBJECTIVE][axis], 1);
    }
    mpz_set_ui(work.cell[VARIABLE_U][RIGHT_SIDE], 1);
    mpz_set_ui(work.cell[VARIABLE_V][RIGHT_SIDE], 1);
    mpz_set_ui(work.denominator, 1);
    for (size_t i = 0; i < EQUATIONS; ++i)
        work.basic[i] = i;
}

// The sum over the equations of row[i] times the variable's coefficient there. The variables from `split` on
// are those of b.
static void times_column(mpz_t out, mpz_t row[], size_t variable, size_t split)
{
    if (variable < FIRST_FREE) {
        mpz_set(out, row[variable]);
        return;
    }
    const Column *column = &work.columns[variable - FIRST_FREE];
    mpz_set(out, row[variable < split ? VARIABLE_U : VARIABLE_V]);
    for (int axis = 0; axis < AXES; ++axis)
        mpz_addmul(out, row[axis], column->x[axis]);
}

// The first variable whose growth lessens the objective; `end` when there is none. Artificial ones do not
// come back.
static size_t entering_variable(size_t split, size_t end)
{
    for (size_t variable = VARIABLE_U; variable < end; ++variable) {
        times_column(work.product, work.cell[OBJECTIVE], variable, split);
        if (mpz_sgn(work.product) > 0)
            return variable;
    }
    return end;
}

// The row whose variable becomes zero first when the entering one grows. There is always one, because the
// objective can't fall below zero.
static int leaving_row(void)
{
    int best = -1;
    for (int i = 0; i < EQUATIONS; ++i) {
        if (mpz_sgn(work.entering[i]) <= 0)
            continue;
        int order = -1;
        if (best >= 0) {
            mpz_mul(work.product, work.cell[i][RIGHT_SIDE], work.entering[best]);
            mpz_mul(work.other, work.cell[best][RIGHT_SIDE], work.entering[i]);
            order = mpz_cmp(work.product, work.other);
        }
        if (order < 0 || (order == 0 && work.basic[i] < work.basic[best]))
            best = i;
    }
    if (best < 0)
        abort();
    return best;
}

static void pivot(int row, size_t variable)
{
    for (int i = 0; i <= EQUATIONS; ++i)
        for (int j = 0; j <= EQUATIONS && i != row; ++j) {
            mpz_t *cell = &work.cell[i][j];
            mpz_mul(*cell, *cell, work.entering[row]);
            mpz_submul(*cell, work.entering[i], work.cell[row][j]);
            mpz_divexact(*cell, *cell, work.denominator);
        }
    mpz_set(work.denominator, work.entering[row]);
    work.basic[row] = variable;
}

static bool can_reach_zero(size_t split, size_t end)
{
    while (mpz_sgn(work.cell[OBJECTIVE][RIGHT_SIDE]) != 0) {
        size_t variable = entering_variable(split, end);
        if (variable == end)
            return false;
        for (int i = 0; i <= EQUATIONS; ++i)
            times_column(work.entering[i], work.cell[i], variable, split);
        pivot(leaving_row(), variable);
    }
    return true;
}

// Is some axis enough to tell them apart?
static bool boxes_are_apart(const imp_Vec3 *a, size_t count_a, const imp_Vec3 *b, size_t count_b)
{
    for (int axis = 0; axis < AXES; ++axis) {
        double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
        for (size_t i = 0; i < count_a + count_b; ++i) {
            int body = i >= count_a;
            double value = coordinate(body ? &b[i - count_a] : &a[i], axis);
            least[body] = fmin(least[body], value);
            most[body] = fmax(most[body], value);
        }
        if (most[0] < least[1] || most[1] < least[0])
            return true;
    }
    return false;
}

bool oracle_hulls_touch(const imp_Vec3 *a, size_t count_a, const imp_Vec3 *b, size_t count_b)
{
    if (boxes_are_apart(a, count_a, b, count_b))
        return false;
    size_t column_count = count_a + count_b - 2;
    prepare(column_count);
    for (int axis = 0; axis < AXES; ++axis)
        load_axis(axis, a, count_a, b, count_b);
    begin(column_count);
    return can_reach_zero(FIRST_FREE + count_a - 1, FIRST_FREE + column_count);
}

// ---------------------------------------------------------------------------------------- distance

typedef struct Real3 {
    long double x, y, z;
} Real3;

static Real3 to_real(imp_Vec3 p)
{
    return (Real3){p.x, p.y, p.z};
}

static Real3 minus(Real3 a, Real3 b)
{
    return (Real3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static Real3 move(Real3 start, long double factor, Real3 step)
{
    return (Real3){start.x + factor * step.x, start.y + factor * step.y, start.z + factor * step.z};
}

static long double dot(Real3 a, Real3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Real3 cross(Real3 a, Real3 b)
{
    return (Real3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static long double length(Real3 v)
{
    return sqrtl(dot(v, v));
}

// From a point to a segment.
static long double point_segment(Real3 p, Real3 s0, Real3 s1)
{
    Real3 along = minus(s1, s0);
    long double square = dot(along, along);
    long double t = square > 0 ? dot(minus(p, s0), along) / square : 0;
    return length(minus(p, move(s0, fminl(fmaxl(t, 0), 1), along)));
}

// To the foot of the perpendicular where it lies in the triangle; infinite elsewhere, edges are tried apart.
// The foot is made of weights that are not negative, so the distance is that of a point of the triangle even
// where the triangle is so thin that the weights are wrong.
static long double point_face(Real3 p, const Real3 t[3])
{
    Real3 normal = cross(minus(t[1], t[0]), minus(t[2], t[0])), foot = {0, 0, 0};
    long double weights[3], total = 0;
    for (int k = 0; k < 3; ++k) {
        Real3 from = t[(k + 1) % 3], to = t[(k + 2) % 3];
        weights[k] = dot(cross(minus(to, from), minus(p, from)), normal);
        if (weights[k] < 0)
            return INFINITY;
        total += weights[k];
    }
    if (!(total > 0))
        return INFINITY;
    for (int k = 0; k < 3; ++k)
        foot = move(foot, weights[k] / total, t[k]);
    return length(minus(p, foot));
}

// Where the common perpendicular meets both segments; infinite elsewhere, ends are tried apart.
static long double segment_segment(Real3 p0, Real3 p1, Real3 q0, Real3 q1)
{
    Real3 u = minus(p1, p0), v = minus(q1, q0), between = minus(q0, p0), normal = cross(u, v);
    long double square = dot(normal, normal);
    if (!(square > 0))
        return INFINITY;
    long double s = dot(cross(between, v), normal) / square, t = dot(cross(between, u), normal) / square;
    if (s < 0 || s > 1 || t < 0 || t > 1)
        return INFINITY;
    return length(minus(move(q0, t, v), move(p0, s, u)));
}

static long double triangle_triangle(const Real3 a[3], const Real3 b[3])
{
    long double least = INFINITY;
    for (int i = 0; i < 3; ++i) {
        least = fminl(least, fminl(point_face(a[i], b), point_face(b[i], a)));
        for (int j = 0; j < 3; ++j) {
            Real3 a0 = a[i], a1 = a[(i + 1) % 3], b0 = b[j], b1 = b[(j + 1) % 3];
            least = fminl(least, fminl(point_segment(a0, b0, b1), point_segment(b0, a0, a1)));
            least = fminl(least, segment_segment(a0, a1, b0, b1));
        }
    }
    return least;
}

long double oracle_surface_distance(const imp_Vec3 *vertices_a, const uint32_t *indices_a,
                                    size_t triangle_count_a, const imp_Vec3 *vertices_b,
                                    const uint32_t *indices_b, size_t triangle_count_b)
{
    long double least = INFINITY;
    for (size_t i = 0; i < triangle_count_a; ++i)
        for (size_t j = 0; j < triangle_count_b; ++j) {
            Real3 a[3], b[3];
            for (int k = 0; k < 3; ++k) {
                a[k] = to_real(vertices_a[indices_a[3 * i + (size_t)k]]);
                b[k] = to_real(vertices_b[indices_b[3 * j + (size_t)k]]);
            }
            least = fminl(least, triangle_triangle(a, b));
        }
    return least;
}
