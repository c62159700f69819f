// Sutherland and Hodgman's way to cut, with corners in homogeneous whole numbers. After each cut a corner is
// divided by its common factor, so that numbers stay as short as the geometry lets them.
#include "exact_polygon.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

// Kept from call to call, so that GMP seldom has to allocate.
static struct {
    bool is_ready;
    mpz_t sides[EXACT_MAX_CORNERS], factor;
} work;

static void prepare(void)
{
    if (work.is_ready)
        return;
    work.is_ready = true;
    mpz_init(work.factor);
    for (int i = 0; i < EXACT_MAX_CORNERS; ++i)
        mpz_init(work.sides[i]);
}

static void init4(mpz_t *numbers)
{
    for (int i = 0; i < 4; ++i)
        mpz_init(numbers[i]);
}

static void clear4(mpz_t *numbers)
{
    for (int i = 0; i < 4; ++i)
        mpz_clear(numbers[i]);
}

void exact_point_init(ExactPoint *point)
{
    init4(point->v);
}

void exact_point_clear(ExactPoint *point)
{
    clear4(point->v);
}

void exact_space_init(ExactSpace *space)
{
    init4(space->n);
}

void exact_space_clear(ExactSpace *space)
{
    clear4(space->n);
}

void exact_polygon_init(ExactPolygon *polygon)
{
    polygon->count = 0;
    for (int i = 0; i < EXACT_MAX_CORNERS; ++i)
        exact_point_init(&polygon->corners[i]);
}

void exact_polygon_clear(ExactPolygon *polygon)
{
    for (int i = 0; i < EXACT_MAX_CORNERS; ++i)
        exact_point_clear(&polygon->corners[i]);
}

// ---- whole numbers of doubles

int exact_scale_of(const double *values, int count)
{
    int scale = -DBL_MAX_EXP;
    for (int i = 0; i < count; ++i) {
        int exponent;
        double mantissa = frexp(values[i], &exponent);
        if (mantissa == 0)
            continue;
        for (; mantissa != trunc(mantissa); --exponent)
            mantissa *= 2;
        scale = -exponent > scale ? -exponent : scale;
    }
    return scale;
}

void exact_set_double(mpz_t number, double value, int scale)
{
    int exponent;
    double mantissa = ldexp(frexp(value, &exponent), DBL_MANT_DIG);
    exponent += scale - DBL_MANT_DIG;
    mpz_set_d(number, mantissa);
    if (exponent >= 0) {
        mpz_mul_2exp(number, number, (mp_bitcnt_t)exponent);
        return;
    }
    if (!mpz_divisible_2exp_p(number, (mp_bitcnt_t)-exponent))
        abort(); // the scale is too small: a mistake in the test
    mpz_tdiv_q_2exp(number, number, (mp_bitcnt_t)-exponent);
}

// ---- cuts

void exact_polygon_add(ExactPolygon *polygon, const mpz_t x, const mpz_t y, const mpz_t z)
{
    if (polygon->count == EXACT_MAX_CORNERS)
        abort();
    ExactPoint *corner = &polygon->corners[polygon->count++];
    mpz_set(corner->v[0], x);
    mpz_set(corner->v[1], y);
    mpz_set(corner->v[2], z);
    mpz_set_ui(corner->v[3], 1);
}

void exact_space_along(ExactSpace *space, int axis, bool above, const mpz_t value)
{
    for (int k = 0; k < 3; ++k)
        mpz_set_si(space->n[k], k != axis ? 0 : above ? 1 : -1);
    if (above)
        mpz_neg(space->n[3], value);
    else
        mpz_set(space->n[3], value);
}

static void set_side(mpz_t side, const ExactSpace *space, const ExactPoint *point)
{
    mpz_set_ui(side, 0);
    for (int k = 0; k < 4; ++k)
        if (mpz_sgn(space->n[k]) != 0)
            mpz_addmul(side, space->n[k], point->v[k]);
}

int exact_side(const ExactSpace *space, const ExactPoint *point)
{
    prepare();
    set_side(work.sides[0], space, point);
    return mpz_sgn(work.sides[0]);
}

static void copy_corner(ExactPolygon *polygon, const ExactPoint *from)
{
    if (polygon->count == EXACT_MAX_CORNERS)
        abort();
    ExactPoint *corner = &polygon->corners[polygon->count++];
    for (int k = 0; k < 4; ++k)
        mpz_set(corner->v[k], from->v[k]);
}

// Where the line from `inside` to `outside` meets the boundary: each weighs as much as the other one is away,
// and neither weight is negative, so that w stays positive.
static void add_crossing(ExactPolygon *polygon, const ExactPoint *inside, const mpz_t depth,
                         const ExactPoint *outside, const mpz_t height)
{
    if (polygon->count == EXACT_MAX_CORNERS)
        abort();
    ExactPoint *corner = &polygon->corners[polygon->count++];
    mpz_set_ui(work.factor, 0);
    for (int k = 0; k < 4; ++k) {
        mpz_mul(corner->v[k], outside->v[k], depth);
        mpz_submul(corner->v[k], inside->v[k], height);
        mpz_gcd(work.factor, work.factor, corner->v[k]);
    }
    for (int k = 0; k < 4; ++k)
        mpz_divexact(corner->v[k], corner->v[k], work.factor);
}

void exact_polygon_cut(const ExactPolygon *polygon, const ExactSpace *space, ExactPolygon *cut)
{
    prepare();
    cut->count = 0;
    for (int i = 0; i < polygon->count; ++i)
        set_side(work.sides[i], space, &polygon->corners[i]);
    for (int i = 0; i < polygon->count; ++i) {
        int next = (i + 1) % polygon->count;
        int here = mpz_sgn(work.sides[i]), there = mpz_sgn(work.sides[next]);
        if (here >= 0)
            copy_corner(cut, &polygon->corners[i]);
        if (here > 0 && there < 0)
            add_crossing(cut, &polygon->corners[i], work.sides[i], &polygon->corners[next], work.sides[next]);
        if (here < 0 && there > 0)
            add_crossing(cut, &polygon->corners[next], work.sides[next], &polygon->corners[i], work.sides[i]);
    }
}

bool exact_polygon_enters(const ExactPolygon *polygon, const ExactSpace *space)
{
    for (int i = 0; i < polygon->count; ++i)
        if (exact_side(space, &polygon->corners[i]) > 0)
            return true;
    return false;
}
