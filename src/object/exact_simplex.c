// The point of a simplex nearest to the origin lies inside exactly one vertex, edge, triangle or the
// tetrahedron whose corners span it; it is told by the corners' weights being positive and by all other
// points lying beyond. All parts are tried, so no degenerate position needs care.
#include "object/exact_simplex.h"

#include <assert.h>
#include <math.h>

// ---------------------------------------------------------------------------------- integer vectors

void impi_exact_load(int width, imp_Vec3 v, int step, impi_ExactVector *out)
{
    impi_integer_load(width, out->x.words, impi_split_double(v.x), step);
    impi_integer_load(width, out->y.words, impi_split_double(v.y), step);
    impi_integer_load(width, out->z.words, impi_split_double(v.z), step);
}

void impi_exact_subtract(int width, const impi_ExactVector *a, const impi_ExactVector *b,
                         impi_ExactVector *out)
{
    // cppcheck-suppress uninitvar; it is written here
    impi_integer_subtract(width, out->x.words, a->x.words, b->x.words);
    impi_integer_subtract(width, out->y.words, a->y.words, b->y.words);
    impi_integer_subtract(width, out->z.words, a->z.words, b->z.words);
}

static void negate(int width, impi_ExactVector *a)
{
    impi_integer_negate(width, a->x.words);
    impi_integer_negate(width, a->y.words);
    impi_integer_negate(width, a->z.words);
}

void impi_exact_dot(int width, const impi_ExactVector *a, const impi_ExactVector *b, impi_ExactInteger *out)
{
    impi_ExactInteger term;
    impi_integer_multiply_low(width, out->words, a->x.words, b->x.words);
    impi_integer_multiply_low(width, term.words, a->y.words, b->y.words);
    impi_integer_add(width, out->words, term.words);
    impi_integer_multiply_low(width, term.words, a->z.words, b->z.words);
    impi_integer_add(width, out->words, term.words);
}

int impi_exact_dot_sign(int width, const impi_ExactVector *a, const impi_ExactVector *b)
{
    impi_ExactInteger product;
    product.words[width - 1] = 0; // compilers do not see that all words are written
    impi_exact_dot(width, a, b, &product);
    return impi_integer_sign(width, product.words);
}

// out = a*d - b*c
static void minor2(int width, const impi_ExactInteger *a, const impi_ExactInteger *b,
                   const impi_ExactInteger *c, const impi_ExactInteger *d, impi_ExactInteger *out)
{
    impi_ExactInteger other;
    impi_integer_multiply_low(width, out->words, a->words, d->words);
    impi_integer_multiply_low(width, other.words, b->words, c->words);
    impi_integer_subtract(width, out->words, out->words, other.words);
}

static void cross(int width, const impi_ExactVector *a, const impi_ExactVector *b, impi_ExactVector *out)
{
    minor2(width, &a->y, &a->z, &b->y, &b->z, &out->x);
    minor2(width, &a->z, &a->x, &b->z, &b->x, &out->y);
    minor2(width, &a->x, &a->y, &b->x, &b->y, &out->z);
}

// ----------------------------------------------------------------------------------------- rounding

imp_Vec3 impi_exact_round_direction(int width, const impi_ExactVector *direction, int *exponent)
{
    impi_WideNumber x = impi_integer_round(width, direction->x.words);
    impi_WideNumber y = impi_integer_round(width, direction->y.words);
    impi_WideNumber z = impi_integer_round(width, direction->z.words);
    int longest = impi_wide_exponent(x, impi_wide_exponent(y, impi_wide_exponent(z, IMPI_NO_EXPONENT)));
    assert(longest > IMPI_NO_EXPONENT);
    *exponent = longest + 64;
    return (imp_Vec3){impi_wide_over(x, *exponent), impi_wide_over(y, *exponent),
                      impi_wide_over(z, *exponent)};
}

// ------------------------------------------------------------------------------------ nearest parts

// Some of the simplex's points.
typedef struct Part {
    unsigned count;
    uint8_t points[IMPI_MAX_SIMPLEX];
    bool holds_origin;
} Part;

static bool segment_direction(impi_ExactSimplex *s, const Part *part)
{
    const impi_ExactVector *a = &s->differences[part->points[0]], *b = &s->differences[part->points[1]];
    impi_ExactVector edge, normal;
    impi_exact_subtract(s->width, b, a, &edge);
    if (impi_exact_dot_sign(s->width, a, &edge) >= 0 || impi_exact_dot_sign(s->width, b, &edge) <= 0)
        return false;
    cross(s->width, &edge, a, &normal);
    cross(s->width, &normal, &edge, &s->direction);
    return true;
}

static bool triangle_direction(impi_ExactSimplex *s, const Part *part)
{
    const impi_ExactVector *corners[3] = {&s->differences[part->points[0]], &s->differences[part->points[1]],
                                          &s->differences[part->points[2]]};
    impi_ExactVector first, second, normal, area;
    impi_exact_subtract(s->width, corners[1], corners[0], &first);
    impi_exact_subtract(s->width, corners[2], corners[0], &second);
    cross(s->width, &first, &second, &normal);
    for (unsigned i = 0; i < 3; ++i) {
        cross(s->width, corners[(i + 1) % 3], corners[(i + 2) % 3], &area);
        if (impi_exact_dot_sign(s->width, &normal, &area) <= 0)
            return false;
    }
    if (impi_exact_dot_sign(s->width, &normal, corners[0]) < 0)
        negate(s->width, &normal);
    s->direction = normal;
    return true;
}

static bool tetrahedron_holds_origin(const impi_ExactSimplex *s)
{
    const impi_ExactVector *d = s->differences;
    impi_ExactVector first, last;
    cross(s->width, &d[0], &d[1], &first);
    cross(s->width, &d[2], &d[3], &last);
    int sign = impi_exact_dot_sign(s->width, &d[1], &last);
    return sign != 0 && -impi_exact_dot_sign(s->width, &d[0], &last) == sign &&
           impi_exact_dot_sign(s->width, &d[3], &first) == sign &&
           -impi_exact_dot_sign(s->width, &d[2], &first) == sign;
}

// Is no other point of the simplex nearer along the direction than those of the part?
static bool is_nearest(const impi_ExactSimplex *s, const Part *part)
{
    for (unsigned i = 0; i < s->count; ++i) {
        impi_ExactVector offset;
        impi_exact_subtract(s->width, &s->differences[i], &s->differences[part->points[0]], &offset);
        if (impi_exact_dot_sign(s->width, &s->direction, &offset) < 0)
            return false;
    }
    return true;
}

static Part part_of(unsigned mask)
{
    Part part = {0};
    for (uint8_t i = 0; i < IMPI_MAX_SIMPLEX; ++i)
        if (mask >> i & 1)
            part.points[part.count++] = i;
    return part;
}

// Should the points be dependent, as those taken over may be, there may be several such parts, and any will
// do.
static Part find_nearest(impi_ExactSimplex *s)
{
    for (unsigned mask = 1; mask < 1u << s->count; ++mask) {
        Part part = part_of(mask);
        if (part.count == 4) {
            if (!tetrahedron_holds_origin(s))
                continue;
            part.holds_origin = true;
            return part;
        }
        if (part.count == 1)
            s->direction = s->differences[part.points[0]];
        else if (part.count == 2 ? !segment_direction(s, &part) : !triangle_direction(s, &part))
            continue;
        part.holds_origin =
            impi_exact_dot_sign(s->width, &s->direction, &s->differences[part.points[0]]) == 0;
        if (part.holds_origin || is_nearest(s, &part))
            return part;
    }
    assert(false); // every simplex has a nearest point
    return (Part){0};
}

bool impi_exact_simplex_reduce(impi_ExactSimplex *simplex)
{
    assert(simplex->count > 0 && simplex->count <= IMPI_MAX_SIMPLEX);
    Part part = find_nearest(simplex);
    // Ascending, so that nothing is overwritten before it is moved.
    for (unsigned i = 0; i < part.count; ++i) {
        if (part.points[i] == i)
            continue;
        simplex->pairs[i] = simplex->pairs[part.points[i]];
        simplex->differences[i] = simplex->differences[part.points[i]];
    }
    simplex->count = part.count;
    return part.holds_origin;
}

// ------------------------------------------------------------------------------------------ weights

static void segment_weights(const impi_ExactSimplex *s, impi_ExactInteger weights[2])
{
    impi_ExactVector edge;
    impi_exact_subtract(s->width, &s->differences[0], &s->differences[1], &edge);
    impi_exact_dot(s->width, &s->differences[0], &edge, &weights[1]);
    negate(s->width, &edge);
    impi_exact_dot(s->width, &s->differences[1], &edge, &weights[0]);
}

static void triangle_weights(const impi_ExactSimplex *s, impi_ExactInteger weights[3])
{
    const impi_ExactVector *d = s->differences;
    impi_ExactVector first, second, normal, area;
    impi_exact_subtract(s->width, &d[1], &d[0], &first);
    impi_exact_subtract(s->width, &d[2], &d[0], &second);
    cross(s->width, &first, &second, &normal);
    for (unsigned i = 0; i < 3; ++i) {
        cross(s->width, &d[(i + 1) % 3], &d[(i + 2) % 3], &area);
        impi_exact_dot(s->width, &normal, &area, &weights[i]);
    }
}

// Volumes of the tetrahedra that the origin makes with the faces. Their signs, which are all alike, do not
// matter, so they are not made to agree.
static void tetrahedron_weights(const impi_ExactSimplex *s, impi_ExactInteger weights[4])
{
    const impi_ExactVector *d = s->differences;
    impi_ExactVector first, last;
    cross(s->width, &d[0], &d[1], &first);
    cross(s->width, &d[2], &d[3], &last);
    impi_exact_dot(s->width, &d[1], &last, &weights[0]);
    impi_exact_dot(s->width, &d[0], &last, &weights[1]);
    impi_exact_dot(s->width, &d[3], &first, &weights[2]);
    impi_exact_dot(s->width, &d[2], &first, &weights[3]);
}

void impi_exact_simplex_weights(const impi_ExactSimplex *simplex, double weights[IMPI_MAX_SIMPLEX])
{
    impi_ExactInteger exact[IMPI_MAX_SIMPLEX];
    impi_WideNumber rounded[IMPI_MAX_SIMPLEX];
    if (simplex->count == 1) {
        weights[0] = 1;
        return;
    }
    if (simplex->count == 2)
        segment_weights(simplex, exact);
    else if (simplex->count == 3)
        triangle_weights(simplex, exact);
    else
        tetrahedron_weights(simplex, exact);
    int most = IMPI_NO_EXPONENT;
    for (unsigned i = 0; i < simplex->count; ++i) {
        rounded[i] = impi_integer_round(simplex->width, exact[i].words);
        most = impi_wide_exponent(rounded[i], most);
    }
    double sum = 0;
    for (unsigned i = 0; i < simplex->count; ++i)
        sum += weights[i] = fabs(impi_wide_over(rounded[i], most));
    for (unsigned i = 0; i < simplex->count; ++i)
        weights[i] /= sum;
}
