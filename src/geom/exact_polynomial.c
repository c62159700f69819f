#include "geom/exact_polynomial.h"

#include "geom/exact_integer.h"

#include <assert.h>
#include <string.h>

uint64_t *impi_word_stack_take(impi_WordStack *stack, size_t count)
{
    uint64_t *words = stack->next;
    assert(count <= (size_t)(stack->end - words));
    stack->next += count;
    return words;
}

impi_Polynomial impi_polynomial_take(impi_WordStack *stack, int words)
{
    size_t count = (IMPI_MAX_DEGREE + 1) * (size_t)words;
    impi_Polynomial p = {words, 0, impi_word_stack_take(stack, count)};
    memset(p.coefficients, 0, (size_t)words * sizeof *p.coefficients);
    return p;
}

void impi_polynomial_copy(impi_Polynomial *out, const impi_Polynomial *p)
{
    out->degree = p->degree;
    memcpy(out->coefficients, p->coefficients,
           ((size_t)p->degree + 1) * (size_t)p->words * sizeof *p->coefficients);
}

int impi_polynomial_sign(const impi_Polynomial *p, int index)
{
    return impi_integer_sign(p->words, impi_polynomial_at(p, index));
}

// The degree less last coefficients of 0; -1 for the polynomial that is 0.
static int true_degree(const impi_Polynomial *p)
{
    int degree = p->degree;
    while (degree >= 0 && impi_polynomial_sign(p, degree) == 0)
        --degree;
    return degree;
}

bool impi_polynomial_is_zero(const impi_Polynomial *p)
{
    return true_degree(p) < 0;
}

int impi_polynomial_low_sign(const impi_Polynomial *p)
{
    int sign = 0;
    for (int i = 0; i <= p->degree && sign == 0; ++i)
        sign = impi_polynomial_sign(p, i);
    return sign;
}

int impi_polynomial_high_sign(const impi_Polynomial *p)
{
    int sign = 0;
    for (int i = p->degree; i >= 0 && sign == 0; --i)
        sign = impi_polynomial_sign(p, i);
    return sign;
}

int impi_polynomial_variations(const impi_Polynomial *p)
{
    int variations = 0, last = 0;
    for (int i = 0; i <= p->degree; ++i) {
        int sign = impi_polynomial_sign(p, i);
        variations += sign * last < 0;
        last = sign ? sign : last;
    }
    return variations;
}

static void shift_left(int words, uint64_t *a, int bits)
{
    if (bits == 0)
        return;
    for (int i = words - 1; i > 0; --i)
        a[i] = a[i] << bits | a[i - 1] >> (64 - bits);
    a[0] <<= bits;
}

// Words in which the coefficients keep their signs when each grows by less than a word; there is room for far
// more.
static int words_to_grow(const impi_Polynomial *p)
{
    int words = 0;
    for (int i = 0; i <= p->degree; ++i) {
        int count = impi_integer_significant_words(p->words, impi_polynomial_at(p, i));
        words = count > words ? count : words;
    }
    return words < p->words ? words + 1 : words;
}

// Let the words from `words` on repeat the sign of those before, as they did, unless that has changed.
static void extend_sign(const impi_Polynomial *p, int words)
{
    for (int i = 0; i <= p->degree && words < p->words; ++i) {
        uint64_t *a = impi_polynomial_at(p, i), fill = a[words - 1] >> 63 ? UINT64_MAX : 0;
        if (a[words] != fill)
            memset(a + words, (int)(fill & 0xFF), (size_t)(p->words - words) * sizeof *a);
    }
}

// With x = 1-t and y = t, the lower half has 2x + y in place of x: first x + y, by Pascal's triangle, and
// then 2x in place of x. The upper half is the same with x and y exchanged. No coefficient grows by more than
// twice as many bits as the degree.
void impi_polynomial_halve(impi_Polynomial *p, bool upper)
{
    int degree = p->degree, first = upper ? degree : 0, way = upper ? -1 : 1, words = words_to_grow(p);
    for (int round = 0; round < degree; ++round)
        for (int i = 1; i <= degree - round; ++i)
            impi_integer_add(words, impi_polynomial_at(p, first + way * i),
                             impi_polynomial_at(p, first + way * (i - 1)));
    for (int i = 0; i < degree; ++i)
        shift_left(words, impi_polynomial_at(p, first + way * i), degree - i);
    extend_sign(p, words);
}

// out = a * b, which fits. Most numbers have far fewer words than there is room for.
static void multiply(int words, uint64_t *restrict out, const uint64_t *a, const uint64_t *b)
{
    int words_a = impi_integer_significant_words(words, a),
        words_b = impi_integer_significant_words(words, b);
    int count = words_a + words_b;
    if (count > words) {
        impi_integer_multiply_low(words, out, a, b);
        return;
    }
    impi_integer_multiply(words_a, words_b, out, a, b);
    memset(out + count, out[count - 1] >> 63 ? 0xFF : 0, (size_t)(words - count) * sizeof *out);
}

// One step of a division, of true degrees: a |l| - sign(l) k s^(difference of degrees) b with l and k the
// last coefficients of b and a, so that the last coefficient of a vanishes.
static void divide_step(impi_Polynomial *a, const impi_Polynomial *b, uint64_t *product, uint64_t *other)
{
    int n = a->words, shift = a->degree - b->degree;
    const uint64_t *last_a = impi_polynomial_at(a, a->degree), *last_b = impi_polynomial_at(b, b->degree);
    for (int i = 0; i < a->degree; ++i) {
        uint64_t *at = impi_polynomial_at(a, i);
        multiply(n, product, at, last_b);
        if (i >= shift) {
            multiply(n, other, last_a, impi_polynomial_at(b, i - shift));
            impi_integer_subtract(n, product, product, other);
        }
        if (impi_integer_sign(n, last_b) < 0)
            impi_integer_negate(n, product);
        memcpy(at, product, (size_t)n * sizeof *at);
    }
    memset(impi_polynomial_at(a, a->degree), 0, (size_t)n * sizeof *product);
}

static void trim(impi_Polynomial *p)
{
    int degree = true_degree(p);
    p->degree = degree > 0 ? degree : 0;
}

void impi_polynomial_remainder(impi_Polynomial *a, const impi_Polynomial *b, impi_WordStack *stack)
{
    uint64_t *mark = stack->next;
    uint64_t *product = impi_word_stack_take(stack, (size_t)a->words),
             *other = impi_word_stack_take(stack, (size_t)a->words);
    impi_Polynomial divisor = *b;
    trim(&divisor);
    trim(a);
    while (a->degree >= divisor.degree && !impi_polynomial_is_zero(a)) {
        divide_step(a, &divisor, product, other);
        trim(a);
    }
    for (int i = 0; i <= a->degree; ++i)
        impi_integer_negate(a->words, impi_polynomial_at(a, i));
    stack->next = mark;
}

void impi_polynomial_derive(impi_Polynomial *p)
{
    int n = p->words;
    for (int i = 1; i <= p->degree; ++i) {
        uint64_t *to = impi_polynomial_at(p, i - 1);
        const uint64_t *from = impi_polynomial_at(p, i);
        memset(to, 0, (size_t)n * sizeof *to);
        for (int k = 0; k < i; ++k)
            impi_integer_add(n, to, from);
    }
    if (p->degree > 0)
        --p->degree;
    else
        memset(p->coefficients, 0, (size_t)n * sizeof *p->coefficients);
}

static void make_positive(int words, uint64_t *out, const uint64_t *a)
{
    memcpy(out, a, (size_t)words * sizeof *out);
    if (impi_integer_sign(words, a) < 0)
        impi_integer_negate(words, out);
}

// The line is 0 where x : y is as the sizes of its last and its first coefficient. Horner's rule, with the
// powers of x kept.
int impi_polynomial_sign_where(const impi_Polynomial *p, const impi_Polynomial *line, impi_WordStack *stack)
{
    assert(line->degree == 1 && impi_polynomial_sign(line, 0) * impi_polynomial_sign(line, 1) < 0);
    uint64_t *mark = stack->next;
    int n = p->words;
    size_t size = (size_t)n * sizeof *mark;
    uint64_t *numbers[6]; // x, y, the power of x, the sum, two products
    for (int i = 0; i < 6; ++i)
        numbers[i] = impi_word_stack_take(stack, (size_t)n);
    uint64_t *x = numbers[0], *y = numbers[1], *power = numbers[2], *sum = numbers[3];
    make_positive(n, x, impi_polynomial_at(line, 1));
    make_positive(n, y, impi_polynomial_at(line, 0));
    memcpy(sum, impi_polynomial_at(p, p->degree), size);
    memcpy(power, x, size);
    for (int i = p->degree - 1; i >= 0; --i) {
        multiply(n, numbers[4], sum, y);
        multiply(n, numbers[5], impi_polynomial_at(p, i), power);
        impi_integer_add(n, numbers[4], numbers[5]);
        memcpy(sum, numbers[4], size);
        multiply(n, numbers[5], power, x);
        memcpy(power, numbers[5], size);
    }
    int sign = impi_integer_sign(n, sum);
    stack->next = mark;
    return sign;
}
