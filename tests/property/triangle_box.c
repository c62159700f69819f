// imp_triangle_touches_box and its like for open boxes against exact oracles. Boxes shrink to planes, lines
// and points, triangles to segments and points; contacts are exact, or off by one ulp or one lattice step.
#include "geom/touch.h"
#include "harness.h"
#include "oracle/exact_oracle.h"
#include "oracle/octree_oracle.h"
#include "oracle/triangle_cases.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

// Coordinates of the triangle, then of the box, in one array.
enum { BOX_MIN = 9, BOX_MAX = 12, NUMBER_COUNT = 15 };

typedef double Numbers[NUMBER_COUNT];

static void put_point(double *place, imp_Vec3 point)
{
    place[0] = point.x;
    place[1] = point.y;
    place[2] = point.z;
}

static void put_triangle(Numbers numbers, const imp_Triangle *triangle)
{
    for (int k = 0; k < 3; ++k)
        put_point(numbers + 3 * k, triangle->v[k]);
}

static void order_box(Numbers numbers)
{
    for (int axis = 0; axis < 3; ++axis) {
        double low = numbers[BOX_MIN + axis], high = numbers[BOX_MAX + axis];
        numbers[BOX_MIN + axis] = low < high ? low : high;
        numbers[BOX_MAX + axis] = low < high ? high : low;
    }
}

static void fill(Numbers numbers, double (*next)(void))
{
    for (int i = 0; i < NUMBER_COUNT; ++i)
        numbers[i] = next();
    order_box(numbers);
}

// -------------------------------------------------------------------------------------------------- kinds

static void make_generic(Numbers numbers)
{
    fill(numbers, random_signed_unit);
}

// A box whose point at bounds on `bound_count` axes (3: a corner, 2: an edge, 1: a face, 0: inside) is a
// point of the triangle. Extents may be zero.
static void make_contact(Numbers numbers, int bound_count)
{
    double range = random_range();
    imp_Triangle triangle;
    imp_Vec3 point = random_triangle_and_point(range, 1 + (int)test_random_below(3), &triangle);
    put_triangle(numbers, &triangle);
    put_point(numbers + BOX_MIN, point);
    put_point(numbers + BOX_MAX, point);
    int first_axis = (int)test_random_below(3);
    for (int i = 0; i < 3; ++i) {
        int axis = (first_axis + i) % 3;
        double below = test_random_below(1 + (uint32_t)fmin(64 * range, 0x1p30));
        double above = test_random_below(1 + (uint32_t)fmin(64 * range, 0x1p30));
        bool keep_min = i < bound_count && test_random_below(2), keep_max = i < bound_count && !keep_min;
        numbers[BOX_MIN + axis] -= keep_min ? 0 : below;
        numbers[BOX_MAX + axis] += keep_max ? 0 : above;
    }
}

static void make_contact_at_corner(Numbers numbers)
{
    make_contact(numbers, 3);
}

static void make_contact_on_edge(Numbers numbers)
{
    make_contact(numbers, 2);
}

static void make_contact_on_face(Numbers numbers)
{
    make_contact(numbers, 1);
}

static void make_contact_inside(Numbers numbers)
{
    make_contact(numbers, 0);
}

// Flattened towards the contact on an axis or away from it.
static void make_flat_box(Numbers numbers)
{
    make_contact(numbers, 1 + (int)test_random_below(3));
    uint32_t flat_axes = 1 + test_random_below(7);
    for (int axis = 0; axis < 3; ++axis) {
        double place = numbers[(test_random_below(2) ? BOX_MIN : BOX_MAX) + axis];
        if (flat_axes >> axis & 1)
            numbers[BOX_MIN + axis] = numbers[BOX_MAX + axis] = place;
    }
}

// The triangle lies in a plane that meets the box in its upper corner only, and covers that corner.
static void make_plane_at_corner(Numbers numbers)
{
    double range = random_range(), normal[3];
    imp_Vec3 corner = random_lattice_point(range);
    for (int axis = 0; axis < 3; ++axis)
        normal[axis] = 1 + test_random_below(8);
    imp_Vec3 u = {normal[1], -normal[0], 0}, v = {0, normal[2], -normal[1]};
    static const int sides[3][2] = {{-1, -1}, {1, -1}, {0, 1}};
    for (int k = 0; k < 3; ++k) {
        double i = sides[k][0] * (1.0 + test_random_below(100)),
               j = sides[k][1] * (1.0 + test_random_below(100));
        put_point(numbers + 3 * k, along(along(corner, i, u), j, v));
    }
    put_point(numbers + BOX_MAX, corner);
    for (int axis = 0; axis < 3; ++axis)
        numbers[BOX_MIN + axis] = numbers[BOX_MAX + axis] - test_random_below(100);
}

static void make_plane_beyond_corner(Numbers numbers)
{
    make_plane_at_corner(numbers);
    int axis = (int)test_random_below(3);
    for (int k = 0; k < 3; ++k)
        numbers[3 * k + axis] += 1;
}

static void make_degenerate_triangle(Numbers numbers)
{
    double range = random_range();
    imp_Vec3 start = random_lattice_point(range), step = random_lattice_point(range);
    for (int k = 0; k < 3; ++k)
        put_point(numbers + 3 * k, along(start, random_integer(4), step));
    put_point(numbers + BOX_MIN, along(start, random_integer(4), step));
    put_point(numbers + BOX_MAX, sum(start, random_lattice_point(range)));
    order_box(numbers);
}

static void make_one_ulp_off(Numbers numbers)
{
    if (test_random_below(2))
        make_plane_at_corner(numbers);
    else
        make_contact(numbers, 3);
    double *moved = numbers + test_random_below(NUMBER_COUNT);
    *moved = one_ulp_off(*moved);
    order_box(numbers);
}

static double small_integer(void)
{
    return test_random_below(6);
}

static void make_small_lattice(Numbers numbers)
{
    fill(numbers, small_integer);
}

static double mixed_number(void)
{
    return test_random_below(6) ? random_of_any_size() : 0;
}

static void make_mixed_magnitudes(Numbers numbers)
{
    fill(numbers, mixed_number);
}

static double subnormal_number(void)
{
    return ldexp(random_integer(0x1p52), -1074);
}

static void make_subnormals(Numbers numbers)
{
    fill(numbers, subnormal_number);
}

static double huge_number(void)
{
    uint32_t choice = test_random_below(8);
    return choice == 0 ? DBL_MAX : choice == 1 ? -DBL_MAX : DBL_MAX * random_signed_unit();
}

static void make_huge(Numbers numbers)
{
    fill(numbers, huge_number);
}

static const struct {
    const char *name;
    void (*make)(Numbers numbers);
    double least_touching, most_touching; // before rounding scales
} kinds[] = {
    {"generic", make_generic, 0.2, 0.8},
    {"contact_at_corner", make_contact_at_corner, 1, 1},
    {"contact_on_edge", make_contact_on_edge, 1, 1},
    {"contact_on_face", make_contact_on_face, 1, 1},
    {"contact_inside", make_contact_inside, 1, 1},
    {"flat_box", make_flat_box, 0.2, 0.9},
    {"plane_at_corner", make_plane_at_corner, 1, 1},
    {"plane_beyond_corner", make_plane_beyond_corner, 0, 0},
    {"degenerate_triangle", make_degenerate_triangle, 0.2, 0.8},
    {"one_ulp_off", make_one_ulp_off, 0.2, 0.9},
    {"small_lattice", make_small_lattice, 0.2, 0.8},
    {"mixed_magnitudes", make_mixed_magnitudes, 0.1, 0.8},
    {"subnormals", make_subnormals, 0.2, 0.8},
    {"huge", make_huge, 0.2, 0.8},
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

// --------------------------------------------------------------------------------------------------- test

// Mirrored at random axes, so that every corner of the box has its turn.
static void mirror(Numbers numbers)
{
    for (int axis = 0; axis < 3; ++axis)
        if (test_random_below(2))
            for (int i = axis; i < NUMBER_COUNT; i += 3)
                numbers[i] = -numbers[i];
    order_box(numbers);
}

static imp_Vec3 point_at(const double *place)
{
    return (imp_Vec3){place[0], place[1], place[2]};
}

static void print_case(const char *name, const Numbers numbers, bool want)
{
    static int printed;
    if (++printed > 20)
        return;
    printf("  %s: expected %s\n", name, want ? "touch" : "apart");
    for (int i = 0; i < NUMBER_COUNT; i += 3)
        printf("  {%a, %a, %a}\n", numbers[i], numbers[i + 1], numbers[i + 2]);
}

static uint64_t entered, only_touched;

static void try_open_box(const char *name, const Numbers numbers, const imp_Triangle *triangle,
                         const imp_Box *box, bool touch)
{
    imp_Triangle turned = {{triangle->v[1], triangle->v[0], triangle->v[2]}};
    bool want = oracle_triangle_enters_box(triangle, box);
    CHECK(touch || !want);
    if (!CHECK(impi_triangle_enters_box(triangle, box) == want) ||
        !CHECK(impi_triangle_enters_box(&turned, box) == want))
        print_case(name, numbers, want);
    entered += want;
    only_touched += touch && !want;
}

static bool try_case(const char *name, const Numbers numbers, bool with_open_box)
{
    imp_Triangle triangle = {{point_at(numbers), point_at(numbers + 3), point_at(numbers + 6)}};
    imp_Triangle turned = {{triangle.v[2], triangle.v[1], triangle.v[0]}};
    imp_Box box = {point_at(numbers + BOX_MIN), point_at(numbers + BOX_MAX)};
    bool want = oracle_triangle_touches_box(&triangle, &box), touch = !want, touch_turned = !want;
    CHECK_INT(imp_triangle_touches_box(&triangle, &box, &touch), IMP_STATUS_OK);
    CHECK_INT(imp_triangle_touches_box(&turned, &box, &touch_turned), IMP_STATUS_OK);
    if (!CHECK(touch == want) || !CHECK(touch_turned == want))
        print_case(name, numbers, want);
    if (with_open_box && box.min.x < box.max.x && box.min.y < box.max.y && box.min.z < box.max.z)
        try_open_box(name, numbers, &triangle, &box, want);
    return want;
}

TEST(triangles_and_boxes_agree_with_the_oracle)
{
    uint64_t total = test_count(80000), touching[KIND_COUNT] = {0}, count[KIND_COUNT] = {0};
    for (uint64_t i = 0; i < total; ++i) {
        int kind = (int)(i % KIND_COUNT);
        Numbers numbers;
        kinds[kind].make(numbers);
        mirror(numbers);
        bool exact = scale_coordinates(numbers, NUMBER_COUNT, random_scaling());
        flip_zeros(numbers, NUMBER_COUNT);
        bool touch = try_case(kinds[kind].name, numbers, i % 3 == 0);
        count[kind] += exact;
        touching[kind] += exact && touch;
    }
    printf("%-22s %10s %10s\n", "kind", "touch", "apart");
    for (int kind = 0; kind < KIND_COUNT; ++kind) {
        double share = (double)touching[kind] / (double)count[kind];
        printf("%-22s %10" PRIu64 " %10" PRIu64 "\n", kinds[kind].name, touching[kind],
               count[kind] - touching[kind]);
        CHECK(share >= kinds[kind].least_touching && share <= kinds[kind].most_touching);
    }
    printf("open boxes: %" PRIu64 " entered, %" PRIu64 " only touched\n", entered, only_touched);
    CHECK(entered > total / 20 && only_touched > total / 20);
}
