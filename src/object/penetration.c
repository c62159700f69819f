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

// Make a tetrahedron out of what there is, adding points along the axes where corners lack.
static bool begin(impi_DirectionSearch *search, const impi_Simplex *start, Best *best, Polytope *polytope)
{
    static const imp_Vec3 axes[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    impi_Simplex simplex = *start;
    for (unsigned i = 0; i < 6 && simplex.count < 4; ++i) {
        look_towards(search, axes[i], best);
        bool is_new = true;
        for (unsigned k = 0; k < simplex.count; ++k)
            is_new &= !impi_is_equal(&simplex.points[k].d, &search->found.d);
        if (is_new)
            simplex.points[simplex.count++] = search->found;
    }
    if (simplex.count < 4)
        return false;
    for (unsigned i = 0; i < 4; ++i)
        polytope->points[i] = simplex.points[i].d;
    polytope->point_count = 4;
    polytope->face_count = 0;
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
        if (impi_dot(face->normal, point) <= face->distance) {
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
        if (!(reach - face.distance > ENOUGH * reach) || !grow(polytope, search->found.d))
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
