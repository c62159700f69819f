// Smith & Kitamura 1994, section 4.2, as printed: the hull of a face's vertices at two instants, and all
// edges of one hull against all faces of the other. An edge whose ends lie on the same side of a face's plane
// ("Edge 1"), or which crosses the plane beside the face ("Edge 2"), is nothing; one that goes through the
// face ("Edge 3") is a collision.
//
// The paper makes hulls by a method for many points (Preparata & Shamos, chapter 3). Of six points, all
// triples are tried here: one is a face if no other point lies on one side of its plane. Signs are exact, and
// edges that merely touch a face count, so that what is missed is missed by the method and not by rounding.
#include "smith_swept_hull.h"

#include "geom/predicates.h"
#include "geom/touch.h"

#include <string.h>

static imp_Triangle triangle_of(const SmithHull *hull, const uint8_t corners[3])
{
    return (imp_Triangle){{hull->points[corners[0]], hull->points[corners[1]], hull->points[corners[2]]}};
}

static bool is_face(const SmithHull *hull, const uint8_t corners[3])
{
    bool has_above = false, has_below = false;
    imp_Triangle triangle = triangle_of(hull, corners);
    if (impi_triangle_is_degenerate(&triangle))
        return false;
    for (int i = 0; i < SMITH_HULL_POINTS; ++i) {
        if (i == corners[0] || i == corners[1] || i == corners[2])
            continue;
        int side = impi_orient3d(&triangle.v[0], &triangle.v[1], &triangle.v[2], &hull->points[i]);
        has_above |= side > 0;
        has_below |= side < 0;
    }
    return !(has_above && has_below);
}

// Which points have an edge between them, the lower number first.
typedef bool EdgeTable[SMITH_HULL_POINTS][SMITH_HULL_POINTS];

static void list_faces(SmithHull *hull, EdgeTable has_edge)
{
    for (uint8_t i = 0; i < SMITH_HULL_POINTS; ++i)
        for (uint8_t j = (uint8_t)(i + 1); j < SMITH_HULL_POINTS; ++j)
            for (uint8_t k = (uint8_t)(j + 1); k < SMITH_HULL_POINTS; ++k) {
                const uint8_t corners[3] = {i, j, k};
                if (!is_face(hull, corners))
                    continue;
                memcpy(hull->faces[hull->face_count++], corners, sizeof corners);
                has_edge[i][j] = has_edge[i][k] = has_edge[j][k] = true;
            }
}

SmithHull smith_hull_make(const imp_MovingTriangle *face)
{
    SmithHull hull = {.face_count = 0};
    EdgeTable has_edge = {{false}};
    for (int i = 0; i < 3; ++i) {
        hull.points[i] = face->begin.v[i];
        hull.points[3 + i] = face->end.v[i];
    }
    list_faces(&hull, has_edge);
    for (uint8_t i = 0; i < SMITH_HULL_POINTS; ++i)
        for (uint8_t j = (uint8_t)(i + 1); j < SMITH_HULL_POINTS; ++j)
            if (has_edge[i][j]) {
                hull.edges[hull.edge_count][0] = i;
                hull.edges[hull.edge_count++][1] = j;
            }
    return hull;
}

static bool edges_cross_faces(const SmithHull *a, const SmithHull *b)
{
    for (unsigned i = 0; i < a->edge_count; ++i)
        for (unsigned k = 0; k < b->face_count; ++k) {
            imp_Segment edge = {{a->points[a->edges[i][0]], a->points[a->edges[i][1]]}};
            imp_Triangle face = triangle_of(b, b->faces[k]);
            if (impi_segment_touches_triangle(&edge, &face))
                return true;
        }
    return false;
}

bool smith_hulls_cross(const SmithHull *a, const SmithHull *b)
{
    return edges_cross_faces(a, b) || edges_cross_faces(b, a);
}

bool smith_swept_faces_cross(const imp_MovingTriangle *a, const imp_MovingTriangle *b)
{
    SmithHull hull_a = smith_hull_make(a), hull_b = smith_hull_make(b);
    return smith_hulls_cross(&hull_a, &hull_b);
}
