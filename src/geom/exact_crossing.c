// A point of the segment p, q is s p + t q with weights that are as the distances of the other end: with the
// signed volumes V(p), V(q) of both ends over a triangle, s = V(q) / (V(q) - V(p)), t = V(p) / (V(p) - V(q)).
// Volumes and their difference are integers; what is rounded is the quotient and the point.
//
// Cost: like an exact sign, about 0.3 us for coordinates of one scale.
#include "geom/exact_crossing.h"

#include "geom/exact_integer.h"
#include "geom/exact_round.h"
#include "geom/predicates.h"
#include "geom/vector.h"

#include <assert.h>

// As in exact_sign.c: seven bits of nine are used by a volume, one more by the difference of two.
#define HEADROOM_BITS 3
#define MAX_WORDS     IMPI_MAX_GRID_WORDS(HEADROOM_BITS)

// Coordinates as integers: those of a base, and the others less those of the base.
typedef struct Grid {
    int word_count;
    uint64_t v[5][3][MAX_WORDS];
} Grid;

static void load_grid(Grid *grid, const imp_Vec3 *const *points, int count)
{
    impi_GridNumber numbers[5][3];
    impi_GridSpan span = IMPI_NO_SPAN;
    for (int i = 0; i < count; ++i) {
        const double xyz[3] = {points[i]->x, points[i]->y, points[i]->z};
        for (int axis = 0; axis < 3; ++axis) {
            numbers[i][axis] = impi_split_double(xyz[axis]);
            impi_span_add(&span, numbers[i][axis]);
        }
    }
    int n = grid->word_count = impi_span_words(span, HEADROOM_BITS);
    assert(n >= 1 && n <= MAX_WORDS);
    for (int i = 0; i < count; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            impi_integer_load(n, grid->v[i][axis], numbers[i][axis], span.low);
            if (i > 0)
                impi_integer_subtract(n, grid->v[i][axis], grid->v[i][axis], grid->v[0][axis]);
        }
}

// Their difference is 0 only where the caller was wrong.
static imp_Vec3 weigh(const imp_Segment *segment, int width, const uint64_t *side_p, const uint64_t *side_q)
{
    uint64_t difference[3 * MAX_WORDS];
    impi_integer_subtract(width, difference, side_p, side_q);
    impi_WideNumber p = impi_integer_round(width, side_p), q = impi_integer_round(width, side_q);
    impi_WideNumber whole = impi_integer_round(width, difference);
    double s = fabs(ldexp(q.value / whole.value, q.exponent - whole.exponent));
    double t = fabs(ldexp(p.value / whole.value, p.exponent - whole.exponent));
    const imp_Vec3 *from = &segment->v[0], *to = &segment->v[1];
    return (imp_Vec3){s * from->x + t * to->x, s * from->y + t * to->y, s * from->z + t * to->z};
}

imp_Vec3 impi_segment_plane_crossing(const imp_Segment *segment, const imp_Triangle *plane)
{
    Grid grid;
    uint64_t normal[3][2 * MAX_WORDS], sides[2][3 * MAX_WORDS], term[3 * MAX_WORDS];
    load_grid(
        &grid,
        (const imp_Vec3 *const[]){&plane->v[0], &plane->v[1], &plane->v[2], &segment->v[0], &segment->v[1]},
        5);
    int n = grid.word_count;
    for (int axis = 0; axis < 3; ++axis) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        impi_integer_minor(n, normal[axis], grid.v[1][next], grid.v[1][last], grid.v[2][next],
                           grid.v[2][last]);
    }
    for (int end = 0; end < 2; ++end)
        for (int axis = 0; axis < 3; ++axis) {
            impi_integer_multiply(2 * n, n, axis ? term : sides[end], normal[axis], grid.v[3 + end][axis]);
            if (axis)
                impi_integer_add(3 * n, sides[end], term);
        }
    return weigh(segment, 3 * n, sides[0], sides[1]);
}

// A projection in which the ends of `a` are on different sides of the line of `b`.
static bool find_projection(const imp_Segment *a, const imp_Segment *b, impi_Axis *dropped)
{
    for (*dropped = IMPI_AXIS_X; *dropped <= IMPI_AXIS_Z; ++*dropped)
        if (impi_orient2d(&b->v[0], &b->v[1], &a->v[0], *dropped) *
                impi_orient2d(&b->v[0], &b->v[1], &a->v[1], *dropped) <
            0)
            return true;
    return false;
}

static const imp_Vec3 *first_end(const imp_Segment *segment)
{
    return impi_is_before(&segment->v[0], &segment->v[1]) ? &segment->v[0] : &segment->v[1];
}

imp_Vec3 impi_segments_crossing(const imp_Segment *a, const imp_Segment *b)
{
    Grid grid;
    uint64_t sides[2][2 * MAX_WORDS];
    impi_Axis dropped;
    if (impi_is_before(first_end(b), first_end(a))) {
        const imp_Segment *other = a;
        a = b;
        b = other;
    }
    if (!find_projection(a, b, &dropped)) // not reached: they cross
        return a->v[0];
    load_grid(&grid, (const imp_Vec3 *const[]){&b->v[0], &b->v[1], &a->v[0], &a->v[1]}, 4);
    int n = grid.word_count, x = ((int)dropped + 1) % 3, y = ((int)dropped + 2) % 3;
    for (int end = 0; end < 2; ++end)
        impi_integer_minor(n, sides[end], grid.v[1][x], grid.v[1][y], grid.v[2 + end][x], grid.v[2 + end][y]);
    return weigh(a, 2 * n, sides[0], sides[1]);
}
