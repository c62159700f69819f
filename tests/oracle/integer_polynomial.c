// Roots are isolated by Sturm's theorem: for a polynomial p without multiple roots, the chain p, p', and then
// each the negative remainder of the two before it, loses as many changes of sign from a to b as p has roots
// in (a, b]. Intervals are halved from [0, 1) until each has one root at most. All remainders are multiplied
// by positive numbers to stay whole.
//
// The sign of q at a root of p: zero if and only if gcd(p, q) has a root in the interval of that root.
// Otherwise the interval is halved until q has no zero in it, which happens because q is continuous.
#include "integer_polynomial.h"

#include <math.h>
#include <stddef.h>

#define TIME_BITS 53

void polynomial_init(Polynomial *p)
{
    for (int i = 0; i <= POLYNOMIAL_MOST; ++i)
        mpz_init(p->coefficient[i]);
    p->degree = -1;
}

void polynomial_trim(Polynomial *p, int most)
{
    p->degree = most;
    while (p->degree >= 0 && mpz_sgn(p->coefficient[p->degree]) == 0)
        --p->degree;
}

static void copy(Polynomial *to, const Polynomial *from)
{
    to->degree = from->degree;
    for (int i = 0; i <= from->degree; ++i)
        mpz_set(to->coefficient[i], from->coefficient[i]);
}

static mpz_t scratch, scratch2;

static void prepare(void)
{
    static bool ready;
    if (ready)
        return;
    ready = true;
    mpz_inits(scratch, scratch2, NULL);
}

// Divide by what all coefficients have in common; signs stay.
static void make_primitive(Polynomial *p)
{
    prepare();
    mpz_set_ui(scratch, 0);
    for (int i = p->degree; i >= 0; --i) {
        mpz_gcd(scratch, scratch, p->coefficient[i]);
        if (mpz_cmp_ui(scratch, 1) == 0)
            return;
    }
    for (int i = 0; i <= p->degree; ++i)
        mpz_divexact(p->coefficient[i], p->coefficient[i], scratch);
}

static void derive(Polynomial *to, const Polynomial *from)
{
    for (int i = 1; i <= from->degree; ++i)
        mpz_mul_ui(to->coefficient[i - 1], from->coefficient[i], (unsigned long)i);
    polynomial_trim(to, from->degree - 1);
}

// p becomes a positive multiple of what is left of p after division by q.
static void reduce(Polynomial *p, const Polynomial *q)
{
    prepare();
    mpz_abs(scratch, q->coefficient[q->degree]);
    bool is_negative = mpz_sgn(q->coefficient[q->degree]) < 0;
    while (p->degree >= q->degree) {
        int top = p->degree, low = top - q->degree;
        if (is_negative)
            mpz_neg(scratch2, p->coefficient[top]);
        else
            mpz_set(scratch2, p->coefficient[top]);
        for (int i = 0; i < top; ++i) {
            mpz_mul(p->coefficient[i], p->coefficient[i], scratch);
            if (i >= low)
                mpz_submul(p->coefficient[i], scratch2, q->coefficient[i - low]);
        }
        polynomial_trim(p, top - 1);
    }
    make_primitive(p);
}

// p becomes p / q, where q divides p and both are primitive: then the quotient is whole, by Gauss's lemma.
static void divide(Polynomial *p, const Polynomial *q)
{
    for (int k = p->degree - q->degree; k >= 0; --k) {
        mpz_t *quotient = &p->coefficient[k + q->degree];
        mpz_divexact(*quotient, *quotient, q->coefficient[q->degree]);
        for (int i = 0; i < q->degree; ++i)
            mpz_submul(p->coefficient[k + i], *quotient, q->coefficient[i]);
    }
    for (int k = 0; k <= p->degree - q->degree; ++k)
        mpz_swap(p->coefficient[k], p->coefficient[k + q->degree]);
    p->degree -= q->degree;
}

// 2^(shift degree) p(numerator / 2^shift)
static void evaluate(mpz_t value, const Polynomial *p, const mpz_t numerator, unsigned long shift)
{
    prepare();
    mpz_set_ui(value, 0);
    for (int i = p->degree; i >= 0; --i) {
        mpz_mul(value, value, numerator);
        mpz_mul_2exp(scratch2, p->coefficient[i], shift * (unsigned long)(p->degree - i));
        mpz_add(value, value, scratch2);
    }
}

static int sign_at(const Polynomial *p, const mpz_t numerator, unsigned long shift)
{
    prepare();
    evaluate(scratch, p, numerator, shift);
    return mpz_sgn(scratch);
}

// ------------------------------------------------------------------------------------------- counting roots

typedef struct Chain {
    Polynomial link[POLYNOMIAL_MOST + 2];
    int count;
    bool is_ready;
} Chain;

static void chain_extend(Chain *chain)
{
    derive(&chain->link[1], &chain->link[0]);
    make_primitive(&chain->link[1]);
    chain->count = 2;
    while (chain->link[chain->count - 1].degree > 0) {
        Polynomial *next = &chain->link[chain->count];
        copy(next, next - 2);
        reduce(next, next - 1);
        if (next->degree < 0)
            return; // the last link divides all
        for (int i = 0; i <= next->degree; ++i)
            mpz_neg(next->coefficient[i], next->coefficient[i]);
        ++chain->count;
    }
}

// The chain of p without multiple roots: its first link has the roots of p, each once. p is not zero.
static void chain_build(Chain *chain, const Polynomial *p)
{
    for (int i = 0; !chain->is_ready && i < POLYNOMIAL_MOST + 2; ++i)
        polynomial_init(&chain->link[i]);
    chain->is_ready = true;
    copy(&chain->link[0], p);
    make_primitive(&chain->link[0]);
    chain->count = 1;
    if (p->degree < 1)
        return;
    chain_extend(chain);
    if (chain->link[chain->count - 1].degree > 0) { // the last link is gcd(p, p')
        divide(&chain->link[0], &chain->link[chain->count - 1]);
        chain_extend(chain);
    }
}

// How many roots of link[0] are at numerator / 2^shift or above, less a number that is the same everywhere.
static int roots_from(const Chain *chain, const mpz_t numerator, unsigned long shift)
{
    int last = sign_at(&chain->link[0], numerator, shift);
    int changes = last == 0; // a root right there counts
    for (int i = 1; i < chain->count; ++i) {
        int sign = sign_at(&chain->link[i], numerator, shift);
        changes += sign * last < 0;
        if (sign != 0)
            last = sign;
    }
    return changes;
}

// In [numerator, numerator + 1) / 2^shift
static int roots_within(const Chain *chain, const mpz_t numerator, unsigned long shift)
{
    mpz_t end;
    mpz_init(end);
    mpz_add_ui(end, numerator, 1);
    int count = roots_from(chain, numerator, shift) - roots_from(chain, end, shift);
    mpz_clear(end);
    return count;
}

// -------------------------------------------------------------------------------------------------- numbers

void real_init(RealNumber *x)
{
    *x = (RealNumber){.is_exact = true};
    mpz_init(x->numerator);
}

void real_set_whole(RealNumber *x, unsigned long value)
{
    mpz_set_ui(x->numerator, value);
    x->shift = 0;
    x->is_exact = true;
}

// The only root that p has in [numerator, numerator + 1) / 2^shift
static void real_set_root(RealNumber *x, const Polynomial *p, const mpz_t numerator, unsigned long shift)
{
    mpz_set(x->numerator, numerator);
    x->shift = shift;
    x->owner = p;
    x->sign_below = sign_at(p, numerator, shift);
    x->is_exact = x->sign_below == 0;
}

static void real_halve(RealNumber *x)
{
    mpz_mul_2exp(x->numerator, x->numerator, 1);
    mpz_add_ui(x->numerator, x->numerator, 1);
    ++x->shift;
    int sign = sign_at(x->owner, x->numerator, x->shift);
    x->is_exact = sign == 0;
    if (sign == -x->sign_below) // as the root is a simple one, it is to the left
        mpz_sub_ui(x->numerator, x->numerator, 1);
}

// Zero when it may be anything. With t = (numerator + s) / 2^shift, p becomes a polynomial in s from [0, 1],
// whose value is at least the first coefficient plus all negative ones, at most it plus all positive ones.
static int sign_on_interval(const Polynomial *p, const RealNumber *x)
{
    static bool ready;
    static Polynomial local;
    static mpz_t least, most;
    if (!ready) {
        ready = true;
        polynomial_init(&local);
        mpz_inits(least, most, NULL);
    }
    for (int i = 0; i <= p->degree; ++i)
        mpz_mul_2exp(local.coefficient[i], p->coefficient[i], x->shift * (unsigned long)(p->degree - i));
    for (int i = 0; i < p->degree; ++i)
        for (int j = p->degree - 1; j >= i; --j)
            mpz_addmul(local.coefficient[j], local.coefficient[j + 1], x->numerator);
    mpz_set(least, local.coefficient[0]);
    mpz_set(most, local.coefficient[0]);
    for (int i = 1; i <= p->degree; ++i) {
        mpz_t *bound = mpz_sgn(local.coefficient[i]) < 0 ? &least : &most;
        mpz_add(*bound, *bound, local.coefficient[i]);
    }
    return mpz_sgn(least) > 0 ? 1 : mpz_sgn(most) < 0 ? -1 : 0;
}

static bool is_root_of(const Polynomial *p, const RealNumber *x)
{
    static Chain chain;
    static Polynomial pair[2];
    if (!chain.is_ready) {
        polynomial_init(&pair[0]);
        polynomial_init(&pair[1]);
    }
    copy(&pair[0], x->owner);
    copy(&pair[1], p);
    int turn = 0;
    for (; pair[1 - turn].degree >= 0; turn = 1 - turn)
        reduce(&pair[turn], &pair[1 - turn]);
    chain_build(&chain, &pair[turn]);
    return pair[turn].degree > 0 && roots_within(&chain, x->numerator, x->shift) > 0;
}

int polynomial_sign(const Polynomial *p, RealNumber *x)
{
    if (p->degree < 0)
        return 0;
    if (x->is_exact)
        return sign_at(p, x->numerator, x->shift);
    int sign = sign_on_interval(p, x);
    if (sign != 0)
        return sign;
    if (is_root_of(p, x))
        return 0;
    while (!x->is_exact) {
        real_halve(x);
        sign = sign_on_interval(p, x);
        if (sign != 0)
            return sign;
    }
    return sign_at(p, x->numerator, x->shift);
}

double real_round_down(RealNumber *x)
{
    while (!x->is_exact && x->shift < TIME_BITS)
        real_halve(x);
    prepare();
    if (x->shift < TIME_BITS)
        mpz_mul_2exp(scratch, x->numerator, TIME_BITS - x->shift);
    else
        mpz_fdiv_q_2exp(scratch, x->numerator, x->shift - TIME_BITS);
    return ldexp(mpz_get_d(scratch), -TIME_BITS);
}

// --------------------------------------------------------------------------------------------------- search

typedef struct Search {
    const Chain *chain;
    RealNumber root;
    RootFn accept;
    void *context;
} Search;

// `count` roots are in [numerator, numerator + 1) / 2^shift. As deep as the closest two roots ask for.
static bool search_interval(Search *search, const mpz_t numerator, unsigned long shift, int count)
{
    if (count == 0)
        return false;
    if (count == 1) {
        real_set_root(&search->root, &search->chain->link[0], numerator, shift);
        return search->accept(&search->root, search->context);
    }
    mpz_t half;
    mpz_init(half);
    mpz_mul_2exp(half, numerator, 1);
    int lower = roots_within(search->chain, half, shift + 1);
    bool found = search_interval(search, half, shift + 1, lower);
    mpz_add_ui(half, half, 1);
    found = found || search_interval(search, half, shift + 1, count - lower);
    mpz_clear(half);
    return found;
}

bool polynomial_find_root(const Polynomial *p, RootFn accept, void *context)
{
    static Chain chain;
    mpz_t zero;
    mpz_init(zero);
    Search search = {.chain = &chain, .accept = accept, .context = context};
    chain_build(&chain, p);
    real_init(&search.root);
    bool found = search_interval(&search, zero, 0, roots_within(&chain, zero, 0));
    mpz_clears(zero, search.root.numerator, NULL);
    return found;
}
