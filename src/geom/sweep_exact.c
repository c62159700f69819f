// First common times of moving features, in exact integers.
//
// Four points that move along straight lines are in one plane where a cubic of the time is zero, or always.
// Whether points in one plane touch is decided by signs alone: of the areas of three of them, projected along
// an axis, and where they are collinear of differences of coordinates. These are polynomials of the time of
// second and first degree. So the first contact is the first root of the cubic at which signs say so. Where
// the cubic is zero always, the answer changes only at roots of the other polynomials, and, since the times
// of contact are a closed set, the first one is 0 or one of these roots.
//
// Points are put on a common grid, where their coordinates are integers (geom/exact_integer.h). With
// coordinates below 2^B, differences are below 2^(B+1), their polynomials likewise; areas are sums of two
// products of two, and of four in the middle coefficient: below 2^(2B+4); the cubic has 18 products of three
// in a coefficient at most: below 2^(3B+8). All of that is below 2^(b * degree) for b = B + 3.
//
// Memory is on the stack: 20 kB for coordinates that cover 109 bits, which is nearly everything; up to 260 kB
// for 1e-300 beside 1e+300. Cost: some 10 us, for the widest coordinates milliseconds.
#include "geom/sweep_exact.h"

#include "geom/exact_integer.h"
#include "geom/root_search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define HEADROOM_BITS 3
#define GRID_WORDS    IMPI_MAX_GRID_WORDS(HEADROOM_BITS)

// Of a coefficient, for coordinates of `bits`; and in all: those of the search, and two polynomials.
#define ROOT_WORDS(bits)  (IMPI_ROOT_SEARCH_BITS((bits) + HEADROOM_BITS) / 64 + 1)
#define STACK_WORDS(bits) ((IMPI_ROOT_SEARCH_NUMBERS + 8) * ROOT_WORDS(bits))
#define NARROW_BITS       109

#define GUESS_STEPS 8

// The points of a query as integers, and what polynomials are made of.
typedef struct Query {
    int grid_words, words; // of a coordinate, and of a coefficient
    uint64_t (*coordinates)[GRID_WORDS];
    impi_WordStack *stack;
    impi_Polynomial scratch; // the polynomial whose sign is asked for
    impi_SweepKind kind;
} Query;

static const uint64_t *coordinate(const Query *query, int point, int end, int axis)
{
    return query->coordinates[3 * (4 * end + point) + axis];
}

// out = the integer `from` of fewer words.
static void extend(int words, uint64_t *out, int from_words, const uint64_t *from)
{
    uint64_t fill = from[from_words - 1] >> 63 ? UINT64_MAX : 0;
    for (int i = 0; i < words; ++i)
        out[i] = i < from_words ? from[i] : fill;
}

// One of the ways between two points.
static IMPI_ALWAYS_INLINE void difference(int n, const Query *query, int from, int to, int end, int axis,
                                          uint64_t *out)
{
    impi_integer_subtract(n, out, coordinate(query, to, end, axis), coordinate(query, from, end, axis));
}

static void make_difference(const Query *query, int from, int to, int axis, impi_Polynomial *p)
{
    uint64_t way[GRID_WORDS];
    p->degree = 1;
    for (int end = 0; end < 2; ++end) {
        difference(query->grid_words, query, from, to, end, axis, way);
        extend(p->words, impi_polynomial_at(p, end), query->grid_words, way);
    }
}

// The three coefficients, of twice the words of a coordinate, of the area of three points seen along an axis.
typedef uint64_t Area[3][2 * GRID_WORDS];

static IMPI_ALWAYS_INLINE void make_area_words(int n, const Query *query, const int points[3], int axis,
                                               Area area)
{
    int next = (axis + 1) % 3, last = (axis + 2) % 3;
    uint64_t u[2][2][GRID_WORDS], v[2][2][GRID_WORDS], other[2 * GRID_WORDS];
    for (int end = 0; end < 2; ++end) {
        difference(n, query, points[0], points[1], end, next, u[end][0]);
        difference(n, query, points[0], points[1], end, last, u[end][1]);
        difference(n, query, points[0], points[2], end, next, v[end][0]);
        difference(n, query, points[0], points[2], end, last, v[end][1]);
    }
    impi_integer_minor(n, area[0], u[0][0], u[0][1], v[0][0], v[0][1]);
    impi_integer_minor(n, area[1], u[0][0], u[0][1], v[1][0], v[1][1]);
    impi_integer_minor(n, other, u[1][0], u[1][1], v[0][0], v[0][1]);
    impi_integer_add(2 * n, area[1], other);
    impi_integer_minor(n, area[2], u[1][0], u[1][1], v[1][0], v[1][1]);
}

static void make_area(const Query *query, const int points[3], int axis, impi_Polynomial *p)
{
    Area area;
    make_area_words(query->grid_words, query, points, axis, area);
    p->degree = 2;
    for (int i = 0; i < 3; ++i)
        extend(p->words, impi_polynomial_at(p, i), 2 * query->grid_words, area[i]);
}

// The volume that the four points span: its coefficients, of three times the words of a coordinate.
typedef uint64_t Volume[4][3 * GRID_WORDS];

static IMPI_ALWAYS_INLINE void make_volume_words(int n, const Query *query, Volume volume)
{
    uint64_t way[GRID_WORDS], product[3 * GRID_WORDS];
    Area area;
    for (int i = 0; i < 4; ++i)
        memset(volume[i], 0, 3 * (size_t)n * sizeof *volume[i]);
    for (int axis = 0; axis < 3; ++axis) {
        make_area_words(n, query, (const int[3]){0, 1, 2}, axis, area);
        for (int end = 0; end < 2; ++end) {
            difference(n, query, 0, 3, end, axis, way);
            for (int i = 0; i < 3; ++i) {
                impi_integer_multiply(2 * n, n, product, area[i], way);
                impi_integer_add(3 * n, volume[i + end], product);
            }
        }
    }
}

static void make_volume(const Query *query, impi_Polynomial *p)
{
    Volume volume;
    switch (query->grid_words) {
    case 1:
        make_volume_words(1, query, volume);
        break;
    case 2:
        make_volume_words(2, query, volume);
        break;
    default:
        make_volume_words(query->grid_words, query, volume);
    }
    p->degree = 3;
    for (int i = 0; i < 4; ++i)
        extend(p->words, impi_polynomial_at(p, i), 3 * query->grid_words, volume[i]);
}

static int area_sign(Query *query, const impi_Moment *moment, int a, int b, int c, int axis)
{
    make_area(query, (const int[3]){a, b, c}, axis, &query->scratch);
    return impi_moment_sign(moment, &query->scratch);
}

static int difference_sign(Query *query, const impi_Moment *moment, int from, int to, int axis)
{
    make_difference(query, from, to, axis, &query->scratch);
    return impi_moment_sign(moment, &query->scratch);
}

// Is point p between a and b, or one of them? It is if it lies on their line and between them along each
// axis.
static bool is_between(Query *query, const impi_Moment *moment, int p, int a, int b)
{
    for (int axis = 0; axis < 3; ++axis)
        if (difference_sign(query, moment, p, a, axis) * difference_sign(query, moment, p, b, axis) > 0)
            return false;
    for (int axis = 0; axis < 3; ++axis)
        if (area_sign(query, moment, a, b, p, axis) != 0)
            return false;
    return true;
}

// Is the point in the triangle, all in one plane? Along an axis that leaves the triangle an area it is if it
// is on the inner side of each edge. A triangle without any is its edges.
static bool vertex_is_in_face(Query *query, const impi_Moment *moment)
{
    for (int axis = 0; axis < 3; ++axis) {
        int area = area_sign(query, moment, 1, 2, 3, axis);
        if (area != 0)
            return area * area_sign(query, moment, 1, 2, 0, axis) >= 0 &&
                   area * area_sign(query, moment, 2, 3, 0, axis) >= 0 &&
                   area * area_sign(query, moment, 3, 1, 0, axis) >= 0;
    }
    return is_between(query, moment, 0, 1, 2) || is_between(query, moment, 0, 2, 3) ||
           is_between(query, moment, 0, 3, 1);
}

// Do two segments in one plane meet? Along an axis that keeps the plane a plane they do if the ends of each
// are not on the same side of the other. On one line, if an end of one is within the other.
static bool edges_meet(Query *query, const impi_Moment *moment)
{
    for (int axis = 0; axis < 3; ++axis) {
        int a = area_sign(query, moment, 0, 1, 2, axis), b = area_sign(query, moment, 0, 1, 3, axis);
        if (a * b > 0)
            return false;
        int c = area_sign(query, moment, 2, 3, 0, axis), d = area_sign(query, moment, 2, 3, 1, axis);
        if (c * d > 0)
            return false;
        if (a || b || c || d)
            return true;
    }
    return is_between(query, moment, 2, 0, 1) || is_between(query, moment, 3, 0, 1) ||
           is_between(query, moment, 0, 2, 3) || is_between(query, moment, 1, 2, 3);
}

static bool is_contact(const impi_Moment *moment, void *user)
{
    Query *query = user;
    return query->kind == IMPI_SWEEP_VERTEX_FACE ? vertex_is_in_face(query, moment)
                                                 : edges_meet(query, moment);
}

// The first contact among the roots of p, or what was found before.
static double earlier_root(Query *query, const impi_Polynomial *p, double time)
{
    return impi_polynomial_is_zero(p) ? time
                                      : fmin(time, impi_first_root(p, is_contact, query, query->stack));
}

// The points are in one plane all the time.
static double first_planar_contact(Query *query, impi_Polynomial *p)
{
    static const int triples[2][4][3] = {{{1, 2, 3}, {1, 2, 0}, {2, 3, 0}, {3, 1, 0}},
                                         {{0, 1, 2}, {0, 1, 3}, {2, 3, 0}, {2, 3, 1}}};
    static const int pairs[2][4][2] = {{{0, 1}, {0, 2}, {0, 3}, {0, 3}}, {{0, 2}, {0, 3}, {1, 2}, {1, 3}}};
    impi_Moment begin = impi_moment_at_begin(query->stack);
    double time = INFINITY;
    if (is_contact(&begin, query))
        return 0;
    for (int i = 0; i < 4; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            make_area(query, triples[query->kind][i], axis, p);
            time = earlier_root(query, p, time);
            make_difference(query, pairs[query->kind][i][0], pairs[query->kind][i][1], axis, p);
            time = earlier_root(query, p, time);
        }
    return time;
}

static double first_contact(Query *query)
{
    impi_Polynomial p = impi_polynomial_take(query->stack, query->words);
    query->scratch = impi_polynomial_take(query->stack, query->words);
    make_volume(query, &p);
    if (impi_polynomial_is_zero(&p))
        return first_planar_contact(query, &p);
    return impi_first_root(&p, is_contact, query, query->stack);
}

static __attribute__((noinline)) double first_contact_narrow(Query query)
{
    uint64_t words[STACK_WORDS(NARROW_BITS)];
    impi_WordStack stack = {words, words + sizeof words / sizeof *words};
    query.stack = &stack;
    return first_contact(&query);
}

static __attribute__((noinline)) double first_contact_wide(Query query)
{
    uint64_t words[STACK_WORDS(IMPI_DOUBLE_BITS)];
    impi_WordStack stack = {words, words + sizeof words / sizeof *words};
    query.stack = &stack;
    return first_contact(&query);
}

// Points on their grid. Returns how many bits the coordinates cover.
static int load_points(Query *query, const imp_Vec3 points[8], uint64_t coordinates[24][GRID_WORDS])
{
    double values[24];
    impi_GridNumber numbers[24];
    impi_GridSpan span = IMPI_NO_SPAN;
    memcpy(values, points, sizeof values);
    for (int i = 0; i < 24; ++i) {
        numbers[i] = impi_split_double(values[i]);
        impi_span_add(&span, numbers[i]);
    }
    query->grid_words = impi_span_words(span, HEADROOM_BITS);
    query->coordinates = coordinates;
    for (int i = 0; i < 24; ++i)
        impi_integer_load(query->grid_words, coordinates[i], numbers[i], span.low);
    return span.high < span.low ? 0 : span.high - span.low;
}

double impi_sweep_exact(impi_SweepKind kind, const imp_Vec3 points[8])
{
    uint64_t coordinates[24][GRID_WORDS];
    Query query = {.kind = kind};
    int bits = load_points(&query, points, coordinates);
    query.words = ROOT_WORDS(bits);
    return bits <= NARROW_BITS ? first_contact_narrow(query) : first_contact_wide(query);
}

// Words for the value of a volume at a multiple of 2^-53, times 2^159.
#define VALUE_WORDS (3 * GRID_WORDS + 3)

// The sign of a volume at k 2^-53, by Horner's rule with the powers of (2^53 - k) beside.
static IMPI_ALWAYS_INLINE int value_sign(int n, const impi_Polynomial *volume, uint64_t k)
{
    uint64_t sum[VALUE_WORDS], term[VALUE_WORDS], rest = ((uint64_t)1 << 53) - k;
    size_t size = (size_t)n * sizeof *sum;
    memcpy(sum, impi_polynomial_at(volume, 3), size);
    for (int i = 2; i >= 0; --i) {
        impi_integer_scale(n, sum, k);
        memcpy(term, impi_polynomial_at(volume, i), size);
        for (int power = i; power < 3; ++power)
            impi_integer_scale(n, term, rest);
        impi_integer_add(n, sum, term);
    }
    return impi_integer_sign(n, sum);
}

static int volume_sign_at(const impi_Polynomial *volume, uint64_t k)
{
    switch (volume->words) {
    case 6: // coordinates of one word
        return value_sign(6, volume, k);
    case 9: // of two
        return value_sign(9, volume, k);
    default:
        return value_sign(volume->words, volume, k);
    }
}

// Coefficients as doubles, all in the same unit. Those of the largest size have their full precision, and
// none is off by more than what that is of the largest.
static void round_coefficients(const impi_Polynomial *p, double values[4])
{
    int top = 2;
    for (int i = 0; i < 4; ++i) {
        int words = impi_integer_significant_words(p->words, impi_polynomial_at(p, i));
        top = words - 1 > top ? words - 1 : top;
    }
    for (int i = 0; i < 4; ++i) {
        const uint64_t *c = impi_polynomial_at(p, i) + top - 2;
        uint64_t flip = c[2] >> 63 ? UINT64_MAX : 0; // all bits of a negative one: its size less 1
        double size =
            0x1p128 * (double)(c[2] ^ flip) + 0x1p64 * (double)(c[1] ^ flip) + (double)(c[0] ^ flip);
        values[i] = flip ? -size : size;
    }
}

// Where a cubic changes its sign between two times, roughly: Newton's method, kept between them.
static double guess_root(const double c[4], double low, double high)
{
    double sign = 0, t = 0.5 * (low + high);
    for (int i = 0; i < GUESS_STEPS; ++i) {
        double x = i ? t : low, s = 1 - x;
        double value = ((c[0] * s + c[1] * x) * s + c[2] * x * x) * s + c[3] * x * x * x;
        double slope = (c[1] - 3 * c[0]) * s * s + 2 * (c[2] - c[1]) * s * x + (3 * c[3] - c[2]) * x * x;
        if (i == 0) {
            sign = value;
            continue;
        }
        *((value > 0) == (sign > 0) ? &low : &high) = t;
        double next = t - value / slope;
        t = next >= low && next <= high ? next : 0.5 * (low + high);
    }
    return t;
}

// The guess is nearly always right, or off by one or two; ever longer steps from there find an interval with
// the root.
double impi_sweep_exact_between(const imp_Vec3 points[8], double begin, double end)
{
    uint64_t coordinates[24][GRID_WORDS], coefficients[4 * VALUE_WORDS];
    double rounded[4];
    Query query = {.kind = IMPI_SWEEP_VERTEX_FACE};
    load_points(&query, points, coordinates);
    impi_Polynomial volume = {3 * query.grid_words + 3, 3, coefficients};
    make_volume(&query, &volume);
    round_coefficients(&volume, rounded);
    uint64_t low = (uint64_t)(0x1p53 * begin), high = (uint64_t)(0x1p53 * end), step = 1;
    uint64_t next = (uint64_t)(0x1p53 * guess_root(rounded, begin, end));
    int before = volume_sign_at(&volume, low);
    bool is_low_near = false, is_high_near = false; // to the guess
    while (high - low > 1) {
        next = next <= low ? low + 1 : next >= high ? high - 1 : next;
        int sign = volume_sign_at(&volume, next);
        if (sign == 0)
            return 0x1p-53 * (double)next;
        *(sign == before ? &low : &high) = next;
        *(sign == before ? &is_low_near : &is_high_near) = true;
        if (is_low_near && is_high_near)
            next = low + (high - low) / 2;
        else
            next = is_low_near ? low + step : high > step ? high - step : 0;
        step *= 2;
    }
    return 0x1p-53 * (double)low;
}
