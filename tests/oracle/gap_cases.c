#include "gap_cases.h"

#include "harness.h"

#include <math.h>

typedef TriangleCase Pair;

static imp_Triangle random_triangle(double most)
{
    imp_Triangle triangle;
    for (int k = 0; k < 3; ++k)
        triangle.v[k] = random_vector(most);
    return triangle;
}

static imp_Triangle moved(imp_Triangle triangle, imp_Vec3 by)
{
    for (int k = 0; k < 3; ++k)
        triangle.v[k] = sum(triangle.v[k], by);
    return triangle;
}

static void scale_triangle(imp_Triangle *triangle, double factor)
{
    for (int k = 0; k < 3; ++k)
        triangle->v[k] = along((imp_Vec3){0, 0, 0}, factor, triangle->v[k]);
}

static void make_plain(Pair *pair)
{
    *pair = triangle_case_make((TriangleKind)test_random_below(TRIANGLE_KIND_COUNT));
}

// Apart along an axis, mostly, by as much as their size or less.
static void make_generic(Pair *pair)
{
    double *shift[3], gap = test_random_between(0, 1.5);
    imp_Vec3 by = random_vector(0.5);
    pair->a = random_triangle(1);
    shift[0] = &by.x;
    shift[1] = &by.y;
    shift[2] = &by.z;
    *shift[test_random_below(3)] += 0.7 + gap;
    pair->b = moved(random_triangle(1), by);
}

// Corners (i, j) of a small lattice in one of three planes: across an axis, slanting across two, across none.
static imp_Vec3 lattice_corner(int plane, double i, double j, double height)
{
    return plane == 0   ? (imp_Vec3){i, j, height}
           : plane == 1 ? (imp_Vec3){i + height, j, height - i}
                        : (imp_Vec3){i + j + height, height - i, height - j};
}

static imp_Triangle lattice_triangle(int plane, double height)
{
    imp_Triangle triangle;
    for (int k = 0; k < 3; ++k) {
        double i = random_integer(3), j = random_integer(3);
        triangle.v[k] = lattice_corner(plane, i, j, height);
    }
    return triangle;
}

static void make_parallel_faces(Pair *pair)
{
    int plane = (int)test_random_below(3);
    pair->a = lattice_triangle(plane, 0);
    pair->b = lattice_triangle(plane, 1 + test_random_below(3));
}

// An edge of each along the same step, the third vertices away from each other.
static void make_parallel_edges(Pair *pair)
{
    imp_Vec3 step = random_lattice_step(3), side = random_lattice_step(4);
    pair->a.v[0] = along((imp_Vec3){0, 0, 0}, random_integer(3), step);
    pair->a.v[1] = along(pair->a.v[0], 1 + test_random_below(3), step);
    pair->a.v[2] = along(pair->a.v[0], -1 - (double)test_random_below(3), side);
    pair->b.v[0] = along(side, random_integer(3), step);
    pair->b.v[1] = along(pair->b.v[0], 1 + test_random_below(3), step);
    pair->b.v[2] = along(pair->b.v[0], 1 + test_random_below(3), random_lattice_step(3));
}

static void make_coplanar(Pair *pair)
{
    int plane = (int)test_random_below(3);
    pair->a = lattice_triangle(plane, 0);
    pair->b = moved(lattice_triangle(plane, 0), lattice_corner(plane, random_integer(5), 4, 0));
}

static imp_Triangle flattened(imp_Triangle triangle)
{
    bool is_point = test_random_below(3) == 0;
    imp_Vec3 step = {triangle.v[1].x - triangle.v[0].x, triangle.v[1].y - triangle.v[0].y,
                     triangle.v[1].z - triangle.v[0].z};
    triangle.v[1] = is_point ? triangle.v[0] : along(triangle.v[0], random_integer(2), step);
    triangle.v[2] = is_point ? triangle.v[0] : along(triangle.v[0], random_integer(3), step);
    return triangle;
}

static void make_flat(Pair *pair)
{
    int plane = (int)test_random_below(3);
    pair->a = flattened(lattice_triangle(plane, 0));
    pair->b = lattice_triangle((int)test_random_below(3), test_random_below(3));
    if (test_random_below(2))
        pair->b = flattened(pair->b);
}

// A vertex of b stands upright over a point of a, exactly, and the rest of b is farther off.
static void make_over_part(Pair *pair, int corners)
{
    imp_Vec3 point = random_triangle_and_point(test_random_below(2) ? 3 : 1000, corners, &pair->a);
    imp_Vec3 u = along(pair->a.v[1], -1, pair->a.v[0]), v = along(pair->a.v[2], -1, pair->a.v[0]);
    imp_Vec3 normal = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    double height = random_integer(3) + (test_random_below(2) ? 0.5 : 0.25);
    pair->b.v[0] = along(point, height, normal);
    for (int k = 1; k < 3; ++k)
        pair->b.v[k] =
            sum(along(pair->b.v[0], height * test_random_below(3), normal), random_lattice_point(9));
}

static void make_over_face(Pair *pair)
{
    make_over_part(pair, 3);
}

static void make_over_edge(Pair *pair)
{
    make_over_part(pair, 2);
}

static void make_crossed_edges(Pair *pair)
{
    double height = test_random_between(0.001, 1), turn = test_random_between(0, 3);
    double c = cos(turn), s = sin(turn);
    pair->a = (imp_Triangle){{{-1, 0, 0}, {test_random_between(0, 1), 0, 0}, {0, random_signed_unit(), -1}}};
    pair->b = (imp_Triangle){{{-c, -s, height}, {c, s, height}, {0.5, random_signed_unit(), height + 1}}};
}

static void make_coincident(Pair *pair)
{
    pair->a = test_random_below(2) ? random_triangle(1) : lattice_triangle(2, 0);
    pair->b = moved(pair->a, random_lattice_step(2));
}

static void make_tiny(Pair *pair)
{
    switch (test_random_below(3)) {
    case 0:
        make_crossed_edges(pair);
        pair->b = moved(pair->b, (imp_Vec3){0, 0, 1e-12 - pair->b.v[0].z});
        break;
    case 1:
        pair->a = random_triangle(1);
        pair->b = moved(pair->a, random_vector(1e-12));
        break;
    default:
        *pair = triangle_case_make(KIND_ROUNDED_CONTACT);
        pair->b.v[0] = sum(pair->b.v[0], random_vector(1e-12 * fabs(pair->b.v[0].x)));
    }
}

static void make_far(Pair *pair)
{
    imp_Vec3 place = random_vector(1e7);
    make_generic(pair);
    pair->a = moved(pair->a, place);
    pair->b = moved(pair->b, place);
}

static void make_sizes(Pair *pair)
{
    make_generic(pair);
    scale_triangle(&pair->a, 1e-6);
    scale_triangle(&pair->b, 1e6);
    if (test_random_below(2))
        pair->a = moved(pair->a, pair->b.v[0]);
}

static void make_exponents(Pair *pair)
{
    for (int k = 0; k < 3; ++k) {
        pair->a.v[k] = (imp_Vec3){random_of_any_size(), random_of_any_size(), random_of_any_size()};
        pair->b.v[k] = (imp_Vec3){random_of_any_size(), random_of_any_size(), random_of_any_size()};
    }
    switch (test_random_below(3)) {
    case 0: // the distance may be beyond all doubles
        pair->a = moved(random_triangle(0.4), (imp_Vec3){1.5, 0, 0});
        pair->b = moved(random_triangle(0.4), (imp_Vec3){-1.5, 0, 0});
        scale_triangle(&pair->a, 0x1p1023);
        scale_triangle(&pair->b, 0x1p1023);
        break;
    case 1:
        make_generic(pair);
        scale_triangle(&pair->a, test_random_below(2) ? 1e300 : 1e-300);
        scale_triangle(&pair->b, test_random_below(2) ? 1e300 : 1e-300);
        break;
    default:
        break;
    }
}

static void make_subnormal(Pair *pair)
{
    pair->a = lattice_triangle((int)test_random_below(3), 0);
    pair->b = lattice_triangle((int)test_random_below(3), 4 + test_random_below(4));
    scale_triangle(&pair->a, 0x1p-1074);
    scale_triangle(&pair->b, 0x1p-1074);
}

typedef void (*BuildFn)(Pair *pair);

static const BuildFn builders[GAP_KIND_COUNT] = {
    make_plain, make_generic,   make_parallel_faces, make_parallel_edges, make_coplanar,
    make_flat,  make_over_face, make_over_edge,      make_crossed_edges,  make_coincident,
    make_tiny,  make_far,       make_sizes,          make_exponents,      make_subnormal,
};

const char *const gap_names[GAP_KIND_COUNT] = {
    "plain",    "generic",   "parallel_faces", "parallel_edges", "coplanar",
    "flat",     "over_face", "over_edge",      "crossed",        "coincident",
    "tiny_gap", "far",       "sizes",          "exponents",      "subnormal",
};

static void shuffle(imp_Triangle *triangle)
{
    for (uint32_t k = 2; k > 0; --k) {
        uint32_t other = test_random_below(k + 1);
        imp_Vec3 v = triangle->v[k];
        triangle->v[k] = triangle->v[other];
        triangle->v[other] = v;
    }
}

TriangleCase gap_case_make(GapKind kind)
{
    Pair pair = {.kind = KIND_GENERIC};
    builders[kind](&pair);
    shuffle(&pair.a);
    shuffle(&pair.b);
    if (test_random_below(2)) {
        imp_Triangle a = pair.a;
        pair.a = pair.b;
        pair.b = a;
    }
    flip_zeros((double *)&pair.a, 9);
    flip_zeros((double *)&pair.b, 9);
    return pair;
}
