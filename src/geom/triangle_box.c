// Does a closed triangle meet a closed box, or an open one? Exact, for triangles and boxes of any degeneracy.
//
// Two convex polyhedra that do not meet are separated by a plane parallel to a face of one of them or to
// an edge of each (Akenine-Moeller 2001 uses the same 13 directions). Here each is decided by signs on given
// coordinates: faces of the box by comparing coordinates, the triangle's plane by orient3d of two corners
// of the box, and an axis of the box with an edge of the triangle by orient2d in the projection along that
// axis.
//
// Closed shapes are parted by a plane that neither touches. An open box and what it does not hold are parted
// by one that the triangle may touch, and the box's boundary too; but then a direction must be one: a
// triangle without an area has no plane, and an edge along the axis no direction across it.
#include "geom/predicates.h"
#include "geom/touch.h"

static double coordinate(const imp_Vec3 *v, int axis)
{
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

// Which boxes are meant. Signs are told as they are for closed ones; for an open one zero parts, too.
typedef enum Sense { CLOSED_BOX, OPEN_BOX } Sense;

static bool is_beyond(int sign, Sense sense)
{
    return sense == OPEN_BOX ? sign >= 0 : sign > 0;
}

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static bool boxes_apart(const imp_Triangle *t, const imp_Box *box, Sense sense)
{
    for (int axis = 0; axis < 3; ++axis) {
        double low = coordinate(&box->min, axis), high = coordinate(&box->max, axis);
        int below = 0, above = 0;
        for (int i = 0; i < 3; ++i) {
            below += is_beyond(compare(low, coordinate(&t->v[i], axis)), sense);
            above += is_beyond(compare(coordinate(&t->v[i], axis), high), sense);
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
static bool plane_misses(const imp_Triangle *t, const imp_Box *box, Sense sense)
{
    const imp_Vec3 *a = &t->v[0], *b = &t->v[1], *c = &t->v[2];
    int x = impi_orient2d(a, b, c, IMPI_AXIS_X);
    int y = impi_orient2d(a, b, c, IMPI_AXIS_Y);
    int z = impi_orient2d(a, b, c, IMPI_AXIS_Z);
    if (x == 0 && y == 0 && z == 0)
        return false;
    imp_Vec3 farthest = corner(box, x > 0, y > 0, z > 0), nearest = corner(box, x <= 0, y <= 0, z <= 0);
    return is_beyond(-impi_orient3d(a, b, c, &farthest), sense) ||
           is_beyond(impi_orient3d(a, b, c, &nearest), sense);
}

// Seen along `axis`, is the box on the side of the line from-to on which `apex` is not?
// The area of from, to, corner grows with the corner's coordinates as the edge's direction says.
static bool edge_separates(const imp_Vec3 *from, const imp_Vec3 *to, const imp_Vec3 *apex, const imp_Box *box,
                           impi_Axis axis, Sense sense)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    bool high[3] = {false, false, false};
    if (coordinate(to, u) == coordinate(from, u) && coordinate(to, v) == coordinate(from, v))
        return false;
    high[u] = coordinate(to, v) < coordinate(from, v);
    high[v] = coordinate(to, u) > coordinate(from, u);
    int apex_side = impi_orient2d(from, to, apex, axis);
    imp_Vec3 leftmost = corner(box, high[0], high[1], high[2]);
    imp_Vec3 rightmost = corner(box, !high[0], !high[1], !high[2]);
    return (apex_side >= 0 && is_beyond(-impi_orient2d(from, to, &leftmost, axis), sense)) ||
           (apex_side <= 0 && is_beyond(impi_orient2d(from, to, &rightmost, axis), sense));
}

static bool are_apart(const imp_Triangle *triangle, const imp_Box *box, Sense sense)
{
    const imp_Vec3 *t = triangle->v;
    if (boxes_apart(triangle, box, sense) || plane_misses(triangle, box, sense))
        return true;
    for (impi_Axis axis = IMPI_AXIS_X; axis <= IMPI_AXIS_Z; ++axis) {
        for (int i = 0; i < 3; ++i) {
            if (edge_separates(&t[i], &t[(i + 1) % 3], &t[(i + 2) % 3], box, axis, sense))
                return true;
        }
    }
    return false;
}

bool impi_triangle_touches_box(const imp_Triangle *triangle, const imp_Box *box)
{
    return !are_apart(triangle, box, CLOSED_BOX);
}

bool impi_triangle_enters_box(const imp_Triangle *triangle, const imp_Box *box)
{
    return !are_apart(triangle, box, OPEN_BOX);
}
