/// Polynomials of low degree with whole coefficients, and their real roots in [0, 1) as numbers of which
/// signs can be asked. Exact; not for use on several threads.
#ifndef IMPINGE_TESTS_INTEGER_POLYNOMIAL_H
#define IMPINGE_TESTS_INTEGER_POLYNOMIAL_H

#include <gmp.h>
#include <stdbool.h>

#define POLYNOMIAL_MOST 3 // degree

/// coefficient[0] + coefficient[1] t + ...; those above the degree have no meaning.
typedef struct Polynomial {
    mpz_t coefficient[POLYNOMIAL_MOST + 1];
    int degree; ///< -1 for zero
} Polynomial;

void polynomial_init(Polynomial *p);
/// Set the degree, given that all coefficients from `most` + 1 on are zero.
void polynomial_trim(Polynomial *p, int most);

/// A number of [0, 1]: numerator / 2^shift, or, if it is not exact, the only root that `owner` has between
/// that and (numerator + 1) / 2^shift.
typedef struct RealNumber {
    mpz_t numerator;
    unsigned long shift;
    bool is_exact;
    const Polynomial *owner; ///< without multiple roots
    int sign_below;          ///< the owner's, from there up to the root
} RealNumber;

void real_init(RealNumber *x);
void real_set_whole(RealNumber *x, unsigned long value);

int polynomial_sign(const Polynomial *p, RealNumber *x);

/// The largest multiple of 2^-53 that is not above it.
double real_round_down(RealNumber *x);

/// Try the distinct roots of p in [0, 1) in ascending order. Stops at the first one that `accept` returns
/// true for, and returns whether there was one. p is not zero.
typedef bool (*RootFn)(RealNumber *root, void *context);
bool polynomial_find_root(const Polynomial *p, RootFn accept, void *context);

#endif
