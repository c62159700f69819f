// The directions of geom/triangle_box.c, found once for the triangle: its extent along each of them is the
// same for all octants, only their centers differ. In doubles, with a bound on what rounding may do; octants
// that are neither clearly met nor clearly missed are asked for by themselves.
//
// Coordinates are taken from the cut. Where an edge is parallel to an axis, its directions are axes, and
// where a triangle lies in a plane across an axis, its normal is one; axes are decided by comparing
// coordinates.
#include "geom/triangle_octants.h"

#include "geom/filter.h"
#include "geom/scalar.h"
#include "geom/touch.h"

#include <math.h>

// A direction along which a triangle may be parted from a box: its extent, and how far off that may be with
// all that is computed along it.
typedef struct Direction {
    double along[3], size[3]; // size: without signs
    double low, high, error;
} Direction;

typedef struct Directions {
    Direction list[10];
    int count;
} Directions;

void impi_octants_make(impi_Octants *octants)
{
    octants->extent = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double *planes = octants->planes[axis];
        double low = planes[0] - planes[1], high = planes[2] - planes[1];
        octants->center[axis][0] = 0.5 * low;
        octants->center[axis][1] = 0.5 * high;
        octants->half[axis][0] = -0.5 * low;
        octants->half[axis][1] = 0.5 * high;
        octants->extent = impi_larger(octants->extent, impi_larger(-low, high));
    }
}

static double coordinate(const imp_Vec3 *v, int axis)
{
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

// Octants that the triangle's bounding box meets: both halves of an axis, one, or none.
static uint8_t octants_of_box(const imp_Triangle *t, const impi_Octants *octants, bool *is_within)
{
    static const uint8_t low_half[3] = {0x55, 0x33, 0x0F};
    uint8_t mask = 0xFF;
    *is_within = true;
    for (int axis = 0; axis < 3; ++axis) {
        const double *planes = octants->planes[axis];
        double a = coordinate(&t->v[0], axis), b = coordinate(&t->v[1], axis), c = coordinate(&t->v[2], axis);
        double low = a < b ? a : b, high = a < b ? b : a;
        low = c < low ? c : low;
        high = c > high ? c : high;
        bool meets_low =
            octants->is_open ? low < planes[1] && high > planes[0] : low <= planes[1] && high >= planes[0];
        bool meets_high =
            octants->is_open ? high > planes[1] && low < planes[2] : high >= planes[1] && low <= planes[2];
        mask &= (uint8_t)((meets_low ? low_half[axis] : 0) | (meets_high ? (uint8_t)~low_half[axis] : 0));
        // A triangle inside of the cell and in one octant's span along each axis is in that octant, unless it
        // lies in its boundary.
        *is_within &=
            octants->is_open ? low > planes[0] && high < planes[2] : low >= planes[0] && high <= planes[2];
    }
    return mask;
}

static void add_direction(Directions *directions, const double d[3], double a, double b, double error)
{
    directions->list[directions->count++] = (Direction){{d[0], d[1], d[2]},
                                                        {fabs(d[0]), fabs(d[1]), fabs(d[2])},
                                                        impi_smaller(a, b),
                                                        impi_larger(a, b),
                                                        error};
}

static void add_normal(Directions *directions, double p[3][3], double size)
{
    double e[3], f[3], n[3];
    for (int axis = 0; axis < 3; ++axis) {
        e[axis] = p[1][axis] - p[0][axis];
        f[axis] = p[2][axis] - p[0][axis];
    }
    n[0] = e[1] * f[2] - e[2] * f[1];
    n[1] = e[2] * f[0] - e[0] * f[2];
    n[2] = e[0] * f[1] - e[1] * f[0];
    double height = n[0] * p[0][0] + n[1] * p[0][1] + n[2] * p[0][2];
    add_direction(directions, n, height, height, IMPI_OCTANT_NORMAL_ERROR * size * size * size);
}

// Across an edge and an axis. The edge is one point along such a direction, and the apex the other end.
static void add_across(Directions *directions, double p[3][3], int from, int axis, double size)
{
    int to = (from + 1) % 3, apex = (from + 2) % 3, u = (axis + 1) % 3, v = (axis + 2) % 3;
    double d[3] = {0, 0, 0};
    d[u] = p[from][v] - p[to][v];
    d[v] = p[to][u] - p[from][u];
    double at_edge = d[u] * p[from][u] + d[v] * p[from][v];
    double at_apex = d[u] * p[apex][u] + d[v] * p[apex][v];
    add_direction(directions, d, at_edge, at_apex, IMPI_OCTANT_EDGE_ERROR * size * size);
}

static bool is_along_axis(const imp_Vec3 *a, const imp_Vec3 *b)
{
    return (a->x != b->x) + (a->y != b->y) + (a->z != b->z) <= 1;
}

static bool is_across_axis(const imp_Triangle *t)
{
    const imp_Vec3 *a = &t->v[0], *b = &t->v[1], *c = &t->v[2];
    return (a->x == b->x && a->x == c->x) || (a->y == b->y && a->y == c->y) || (a->z == b->z && a->z == c->z);
}

static void list_directions(const imp_Triangle *t, double p[3][3], double size, Directions *directions)
{
    if (!is_across_axis(t))
        add_normal(directions, p, size);
    for (int from = 0; from < 3; ++from)
        if (!is_along_axis(&t->v[from], &t->v[(from + 1) % 3]))
            for (int axis = 0; axis < 3; ++axis)
                add_across(directions, p, from, axis, size);
}

typedef enum Answer { MISSED, MET, UNKNOWN } Answer;

static Answer look(const Directions *directions, const impi_Octants *octants, unsigned octant)
{
    double center[3], half[3];
    Answer answer = MET;
    for (int axis = 0; axis < 3; ++axis) {
        center[axis] = octants->center[axis][octant >> axis & 1];
        half[axis] = octants->half[axis][octant >> axis & 1];
    }
    for (int i = 0; i < directions->count; ++i) {
        const Direction *d = &directions->list[i];
        double at = d->along[0] * center[0] + d->along[1] * center[1] + d->along[2] * center[2];
        double radius = d->size[0] * half[0] + d->size[1] * half[1] + d->size[2] * half[2];
        double gap = impi_larger(d->low - at, at - d->high) - radius;
        if (gap > d->error)
            return MISSED;
        answer = gap < -d->error ? answer : UNKNOWN;
    }
    return answer;
}

static bool meets(const imp_Triangle *t, const impi_Octants *octants, unsigned octant)
{
    unsigned x = octant & 1, y = octant >> 1 & 1, z = octant >> 2 & 1;
    const double *planes[3] = {octants->planes[0], octants->planes[1], octants->planes[2]};
    imp_Box box = {{planes[0][x], planes[1][y], planes[2][z]},
                   {planes[0][x + 1], planes[1][y + 1], planes[2][z + 1]}};
    return octants->is_open ? impi_triangle_enters_box(t, &box) : impi_triangle_touches_box(t, &box);
}

uint8_t impi_triangle_octants(const imp_Triangle *triangle, const impi_Octants *octants)
{
    bool is_within;
    uint8_t mask = octants_of_box(triangle, octants, &is_within);
    if (mask == 0 || ((mask & (mask - 1)) == 0 && is_within))
        return mask;
    double p[3][3], size = octants->extent;
    for (int i = 0; i < 3; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            p[i][axis] = coordinate(&triangle->v[i], axis) - octants->planes[axis][1];
            size = impi_larger(size, fabs(p[i][axis]));
        }
    }
    Directions directions;
    directions.count = 0;
    bool is_in_range = size > IMPI_OCTANT_MIN_SIZE && size < IMPI_OCTANT_MAX_SIZE;
    if (is_in_range)
        list_directions(triangle, p, size, &directions);
    uint8_t met = 0;
    for (unsigned left = mask; left; left &= left - 1) {
        unsigned octant = (unsigned)__builtin_ctz(left);
        Answer answer = is_in_range ? look(&directions, octants, octant) : UNKNOWN;
        bool is_met = answer == UNKNOWN ? meets(triangle, octants, octant) : answer == MET;
        met |= (uint8_t)(is_met << octant);
    }
    return met;
}
