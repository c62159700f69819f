/// Polynomials of a time t in [0, 1] with integer coefficients, up to the third degree, and their signs.
///
/// A polynomial of degree d is c[0] (1-t)^d + c[1] (1-t)^(d-1) t + ... + c[d] t^d: Bernstein's form with the
/// binomials inside of the coefficients. What that buys:
/// - c[0] and c[d] are its values at 0 and 1.
/// - As a polynomial of s = t / (1-t), which goes from 0 to infinity, its coefficients are the same numbers.
///   So it has at most as many roots between 0 and 1 as its coefficients change their sign, exactly one
///   where they do so once (Descartes), and rules for polynomials of s apply as they are.
/// - On half of the interval it has this form again, by a few sums.
///
/// All coefficients have the same number of words (geom/exact_integer.h); whoever makes a polynomial sees to
/// it that these suffice for all that is done with it.
#ifndef IMPINGE_GEOM_EXACT_POLYNOMIAL_H
#define IMPINGE_GEOM_EXACT_POLYNOMIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IMPI_MAX_DEGREE 3

/// Memory for integers, handed out from the beginning; whoever took some gives it back by setting `next`
/// to what it was.
typedef struct impi_WordStack {
    uint64_t *next, *end;
} impi_WordStack;

uint64_t *impi_word_stack_take(impi_WordStack *stack, size_t count);

typedef struct impi_Polynomial {
    int words;  // of a coefficient
    int degree; // how many coefficients there are, less one; the last ones may be 0
    uint64_t *coefficients;
} impi_Polynomial;

/// Zero, of degree 0, with room for any degree.
impi_Polynomial impi_polynomial_take(impi_WordStack *stack, int words);

static inline uint64_t *impi_polynomial_at(const impi_Polynomial *p, int index)
{
    return p->coefficients + (size_t)index * (size_t)p->words;
}

void impi_polynomial_copy(impi_Polynomial *out, const impi_Polynomial *p);

/// The sign of a coefficient.
int impi_polynomial_sign(const impi_Polynomial *p, int index);

bool impi_polynomial_is_zero(const impi_Polynomial *p);

/// Its sign right after 0 and right before 1: that of the first and of the last coefficient that is not 0.
int impi_polynomial_low_sign(const impi_Polynomial *p);
int impi_polynomial_high_sign(const impi_Polynomial *p);

/// How often the coefficients change their sign, zeros left out.
int impi_polynomial_variations(const impi_Polynomial *p);

/// Times 2^degree, on the lower or the upper half of the interval, which becomes [0, 1].
void impi_polynomial_halve(impi_Polynomial *p, bool upper);

/// a becomes minus the remainder of a by b as polynomials of s, times something positive. b is not zero.
void impi_polynomial_remainder(impi_Polynomial *a, const impi_Polynomial *b, impi_WordStack *stack);

/// The derivative by s.
void impi_polynomial_derive(impi_Polynomial *p);

/// The sign where the linear polynomial `line`, whose coefficients are of opposite sign, is 0.
int impi_polynomial_sign_where(const impi_Polynomial *p, const impi_Polynomial *line, impi_WordStack *stack);

#endif
