// The nearest point of a triangle is found as in Ericson, "Real-Time Collision Detection" (2005), 5.1.5, as
// weights of the corners. Departs from it in that nothing hangs on the weights being right: they are made
// non-negative with a sum near 1, so that the point is one of the triangle up to rounding and its distance
// is an upper bound; and the corners, seen along any direction, give a lower bound.
//
// Over the tree, groups of eight boxes are visited nearest first; boxes that are farther than the best upper
// bound so far are left out. Cost: for a surface of 70,000 faces some three blocks are looked at.
#include "object/point_distance.h"

#include "geom/scalar.h"
#include "geom/vector.h"

#include <float.h>
#include <math.h>

// Corners less the point and times the scale are off by u of themselves, u = 2^-53; dot products and weights
// bring some ten more. And a share of the unit for what underflow may take.
#define ROUNDING  (32 * 0x1p-53)
#define UNDERFLOW 0x1p-490

double impi_distance_scale(const imp_Box *a, const imp_Box *b)
{
    return impi_unit_power(impi_larger(impi_larger(impi_longest(a->min), impi_longest(a->max)),
                                       impi_larger(impi_longest(b->min), impi_longest(b->max))));
}

// Corners of a triangle as seen from the point, scaled.
typedef struct Seen {
    imp_Vec3 v[3];
} Seen;

static imp_Vec3 see(imp_Vec3 corner, imp_Vec3 scaled_point, double scale)
{
    return impi_subtract(impi_scale(corner, scale), scaled_point);
}

static Seen see_triangle(const imp_Triangle *triangle, imp_Vec3 scaled_point, double scale)
{
    const imp_Vec3 *v = triangle->v;
    return (Seen){
        {see(v[0], scaled_point, scale), see(v[1], scaled_point, scale), see(v[2], scaled_point, scale)}};
}

static imp_Vec3 blend(const Seen *seen, double a, double b, double c)
{
    const imp_Vec3 *v = seen->v;
    return (imp_Vec3){(a * v[0].x + b * v[1].x) + c * v[2].x, (a * v[0].y + b * v[1].y) + c * v[2].y,
                      (a * v[0].z + b * v[1].z) + c * v[2].z};
}

static double share_of(double part, double rest)
{
    double whole = part + rest;
    double share = whole > 0 ? part / whole : 0;
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

// The nearest point to the origin.
static imp_Vec3 nearest_point(const Seen *seen)
{
    const imp_Vec3 *a = &seen->v[0], *b = &seen->v[1], *c = &seen->v[2];
    imp_Vec3 ab = impi_subtract(*b, *a), ac = impi_subtract(*c, *a);
    double d1 = -impi_dot(ab, *a), d2 = -impi_dot(ac, *a);
    if (d1 <= 0 && d2 <= 0)
        return *a;
    double d3 = -impi_dot(ab, *b), d4 = -impi_dot(ac, *b);
    if (d3 >= 0 && d4 <= d3)
        return *b;
    double over_c = d1 * d4 - d3 * d2;
    if (over_c <= 0 && d1 >= 0 && d3 <= 0) {
        double t = share_of(d1, -d3);
        return blend(seen, 1 - t, t, 0);
    }
    double d5 = -impi_dot(ab, *c), d6 = -impi_dot(ac, *c);
    if (d6 >= 0 && d5 <= d6)
        return *c;
    double over_b = d5 * d2 - d1 * d6;
    if (over_b <= 0 && d2 >= 0 && d6 <= 0) {
        double t = share_of(d2, -d6);
        return blend(seen, 1 - t, 0, t);
    }
    double over_a = d3 * d6 - d5 * d4;
    if (over_a <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        double t = share_of(d4 - d3, d5 - d6);
        return blend(seen, 0, 1 - t, t);
    }
    double t = share_of(over_b, over_a + over_c), s = share_of(over_c, over_a + over_b);
    s = s > 1 - t ? 1 - t : s;
    return blend(seen, (1 - t) - s, t, s);
}

static double size_of(imp_Vec3 v)
{
    return (fabs(v.x) + fabs(v.y)) + fabs(v.z);
}

// Bounds in the scaled frame.
typedef struct Bounds {
    double lower, upper;
} Bounds;

// Seen along a direction, how far is the nearest corner? The triangle is not nearer.
static double nearest_along(const Seen *seen, imp_Vec3 direction)
{
    const imp_Vec3 *v = seen->v;
    double length = sqrt(impi_dot(direction, direction));
    double least = impi_smaller(impi_smaller(impi_dot(v[0], direction), impi_dot(v[1], direction)),
                                impi_dot(v[2], direction));
    return length > UNDERFLOW ? least / length : 0;
}

// The direction to the nearest point is rounded, and where that is much nearer than the corners are, it is
// turned away by that so far that corners seem near. Square to the face, or to the edge that the nearest
// point is on, it is turned by next to nothing.
static double nearest_along_square(const Seen *seen, imp_Vec3 nearest)
{
    const imp_Vec3 *v = seen->v;
    imp_Vec3 normal =
        impi_unit(impi_cross(impi_unit(impi_subtract(v[1], v[0])), impi_unit(impi_subtract(v[2], v[0]))));
    double most = nearest_along(seen, impi_dot(normal, nearest) < 0 ? impi_scale(normal, -1) : normal);
    for (int i = 0; i < 3; ++i) {
        imp_Vec3 edge = impi_unit(impi_subtract(v[(i + 1) % 3], v[i]));
        most =
            impi_larger(nearest_along(seen, impi_add_scaled(nearest, -impi_dot(nearest, edge), edge)), most);
    }
    return most;
}

#define CLOSE_ENOUGH 0.9999

static Bounds bound(const Seen *seen)
{
    imp_Vec3 nearest = nearest_point(seen);
    double length = sqrt(impi_dot(nearest, nearest));
    double most = impi_larger(impi_larger(size_of(seen->v[0]), size_of(seen->v[1])), size_of(seen->v[2]));
    double slack = ROUNDING * most + UNDERFLOW, least = 0;
    if (length > UNDERFLOW) {
        least = nearest_along(seen, nearest);
        if (least < CLOSE_ENOUGH * length)
            least = impi_larger(least, nearest_along_square(seen, nearest));
    }
    return (Bounds){impi_larger(least - slack, 0), length + slack};
}

// Divided by the scale; what the least doubles cannot hold is rounded down, or up.
static impi_PointDistance in_the_world(Bounds bounds, double scale, impi_BlockFace face)
{
    double lower = bounds.lower / scale, upper = bounds.upper / scale;
    return (impi_PointDistance){lower < DBL_MIN ? 0 : lower, upper < DBL_MIN ? DBL_MIN : upper, face};
}

impi_PointDistance impi_triangle_point_distance(const imp_Triangle *triangle, imp_Vec3 point, double scale)
{
    imp_Vec3 scaled = impi_scale(point, scale);
    Seen seen = see_triangle(triangle, scaled, scale);
    Bounds bounds = bound(&seen);
    return in_the_world(bounds, scale, 0);
}

// ---- the tree

typedef struct Search {
    const impi_Surface *surface;
    imp_Vec3 point; // scaled
    double scale;
    Bounds best;
    impi_BlockFace face;
} Search;

static double axis_gap(double low, double high)
{
    return low > 0 ? low : high < 0 ? -high : 0;
}

static bool may_be_nearer(const Seen *seen, double best)
{
    const imp_Vec3 *a = &seen->v[0], *b = &seen->v[1], *c = &seen->v[2];
    double x =
        axis_gap(impi_smaller(impi_smaller(a->x, b->x), c->x), impi_larger(impi_larger(a->x, b->x), c->x));
    double y =
        axis_gap(impi_smaller(impi_smaller(a->y, b->y), c->y), impi_larger(impi_larger(a->y, b->y), c->y));
    double z =
        axis_gap(impi_smaller(impi_smaller(a->z, b->z), c->z), impi_larger(impi_larger(a->z, b->z), c->z));
    return (x * x + y * y) + z * z <= best * best * (1 + ROUNDING);
}

static void look_at_seen(Search *search, const Seen *seen, impi_BlockFace face)
{
    if (!may_be_nearer(seen, search->best.upper))
        return;
    Bounds bounds = bound(seen);
    if (bounds.upper < search->best.upper || (bounds.upper == search->best.upper && face < search->face)) {
        search->best.upper = bounds.upper;
        search->face = face;
    }
    search->best.lower = impi_smaller(search->best.lower, bounds.lower);
}

static void look_at_face(Search *search, impi_BlockFace face)
{
    imp_Triangle triangle = impi_surface_triangle(search->surface, face);
    Seen seen = see_triangle(&triangle, search->point, search->scale);
    look_at_seen(search, &seen, face);
}

static double square_gap(const Search *search, const impi_BoxLanes *group, unsigned lane)
{
    const double point[3] = {search->point.x, search->point.y, search->point.z};
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double gap = axis_gap(group->min[axis][lane] * search->scale - point[axis],
                              group->max[axis][lane] * search->scale - point[axis]);
        sum += gap * gap;
    }
    return sum;
}

static bool is_near_enough(const Search *search, double square)
{
    return square <= search->best.upper * search->best.upper * (1 + ROUNDING);
}

// Boxes of a group, nearest first; lanes beyond the last box are NaN.
static unsigned sort_lanes(const Search *search, const impi_BoxLanes *group, double *squares, unsigned *lanes)
{
    unsigned count = 0;
    for (unsigned lane = 0; lane < IMPI_GROUP_SIZE; ++lane) {
        double square = square_gap(search, group, lane);
        if (isnan(group->min[0][lane]) || !is_near_enough(search, square))
            continue;
        unsigned k = count++;
        for (; k > 0 && squares[k - 1] > square; --k) {
            squares[k] = squares[k - 1];
            lanes[k] = lanes[k - 1];
        }
        squares[k] = square;
        lanes[k] = lane;
    }
    return count;
}

// Each vertex is seen once, however many faces have it.
static void look_at_block(Search *search, uint32_t number)
{
    const impi_FaceBlock *block = &search->surface->blocks->blocks[number];
    const imp_Vec3 *vertices = search->surface->vertices + block->first_vertex;
    imp_Vec3 seen[3 * IMPI_BLOCK_FACES];
    for (unsigned i = 0; i < block->vertex_count; ++i)
        seen[i] = see(vertices[i], search->point, search->scale);
    for (unsigned i = 0; i < block->face_count; ++i) {
        Seen face = {{seen[block->corners[0][i]], seen[block->corners[1][i]], seen[block->corners[2][i]]}};
        look_at_seen(search, &face, impi_block_face(number, i));
    }
}

// As deep as the tree has levels, at most IMPI_BLOCK_TREE_LEVELS.
static void look_at_group(Search *search, unsigned level, size_t number)
{
    double squares[IMPI_GROUP_SIZE];
    unsigned lanes[IMPI_GROUP_SIZE];
    unsigned count = sort_lanes(search, &search->surface->tree.levels[level][number], squares, lanes);
    for (unsigned i = 0; i < count && is_near_enough(search, squares[i]); ++i) {
        size_t below = number * IMPI_GROUP_SIZE + lanes[i];
        if (level == 0)
            look_at_block(search, (uint32_t)below);
        else
            look_at_group(search, level - 1, below);
    }
}

impi_PointDistance impi_surface_point_distance(const impi_Surface *surface, imp_Vec3 point, double scale,
                                               impi_BlockFace hint)
{
    Search search = {.surface = surface,
                     .point = impi_scale(point, scale),
                     .scale = scale,
                     .best = {INFINITY, INFINITY},
                     .face = IMPI_NO_BLOCK_FACE};
    if (hint != IMPI_NO_BLOCK_FACE)
        look_at_face(&search, hint);
    look_at_group(&search, surface->tree.level_count - 1, 0);
    return in_the_world(search.best, scale, search.face);
}
