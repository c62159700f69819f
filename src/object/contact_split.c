#include "object/contact_split.h"

#include "geom/vector.h"

#include <math.h>

static imp_Vec3 between(imp_Vec3 from, imp_Vec3 to, double share)
{
    return impi_add_scaled(impi_scale(from, 1 - share), share, to);
}

// From the corner of this number to the next.
static int longest_edge(const imp_Vec3 *v)
{
    int longest = 0;
    double lengths[3];
    for (int i = 0; i < 3; ++i) {
        lengths[i] = impi_length(impi_subtract(v[(i + 1) % 3], v[i]));
        longest = lengths[i] > lengths[longest] ? i : longest;
    }
    return longest;
}

double impi_triangle_width(const imp_Triangle *triangle)
{
    const imp_Vec3 *v = triangle->v;
    int longest = longest_edge(v);
    imp_Vec3 along = impi_unit(impi_subtract(v[(longest + 1) % 3], v[longest]));
    return impi_length(impi_cross(along, impi_subtract(v[(longest + 2) % 3], v[longest])));
}

void impi_triangle_halve(const imp_Triangle *triangle, imp_Triangle parts[2])
{
    const imp_Vec3 *v = triangle->v;
    int longest = longest_edge(v);
    imp_Vec3 middle = between(v[longest], v[(longest + 1) % 3], 0.5);
    parts[0] = parts[1] = *triangle;
    parts[0].v[(longest + 1) % 3] = middle;
    parts[1].v[longest] = middle;
}

// How far the corners lie beyond an edge of the face, along the face. Zeros for a degenerate one.
static void reach_beyond(const imp_Triangle *triangle, const imp_Triangle *face, int edge, double beyond[3])
{
    const imp_Vec3 *f = face->v;
    imp_Vec3 along = impi_unit(impi_subtract(f[(edge + 1) % 3], f[edge]));
    imp_Vec3 normal = impi_unit(impi_cross(along, impi_unit(impi_subtract(f[(edge + 2) % 3], f[edge]))));
    imp_Vec3 out = impi_cross(along, normal);
    for (int i = 0; i < 3; ++i)
        beyond[i] = impi_dot(out, impi_subtract(triangle->v[i], f[edge]));
}

// How far corners reach beyond a plane, the farthest of them; 0 where it does not cut off more than `least`.
static double reach_of(const double beyond[3], double least)
{
    double high = fmax(fmax(beyond[0], beyond[1]), beyond[2]);
    double low = fmin(fmin(beyond[0], beyond[1]), beyond[2]);
    return high > least && -low > least ? high : 0;
}

static int cut_by(const imp_Triangle *triangle, const double beyond[3], imp_Triangle parts[IMPI_MAX_PARTS])
{
    const bool is_beyond[3] = {beyond[0] > 0, beyond[1] > 0, beyond[2] > 0};
    int lone = is_beyond[0] == is_beyond[1] ? 2 : is_beyond[0] == is_beyond[2] ? 1 : 0;
    imp_Vec3 tip = triangle->v[lone], next = triangle->v[(lone + 1) % 3], last = triangle->v[(lone + 2) % 3];
    imp_Vec3 to_next = between(tip, next, beyond[lone] / (beyond[lone] - beyond[(lone + 1) % 3]));
    imp_Vec3 to_last = between(tip, last, beyond[lone] / (beyond[lone] - beyond[(lone + 2) % 3]));
    parts[0] = (imp_Triangle){{tip, to_next, to_last}};
    parts[1] = (imp_Triangle){{to_next, next, last}};
    parts[2] = (imp_Triangle){{to_next, last, to_last}};
    return 3;
}

int impi_triangle_cut_across(const imp_Triangle *triangle, imp_Triangle parts[IMPI_MAX_PARTS])
{
    const imp_Vec3 *v = triangle->v;
    int longest = longest_edge(v), next = (longest + 1) % 3, last = (longest + 2) % 3;
    imp_Vec3 edge = impi_subtract(v[next], v[longest]);
    double half = impi_length(edge) / 2, beyond[3];
    beyond[longest] = -half;
    beyond[next] = half;
    beyond[last] = impi_dot(impi_unit(edge), impi_subtract(v[last], v[longest])) - half;
    return cut_by(triangle, beyond, parts);
}

int impi_triangle_cut(const imp_Triangle *triangle, const imp_Triangle *face, double least,
                      imp_Triangle parts[IMPI_MAX_PARTS])
{
    double beyond[3][3], most = 0;
    int best = 0;
    for (int edge = 0; edge < 3; ++edge) {
        reach_beyond(triangle, face, edge, beyond[edge]);
        double reach = reach_of(beyond[edge], least);
        if (reach > most) {
            most = reach;
            best = edge;
        }
    }
    return most > 0 ? cut_by(triangle, beyond[best], parts) : 0;
}

int impi_triangle_cut_along(const imp_Triangle *triangle, const imp_Vec3 ends[2], imp_Vec3 normal,
                            double least, imp_Triangle parts[IMPI_MAX_PARTS])
{
    imp_Vec3 out = impi_cross(impi_unit(impi_subtract(ends[1], ends[0])), normal);
    double beyond[3];
    for (int i = 0; i < 3; ++i)
        beyond[i] = impi_dot(out, impi_subtract(triangle->v[i], ends[0]));
    return reach_of(beyond, least) > 0 ? cut_by(triangle, beyond, parts) : 0;
}

static imp_Vec2 seen_from(imp_Vec3 point, imp_Vec3 from, impi_Axis dropped, double scale)
{
    imp_Vec3 step = impi_scale(impi_subtract(point, from), scale);
    return impi_project(&step, dropped);
}

// Seen from the line a, b, how far points lie to the left and to the right.
typedef struct Sides {
    double low, high;
} Sides;

static Sides sides_of(imp_Vec2 a, imp_Vec2 b, const imp_Vec2 *points, int count)
{
    Sides sides = {INFINITY, -INFINITY};
    for (int i = 0; i < count; ++i) {
        double side = (b.x - a.x) * (points[i].y - a.y) - (b.y - a.y) * (points[i].x - a.x);
        sides.low = fmin(sides.low, side);
        sides.high = fmax(sides.high, side);
    }
    return sides;
}

static double distance_of(imp_Vec2 a, imp_Vec2 b)
{
    return sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
}

// Lines along an edge keep triangle and points apart, up to the margin on the side of the edge itself; in a
// triangle that is not much wider than the margin, it has to be between them there too.
static bool edge_parts(const imp_Vec2 *corners, int edge, const imp_Vec2 *points, int count, double margin)
{
    imp_Vec2 a = corners[edge], b = corners[(edge + 1) % 3];
    double reach = margin * distance_of(a, b);
    Sides inner = sides_of(a, b, corners, 3), outer = sides_of(a, b, points, count);
    double allowed = inner.high - inner.low < 4 * reach ? reach : -reach;
    bool is_left = inner.high >= -inner.low; // the triangle is on one side of its own edge
    return is_left ? outer.high < -allowed || outer.low > inner.high + reach
                   : outer.low > allowed || outer.high < inner.low - reach;
}

bool impi_may_be_cut(const imp_Triangle *triangle, const imp_Vec3 ends[2], impi_Axis dropped, double margin)
{
    imp_Vec2 corners[3], segment[2];
    double scale = impi_unit_power(impi_longest(impi_subtract(ends[0], triangle->v[0])) +
                                   impi_longest(impi_subtract(triangle->v[1], triangle->v[0])));
    for (int i = 0; i < 3; ++i)
        corners[i] = seen_from(triangle->v[i], triangle->v[0], dropped, scale);
    for (int i = 0; i < 2; ++i)
        segment[i] = seen_from(ends[i], triangle->v[0], dropped, scale);
    margin *= scale;
    for (int i = 0; i < 3; ++i)
        if (edge_parts(corners, i, segment, 2, margin))
            return false;
    Sides sides = sides_of(segment[0], segment[1], corners, 3);
    double reach = margin * distance_of(segment[0], segment[1]);
    // A needle along the segment may reach beyond its ends, to either side of the curve.
    if (sides.high - sides.low < 4 * reach)
        return sides.low <= reach && sides.high >= -reach;
    return sides.low <= -reach && sides.high >= reach;
}

bool impi_may_overlap(const imp_Triangle *triangle, const imp_Triangle *other, impi_Axis dropped,
                      double margin)
{
    imp_Vec2 corners[3], points[3];
    double size = 0;
    for (int i = 0; i < 3; ++i)
        size = fmax(size, fmax(impi_longest(impi_subtract(triangle->v[i], triangle->v[0])),
                               impi_longest(impi_subtract(other->v[i], triangle->v[0]))));
    double scale = impi_unit_power(size);
    for (int i = 0; i < 3; ++i) {
        corners[i] = seen_from(triangle->v[i], triangle->v[0], dropped, scale);
        points[i] = seen_from(other->v[i], triangle->v[0], dropped, scale);
    }
    for (int i = 0; i < 3; ++i)
        if (edge_parts(corners, i, points, 3, margin * scale) ||
            edge_parts(points, i, corners, 3, margin * scale))
            return false;
    return true;
}

impi_Axis impi_widest_view(imp_Vec3 normal)
{
    double most = impi_longest(normal);
    return fabs(normal.x) == most ? IMPI_AXIS_X : fabs(normal.y) == most ? IMPI_AXIS_Y : IMPI_AXIS_Z;
}
