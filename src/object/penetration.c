// The expanding polytope (van den Bergen 2001): a polytope of differences with the origin inside grows at its
// face nearest to the origin, until the bodies' difference reaches no farther there. Nothing here needs to be
// certain: any direction, with the overlap found along it, is a way to part the bodies, and the least is
// kept.
#include "object/penetration.h"

#include <assert.h>

#define MAX_POINTS (IMPI_MAX_PENETRATION_STEPS + 4)
#define MAX_FACES  (2 * MAX_POINTS)

// Growth by less than this part of the overlap is not worth another step.
#define ENOUGH 1e-6

// Nor is less than this part of the polytope's size, which may be rounding. Points as near to the plane of a
// face are taken to be above it: so a point in the plane of several faces replaces all of them, and leaves no
// new face on a line, as boxes face to face would.
#define FLAT 0x1p-42

typedef struct Face {
    uint8_t corners[3]; // counter-clockwise from outside
    imp_Vec3 normal;    // outward, of unit length
    double distance;    // of its plane from the origin
} Face;

typedef struct Edge {
    uint8_t from, to;
} Edge;

typedef struct Polytope {
    imp_Vec3 points[MAX_POINTS];
    unsigned point_count;
    Face faces[MAX_FACES];
    unsigned face_count;
    double size; // the largest coordinate
} Polytope;

// The least overlap so far.
typedef struct Best {
    imp_Vec3 direction;
    impi_Difference found;
    double gap, error, depth;
} Best;

static void keep_better(const impi_DirectionSearch *search, Best *best)
{
    double depth = -search->gap / sqrt(impi_dot(search->direction, search->direction));
    if (depth < best->depth)
        *best = (Best){search->direction, search->found, search->gap, search->error, depth};
}

// Look from the origin towards `direction`: the difference that reaches farthest there is found along the
// direction's opposite, because a gap is measured from a to b.
static bool look_towards(impi_DirectionSearch *search, imp_Vec3 direction, Best *best)
{
    if (!impi_search_aim(search, -direction.x, -direction.y, -direction.z))
        return false;
    impi_search_look_precisely(search);
    keep_better(search, best);
    return true;
}

// False when the three points are on a line.
static bool add_face(Polytope *polytope, uint8_t a, uint8_t b, uint8_t c)
{
    imp_Vec3 p = polytope->points[a];
    imp_Vec3 normal =
        impi_cross(impi_subtract(polytope->points[b], p), impi_subtract(polytope->points[c], p));
    double length = sqrt(impi_dot(normal, normal));
    if (!(length > DBL_MIN) || polytope->face_count == MAX_FACES)
        return false;
    normal = impi_scale(normal, 1 / length);
    polytope->faces[polytope->face_count++] = (Face){{a, b, c}, normal, impi_dot(normal, p)};
    return true;
}

static double volume(const imp_Vec3 *p)
{
    return impi_dot(impi_cross(impi_subtract(p[1], p[0]), impi_subtract(p[2], p[0])),
                    impi_subtract(p[3], p[0]));
}

// How well one more point spans the simplex: the length or area, squared, or volume it makes with the others.
static double span_with(const impi_Simplex *simplex, imp_Vec3 point)
{
    imp_Vec3 p[4] = {{0, 0, 0}};
    for (unsigned i = 0; i < simplex->count; ++i)
        p[i] = simplex->points[i].d;
    imp_Vec3 offset = impi_subtract(point, p[0]);
    if (simplex->count == 1)
        return impi_dot(offset, offset);
    imp_Vec3 normal = impi_cross(impi_subtract(p[1], p[0]), offset);
    p[3] = point;
    return simplex->count == 2 ? impi_dot(normal, normal) : fabs(volume(p));
}

// Where to look for one more point: along the axes, at right angles to a segment, or to a triangle.
static unsigned ways_out(const impi_Simplex *simplex, imp_Vec3 ways[3])
{
    static const imp_Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    imp_Vec3 base = simplex->points[0].d;
    if (simplex->count == 3) {
        ways[0] =
            impi_cross(impi_subtract(simplex->points[1].d, base), impi_subtract(simplex->points[2].d, base));
        return 1;
    }
    for (unsigned i = 0; i < 3; ++i)
        ways[i] =
            simplex->count == 1 ? axes[i] : impi_cross(impi_subtract(simplex->points[1].d, base), axes[i]);
    return 3;
}

// The point, seen both ways, that spans the simplex best. False when it stays flat.
static bool add_corner(impi_DirectionSearch *search, impi_Simplex *simplex, Best *best)
{
    imp_Vec3 ways[3];
    unsigned count = ways_out(simplex, ways);
    impi_Difference corner = {.is_rough = false};
    double widest = 0;
    for (unsigned i = 0; i < 2 * count; ++i) {
        imp_Vec3 way = impi_scale(ways[i / 2], i % 2 ? -1 : 1);
        if (!look_towards(search, way, best))
            continue;
        double span = span_with(simplex, search->found.d);
        if (span > widest) {
            widest = span;
            corner = search->found;
        }
    }
    if (!(widest > 0))
        return false;
    impi_simplex_add(simplex, &corner);
    return true;
}

static double size_of(const impi_Simplex *simplex)
{
    double size = 0;
    for (unsigned i = 0; i < simplex->count; ++i)
        size = impi_larger(impi_longest(simplex->points[i].d), size);
    return size;
}

// How far the origin is from the simplex, squared.
static double squared_distance(const impi_Simplex *simplex)
{
    impi_Simplex reduced = *simplex;
    double weights[IMPI_MAX_SIMPLEX];
    imp_Vec3 direction, nearest = {0, 0, 0};
    impi_simplex_reduce(&reduced, &direction);
    impi_simplex_weights(&reduced, weights);
    for (unsigned i = 0; i < reduced.count; ++i)
        nearest = impi_add_scaled(nearest, weights[i], reduced.points[i].d);
    return impi_dot(nearest, nearest);
}

// Do the points span less, up to rounding, than as many can?
static bool is_flat(const impi_Simplex *simplex)
{
    impi_Simplex others = *simplex;
    const impi_Difference *last = &simplex->points[--others.count];
    double size = size_of(simplex), span = span_with(&others, last->d);
    if (simplex->count == 4)
        return span <= FLAT * (size * size * size);
    return sqrt(span) <= FLAT * (simplex->count == 3 ? size * size : size);
}

// Four points in a plane, up to rounding, tell no inside from outside, and three on a line no normal. Leave
// one out, such that the others have the origin between them as before.
static void leave_one_out(impi_Simplex *simplex)
{
    double least = INFINITY;
    const impi_Simplex all = *simplex;
    for (unsigned left_out = 0; left_out < all.count; ++left_out) {
        impi_Simplex others = {.count = 0};
        for (unsigned i = 0; i < all.count; ++i)
            if (i != left_out)
                impi_simplex_add(&others, &all.points[i]);
        double distance = squared_distance(&others);
        if (left_out == 0 || distance < least) {
            least = distance;
            *simplex = others;
        }
    }
}

// Make a tetrahedron out of what there is, adding points where corners lack.
static bool begin(impi_DirectionSearch *search, const impi_Simplex *start, Best *best, Polytope *polytope)
{
    impi_Simplex simplex = *start;
    while (simplex.count > 1 && is_flat(&simplex))
        leave_one_out(&simplex);
    while (simplex.count < 4)
        if (!add_corner(search, &simplex, best))
            return false;
    for (unsigned i = 0; i < 4; ++i)
        polytope->points[i] = simplex.points[i].d;
    polytope->point_count = 4;
    polytope->face_count = 0;
    polytope->size = size_of(&simplex);
    if (volume(polytope->points) > 0) { // the fourth lies above the others
        imp_Vec3 kept = polytope->points[0];
        polytope->points[0] = polytope->points[1];
        polytope->points[1] = kept;
    }
    return add_face(polytope, 0, 1, 2) && add_face(polytope, 0, 3, 1) && add_face(polytope, 1, 3, 2) &&
           add_face(polytope, 2, 3, 0);
}

static unsigned nearest_face(const Polytope *polytope)
{
    unsigned nearest = 0;
    for (unsigned i = 1; i < polytope->face_count; ++i)
        if (polytope->faces[i].distance < polytope->faces[nearest].distance)
            nearest = i;
    return nearest;
}

// An edge that was there the other way round lies between two faces that go; else it is on the horizon.
static void toggle_edge(Edge *edges, unsigned *count, uint8_t from, uint8_t to)
{
    for (unsigned i = 0; i < *count; ++i) {
        if (edges[i].from == to && edges[i].to == from) {
            edges[i] = edges[--*count];
            return;
        }
    }
    edges[(*count)++] = (Edge){from, to};
}

// Replace the faces that see the point by new ones around it.
static bool grow(Polytope *polytope, imp_Vec3 point)
{
    Edge edges[3 * MAX_FACES];
    unsigned edge_count = 0;
    if (polytope->point_count == MAX_POINTS)
        return false;
    for (unsigned i = 0; i < polytope->face_count;) {
        const Face *face = &polytope->faces[i];
        if (impi_dot(face->normal, point) < face->distance - FLAT * polytope->size) {
            ++i;
            continue;
        }
        for (unsigned k = 0; k < 3; ++k)
            toggle_edge(edges, &edge_count, face->corners[k], face->corners[(k + 1) % 3]);
        polytope->faces[i] = polytope->faces[--polytope->face_count];
    }
    uint8_t number = (uint8_t)polytope->point_count++;
    polytope->points[number] = point;
    for (unsigned i = 0; i < edge_count; ++i)
        if (!add_face(polytope, edges[i].from, edges[i].to, number))
            return false;
    return polytope->face_count > 0;
}

static void expand(impi_DirectionSearch *search, Polytope *polytope, Best *best)
{
    for (unsigned step = 0; step < IMPI_MAX_PENETRATION_STEPS; ++step) {
        const Face face = polytope->faces[nearest_face(polytope)];
        if (!look_towards(search, face.normal, best))
            return;
        double reach = impi_dot(face.normal, search->found.d);
        double growth = reach - face.distance;
        if (!(growth > ENOUGH * reach && growth > FLAT * polytope->size) || !grow(polytope, search->found.d))
            return;
    }
}

void impi_find_penetration(impi_DirectionSearch *search, const impi_Simplex *start)
{
    assert(start->count > 0 && start->count <= IMPI_MAX_SIMPLEX);
    Polytope polytope;
    Best best = {.depth = INFINITY};
    impi_search_aim_at_centres(search);
    impi_search_look_precisely(search);
    keep_better(search, &best);
    if (begin(search, start, &best, &polytope))
        expand(search, &polytope, &best);
    search->direction = best.direction;
    search->found = best.found;
    search->gap = best.gap;
    search->error = best.error;
}
