// Contacts that must be exact are built from integers below 2^53: points of a lattice, multiples of a lattice
// vector, weights that sum up to 64 on vertices that are multiples of 64. Scaling by powers of two keeps
// them.
#include "triangle_cases.h"

#include "harness.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

typedef TriangleCase Pair;

static imp_Triangle random_triangle(double most)
{
    imp_Vec3 v0 = random_vector(most), v1 = random_vector(most), v2 = random_vector(most);
    return (imp_Triangle){{v0, v1, v2}};
}

static imp_Triangle lattice_triangle(double most)
{
    imp_Vec3 v0 = random_lattice_point(most), v1 = random_lattice_point(most),
             v2 = random_lattice_point(most);
    return (imp_Triangle){{v0, v1, v2}};
}

static imp_Vec3 weighted(const imp_Triangle *triangle, const double weights[3])
{
    imp_Vec3 point = along((imp_Vec3){0}, weights[0], triangle->v[0]);
    return along(along(point, weights[1], triangle->v[1]), weights[2], triangle->v[2]);
}

imp_Vec3 random_triangle_and_point(double range, int corners, imp_Triangle *triangle)
{
    imp_Triangle coarse = lattice_triangle(range);
    double weights[3];
    random_weights(1, weights);
    if (corners < 3)
        weights[0] += weights[2], weights[2] = 0;
    if (corners < 2)
        weights[0] += weights[1], weights[1] = 0;
    for (int i = 0; i < 3; ++i)
        triangle->v[i] = along((imp_Vec3){0}, WEIGHT_SUM, coarse.v[i]);
    return weighted(&coarse, weights);
}

static double random_step(void)
{
    return 1 + test_random_below(4);
}

// -------------------------------------------------------------------------------------------- generic

static void make_generic(Pair *pair)
{
    pair->a = random_triangle(1);
    pair->b = random_triangle(1);
}

static void make_generic_near(Pair *pair)
{
    double weights_a[3], weights_b[3];
    make_generic(pair);
    random_weights(8, weights_a);
    random_weights(8, weights_b);
    imp_Vec3 shift = along((imp_Vec3){0}, 1.0 / WEIGHT_SUM, weighted(&pair->a, weights_a));
    shift = along(shift, -1.0 / WEIGHT_SUM, weighted(&pair->b, weights_b));
    shift = sum(shift, random_vector(0.4));
    for (int i = 0; i < 3; ++i)
        pair->b.v[i] = sum(pair->b.v[i], shift);
}

static void make_shared_vertex(Pair *pair)
{
    make_generic(pair);
    pair->b.v[0] = pair->a.v[0];
}

static void make_shared_edge(Pair *pair)
{
    make_shared_vertex(pair);
    pair->b.v[1] = pair->a.v[1];
}

static void make_identical(Pair *pair)
{
    double range = random_range();
    pair->a = test_random_below(2) ? random_triangle(1) : lattice_triangle(range);
    pair->b = pair->a;
}

// ----------------------------------------------------------------------------------------- exact contact

static void make_vertex_contact(Pair *pair, int corners)
{
    double range = random_range();
    pair->b = lattice_triangle(WEIGHT_SUM * range);
    pair->b.v[0] = random_triangle_and_point(range, corners, &pair->a);
}

static void make_vertex_on_face(Pair *pair)
{
    make_vertex_contact(pair, 3);
}

static void make_vertex_on_edge(Pair *pair)
{
    make_vertex_contact(pair, 2);
}

static void make_edge_contact(Pair *pair, int corners)
{
    double range = random_range();
    imp_Vec3 point = random_triangle_and_point(range, corners, &pair->a),
             step = random_lattice_step(8 * range);
    pair->b.v[0] = along(point, random_step(), step);
    pair->b.v[1] = along(point, -random_step(), step);
    pair->b.v[2] = random_lattice_point(WEIGHT_SUM * range);
}

static void make_edge_through_face(Pair *pair)
{
    make_edge_contact(pair, 3);
}

static void make_edge_through_vertex(Pair *pair)
{
    make_edge_contact(pair, 1);
}

static void make_edge_crossing_edge(Pair *pair)
{
    make_edge_contact(pair, 2);
}

static void make_edge_on_edge(Pair *pair)
{
    double range = random_range();
    imp_Vec3 start = random_lattice_point(range), step = random_lattice_step(range);
    double low = random_integer(6), high = low + random_step();
    double inside = low + test_random_below((uint32_t)(high - low) + 1);
    pair->a =
        (imp_Triangle){{along(start, low, step), along(start, high, step), random_lattice_point(range)}};
    pair->b.v[0] = along(start, inside, step);
    pair->b.v[1] = along(start, random_integer(10), step);
    pair->b.v[2] = random_lattice_point(range);
}

// ---------------------------------------------------------------------------------------------- coplanar

typedef struct Plane {
    imp_Vec3 origin, u, v; // u and v are not parallel
} Plane;

// Differences of rounded products are zero when the exact ones are, so no parallel pair gets through.
static bool are_parallel(imp_Vec3 u, imp_Vec3 v)
{
    return u.y * v.z == u.z * v.y && u.z * v.x == u.x * v.z && u.x * v.y == u.y * v.x;
}

static Plane random_plane(void)
{
    double range = random_range();
    Plane plane = {.origin = random_lattice_point(range)};
    do {
        plane.u = random_lattice_step(range);
        plane.v = random_lattice_step(range);
    } while (are_parallel(plane.u, plane.v));
    return plane;
}

static imp_Vec3 on_plane(const Plane *plane, double i, double j)
{
    return along(along(plane->origin, i, plane->u), j, plane->v);
}

static imp_Vec3 anywhere_on_row(const Plane *plane, double most, double j)
{
    return on_plane(plane, random_integer(most), j);
}

static imp_Triangle triangle_on_plane(const Plane *plane, double most)
{
    imp_Triangle triangle;
    for (int k = 0; k < 3; ++k) {
        double i = random_integer(most), j = random_integer(most);
        triangle.v[k] = on_plane(plane, i, j);
    }
    return triangle;
}

static void make_coplanar_any(Pair *pair)
{
    Plane plane = random_plane();
    pair->a = triangle_on_plane(&plane, 8);
    pair->b = triangle_on_plane(&plane, 8);
}

static void make_coplanar_overlapping(Pair *pair)
{
    Plane plane = random_plane();
    double corners[3][2], weights[3], i = 0, j = 0;
    random_weights(1, weights);
    for (int k = 0; k < 3; ++k) {
        corners[k][0] = random_integer(4);
        corners[k][1] = random_integer(4);
        pair->a.v[k] = on_plane(&plane, WEIGHT_SUM * corners[k][0], WEIGHT_SUM * corners[k][1]);
        i += weights[k] * corners[k][0];
        j += weights[k] * corners[k][1];
    }
    pair->b = triangle_on_plane(&plane, 4 * WEIGHT_SUM);
    pair->b.v[0] = on_plane(&plane, i, j);
}

// The line j = 0 parts them but for what they share on it: the edge or vertex low..high of a, and the vertex
// or edge of b that begins between those.
static void make_coplanar_touching(Pair *pair)
{
    Plane plane = random_plane();
    bool edge_a = test_random_below(2), edge_b = test_random_below(2);
    double low = random_integer(4), high = edge_a ? low + random_step() : low;
    double inside = low + test_random_below((uint32_t)(high - low) + 1);
    pair->a.v[0] = on_plane(&plane, low, 0);
    pair->a.v[1] = edge_a ? on_plane(&plane, high, 0) : anywhere_on_row(&plane, 8, -random_step());
    pair->a.v[2] = anywhere_on_row(&plane, 8, -random_step());
    pair->b.v[0] = on_plane(&plane, inside, 0);
    pair->b.v[1] = anywhere_on_row(&plane, 8, edge_b ? 0 : random_step());
    pair->b.v[2] = anywhere_on_row(&plane, 8, random_step());
}

static void make_coplanar_separate(Pair *pair)
{
    Plane plane = random_plane();
    for (int k = 0; k < 3; ++k) {
        pair->a.v[k] = anywhere_on_row(&plane, 4, 1 - random_step());
        pair->b.v[k] = anywhere_on_row(&plane, 4, random_step());
    }
}

// Both cover the origin of the plane, which is upright to an axis or slanting; where it slants its third
// coordinates are integers of 2^52 and more, whose ulp is 1.
static void make_parallel_one_ulp(Pair *pair)
{
    bool slanting = test_random_below(2);
    double offset = slanting ? 0x1p52 + test_random_below(1u << 31) + 100 : random_signed_unit();
    double next = nextafter(offset, 2 * fabs(offset)), slope = slanting ? random_integer(3) : 0;
    int axis = (int)test_random_below(3);
    for (int k = 0; k < 3; ++k) {
        static const int sides[3][2] = {{-1, -1}, {1, -1}, {0, 1}};
        double p[2], q[2], place[2][3];
        for (int i = 0; i < 2; ++i) {
            p[i] = sides[k][i] * random_step();
            q[i] = -sides[k][i] * random_step();
        }
        place[0][axis] = offset + slope * (p[0] + p[1]);
        place[1][axis] = next + slope * (q[0] + q[1]);
        for (int i = 0; i < 2; ++i) {
            place[0][(axis + 1 + i) % 3] = p[i];
            place[1][(axis + 1 + i) % 3] = q[i];
        }
        pair->a.v[k] = (imp_Vec3){place[0][0], place[0][1], place[0][2]};
        pair->b.v[k] = (imp_Vec3){place[1][0], place[1][1], place[1][2]};
    }
}

// -------------------------------------------------------------------------------------------- degenerate

// Three points on one line, of which any may coincide. The line's origin belongs to it in about half the
// cases.
static imp_Triangle segment_on_line(imp_Vec3 origin, imp_Vec3 step)
{
    imp_Triangle triangle;
    for (int k = 0; k < 3; ++k)
        triangle.v[k] = along(origin, (double)test_random_below(8) - 2, step);
    return triangle;
}

static imp_Triangle point_triangle(imp_Vec3 point)
{
    return (imp_Triangle){{point, point, point}};
}

// Half of the time one coordinate is moved, by one ulp or to the next lattice point.
static imp_Vec3 maybe_moved(imp_Vec3 point)
{
    double *coordinates[3] = {&point.x, &point.y, &point.z};
    double *moved = coordinates[test_random_below(3)];
    switch (test_random_below(4)) {
    case 0:
        *moved = one_ulp_off(*moved);
        break;
    case 1:
        *moved += 1;
        break;
    default:
        break;
    }
    return point;
}

static void make_segment_triangle(Pair *pair)
{
    double range = random_range();
    imp_Vec3 point = random_triangle_and_point(range, 1 + (int)test_random_below(3), &pair->b);
    imp_Vec3 step = random_lattice_step(range);
    pair->a = segment_on_line(point, step);
}

static void make_point_triangle(Pair *pair)
{
    double range = random_range();
    pair->a = point_triangle(
        maybe_moved(random_triangle_and_point(range, 1 + (int)test_random_below(3), &pair->b)));
}

static void make_segment_segment(Pair *pair)
{
    double range = random_range();
    imp_Vec3 origin = random_lattice_point(range), step = random_lattice_step(range);
    pair->a = segment_on_line(origin, step);
    pair->b = segment_on_line(origin, test_random_below(3) ? random_lattice_step(range) : step);
}

static void make_point_segment(Pair *pair)
{
    double range = random_range();
    imp_Vec3 origin = random_lattice_point(range), step = random_lattice_step(range);
    pair->b = segment_on_line(origin, step);
    pair->a = point_triangle(maybe_moved(along(origin, test_random_below(4), step)));
}

static void make_point_point(Pair *pair)
{
    double range = random_range();
    imp_Vec3 point = test_random_below(2) ? random_vector(range) : random_lattice_point(range);
    pair->a = point_triangle(point);
    pair->b = point_triangle(maybe_moved(point));
}

// --------------------------------------------------------------------------------------- nearly degenerate

static double *coordinates_of(Pair *pair, int triangle)
{
    return (double *)(triangle ? &pair->b : &pair->a);
}

static void make_contact_of_any_kind(Pair *pair);

static void make_one_ulp_off(Pair *pair)
{
    make_contact_of_any_kind(pair);
    double *moved = coordinates_of(pair, (int)test_random_below(2));
    moved += test_random_below(9);
    *moved = one_ulp_off(*moved);
}

static void make_small_lattice(Pair *pair)
{
    uint32_t size = 2 + test_random_below(4);
    for (int i = 0; i < 18; ++i)
        coordinates_of(pair, i / 9)[i % 9] = test_random_below(size);
}

static imp_Pose random_pose(void)
{
    double q[4], norm;
    do {
        norm = 0;
        for (int i = 0; i < 4; ++i) {
            q[i] = random_signed_unit();
            norm += q[i] * q[i];
        }
    } while (norm > 1 || norm < 0.01);
    norm = sqrt(norm);
    return (imp_Pose){random_vector(4), {q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm}};
}

static void make_posed_lattice(Pair *pair)
{
    imp_Pose pose = random_pose();
    make_contact_of_any_kind(pair);
    for (int k = 0; k < 3; ++k) {
        CHECK_INT(imp_pose_apply(&pose, pair->a.v[k], &pair->a.v[k]), IMP_STATUS_OK);
        CHECK_INT(imp_pose_apply(&pose, pair->b.v[k], &pair->b.v[k]), IMP_STATUS_OK);
    }
}

static imp_Vec3 rounded_point_in_plane(const imp_Triangle *triangle, double most)
{
    double first = most * random_signed_unit(), second = most * random_signed_unit();
    return weighted(triangle, (double[3]){first, second, 1 - first - second});
}

// The vertex is on the face or an edge, as far as rounding lets it.
static void make_rounded_contact(Pair *pair)
{
    double first = test_random_unit();
    double second = test_random_below(2) ? (1 - first) * test_random_unit() : 0;
    make_generic(pair);
    pair->b.v[0] = weighted(&pair->a, (double[3]){first, second, 1 - first - second});
}

static void make_rounded_coplanar(Pair *pair)
{
    make_generic(pair);
    for (int k = 0; k < 3; ++k)
        pair->b.v[k] = rounded_point_in_plane(&pair->a, 1);
}

static imp_Triangle needle_through(imp_Vec3 point)
{
    imp_Vec3 axis = random_vector(1), aside = random_vector(ldexp(1, -(int)test_random_below(53)));
    double before = test_random_unit(), after = test_random_unit(), third = random_signed_unit();
    imp_Vec3 tip = sum(along(point, third, axis), aside);
    return (imp_Triangle){{along(point, -before, axis), along(point, after, axis), tip}};
}

static void make_needle(Pair *pair)
{
    imp_Vec3 point = random_vector(1);
    pair->a = needle_through(point);
    pair->b = needle_through(sum(point, random_vector(ldexp(1, -(int)test_random_below(60)))));
}

// --------------------------------------------------------------------------------------------- magnitudes

static void make_mixed_magnitudes(Pair *pair)
{
    for (int i = 0; i < 18; ++i) {
        double *value = coordinates_of(pair, i / 9) + i % 9;
        uint32_t choice = test_random_below(8);
        *value = choice == 0            ? 0
                 : choice < 3 && i >= 9 ? coordinates_of(pair, 0)[i - 9]
                                        : random_of_any_size();
    }
}

static void make_subnormals(Pair *pair)
{
    int bits = 2 + (int)test_random_below(53);
    for (int i = 0; i < 18; ++i)
        coordinates_of(pair, i / 9)[i % 9] = ldexp(random_integer(ldexp(1, bits - 1) - 1), -1074);
}

static void make_huge(Pair *pair)
{
    for (int i = 0; i < 18; ++i) {
        double *value = coordinates_of(pair, i / 9) + i % 9;
        uint32_t choice = test_random_below(8);
        *value = choice == 0 ? DBL_MAX : choice == 1 ? -DBL_MAX : DBL_MAX * random_signed_unit();
    }
}

// -------------------------------------------------------------------------------------------------- table

const TriangleKindInfo triangle_kinds[TRIANGLE_KIND_COUNT] = {
    [KIND_GENERIC] = {"generic", make_generic, 0.1, 0.5, false},
    [KIND_GENERIC_NEAR] = {"generic_near", make_generic_near, 0.3, 0.7, false},
    [KIND_SHARED_VERTEX] = {"shared_vertex", make_shared_vertex, 1, 1, true},
    [KIND_SHARED_EDGE] = {"shared_edge", make_shared_edge, 1, 1, true},
    [KIND_VERTEX_ON_FACE] = {"vertex_on_face", make_vertex_on_face, 1, 1, true},
    [KIND_VERTEX_ON_EDGE] = {"vertex_on_edge", make_vertex_on_edge, 1, 1, true},
    [KIND_EDGE_THROUGH_FACE] = {"edge_through_face", make_edge_through_face, 1, 1, true},
    [KIND_EDGE_THROUGH_VERTEX] = {"edge_through_vertex", make_edge_through_vertex, 1, 1, true},
    [KIND_EDGE_ON_EDGE] = {"edge_on_edge", make_edge_on_edge, 1, 1, true},
    [KIND_EDGE_CROSSING_EDGE] = {"edge_crossing_edge", make_edge_crossing_edge, 1, 1, true},
    [KIND_COPLANAR_OVERLAPPING] = {"coplanar_overlapping", make_coplanar_overlapping, 1, 1, true},
    [KIND_COPLANAR_TOUCHING] = {"coplanar_touching", make_coplanar_touching, 1, 1, true},
    [KIND_COPLANAR_SEPARATE] = {"coplanar_separate", make_coplanar_separate, 0, 0, true},
    [KIND_COPLANAR_ANY] = {"coplanar_any", make_coplanar_any, 0.2, 0.8, true},
    [KIND_PARALLEL_ONE_ULP] = {"parallel_one_ulp", make_parallel_one_ulp, 0, 0, true},
    [KIND_IDENTICAL] = {"identical", make_identical, 1, 1, true},
    [KIND_NEEDLE] = {"needle", make_needle, 0.05, 0.7, true},
    [KIND_SEGMENT_TRIANGLE] = {"segment_triangle", make_segment_triangle, 0.3, 0.8, true},
    [KIND_POINT_TRIANGLE] = {"point_triangle", make_point_triangle, 0.4, 0.8, true},
    [KIND_SEGMENT_SEGMENT] = {"segment_segment", make_segment_segment, 0.3, 0.7, true},
    [KIND_POINT_SEGMENT] = {"point_segment", make_point_segment, 0.2, 0.7, true},
    [KIND_POINT_POINT] = {"point_point", make_point_point, 0.4, 0.6, true},
    [KIND_ONE_ULP_OFF] = {"one_ulp_off", make_one_ulp_off, 0.3, 0.95, true},
    [KIND_SMALL_LATTICE] = {"small_lattice", make_small_lattice, 0.3, 0.7, true},
    [KIND_POSED_LATTICE] = {"posed_lattice", make_posed_lattice, 0.3, 0.9, true},
    [KIND_ROUNDED_CONTACT] = {"rounded_contact", make_rounded_contact, 0.3, 0.9, true},
    [KIND_ROUNDED_COPLANAR] = {"rounded_coplanar", make_rounded_coplanar, 0.1, 0.9, true},
    [KIND_MIXED_MAGNITUDES] = {"mixed_magnitudes", make_mixed_magnitudes, 0.1, 0.7, false},
    [KIND_SUBNORMALS] = {"subnormals", make_subnormals, 0.1, 0.6, false},
    [KIND_HUGE] = {"huge", make_huge, 0.1, 0.6, false},
};

static void make_contact_of_any_kind(Pair *pair)
{
    uint32_t count = KIND_COPLANAR_TOUCHING - KIND_SHARED_VERTEX + 1;
    triangle_kinds[KIND_SHARED_VERTEX + test_random_below(count)].build(pair);
}

static void shuffle(imp_Triangle *triangle)
{
    for (uint32_t i = 2; i > 0; --i) {
        uint32_t j = test_random_below(i + 1);
        imp_Vec3 other = triangle->v[j];
        triangle->v[j] = triangle->v[i];
        triangle->v[i] = other;
    }
}

TriangleCase triangle_case_make(TriangleKind kind)
{
    Pair pair = {.kind = kind, .scaling = random_scaling()};
    triangle_kinds[kind].build(&pair);
    double coordinates[18];
    for (int i = 0; i < 18; ++i)
        coordinates[i] = coordinates_of(&pair, i / 9)[i % 9];
    pair.is_exact = scale_coordinates(coordinates, 18, pair.scaling);
    if (test_random_below(4) == 0)
        flip_zeros(coordinates, 18);
    bool swap = test_random_below(2);
    for (int i = 0; i < 18; ++i)
        coordinates_of(&pair, swap ? 1 - i / 9 : i / 9)[i % 9] = coordinates[i];
    shuffle(&pair.a);
    shuffle(&pair.b);
    return pair;
}

void triangle_case_print(const TriangleCase *pair)
{
    static int printed;
    if (++printed > 20)
        return;
    printf("  %s, %s\n", triangle_kinds[pair->kind].name, scaling_names[pair->scaling]);
    for (int i = 0; i < 6; ++i) {
        imp_Vec3 v = i < 3 ? pair->a.v[i] : pair->b.v[i - 3];
        printf("  %c%d {%a, %a, %a}\n", i < 3 ? 'a' : 'b', i % 3, v.x, v.y, v.z);
    }
}
