// Convexity of a mesh by a linear number of exact signs. Checked are:
//
// (1) every face has an area, every edge two faces that use it in opposite directions;
// (2) at every edge the faces bulge outward or lie side by side in a plane; some edge bulges;
// (3) a tetrahedron t, made of a face f and the far corner of its neighbour at an edge that bulges, lies on
// or
//     below the plane of every face, and every vertex lies on or below the plane of f;
// (4) one face only covers a certain point x of f, near a corner of it.
//
// Convexity at the edges (2) is not enough: a surface that goes around twice, turning about two of its
// vertices, has it too, and is even a topological sphere. Why (1) to (4) are enough: let o be the centre of
// t. It is strictly below the plane of every face, as a mean of corners that are not all in one plane. So,
// seen from o, no face is on edge or turned away, and (1) makes the view from o of the surface a covering of
// the sphere of directions, but for the directions of vertices: every other direction meets the same number k
// of faces. Take the direction of x. A face g that it meets, it meets in a point y; not before x, since x is
// on or below the plane of g by (3); and not behind x, since y is on or below the plane of f by (3). So y =
// x, g lies in the plane of f (the corners of f are on or below the plane of g and x, inside of f, is on it),
// and (4) says that k = 1. Hence a plane through o that meets no vertex cuts the surface in a polygon that
// goes around o once, seen from o every point of it once, with all turns to one side by (2): a convex
// polygon. Two points of the solid and o lie in such a plane, or in the limit of some, so the segment between
// them is in the solid.
#include "shape/convex_check.h"

#include "base/float_guard.h"
#include "geom/degenerate.h"

#include <assert.h>

typedef struct Check {
    imp_Context *context;
    const imp_Mesh *mesh;
    impi_HalfEdges edges;
    size_t convex_count, concave_count; // edges
    const impi_HalfEdge *convex_edge;   // the first one, with its partner behind it
    const impi_HalfEdge *concave_edge;
} Check;

static uint32_t corner(const Check *check, uint32_t face, unsigned i)
{
    return check->mesh->arrays.indices[3 * (size_t)face + i % 3];
}

static const imp_Vec3 *position(const Check *check, uint32_t vertex)
{
    return &check->mesh->arrays.vertices[vertex];
}

// Side of the plane of a face: 1 is outside.
static int side_of(const Check *check, uint32_t face, uint32_t vertex)
{
    return impi_orient3d(position(check, corner(check, face, 0)), position(check, corner(check, face, 1)),
                         position(check, corner(check, face, 2)), position(check, vertex));
}

// The corner that is not on the half-edge.
static uint32_t far_corner(const Check *check, const impi_HalfEdge *edge)
{
    return corner(check, edge->face, edge->side + 2u);
}

// The two vertices of an edge, as its first face names them.
typedef struct EdgeName {
    unsigned long from, to;
} EdgeName;

static EdgeName name_edge(const Check *check, const impi_HalfEdge *edge)
{
    return (EdgeName){corner(check, edge->face, edge->side), corner(check, edge->face, edge->side + 1u)};
}

static imp_Status check_faces(const Check *check)
{
    impi_Watch *watch = &check->context->watch;
    impi_watch_work(watch, "checking faces", check->mesh->arrays.triangle_count);
    for (size_t face = 0; face < check->mesh->arrays.triangle_count; ++face) {
        if (!impi_watch_item(watch, face))
            return impi_watch_status(check->context);
        imp_Triangle triangle = impi_mesh_triangle(check->mesh, face);
        impi_Axis ignored;
        if (!impi_triangle_plane(&triangle, &ignored))
            return impi_fail(check->context, IMP_STATUS_BAD_SHAPE, face, "face %zu has no area", face);
    }
    return IMP_STATUS_OK;
}

static imp_Status check_pairing(const Check *check, const impi_HalfEdge *edge, size_t use_count)
{
    EdgeName name = name_edge(check, edge);
    unsigned long face = edge->face;
    if (use_count == 1)
        return impi_fail(check->context, IMP_STATUS_BAD_SHAPE, face,
                         "edge %lu-%lu of face %lu has no neighbour", name.from, name.to, face);
    if (use_count > 2)
        return impi_fail(check->context, IMP_STATUS_BAD_SHAPE, face,
                         "edge %lu-%lu is in %zu faces, %lu and %lu among them", name.from, name.to,
                         use_count, face, (unsigned long)edge[1].face);
    if (edge[0].ascending == edge[1].ascending)
        return impi_fail(check->context, IMP_STATUS_BAD_SHAPE, face,
                         "faces %lu and %lu are turned to different sides at edge %lu-%lu", face,
                         (unsigned long)edge[1].face, name.from, name.to);
    return IMP_STATUS_OK;
}

// Two faces of one plane: does the second lie on the first, or beyond their edge?
static bool is_folded(const Check *check, const impi_HalfEdge *edge)
{
    imp_Triangle triangle = impi_mesh_triangle(check->mesh, edge[0].face);
    impi_Axis dropped;
    impi_triangle_plane(&triangle, &dropped);
    const imp_Vec3 *from = position(check, corner(check, edge[0].face, edge[0].side));
    const imp_Vec3 *to = position(check, corner(check, edge[0].face, edge[0].side + 1u));
    return impi_orient2d(from, to, position(check, far_corner(check, &edge[0])), dropped) ==
           impi_orient2d(from, to, position(check, far_corner(check, &edge[1])), dropped);
}

static imp_Status look_at_edge(Check *check, const impi_HalfEdge *edge, size_t use_count)
{
    imp_Status status = check_pairing(check, edge, use_count);
    if (status != IMP_STATUS_OK)
        return status;
    int side = side_of(check, edge[0].face, far_corner(check, &edge[1]));
    if (side == 0 && is_folded(check, edge)) {
        EdgeName name = name_edge(check, edge);
        return impi_fail(check->context, IMP_STATUS_BAD_SHAPE, edge->face,
                         "faces %lu and %lu lie on each other at edge %lu-%lu", (unsigned long)edge[0].face,
                         (unsigned long)edge[1].face, name.from, name.to);
    }
    if (side > 0 && check->concave_count++ == 0)
        check->concave_edge = edge;
    if (side < 0 && check->convex_count++ == 0)
        check->convex_edge = edge;
    return IMP_STATUS_OK;
}

static imp_Status check_edges(Check *check)
{
    imp_Status status = IMP_STATUS_OK;
    impi_watch_work(&check->context->watch, "checking edges", check->edges.count);
    for (size_t begin = 0, end, edge = 0; begin < check->edges.count && status == IMP_STATUS_OK;
         begin = end) {
        if (!impi_watch_item(&check->context->watch, edge++))
            return impi_watch_status(check->context);
        end = impi_half_edges_run_end(&check->edges, begin);
        status = look_at_edge(check, &check->edges.data[begin], end - begin);
    }
    if (status != IMP_STATUS_OK)
        return status;
    if (check->convex_count == 0)
        return impi_fail(check->context, IMP_STATUS_BAD_SHAPE, 0,
                         "the mesh is turned inward: every edge is concave or flat");
    if (check->concave_count > 0) {
        const impi_HalfEdge *edge = check->concave_edge;
        EdgeName name = name_edge(check, edge);
        return impi_fail(check->context, IMP_STATUS_BAD_SHAPE, edge->face,
                         "edge %lu-%lu between faces %lu and %lu is concave", name.from, name.to,
                         (unsigned long)edge[0].face, (unsigned long)edge[1].face);
    }
    return IMP_STATUS_OK;
}

static imp_Status check_components(const Check *check, const impi_Corners *corners)
{
    uint32_t *component_of_face = NULL;
    size_t count = 0;
    imp_Status status = impi_components_find(check->context, corners, &component_of_face, &count);
    if (status != IMP_STATUS_OK || count == 1)
        return status;
    size_t face = 0;
    while (component_of_face[face] == 0)
        ++face;
    return impi_fail(check->context, IMP_STATUS_BAD_SHAPE, face,
                     "the mesh has %zu components: faces 0 and %zu do not hang together", count, face);
}

static imp_Status fail_around(const Check *check, uint32_t face, uint32_t vertex)
{
    return impi_fail(check->context, IMP_STATUS_BAD_SHAPE, face,
                     "the mesh goes around more than once: vertex %lu lies outside of face %lu",
                     (unsigned long)vertex, (unsigned long)face);
}

static imp_Status check_sides(const Check *check)
{
    uint32_t base = check->convex_edge[0].face;
    uint32_t tetrahedron[4] = {corner(check, base, 0), corner(check, base, 1), corner(check, base, 2),
                               far_corner(check, &check->convex_edge[1])};
    impi_watch_work(&check->context->watch, "checking sides", check->mesh->arrays.triangle_count);
    for (uint32_t face = 0; face < check->mesh->arrays.triangle_count; ++face) {
        if (!impi_watch_item(&check->context->watch, face))
            return impi_watch_status(check->context);
        for (unsigned i = 0; i < 4; ++i)
            if (side_of(check, face, tetrahedron[i]) > 0)
                return fail_around(check, face, tetrahedron[i]);
        for (unsigned i = 0; i < 3; ++i)
            if (side_of(check, base, corner(check, face, i)) > 0)
                return fail_around(check, base, corner(check, face, i));
    }
    return IMP_STATUS_OK;
}

// Is the point a + e (b - a) + e^2 (c - a), e as small as need be, inside of a face of the same plane? It is
// on no line through vertices.
static bool covers_point_near_corner(const Check *check, uint32_t face, const imp_Triangle *abc,
                                     impi_Axis dropped, int outward)
{
    for (unsigned i = 0; i < 3; ++i) {
        const imp_Vec3 *from = position(check, corner(check, face, i));
        const imp_Vec3 *to = position(check, corner(check, face, i + 1));
        int side = impi_orient2d(from, to, &abc->v[0], dropped);
        if (side == 0)
            side = impi_orient2d(from, to, &abc->v[1], dropped);
        if (side == 0)
            side = impi_orient2d(from, to, &abc->v[2], dropped);
        if (side != outward)
            return false;
    }
    return true;
}

static imp_Status check_cover(const Check *check)
{
    uint32_t base = check->convex_edge[0].face;
    imp_Triangle abc = impi_mesh_triangle(check->mesh, base);
    impi_Axis dropped;
    impi_triangle_plane(&abc, &dropped);
    int outward = impi_orient2d(&abc.v[0], &abc.v[1], &abc.v[2], dropped);
    impi_watch_work(&check->context->watch, "checking cover", check->mesh->arrays.triangle_count);
    for (uint32_t face = 0; face < check->mesh->arrays.triangle_count; ++face) {
        if (!impi_watch_item(&check->context->watch, face))
            return impi_watch_status(check->context);
        bool coplanar = true;
        for (unsigned i = 0; i < 3 && coplanar; ++i)
            coplanar = side_of(check, base, corner(check, face, i)) == 0;
        if (face != base && coplanar && covers_point_near_corner(check, face, &abc, dropped, outward))
            return impi_fail(check->context, IMP_STATUS_BAD_SHAPE, face,
                             "the mesh goes around more than once: face %lu lies on face %lu",
                             (unsigned long)face, (unsigned long)base);
    }
    return IMP_STATUS_OK;
}

imp_Status impi_convex_check(imp_Context *context, const imp_Mesh *mesh, const impi_Corners *corners)
{
    assert(impi_float_mode_is_default(impi_float_mode_get()));
    assert(corners->triangle_count == mesh->arrays.triangle_count);
    Check check = {.context = context, .mesh = mesh};
    imp_Status status = check_faces(&check);
    if (status == IMP_STATUS_OK)
        status = impi_half_edges_sort(context, corners, &check.edges);
    if (status == IMP_STATUS_OK)
        status = check_components(&check, corners);
    if (status == IMP_STATUS_OK)
        status = check_edges(&check);
    if (status == IMP_STATUS_OK)
        status = check_sides(&check);
    if (status == IMP_STATUS_OK)
        status = check_cover(&check);
    return status;
}
