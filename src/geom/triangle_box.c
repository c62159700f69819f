// Does a closed triangle meet a closed box? Exact, for triangles and boxes of any degeneracy.
//
// Two convex polyhedra that do not meet are separated by a plane parallel to a face of one of them or to
// an edge of each (Akenine-Moeller 2001 uses the same 13 directions). Here each is decided by signs on given
// coordinates: faces of the box by comparing coordinates, the triangle's plane by orient3d of two corners
// of the box, and an axis of the box with an edge of the triangle by orient2d in the projection along that
// axis.
#include "geom/predicates.h"
#include "geom/touch.h"

static double coordinate(const imp_Vec3 *v, int axis)
{
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

static bool boxes_apart(const imp_Triangle *t, const imp_Box *box)
{
    for (int axis = 0; axis < 3; ++axis) {
        double low = coordinate(&box->min, axis), high = coordinate(&box->max, axis);
        int below = 0, above = 0;
        for (int i = 0; i < 3; ++i) {
            below += coordinate(&t->v[i], axis) < low;
            above += coordinate(&t->v[i], axis) > high;
        }
        if (below == 3 || above == 3)
            return true;
    }
    return false;
}

static imp_Vec3 corner(const imp_Box *box, bool high_x, bool high_y, bool high_z)
{
    return (imp_Vec3){high_x ? box->max.x : box->min.x, high_y ? box->max.y : box->min.y,
                      high_z ? box->max.z : box->min.z};
}

// The corners farthest along the normal and against it tell whether the plane passes between them.
static bool plane_misses(const imp_Triangle *t, const imp_Box *box)
{
    const imp_Vec3 *a = &t->v[0], *b = &t->v[1], *c = &t->v[2];
    bool x = impi_orient2d(a, b, c, IMPI_AXIS_X) > 0;
    bool y = impi_orient2d(a, b, c, IMPI_AXIS_Y) > 0;
    bool z = impi_orient2d(a, b, c, IMPI_AXIS_Z) > 0;
    imp_Vec3 farthest = corner(box, x, y, z), nearest = corner(box, !x, !y, !z);
    return impi_orient3d(a, b, c, &farthest) < 0 || impi_orient3d(a, b, c, &nearest) > 0;
}

// Seen along `axis`, is the box strictly on the side of the line from-to on which `apex` is not?
// The area of from, to, corner grows with the corner's coordinates as the edge's direction says.
static bool edge_separates(const imp_Vec3 *from, const imp_Vec3 *to, const imp_Vec3 *apex, const imp_Box *box,
                           impi_Axis axis)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    bool high[3] = {false, false, false};
    high[u] = coordinate(to, v) < coordinate(from, v);
    high[v] = coordinate(to, u) > coordinate(from, u);
    int apex_side = impi_orient2d(from, to, apex, axis);
    imp_Vec3 leftmost = corner(box, high[0], high[1], high[2]);
    imp_Vec3 rightmost = corner(box, !high[0], !high[1], !high[2]);
    return (apex_side >= 0 && impi_orient2d(from, to, &leftmost, axis) < 0) ||
           (apex_side <= 0 && impi_orient2d(from, to, &rightmost, axis) > 0);
}

bool impi_triangle_touches_box(const imp_Triangle *triangle, const imp_Box *box)
{
    const imp_Vec3 *t = triangle->v;
    if (boxes_apart(triangle, box) || plane_misses(triangle, box))
        return false;
    for (impi_Axis axis = IMPI_AXIS_X; axis <= IMPI_AXIS_Z; ++axis) {
        for (int i = 0; i < 3; ++i) {
            if (edge_separates(&t[i], &t[(i + 1) % 3], &t[(i + 2) % 3], box, axis))
                return false;
        }
    }
    return true;
}
