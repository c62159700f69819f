// What two triangles have in common is a point, a segment or a polygon, and its corners are where two parts
// meet in a single point: a vertex with anything, two edges that cross, an edge that goes through a face.
// Only signs are asked for.
#include "geom/common_parts.h"

#include "geom/degenerate.h"
#include "geom/predicates.h"
#include "geom/vector.h"

#include <assert.h>

static const impi_Axis axes[3] = {IMPI_AXIS_X, IMPI_AXIS_Y, IMPI_AXIS_Z};

typedef struct Pair {
    const imp_Triangle *triangles[2];
} Pair;

static const imp_Vec3 *vertex_of(const Pair *pair, int side, int corner)
{
    return &pair->triangles[side]->v[corner % 3];
}

// Inside an edge, without its ends: on its line, and in the order of points along it between the ends.
static bool is_inside_edge(const imp_Vec3 *p, const imp_Vec3 *begin, const imp_Vec3 *end)
{
    bool ascends = impi_is_before(begin, p) && impi_is_before(p, end);
    if (!ascends && !(impi_is_before(end, p) && impi_is_before(p, begin)))
        return false;
    for (int i = 0; i < 3; ++i)
        if (impi_orient2d(begin, end, p, axes[i]) != 0)
            return false;
    return true;
}

static bool is_inside_face(const imp_Vec3 *p, const imp_Triangle *face)
{
    impi_Axis dropped;
    const imp_Vec3 *v = face->v;
    if (impi_orient3d(&v[0], &v[1], &v[2], p) != 0 || !impi_triangle_plane(face, &dropped))
        return false;
    int turn = impi_orient2d(&v[0], &v[1], p, dropped);
    return turn != 0 && impi_orient2d(&v[1], &v[2], p, dropped) == turn &&
           impi_orient2d(&v[2], &v[0], p, dropped) == turn;
}

// In one plane, and each crosses the other's line where that does not look like a point.
static bool edges_cross(const imp_Vec3 *a, const imp_Vec3 *end_a, const imp_Vec3 *b, const imp_Vec3 *end_b)
{
    if (impi_orient3d(a, end_a, b, end_b) != 0)
        return false;
    for (int i = 0; i < 3; ++i)
        if (impi_orient2d(a, end_a, b, axes[i]) * impi_orient2d(a, end_a, end_b, axes[i]) < 0 &&
            impi_orient2d(b, end_b, a, axes[i]) * impi_orient2d(b, end_b, end_a, axes[i]) < 0)
            return true;
    return false;
}

static bool edge_crosses_face(const imp_Vec3 *begin, const imp_Vec3 *end, const imp_Triangle *face)
{
    const imp_Vec3 *v = face->v;
    if (impi_orient3d(&v[0], &v[1], &v[2], begin) * impi_orient3d(&v[0], &v[1], &v[2], end) >= 0)
        return false;
    int turn = impi_orient3d(begin, end, &v[0], &v[1]);
    return turn != 0 && impi_orient3d(begin, end, &v[1], &v[2]) == turn &&
           impi_orient3d(begin, end, &v[2], &v[0]) == turn;
}

static bool meet(const void *context, const impi_PartPair *parts)
{
    const Pair *pair = context;
    int side = parts->of[0].feature <= parts->of[1].feature ? 0 : 1, other = 1 - side;
    impi_Part lesser = parts->of[side], larger = parts->of[other];
    const imp_Vec3 *p = vertex_of(pair, side, lesser.corner),
                   *p_end = vertex_of(pair, side, lesser.corner + 1);
    const imp_Vec3 *q = vertex_of(pair, other, larger.corner),
                   *q_end = vertex_of(pair, other, larger.corner + 1);
    if (lesser.feature == IMP_FEATURE_VERTEX)
        return larger.feature == IMP_FEATURE_VERTEX ? impi_is_equal(p, q)
               : larger.feature == IMP_FEATURE_EDGE ? is_inside_edge(p, q, q_end)
                                                    : is_inside_face(p, pair->triangles[other]);
    return larger.feature == IMP_FEATURE_EDGE ? edges_cross(p, p_end, q, q_end)
                                              : edge_crosses_face(p, p_end, pair->triangles[other]);
}

impi_PartPair impi_common_parts(const imp_Triangle *a, const imp_Triangle *b)
{
    Pair pair = {{a, b}};
    impi_PartPair chosen = {{{IMP_FEATURE_VERTEX, 0}, {IMP_FEATURE_VERTEX, 0}}};
    bool found = impi_choose_parts(a, b, meet, &pair, &chosen);
    assert(found); // or they do not touch
    (void)found;
    return chosen;
}
