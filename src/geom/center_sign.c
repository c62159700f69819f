// A filter in doubles, with the double nearest to the center in its place and what that is off in the bound.
// Behind it integers on a grid (geom/exact_integer.h), where all coordinates are taken twice, so that a
// center is the sum of its two corners.
#include "geom/center_sign.h"

#include "geom/degenerate.h"
#include "geom/exact_integer.h"
#include "geom/predicates.h"

// That of exact_sign.c, and a bit because coordinates are taken twice.
#define HEADROOM_BITS 4
#define MAX_WORDS     IMPI_MAX_GRID_WORDS(HEADROOM_BITS)

#define LARGE 0x1p1000 // sums of larger numbers may overflow

static double sum_rest(double a, double b, double sum)
{
    double b_part = sum - a;
    return (a - (sum - b_part)) + (b - b_part);
}

// Halves of large numbers are doubles, and sums of small ones are: one rounding either way, or none.
impi_Center impi_center_of(double low, double high)
{
    impi_Center center = {.low = low, .high = high};
    if (fabs(low) > LARGE || fabs(high) > LARGE) {
        center.nearest = 0.5 * low + 0.5 * high;
        double rest = sum_rest(0.5 * low, 0.5 * high, center.nearest);
        center.rest = (rest > 0) - (rest < 0);
        return center;
    }
    double sum = low + high, rest = sum_rest(low, high, sum);
    center.nearest = 0.5 * sum;
    if (rest == 0)
        rest = sum - 2 * center.nearest;
    center.rest = (rest > 0) - (rest < 0);
    return center;
}

// ---- integers

typedef struct Terms {
    impi_GridNumber numbers[15];
    impi_GridSpan span;
    int count;
} Terms;

static void add_term(Terms *terms, double value)
{
    terms->numbers[terms->count] = impi_split_double(value);
    impi_span_add(&terms->span, terms->numbers[terms->count++]);
}

// Twice the number, or the sum of two.
static IMPI_ALWAYS_INLINE void load_twice(int n, uint64_t *out, const impi_GridNumber *number, int step)
{
    uint64_t once[MAX_WORDS];
    impi_integer_load(n, once, number[0], step);
    memcpy(out, once, (size_t)n * sizeof *out);
    impi_integer_add(n, out, once);
}

static IMPI_ALWAYS_INLINE void load_sum(int n, uint64_t *out, const impi_GridNumber *numbers, int step)
{
    uint64_t other[MAX_WORDS];
    impi_integer_load(n, out, numbers[0], step);
    impi_integer_load(n, other, numbers[1], step);
    impi_integer_add(n, out, other);
}

// Terms: a, b, then the corners of the center along both axes.
static IMPI_ALWAYS_INLINE int area_sign_words(int n, const Terms *terms)
{
    uint64_t v[6][MAX_WORDS], minor[2 * MAX_WORDS];
    for (int i = 0; i < 4; ++i)
        load_twice(n, v[i], &terms->numbers[i], terms->span.low);
    for (int i = 0; i < 2; ++i)
        load_sum(n, v[4 + i], &terms->numbers[4 + 2 * i], terms->span.low);
    for (int i = 2; i < 6; ++i)
        impi_integer_subtract(n, v[i], v[i], v[i & 1]);
    impi_integer_minor(n, minor, v[2], v[3], v[4], v[5]);
    return impi_integer_sign(2 * n, minor);
}

static int exact_area_sign(imp_Vec2 a, imp_Vec2 b, const impi_Center *u, const impi_Center *v)
{
    const double values[8] = {a.x, a.y, b.x, b.y, u->low, u->high, v->low, v->high};
    Terms terms = {.span = IMPI_NO_SPAN};
    for (int i = 0; i < 8; ++i)
        add_term(&terms, values[i]);
    int n = impi_span_words(terms.span, HEADROOM_BITS);
    return n == 1   ? area_sign_words(1, &terms)
           : n == 2 ? area_sign_words(2, &terms)
                    : area_sign_words(n, &terms);
}

// Terms: a, b, c, then the corners of the center along all axes.
static IMPI_ALWAYS_INLINE int volume_sign_words(int n, const Terms *terms)
{
    uint64_t v[12][MAX_WORDS], normal[2 * MAX_WORDS], term[3 * MAX_WORDS], sum[3 * MAX_WORDS];
    for (int i = 0; i < 9; ++i)
        load_twice(n, v[i], &terms->numbers[i], terms->span.low);
    for (int i = 0; i < 3; ++i)
        load_sum(n, v[9 + i], &terms->numbers[9 + 2 * i], terms->span.low);
    for (int i = 3; i < 12; ++i)
        impi_integer_subtract(n, v[i], v[i], v[i % 3]);
    for (int axis = 0; axis < 3; ++axis) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        impi_integer_minor(n, normal, v[3 + next], v[3 + last], v[6 + next], v[6 + last]);
        impi_integer_multiply(2 * n, n, axis ? term : sum, normal, v[9 + axis]);
        if (axis)
            impi_integer_add(3 * n, sum, term);
    }
    return impi_integer_sign(3 * n, sum);
}

static int exact_volume_sign(const imp_Triangle *triangle, const impi_Center center[3])
{
    Terms terms = {.span = IMPI_NO_SPAN};
    for (int i = 0; i < 3; ++i) {
        add_term(&terms, triangle->v[i].x);
        add_term(&terms, triangle->v[i].y);
        add_term(&terms, triangle->v[i].z);
    }
    for (int axis = 0; axis < 3; ++axis) {
        add_term(&terms, center[axis].low);
        add_term(&terms, center[axis].high);
    }
    int n = impi_span_words(terms.span, HEADROOM_BITS);
    return n == 1   ? volume_sign_words(1, &terms)
           : n == 2 ? volume_sign_words(2, &terms)
                    : volume_sign_words(n, &terms);
}

// ---- signs

// A center is off `nearest` by half an ulp, or by half the least subnormal, which the range of the filter
// covers.
static double error_of(const impi_Center *center)
{
    return center->rest ? 0x1p-53 * fabs(center->nearest) : 0;
}

int impi_center_area_sign(imp_Vec2 a, imp_Vec2 b, const impi_Center *u, const impi_Center *v)
{
    if (u->rest == 0 && v->rest == 0)
        return impi_area_sign(a, b, (imp_Vec2){u->nearest, v->nearest});
    double edge_u = b.x - a.x, edge_v = b.y - a.y;
    double left = edge_u * (v->nearest - a.y), right = edge_v * (u->nearest - a.x);
    double area = left - right, size = fabs(left) + fabs(right);
    double moved = fabs(edge_u) * error_of(v) + fabs(edge_v) * error_of(u);
    if (fabs(area) > IMPI_ORIENT2D_ERROR * size + 2 * moved && size >= IMPI_FILTER_MIN_AREA)
        return area > 0 ? 1 : -1;
    return exact_area_sign(a, b, u, v);
}

int impi_center_volume_sign(const imp_Triangle *triangle, const impi_Center center[3])
{
    const imp_Vec3 *a = &triangle->v[0], *b = &triangle->v[1], *c = &triangle->v[2];
    imp_Vec3 point = {center[0].nearest, center[1].nearest, center[2].nearest};
    if (center[0].rest == 0 && center[1].rest == 0 && center[2].rest == 0)
        return impi_orient3d(a, b, c, &point);
    double u[3] = {b->x - a->x, b->y - a->y, b->z - a->z}, v[3] = {c->x - a->x, c->y - a->y, c->z - a->z};
    double w[3] = {point.x - a->x, point.y - a->y, point.z - a->z};
    double extent[3], off[3], volume = 0, moved = 0;
    for (int axis = 0; axis < 3; ++axis) {
        extent[axis] = fmax(fabs(u[axis]), fmax(fabs(v[axis]), fabs(w[axis])));
        off[axis] = error_of(&center[axis]);
    }
    for (int axis = 0; axis < 3; ++axis) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        volume += w[axis] * (u[next] * v[last] - u[last] * v[next]);
        moved += off[axis] * extent[next] * extent[last];
    }
    double size = extent[0] * extent[1] * extent[2];
    bool is_in_range = size >= IMPI_FILTER_MIN_VOLUME &&
                       fmax(extent[0], fmax(extent[1], extent[2])) <= IMPI_FILTER_MAX_EXTENT;
    if (is_in_range && fabs(volume) > IMPI_ORIENT3D_ERROR * size + 4 * moved)
        return volume > 0 ? 1 : -1;
    return exact_volume_sign(triangle, center);
}

// ---- in a triangle

static double coordinate(const imp_Vec3 *v, int axis)
{
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

static int projected_sign(const imp_Vec3 *a, const imp_Vec3 *b, const impi_Center center[3],
                          impi_Axis dropped)
{
    int u = (dropped + 1) % 3, v = (dropped + 2) % 3;
    return impi_center_area_sign(impi_project(a, dropped), impi_project(b, dropped), &center[u], &center[v]);
}

static bool segment_holds(const imp_Segment *segment, const impi_Center center[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        int a = impi_center_compare(coordinate(&segment->v[0], axis), &center[axis]);
        int b = impi_center_compare(coordinate(&segment->v[1], axis), &center[axis]);
        if (a * b > 0 || projected_sign(&segment->v[0], &segment->v[1], center, (impi_Axis)axis) != 0)
            return false;
    }
    return true;
}

bool impi_triangle_holds_center(const imp_Triangle *triangle, const impi_Center center[3])
{
    if (impi_center_volume_sign(triangle, center) != 0)
        return false;
    impi_Axis dropped;
    const imp_Vec3 *t = triangle->v;
    if (!impi_triangle_plane(triangle, &dropped)) {
        imp_Segment segment = impi_degenerate_triangle_segment(triangle);
        return segment_holds(&segment, center);
    }
    int turn = impi_orient2d(&t[0], &t[1], &t[2], dropped);
    for (int i = 0; i < 3; ++i)
        if (projected_sign(&t[i], &t[(i + 1) % 3], center, dropped) == -turn)
            return false;
    return true;
}
