/// Roots of an exact polynomial in [0, 1], one after the other, and signs of other polynomials there.
#ifndef IMPINGE_GEOM_ROOT_SEARCH_H
#define IMPINGE_GEOM_ROOT_SEARCH_H

#include "geom/exact_polynomial.h"

/// Derived in root_search.c.
#define IMPI_ROOT_SEARCH_BITS(b) (21 * (b) + 64)
#define IMPI_ROOT_SEARCH_NUMBERS 38

/// An interval of length 2^-depth that begins at a multiple of it: which half it is in, which half of that,
/// and so on. Bit i of `halves` is set where the i-th is the upper one.
typedef struct impi_DyadicPath {
    int depth;
    uint64_t *halves;
} impi_DyadicPath;

/// A time, known exactly.
typedef struct impi_Moment {
    enum {
        IMPI_MOMENT_BEGIN, // where the interval begins
        IMPI_MOMENT_END,   // 1
        IMPI_MOMENT_ROOT,  // the only root of `polynomial` within the interval, a simple one
        IMPI_MOMENT_LINE,  // the root of `line`, within the interval
    } kind;
    impi_DyadicPath interval;
    const impi_Polynomial *polynomial, *line; // on [0, 1]
    impi_WordStack *stack;
} impi_Moment;

/// 0. Of `stack`, as of that of other moments, signs take what they need and give it back.
impi_Moment impi_moment_at_begin(impi_WordStack *stack);

/// The sign of p, of second degree at most, at that moment.
int impi_moment_sign(const impi_Moment *moment, const impi_Polynomial *p);

typedef bool (*impi_MomentFn)(const impi_Moment *moment, void *user);

/// The first root of p in [0, 1] that `accept` says yes to, rounded down to a multiple of 2^-53; infinite
/// when there is none. p is not zero. Roots come in ascending order, each once, and p is zero at all of them.
///
/// Where coefficients of p, and of those whose signs are taken, are below 2^(b * degree), they have room for
/// IMPI_ROOT_SEARCH_BITS(b) bits, and the stack for IMPI_ROOT_SEARCH_NUMBERS coefficients.
double impi_first_root(const impi_Polynomial *p, impi_MomentFn accept, void *user, impi_WordStack *stack);

#endif
