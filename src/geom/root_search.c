// Roots of polynomials of the third degree at most, isolated by halving, and signs at them.
//
// The interval [0, 1] is halved, from the left to the right, until the coefficients on an interval change
// their sign once at most: then it has one root or none inside (Descartes; Collins & Akritas 1976). Ends of
// intervals are looked at by themselves. Intervals with a repeated root never come to that; but a repeated
// root of a cubic is rational, the root of a line, which is the greatest common divisor of the polynomial and
// its derivative, and an interval that has no other one is recognised by its count.
//
// The sign of g at the only root r of p in an interval: the remainders of p and g, each with its sign turned,
// are a chain whose changes of sign at both ends differ by the sum of the signs of p'g at the roots of p in
// between (Sturm, Tarski; see Basu, Pollack & Roy, "Algorithms in Real Algebraic Geometry", 2.2), and the
// sign of p' at a simple root is that of p after it. No loop, no tolerance.
//
// How deep does halving go? Roots of an integer polynomial of degree d, with Euclidean norm N, are at least
// sqrt(3) d^(-(d+2)/2) N^(1-d) apart, pairs that are not real included (Mahler 1964). That is 2^-3.2 N^-2 for
// d = 3. With coefficients below 2^3b here, N is below 2^(3b+5), so that intervals shorter than 2^-(6b+17)
// are done, with room to spare: three quarters of what is between two roots suffice.
//
// How large do numbers get? Halving a cubic adds three bits, of which coefficients are three times as large
// as values at most: 3b + 2 + 3 (6b + 17) = 21b + 53. A step of a division adds the bits of the divisor and
// one more. A cubic and its derivative, 3b + 2: a line of 9b + 8, and a number of 21b + 20. A cubic and a g
// of second degree, 2b: a line of 7b + 2, and a number of 16b + 6. That g at the root of the line of 9b + 8:
// 20b + 18. With a bit for the sign, IMPI_ROOT_SEARCH_BITS has room for all of them. Numbers at one time: 5
// for each of the nodes, 4 for the repeated root; 4 and 8 for a chain, 2 for its division.
#include "geom/root_search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define TIME_BITS 53

impi_Moment impi_moment_at_begin(impi_WordStack *stack)
{
    return (impi_Moment){.kind = IMPI_MOMENT_BEGIN, .stack = stack};
}

static bool is_upper(const impi_DyadicPath *path, int index)
{
    return path->halves[index / 64] >> (index % 64) & 1;
}

static void go_to(impi_DyadicPath *path, bool upper)
{
    int word = path->depth / 64, bit = path->depth % 64;
    path->halves[word] = bit ? path->halves[word] | (uint64_t)upper << bit : upper;
    ++path->depth;
}

static void restrict_to(impi_Polynomial *p, const impi_DyadicPath *path)
{
    for (int i = 0; i < path->depth; ++i)
        impi_polynomial_halve(p, is_upper(path, i));
}

// How often the signs of a chain change, at both ends of the interval.
typedef struct ChainSigns {
    int last_low, last_high, changes_low, changes_high;
} ChainSigns;

static void add_to_chain(ChainSigns *chain, const impi_Polynomial *p, const impi_Moment *moment,
                         impi_Polynomial *restricted)
{
    impi_polynomial_copy(restricted, p);
    restrict_to(restricted, &moment->interval);
    int low = impi_polynomial_low_sign(restricted), high = impi_polynomial_high_sign(restricted);
    chain->changes_low += low * chain->last_low < 0;
    chain->changes_high += high * chain->last_high < 0;
    chain->last_low = low;
    chain->last_high = high;
}

static int sign_by_chain(const impi_Moment *moment, const impi_Polynomial *g, impi_Polynomial *restricted)
{
    impi_Polynomial chain[2] = {impi_polynomial_take(moment->stack, g->words),
                                impi_polynomial_take(moment->stack, g->words)};
    ChainSigns signs = {0};
    impi_polynomial_copy(&chain[0], moment->polynomial);
    impi_polynomial_copy(&chain[1], g);
    add_to_chain(&signs, &chain[0], moment, restricted);
    int rising = signs.last_high;
    for (int i = 1; !impi_polynomial_is_zero(&chain[i]); i ^= 1) {
        add_to_chain(&signs, &chain[i], moment, restricted);
        impi_polynomial_remainder(&chain[i ^ 1], &chain[i], moment->stack);
    }
    return rising * (signs.changes_low - signs.changes_high);
}

static int sign_at_root(const impi_Moment *moment, const impi_Polynomial *g)
{
    uint64_t *mark = moment->stack->next;
    impi_Polynomial restricted = impi_polynomial_take(moment->stack, g->words);
    impi_polynomial_copy(&restricted, g);
    restrict_to(&restricted, &moment->interval);
    int sign = impi_polynomial_variations(&restricted) == 0 ? impi_polynomial_low_sign(&restricted)
                                                            : sign_by_chain(moment, g, &restricted);
    moment->stack->next = mark;
    return sign;
}

static int sign_at_begin(const impi_Moment *moment, const impi_Polynomial *g)
{
    uint64_t *mark = moment->stack->next;
    impi_Polynomial restricted = impi_polynomial_take(moment->stack, g->words);
    impi_polynomial_copy(&restricted, g);
    restrict_to(&restricted, &moment->interval);
    int sign = impi_polynomial_sign(&restricted, 0);
    moment->stack->next = mark;
    return sign;
}

int impi_moment_sign(const impi_Moment *moment, const impi_Polynomial *p)
{
    switch (moment->kind) {
    case IMPI_MOMENT_BEGIN:
        return sign_at_begin(moment, p);
    case IMPI_MOMENT_END:
        return impi_polynomial_sign(p, p->degree);
    case IMPI_MOMENT_ROOT:
        return sign_at_root(moment, p);
    default:
        return impi_polynomial_sign_where(p, moment->line, moment->stack);
    }
}

// The beginning of the interval in steps of 2^-53, rounded down.
static uint64_t begin_of(const impi_DyadicPath *path)
{
    uint64_t steps = 0;
    for (int i = 0; i < TIME_BITS; ++i)
        steps = steps << 1 | (i < path->depth && is_upper(path, i));
    return steps;
}

// Follow the root of p, which is simple and the only one within the interval, for as many halves as a time
// has bits.
static uint64_t follow_root(const impi_Moment *moment, const impi_Polynomial *p)
{
    uint64_t *mark = moment->stack->next, steps = begin_of(&moment->interval);
    impi_Polynomial near = impi_polynomial_take(moment->stack, p->words),
                    half = impi_polynomial_take(moment->stack, p->words);
    impi_polynomial_copy(&near, p);
    restrict_to(&near, &moment->interval);
    int before = impi_polynomial_low_sign(&near);
    for (int i = moment->interval.depth; i < TIME_BITS; ++i) {
        impi_polynomial_copy(&half, &near);
        impi_polynomial_halve(&half, false);
        int middle = impi_polynomial_sign(&half, half.degree);
        if (middle == -before) {
            impi_polynomial_copy(&near, &half);
            continue;
        }
        steps |= (uint64_t)1 << (TIME_BITS - 1 - i);
        if (middle == 0)
            break;
        impi_polynomial_halve(&near, true);
    }
    moment->stack->next = mark;
    return steps;
}

static double time_of(const impi_Moment *moment)
{
    switch (moment->kind) {
    case IMPI_MOMENT_BEGIN:
        return 0x1p-53 * (double)begin_of(&moment->interval);
    case IMPI_MOMENT_END:
        return 1;
    case IMPI_MOMENT_ROOT:
        return 0x1p-53 * (double)follow_root(moment, moment->polynomial);
    default:
        return 0x1p-53 * (double)follow_root(moment, moment->line);
    }
}

// An interval that is still to be looked at, and the polynomial on it.
typedef struct Node {
    impi_Polynomial p;
    impi_DyadicPath interval;
    bool has_begun; // where it begins was looked at
} Node;

// Roots of p inside of all nodes, and at their beginnings, are at most as many as its degree, with their
// multiplicity, as are the changes of sign that stand for them; and a node is divided only if it has two.
#define MAX_NODES 4

typedef struct Search {
    const impi_Polynomial *p;
    impi_MomentFn accept;
    void *user;
    impi_WordStack *stack;
    Node nodes[MAX_NODES];
    int node_count;
    impi_Polynomial repeated; // a line whose root is a repeated one of p
    int multiplicity;         // of that root; 1: there is none; 0: not known yet
} Search;

// The last of the remainders of p and its derivative that is not zero has the repeated roots of p, each once
// less.
static void find_repeated_root(Search *search)
{
    uint64_t *mark = search->stack->next;
    int words = search->p->words;
    impi_Polynomial chain[2] = {impi_polynomial_take(search->stack, words),
                                impi_polynomial_take(search->stack, words)};
    impi_polynomial_copy(&chain[0], search->p);
    impi_polynomial_copy(&chain[1], search->p);
    impi_polynomial_derive(&chain[1]);
    int last = 1;
    for (;; last ^= 1) {
        impi_polynomial_remainder(&chain[last ^ 1], &chain[last], search->stack);
        if (impi_polynomial_is_zero(&chain[last ^ 1]))
            break;
    }
    impi_Polynomial *divisor = &chain[last];
    while (divisor->degree > 0 && impi_polynomial_sign(divisor, divisor->degree) == 0)
        --divisor->degree;
    search->multiplicity = divisor->degree + 1;
    if (divisor->degree == 2)
        impi_polynomial_derive(divisor);
    impi_polynomial_copy(&search->repeated, divisor);
    search->stack->next = mark;
}

// Is the repeated root the only one inside of a node?
static bool has_only_repeated_root(Search *search, const Node *node, int variations)
{
    if (search->multiplicity == 0)
        find_repeated_root(search);
    if (search->multiplicity != variations)
        return false;
    uint64_t *mark = search->stack->next;
    impi_Polynomial line = impi_polynomial_take(search->stack, search->p->words);
    impi_polynomial_copy(&line, &search->repeated);
    restrict_to(&line, &node->interval);
    search->stack->next = mark;
    return impi_polynomial_variations(&line) == 1;
}

static void copy_node(Node *out, const Node *node)
{
    impi_polynomial_copy(&out->p, &node->p);
    out->has_begun = node->has_begun;
    out->interval.depth = node->interval.depth;
    memcpy(out->interval.halves, node->interval.halves,
           ((size_t)node->interval.depth + 63) / 64 * sizeof *node->interval.halves);
}

// Whether there can be a root inside of a node, or where it begins, unless that was looked at.
static bool may_have_root(const Node *node)
{
    return (!node->has_begun && impi_polynomial_sign(&node->p, 0) == 0) ||
           impi_polynomial_variations(&node->p) > 0;
}

static void go_to_half(Node *node, bool upper)
{
    go_to(&node->interval, upper);
    impi_polynomial_halve(&node->p, upper);
    node->has_begun = !upper;
}

// The upper half takes the place of the node, the lower one comes after it, to be looked at next.
static void divide_node(Search *search)
{
    assert(search->node_count < MAX_NODES);
    Node *upper = &search->nodes[search->node_count - 1], *lower = upper + 1;
    copy_node(lower, upper);
    go_to_half(lower, false);
    go_to_half(upper, true);
    if (may_have_root(upper))
        ++search->node_count;
    else
        copy_node(upper, lower);
}

static bool is_accepted(Search *search, const impi_Moment *moment, double *time)
{
    if (!search->accept(moment, search->user))
        return false;
    *time = time_of(moment);
    return true;
}

// Look at the last node: where it begins, then inside. True when a root is accepted.
static bool look_at_node(Search *search, double *time)
{
    Node *node = &search->nodes[search->node_count - 1];
    impi_Moment moment = {IMPI_MOMENT_BEGIN, node->interval, search->p, &search->repeated, search->stack};
    if (!node->has_begun && impi_polynomial_sign(&node->p, 0) == 0 && is_accepted(search, &moment, time))
        return true;
    int variations = impi_polynomial_variations(&node->p);
    if (variations > 1 && !has_only_repeated_root(search, node, variations)) {
        divide_node(search);
        return false;
    }
    moment.kind = variations > 1 ? IMPI_MOMENT_LINE : IMPI_MOMENT_ROOT;
    if (variations > 0 && is_accepted(search, &moment, time))
        return true;
    --search->node_count;
    return false;
}

static void begin_search(Search *search, impi_WordStack *stack)
{
    int words = search->p->words;
    for (int i = 0; i < MAX_NODES; ++i) {
        search->nodes[i].p = impi_polynomial_take(stack, words);
        search->nodes[i].interval.halves = impi_word_stack_take(stack, (size_t)words);
        search->nodes[i].interval.depth = 0;
    }
    search->nodes[0].has_begun = false;
    search->repeated = impi_polynomial_take(stack, words);
    impi_polynomial_copy(&search->nodes[0].p, search->p);
    search->node_count = 1;
}

double impi_first_root(const impi_Polynomial *p, impi_MomentFn accept, void *user, impi_WordStack *stack)
{
    assert(!impi_polynomial_is_zero(p));
    uint64_t *mark = stack->next;
    Search search = {.p = p, .accept = accept, .user = user, .stack = stack};
    double time = INFINITY;
    begin_search(&search, stack);
    while (search.node_count > 0 && !look_at_node(&search, &time)) {
    }
    impi_Moment end = {.kind = IMPI_MOMENT_END, .polynomial = p, .stack = stack};
    if (time > 1 && impi_polynomial_sign(p, p->degree) == 0)
        is_accepted(&search, &end, &time);
    stack->next = mark;
    return time;
}
