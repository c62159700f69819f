// The point of the hull of all differences b_j - a_i that is nearest to the origin, by Wolfe's algorithm
// ("Finding the nearest point in a polytope", 1976) in rational numbers. Weights of a few affinely
// independent differences make up the point so far, x. The nearest point of their affine hull comes from a
// system of linear equations; where its weights are not all positive, x goes towards it as far as they stay
// so, and what has lost its weight is dropped. It ends when no difference d has d . x < x . x, which is the
// proof that x is nearest, whatever way led there.
#include "distance_oracle.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>

#define AXES 3
#define MOST 4 // differences at a time

static struct {
    bool ready;
    unsigned count;
    mpq_t difference[MOST][AXES], weight[MOST], target[MOST];
    mpq_t nearest[AXES], squared;
    mpq_t system[MOST - 1][MOST]; // of linear equations, the right-hand side last
    mpq_t point[AXES], sum, term, best, factor;
} work;

static void prepare(void)
{
    if (work.ready)
        return;
    work.ready = true;
    mpq_inits(work.squared, work.sum, work.term, work.best, work.factor, NULL);
    for (int i = 0; i < MOST; ++i) {
        mpq_inits(work.weight[i], work.target[i], NULL);
        for (int axis = 0; axis < AXES; ++axis)
            mpq_init(work.difference[i][axis]);
        for (int j = 0; j < MOST && i < MOST - 1; ++j)
            mpq_init(work.system[i][j]);
    }
    for (int axis = 0; axis < AXES; ++axis)
        mpq_inits(work.nearest[axis], work.point[axis], NULL);
}

static void dot(mpq_t out, mpq_t a[AXES], mpq_t b[AXES])
{
    mpq_mul(out, a[0], b[0]);
    for (int axis = 1; axis < AXES; ++axis) {
        mpq_mul(work.term, a[axis], b[axis]);
        mpq_add(out, out, work.term);
    }
}

static void load(mpq_t out[AXES], const imp_Vec3 *v)
{
    if (!isfinite(v->x) || !isfinite(v->y) || !isfinite(v->z))
        abort(); // a mistake in the test
    mpq_set_d(out[0], v->x);
    mpq_set_d(out[1], v->y);
    mpq_set_d(out[2], v->z);
}

static void set_difference(unsigned i, const imp_Vec3 *a, const imp_Vec3 *b)
{
    load(work.difference[i], b);
    load(work.point, a);
    for (int axis = 0; axis < AXES; ++axis)
        mpq_sub(work.difference[i][axis], work.difference[i][axis], work.point[axis]);
}

// The point farthest along the direction for a sign of 1, least far for -1; how far is left in work.best.
static size_t farthest(mpq_t direction[AXES], const imp_Vec3 *points, size_t count, int sign)
{
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {
        load(work.point, &points[i]);
        dot(work.sum, direction, work.point);
        if (i == 0 || sign * mpq_cmp(work.sum, work.best) > 0) {
            mpq_set(work.best, work.sum);
            found = i;
        }
    }
    return found;
}

// ------------------------------------------------------------------------------------------- Wolfe

// With e_i = d_i - d_0: sum over j of (e_i . e_j) target_j = -e_i . d_0.
static void fill_system(void)
{
    static mpq_t edges[MOST - 1][AXES];
    static bool ready;
    for (int i = 0; i < MOST - 1 && !ready; ++i)
        mpq_inits(edges[i][0], edges[i][1], edges[i][2], NULL);
    ready = true;
    unsigned size = work.count - 1;
    for (unsigned i = 0; i < size; ++i)
        for (int axis = 0; axis < AXES; ++axis)
            mpq_sub(edges[i][axis], work.difference[i + 1][axis], work.difference[0][axis]);
    for (unsigned i = 0; i < size; ++i) {
        for (unsigned j = 0; j < size; ++j)
            dot(work.system[i][j], edges[i], edges[j]);
        dot(work.system[i][size], edges[i], work.difference[0]);
        mpq_neg(work.system[i][size], work.system[i][size]);
    }
}

// Gauss and Jordan. The matrix is positive definite, so no pivot is zero.
static void solve_system(unsigned size)
{
    for (unsigned i = 0; i < size; ++i) {
        if (mpq_sgn(work.system[i][i]) <= 0)
            abort();
        for (unsigned row = 0; row < size; ++row) {
            if (row == i)
                continue;
            mpq_div(work.factor, work.system[row][i], work.system[i][i]);
            for (unsigned j = i; j <= size; ++j) {
                mpq_mul(work.term, work.factor, work.system[i][j]);
                mpq_sub(work.system[row][j], work.system[row][j], work.term);
            }
        }
    }
}

// Weights of the nearest point of the affine hull. True when all are positive.
static bool find_targets(void)
{
    unsigned size = work.count - 1;
    bool all_positive = true;
    fill_system();
    solve_system(size);
    mpq_set_ui(work.target[0], 1, 1);
    for (unsigned i = 0; i < size; ++i) {
        mpq_div(work.target[i + 1], work.system[i][size], work.system[i][i]);
        mpq_sub(work.target[0], work.target[0], work.target[i + 1]);
        all_positive &= mpq_sgn(work.target[i + 1]) > 0;
    }
    return all_positive && mpq_sgn(work.target[0]) > 0;
}

// Towards the targets until the first weight is zero, and without those that are.
static void go_to_boundary(void)
{
    mpq_set_ui(work.best, 1, 1);
    for (unsigned i = 0; i < work.count; ++i) {
        if (mpq_sgn(work.target[i]) > 0)
            continue;
        mpq_sub(work.factor, work.weight[i], work.target[i]);
        mpq_div(work.factor, work.weight[i], work.factor);
        if (mpq_cmp(work.factor, work.best) < 0)
            mpq_set(work.best, work.factor);
    }
    unsigned kept = 0;
    for (unsigned i = 0; i < work.count; ++i) {
        mpq_sub(work.term, work.target[i], work.weight[i]);
        mpq_mul(work.term, work.term, work.best);
        mpq_add(work.term, work.weight[i], work.term);
        if (mpq_sgn(work.term) == 0)
            continue;
        mpq_set(work.weight[kept], work.term);
        for (int axis = 0; axis < AXES; ++axis)
            mpq_set(work.difference[kept][axis], work.difference[i][axis]);
        ++kept;
    }
    work.count = kept;
}

static void find_nearest_of_these(void)
{
    while (!find_targets())
        go_to_boundary();
    for (int axis = 0; axis < AXES; ++axis) {
        mpq_set_ui(work.nearest[axis], 0, 1);
        for (unsigned i = 0; i < work.count; ++i) {
            mpq_mul(work.term, work.target[i], work.difference[i][axis]);
            mpq_add(work.nearest[axis], work.nearest[axis], work.term);
        }
    }
    for (unsigned i = 0; i < work.count; ++i)
        mpq_set(work.weight[i], work.target[i]);
    dot(work.squared, work.nearest, work.nearest);
}

bool oracle_distance_find(const imp_Vec3 *a, size_t count_a, const imp_Vec3 *b, size_t count_b)
{
    prepare();
    set_difference(0, &a[0], &b[0]);
    mpq_set_ui(work.weight[0], 1, 1);
    work.count = 1;
    for (;;) {
        find_nearest_of_these();
        if (mpq_sgn(work.squared) == 0)
            return false;
        size_t far_a = farthest(work.nearest, a, count_a, 1);
        mpq_set(work.factor, work.best);
        size_t far_b = farthest(work.nearest, b, count_b, -1);
        mpq_sub(work.factor, work.best, work.factor);
        if (mpq_cmp(work.factor, work.squared) >= 0)
            return true;
        if (work.count == MOST) // four independent ones, all needed, have the origin inside
            abort();
        set_difference(work.count, &a[far_a], &b[far_b]);
        mpq_set_ui(work.weight[work.count++], 0, 1);
    }
}

// ------------------------------------------------------------------------------------------ answers

int oracle_distance_compare(double value)
{
    if (!(value >= 0))
        abort(); // a mistake in the test
    if (isinf(value))
        return 1;
    mpq_set_d(work.sum, value);
    mpq_mul(work.sum, work.sum, work.sum);
    int order = mpq_cmp(work.sum, work.squared);
    return (order > 0) - (order < 0);
}

static mpq_t *kept(void)
{
    static mpq_t squared;
    static bool ready;
    if (!ready)
        mpq_init(squared);
    ready = true;
    return &squared;
}

void oracle_distance_keep(void)
{
    mpq_set(*kept(), work.squared);
}

int oracle_distance_compare_kept(void)
{
    int order = mpq_cmp(work.squared, *kept());
    return (order > 0) - (order < 0);
}

void oracle_distance_recall(void)
{
    mpq_set(work.squared, *kept());
}

// Exponents may be beyond those of doubles.
long double oracle_distance_value(void)
{
    long above, below;
    if (mpq_sgn(work.squared) == 0)
        return 0;
    double numerator = mpz_get_d_2exp(&above, mpq_numref(work.squared));
    double denominator = mpz_get_d_2exp(&below, mpq_denref(work.squared));
    return sqrtl(ldexpl((long double)numerator / denominator, (int)(above - below)));
}

bool oracle_distance_leads(const imp_Vec3 *a, const imp_Vec3 *b, const imp_Vec3 *most)
{
    set_difference(0, a, b);
    load(work.point, most);
    for (int axis = 0; axis < AXES; ++axis) {
        mpq_sub(work.term, work.difference[0][axis], work.nearest[axis]);
        mpq_abs(work.term, work.term);
        if (mpq_cmp(work.term, work.point[axis]) > 0)
            return false;
    }
    return true;
}

int oracle_depth_compare(const imp_Vec3 *a, size_t count_a, const imp_Vec3 *b, size_t count_b,
                         const imp_Vec3 *normal, double depth)
{
    prepare();
    if (isinf(depth))
        return 1;
    load(work.nearest, normal);
    farthest(work.nearest, a, count_a, 1);
    mpq_set(work.factor, work.best);
    farthest(work.nearest, b, count_b, -1);
    mpq_sub(work.factor, work.best, work.factor);
    dot(work.sum, work.nearest, work.nearest);
    mpq_set_d(work.term, depth);
    mpq_mul(work.sum, work.sum, work.term);
    mpq_add(work.sum, work.sum, work.factor);
    return mpq_sgn(work.sum);
}
