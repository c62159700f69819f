// Fifteen exact signs tell everything but what lies in one plane: on which side of each triangle the other's
// vertices are, and on which side of each edge's line the other's edges pass. Only where one of them is 0 are
// signs in a plane looked at.
//
// Where the common segment begins: along d = (normal of a) x (normal of b) the upper side of b lies to the
// right in the plane of a. An edge of a, whose triangle lies to its left, that goes from the lower to the
// upper side has its triangle ahead along d: the segment begins there. For edges of b it is the other way
// round.
#include "geom/triangle_meeting.h"

#include "geom/degenerate.h"
#include "geom/exact_crossing.h"
#include "geom/predicates.h"
#include "geom/vector.h"

// One triangle, and what the other is to it.
typedef struct Side {
    const imp_Vec3 *v;
    int sign[3]; // of its vertices over the other's plane
    bool is_plane;
    impi_Axis dropped;
} Side;

static void add_corner(impi_Meeting *meeting, bool is_swapped, impi_Part one, impi_Part other, int direction)
{
    if (meeting->count < IMPI_MAX_MEETING_CORNERS)
        meeting->corners[meeting->count++] = is_swapped ? (impi_MeetingCorner){other, one, (int8_t)-direction}
                                                        : (impi_MeetingCorner){one, other, (int8_t)direction};
}

static bool is_strictly_between(double value, double low, double high)
{
    return (low < value && value < high) || (high < value && value < low);
}

// Inside of the segment, without its ends: on one line coordinates are monotone.
static bool lies_inside_segment(const imp_Vec3 *p, const imp_Vec3 *from, const imp_Vec3 *to)
{
    for (impi_Axis axis = IMPI_AXIS_X; axis <= IMPI_AXIS_Z; ++axis)
        if (impi_orient2d(from, to, p, axis) != 0)
            return false;
    return is_strictly_between(p->x, from->x, to->x) || is_strictly_between(p->y, from->y, to->y) ||
           is_strictly_between(p->z, from->z, to->z);
}

static bool lies_inside_face(const imp_Vec3 *p, const Side *face)
{
    if (!face->is_plane)
        return false;
    int turn = impi_orient2d(&face->v[0], &face->v[1], &face->v[2], face->dropped);
    for (int i = 0; i < 3; ++i)
        if (impi_orient2d(&face->v[i], &face->v[(i + 1) % 3], p, face->dropped) != turn)
            return false;
    return true;
}

// Vertices of `one` on `other`. Vertices that meet are found from one side only.
static void add_vertices(const Side *one, const Side *other, bool is_swapped, impi_Meeting *meeting)
{
    for (uint8_t i = 0; i < 3; ++i) {
        const impi_Part vertex = {IMPI_PART_VERTEX, i};
        bool is_vertex = false;
        if (one->sign[i] != 0)
            continue;
        for (uint8_t k = 0; k < 3; ++k)
            if (impi_is_equal(&one->v[i], &other->v[k])) {
                is_vertex = true;
                if (!is_swapped)
                    add_corner(meeting, false, vertex, (impi_Part){IMPI_PART_VERTEX, k}, 0);
            }
        for (uint8_t k = 0; k < 3 && !(is_vertex && other->is_plane); ++k)
            if (lies_inside_segment(&one->v[i], &other->v[k], &other->v[(k + 1) % 3]))
                add_corner(meeting, is_swapped, vertex, (impi_Part){IMPI_PART_EDGE, k}, 0);
        if (!is_vertex && lies_inside_face(&one->v[i], other))
            add_corner(meeting, is_swapped, vertex, (impi_Part){IMPI_PART_FACE, 0}, 0);
    }
}

// Two edges in one plane that cross inside of both.
static bool edges_cross(const imp_Vec3 *p, const imp_Vec3 *q, const imp_Vec3 *r, const imp_Vec3 *s)
{
    for (impi_Axis axis = IMPI_AXIS_X; axis <= IMPI_AXIS_Z; ++axis) {
        int r_side = impi_orient2d(p, q, r, axis), s_side = impi_orient2d(p, q, s, axis);
        int p_side = impi_orient2d(r, s, p, axis), q_side = impi_orient2d(r, s, q, axis);
        if (r_side || s_side || p_side || q_side)
            return r_side * s_side < 0 && p_side * q_side < 0;
    }
    return false;
}

// Edges of `one` through the inside of `other`; passes[i][k] is how edge i passes edge k of the other.
static void add_piercings(const Side *one, int passes[3][3], bool is_swapped, impi_Meeting *meeting)
{
    for (uint8_t i = 0; i < 3; ++i) {
        int from = one->sign[i], to = one->sign[(i + 1) % 3];
        const int *pass = passes[i];
        if (from * to < 0 && pass[0] != 0 && pass[0] == pass[1] && pass[1] == pass[2])
            add_corner(meeting, is_swapped, (impi_Part){IMPI_PART_EDGE, i}, (impi_Part){IMPI_PART_FACE, 0},
                       to);
    }
}

static void find_sides(const imp_Triangle *a, const imp_Triangle *b, Side *side_a, Side *side_b)
{
    for (int i = 0; i < 3; ++i) {
        side_a->sign[i] = impi_orient3d(&b->v[0], &b->v[1], &b->v[2], &a->v[i]);
        side_b->sign[i] = impi_orient3d(&a->v[0], &a->v[1], &a->v[2], &b->v[i]);
    }
    side_a->v = a->v;
    side_b->v = b->v;
    side_a->is_plane = impi_triangle_plane(a, &side_a->dropped);
    side_b->is_plane = impi_triangle_plane(b, &side_b->dropped);
}

static bool all_zero(const int sign[3])
{
    return (sign[0] | sign[1] | sign[2]) == 0;
}

void impi_triangles_meet(const imp_Triangle *a, const imp_Triangle *b, impi_Meeting *meeting)
{
    Side side_a, side_b;
    int passes_a[3][3], passes_b[3][3];
    find_sides(a, b, &side_a, &side_b);
    meeting->count = 0;
    meeting->is_degenerate = !side_a.is_plane || !side_b.is_plane;
    meeting->is_flat = !meeting->is_degenerate && all_zero(side_a.sign);
    add_vertices(&side_a, &side_b, false, meeting);
    add_vertices(&side_b, &side_a, true, meeting);
    for (uint8_t i = 0; i < 3; ++i)
        for (uint8_t k = 0; k < 3; ++k) {
            const imp_Vec3 *p = &a->v[i], *q = &a->v[(i + 1) % 3], *r = &b->v[k], *s = &b->v[(k + 1) % 3];
            passes_a[i][k] = passes_b[k][i] = impi_orient3d(p, q, r, s);
            if (passes_a[i][k] == 0 && edges_cross(p, q, r, s))
                add_corner(meeting, false, (impi_Part){IMPI_PART_EDGE, i}, (impi_Part){IMPI_PART_EDGE, k}, 0);
        }
    add_piercings(&side_a, passes_a, false, meeting);
    add_piercings(&side_b, passes_b, true, meeting);
}

static imp_Segment edge_of(const imp_Triangle *triangle, impi_Part edge)
{
    return (imp_Segment){{triangle->v[edge.corner], triangle->v[(edge.corner + 1) % 3]}};
}

imp_Vec3 impi_meeting_point(const imp_Triangle *a, const imp_Triangle *b, const impi_MeetingCorner *corner)
{
    if (corner->a.kind == IMPI_PART_VERTEX)
        return a->v[corner->a.corner];
    if (corner->b.kind == IMPI_PART_VERTEX)
        return b->v[corner->b.corner];
    if (corner->b.kind == IMPI_PART_FACE) {
        imp_Segment edge = edge_of(a, corner->a);
        return impi_segment_plane_crossing(&edge, b);
    }
    imp_Segment edge_b = edge_of(b, corner->b);
    if (corner->a.kind == IMPI_PART_FACE)
        return impi_segment_plane_crossing(&edge_b, a);
    imp_Segment edge_a = edge_of(a, corner->a);
    return impi_segments_crossing(&edge_a, &edge_b);
}
