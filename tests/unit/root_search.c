// Roots of exact polynomials in [0, 1] and signs at them, on polynomials whose roots are known.
#include "harness.h"

#include "geom/exact_integer.h"
#include "geom/root_search.h"

#include <math.h>
#include <string.h>

#define WORDS 24 // for coefficients below 2^(64 * degree)

static uint64_t memory[64 * WORDS];

static impi_WordStack fresh_stack(void)
{
    return (impi_WordStack){memory, memory + sizeof memory / sizeof *memory};
}

static void set(impi_Polynomial *p, int index, int64_t value)
{
    uint64_t *at = impi_polynomial_at(p, index);
    memset(at, value < 0 ? 0xFF : 0, WORDS * sizeof *at);
    at[0] = (uint64_t)value;
}

// From a polynomial of t, a[0] + a[1] t + ...: each power of t times the one of (t + (1-t)) that is lacking.
static impi_Polynomial make(impi_WordStack *stack, int degree, const int64_t *a)
{
    static const int64_t binomials[4][4] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}};
    impi_Polynomial p = impi_polynomial_take(stack, WORDS);
    p.degree = degree;
    for (int i = 0; i <= degree; ++i) {
        int64_t sum = 0;
        for (int k = 0; k <= i; ++k)
            sum += a[k] * binomials[degree - k][i - k];
        set(&p, i, sum);
    }
    return p;
}

// What a search is asked for: which root counts, and the signs of another polynomial at all of them.
typedef struct Ask {
    const impi_Polynomial *other;
    int signs[8], count, wanted; // the root that is accepted, counted from 0
} Ask;

static bool look(const impi_Moment *moment, void *user)
{
    Ask *ask = user;
    if (ask->other && ask->count < 8)
        ask->signs[ask->count] = impi_moment_sign(moment, ask->other);
    return ask->count++ == ask->wanted;
}

static double root(int degree, const int64_t *a, int which)
{
    impi_WordStack stack = fresh_stack();
    impi_Polynomial p = make(&stack, degree, a);
    Ask ask = {.wanted = which};
    return impi_first_root(&p, look, &ask, &stack);
}

TEST(roots_come_in_order_and_once)
{
    // (2t - 1)(4t - 1)(4t - 3) = -3 + 22 t - 48 t^2 + 32 t^3
    const int64_t dyadic[] = {-3, 22, -48, 32};
    CHECK_DOUBLE(root(3, dyadic, 0), 0.25);
    CHECK_DOUBLE(root(3, dyadic, 1), 0.5);
    CHECK_DOUBLE(root(3, dyadic, 2), 0.75);
    CHECK(isinf(root(3, dyadic, 3)));
    // t (t - 1)(3t - 1) = t - 4 t^2 + 3 t^3: both ends, and a third
    const int64_t ends[] = {0, 1, -4, 3};
    CHECK_DOUBLE(root(3, ends, 0), 0);
    CHECK_DOUBLE(root(3, ends, 1), floor(0x1p53 / 3) * 0x1p-53);
    CHECK_DOUBLE(root(3, ends, 2), 1);
    CHECK(isinf(root(3, ends, 3)));
    // 2 t^2 - 1, rounded down; t^2 + 1 has none
    CHECK_DOUBLE(root(2, (const int64_t[]){-1, 0, 2}, 0), 0x1.6a09e667f3bccp-1);
    CHECK(isinf(root(2, (const int64_t[]){1, 0, 1}, 0)));
}

TEST(repeated_roots_are_found)
{
    // (3t - 1)^2 (3t - 2) = -2 + 15 t - 36 t^2 + 27 t^3, and the other way around
    const int64_t second[] = {-2, 15, -36, 27}, first[] = {-4, 24, -45, 27};
    double third = floor(0x1p53 / 3) * 0x1p-53, two_thirds = floor(0x1p54 / 3) * 0x1p-53;
    CHECK_DOUBLE(root(3, second, 0), third);
    CHECK_DOUBLE(root(3, second, 1), two_thirds);
    CHECK(isinf(root(3, second, 2)));
    CHECK_DOUBLE(root(3, first, 0), third); // (3t - 1)(3t - 2)^2
    CHECK_DOUBLE(root(3, first, 1), two_thirds);
    CHECK_DOUBLE(root(3, (const int64_t[]){-1, 9, -27, 27}, 0), third); // (3t - 1)^3
    CHECK(isinf(root(3, (const int64_t[]){-1, 9, -27, 27}, 1)));
    CHECK_DOUBLE(root(2, (const int64_t[]){1, -6, 9}, 0), third); // (3t - 1)^2
    CHECK_DOUBLE(root(2, (const int64_t[]){1, -4, 4}, 0), 0.5);   // (2t - 1)^2
    CHECK(isinf(root(2, (const int64_t[]){1, -4, 4}, 1)));
}

// Roots nearer to each other than times tell, at 1/3 and 1/(3n) after it, and a pair that is not real and as
// near.
TEST(near_roots_are_told_apart)
{
    const int64_t n = 1000000000000000000;
    const int64_t near[] = {n + 1, -6 * n - 3, 9 * n}; // (3t - 1)(3 n t - (n + 1))
    double third = floor(0x1p53 / 3) * 0x1p-53;
    CHECK_DOUBLE(root(2, near, 0), third);
    CHECK_DOUBLE(root(2, near, 1), third);
    CHECK(isinf(root(2, near, 2)));
    CHECK(isinf(root(2, (const int64_t[]){n + 1, -6 * n, 9 * n}, 0))); // n (3t - 1)^2 + 1
}

TEST(signs_at_roots_are_exact)
{
    // p = (3t - 1)(2 t^2 - 1) = 1 - 3 t - 2 t^2 + 6 t^3, with the roots 1/3 and sqrt(1/2)
    static const struct {
        int degree;
        int64_t a[3];
        int at_third, at_root_half;
    } others[] = {
        {1, {-1, 3, 0}, 0, 1},   // 3t - 1
        {2, {-1, 0, 2}, -1, 0},  // 2 t^2 - 1
        {2, {0, 0, 0}, 0, 0},    // 0
        {0, {-7, 0, 0}, -1, -1}, // -7
        {1, {-70710678, 100000000, 0}, -1, 1},
        {1, {-70710679, 100000000, 0}, -1, -1},
        {2, {-2, 7, -3}, 0, 1}, // (3t - 1)(2 - t)
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        impi_WordStack stack = fresh_stack();
        impi_Polynomial p = make(&stack, 3, (const int64_t[]){1, -3, -2, 6});
        impi_Polynomial other = make(&stack, others[i].degree, others[i].a);
        Ask ask = {.other = &other, .wanted = -1};
        CHECK(isinf(impi_first_root(&p, look, &ask, &stack)));
        CHECK_INT(ask.count, 2);
        CHECK_INT(ask.signs[0], others[i].at_third);
        CHECK_INT(ask.signs[1], others[i].at_root_half);
    }
}

TEST(signs_at_repeated_roots_are_exact)
{
    impi_WordStack stack = fresh_stack();
    impi_Polynomial p = make(&stack, 3, (const int64_t[]){-2, 15, -36, 27}); // (3t - 1)^2 (3t - 2)
    impi_Polynomial other = make(&stack, 2, (const int64_t[]){-1, 6, -9});   // -(3t - 1)^2
    Ask ask = {.other = &other, .wanted = -1};
    CHECK(isinf(impi_first_root(&p, look, &ask, &stack)));
    CHECK_INT(ask.count, 2);
    CHECK_INT(ask.signs[0], 0);
    CHECK_INT(ask.signs[1], -1);
}
