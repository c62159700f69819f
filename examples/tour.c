// A short tour of the heart of impinge: do two triangles share a point?
//
// Each line shows a pair of triangles, the exact verdict, and what the same geometry says in plain double
// arithmetic, where every sign may be spoilt by rounding.
#include <impinge/impinge.h>

#include <stdio.h>

// The textbook test, to compare with. Two triangles share a point if and only if an edge of one meets the
// other; everything is decided by signs of determinants, here rounded ones.

static double plain_orient2d(imp_Vec2 a, imp_Vec2 b, imp_Vec2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static imp_Vec3 minus(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static imp_Vec3 cross(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double plain_orient3d(imp_Vec3 a, imp_Vec3 b, imp_Vec3 c, imp_Vec3 d)
{
    imp_Vec3 normal = cross(minus(b, a), minus(c, a)), to_d = minus(d, a);
    return normal.x * to_d.x + normal.y * to_d.y + normal.z * to_d.z;
}

static double absolute(double x)
{
    return x < 0 ? -x : x;
}

// Drop the axis along which the triangle is seen best.
static imp_Vec2 flatten(imp_Vec3 normal, imp_Vec3 p)
{
    double x = absolute(normal.x), y = absolute(normal.y), z = absolute(normal.z);
    if (x >= y && x >= z)
        return (imp_Vec2){p.y, p.z};
    return y >= z ? (imp_Vec2){p.z, p.x} : (imp_Vec2){p.x, p.y};
}

static bool plain_segments_meet(imp_Vec2 a, imp_Vec2 b, imp_Vec2 c, imp_Vec2 d)
{
    return plain_orient2d(a, b, c) * plain_orient2d(a, b, d) <= 0 &&
           plain_orient2d(c, d, a) * plain_orient2d(c, d, b) <= 0;
}

static bool plain_edge_meets_coplanar(const imp_Triangle *t, imp_Vec3 p, imp_Vec3 q)
{
    imp_Vec3 normal = cross(minus(t->v[1], t->v[0]), minus(t->v[2], t->v[0]));
    imp_Vec2 a = flatten(normal, t->v[0]), b = flatten(normal, t->v[1]), c = flatten(normal, t->v[2]);
    imp_Vec2 from = flatten(normal, p), to = flatten(normal, q);
    double ab = plain_orient2d(a, b, from), bc = plain_orient2d(b, c, from), ca = plain_orient2d(c, a, from);
    bool inside = (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
    return inside || plain_segments_meet(a, b, from, to) || plain_segments_meet(b, c, from, to) ||
           plain_segments_meet(c, a, from, to);
}

static bool plain_edge_meets(const imp_Triangle *t, imp_Vec3 p, imp_Vec3 q)
{
    double side_p = plain_orient3d(t->v[0], t->v[1], t->v[2], p);
    double side_q = plain_orient3d(t->v[0], t->v[1], t->v[2], q);
    if (side_p == 0 && side_q == 0)
        return plain_edge_meets_coplanar(t, p, q);
    if ((side_p > 0 && side_q > 0) || (side_p < 0 && side_q < 0))
        return false;
    double ab = plain_orient3d(p, q, t->v[0], t->v[1]), bc = plain_orient3d(p, q, t->v[1], t->v[2]);
    double ca = plain_orient3d(p, q, t->v[2], t->v[0]);
    return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

static bool plain_triangles_touch(const imp_Triangle *a, const imp_Triangle *b)
{
    for (int i = 0; i < 3; ++i)
        if (plain_edge_meets(a, b->v[i], b->v[(i + 1) % 3]) ||
            plain_edge_meets(b, a->v[i], a->v[(i + 1) % 3]))
            return true;
    return false;
}

typedef struct Stop {
    const char *text;
    imp_Triangle a, b;
} Stop;

#define PLATE                                                                                                \
    {                                                                                                        \
        {                                                                                                    \
            {0, 0, 0}, {4, 0, 0},                                                                            \
            {                                                                                                \
                0, 4, 0                                                                                      \
            }                                                                                                \
        }                                                                                                    \
    }

static const Stop stops[] = {
    {"two triangles through each other", PLATE, {{{1, 1, -1}, {1, 1, 1}, {3, 3, 1}}}},
    {"one high above the other", PLATE, {{{0, 0, 3}, {4, 0, 3}, {0, 4, 3}}}},
    {"a common corner and nothing else", PLATE, {{{0, 0, 0}, {-2, 0, 1}, {0, -2, 1}}}},
    {"in one plane, overlapping", PLATE, {{{1, 1, 0}, {5, 1, 0}, {1, 5, 0}}}},
    {"in one plane, side by side along an edge", PLATE, {{{4, 0, 0}, {4, 4, 0}, {0, 4, 0}}}},
    {"in one plane, apart", PLATE, {{{5, 5, 0}, {6, 5, 0}, {5, 6, 0}}}},
    {"a triangle shrunk to a point that lies on a face", PLATE, {{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}}},
    {"the same point, lifted by the smallest double there is",
     PLATE,
     {{{1, 1, 0x1p-1074}, {1, 1, 0x1p-1074}, {1, 1, 0x1p-1074}}}},
    {"a needle (three points in a line) through a face", PLATE, {{{1, 1, -1}, {1, 1, 0.5}, {1, 1, 2}}}},
    {"a spike that ends 5e-18 in front of a tilted face",
     {{{3.5, 8.5, 7.1}, {7.8, 9.4, 0.1}, {5.0, 9.5, 6.6}}},
     {{{5.39, 9.17, 4.8}, {4.4, 10.7, 4.0}, {4.0, 10.7, 4.5}}}},
    {"a spike that ends 5e-18 behind it",
     {{{3.5, 8.5, 7.1}, {7.8, 9.4, 0.1}, {5.0, 9.5, 6.6}}},
     {{{5.39, 9.17, 4.8}, {6.7, 7.7, 5.1}, {6.4, 7.6, 5.6}}}},
    {"a spike that ends exactly on a tilted face",
     {{{9.4, 7.9, 3.2}, {8.5, 2.3, 7.3}, {8.0, 7.3, 6.8}}},
     {{{8.58, 4.42, 6.38}, {6.7, 3.9, 5.8}, {6.8, 4.4, 5.4}}}},
    {"parallel and 1e-200 apart, 1e-200 large",
     {{{0, 0, 0}, {1e-200, 0, 0}, {0, 1e-200, 0}}},
     {{{0, 0, 1e-200}, {1e-200, 0, 1e-200}, {0, 1e-200, 1e-200}}}},
    {"crossing, 1e200 large",
     {{{0, 0, 0}, {4e200, 0, 0}, {0, 4e200, 0}}},
     {{{1e200, 1e200, -1e200}, {1e200, 1e200, 1e200}, {3e200, 3e200, 1e200}}}},
    {"a grain of 1e-150 lying on a face of 1e+150",
     {{{-1e150, -1e150, 0}, {1e150, -1e150, 0}, {0, 1e150, 0}}},
     {{{0, 0, 0}, {1e-150, 0, 1e-150}, {0, 1e-150, 1e-150}}}},
    {"the same grain, hovering 1e-300 above it",
     {{{-1e150, -1e150, 0}, {1e150, -1e150, 0}, {0, 1e150, 0}}},
     {{{0, 0, 1e-300}, {1e-150, 0, 1e-150}, {0, 1e-150, 1e-150}}}},
};

int main(void)
{
    const size_t count = sizeof stops / sizeof *stops;
    size_t differing = 0;
    printf("impinge %s: do two triangles share a point?\n\n", imp_version());
    printf("  %-66s %-9s %s\n", "", "exactly", "in plain doubles");
    for (size_t i = 0; i < count; ++i) {
        bool touch;
        if (imp_triangles_touch(&stops[i].a, &stops[i].b, &touch) != IMP_STATUS_OK) {
            fprintf(stderr, "tour: a coordinate of pair %zu is not finite\n", i);
            return 1;
        }
        bool plain = plain_triangles_touch(&stops[i].a, &stops[i].b);
        differing += plain != touch;
        printf("  %-66s %-9s %s\n", stops[i].text, touch ? "touch" : "apart",
               plain == touch ? "the same"
               : plain        ? "touch: wrong"
                              : "apart: wrong");
    }
    printf("\nTouching counts, degenerate triangles are segments or points, and every verdict is right for\n"
           "all finite doubles. Plain doubles got %zu of these %zu pairs wrong.\n",
           differing, count);
    return 0;
}
