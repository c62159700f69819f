// All octants of a cell at once against each of them by itself, closed and open, for cells whose planes pass
// through points of what a triangle may touch; and the filter's variants for each instruction set against
// each other. Triangles are looked at together with others of all kinds, which must not matter.
#include "geom/triangle_octants.h"

#include "base/cpu.h"
#include "geom/touch.h"
#include "harness.h"
#include "oracle/exact_oracle.h"
#include "oracle/triangle_cases.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double coordinate(const imp_Vec3 *v, int axis)
{
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

static void swap_if_greater(double *a, double *b)
{
    if (*a > *b) {
        double t = *a;
        *a = *b;
        *b = t;
    }
}

// Planes through the vertices of the other triangle; where these have a coordinate in common, around it.
static bool make_cell(const imp_Triangle *other, impi_Octants *octants)
{
    for (int axis = 0; axis < 3; ++axis) {
        double *planes = octants->planes[axis];
        for (int i = 0; i < 3; ++i)
            planes[i] = coordinate(&other->v[i], axis);
        swap_if_greater(&planes[0], &planes[1]);
        swap_if_greater(&planes[1], &planes[2]);
        swap_if_greater(&planes[0], &planes[1]);
        if (planes[0] == planes[1])
            planes[0] -= fmax(1, fabs(planes[1])) * (1 + test_random_below(3));
        if (planes[1] == planes[2])
            planes[2] += fmax(1, fabs(planes[1])) * (1 + test_random_below(3));
        if (!(planes[0] < planes[1] && planes[1] < planes[2]) || !isfinite(planes[0]) || !isfinite(planes[2]))
            return false;
    }
    impi_octants_make(octants);
    return true;
}

static imp_Box octant_box(const impi_Octants *octants, unsigned octant)
{
    unsigned at[3] = {octant & 1, octant >> 1 & 1, octant >> 2 & 1};
    return (imp_Box){
        {octants->planes[0][at[0]], octants->planes[1][at[1]], octants->planes[2][at[2]]},
        {octants->planes[0][at[0] + 1], octants->planes[1][at[1] + 1], octants->planes[2][at[2] + 1]}};
}

// ---- triangles that are looked at together

typedef struct Group {
    imp_Triangle triangles[IMPI_OCTANT_LANES];
    size_t count, place; // of the one that matters
} Group;

typedef struct Counts {
    uint64_t cells, met, entered, touched_only;
    uint64_t groups[IMPI_OCTANT_LANES + 1]; // by their sizes
    uint64_t lanes, doubtful, all_doubtful; // triangles of which octants are unknown, and all of them
} Counts;

static imp_Triangle scaled(const imp_Triangle *triangle, double scale)
{
    imp_Triangle result = *triangle;
    for (int i = 0; i < 3; ++i) {
        imp_Vec3 *v = &result.v[i];
        *v = (imp_Vec3){v->x * scale, v->y * scale, v->z * scale};
    }
    return result;
}

static double random_end(void)
{
    return test_random_below(2) ? DBL_MAX : -DBL_MAX;
}

static imp_Triangle random_companion(const imp_Triangle *triangle, const imp_Triangle *other)
{
    const imp_Vec3 *v = triangle->v;
    imp_Triangle result = *triangle;
    switch (test_random_below(7)) {
    case 0:
        return *other;
    case 1:
        return (imp_Triangle){{v[1], v[1], v[1]}};
    case 2:
        return (imp_Triangle){{v[0], v[2], v[0]}};
    case 3:
        return (imp_Triangle){{v[0], {-v[0].x, v[0].y, v[0].z}, v[0]}}; // along an axis
    case 4:
        return scaled(triangle, 0x1p-300);
    case 5:
        for (int i = 0; i < 3; ++i)
            result.v[i] = (imp_Vec3){random_end(), random_end(), random_end()};
        return result;
    default:
        return result;
    }
}

static Group random_group(const imp_Triangle *triangle, const imp_Triangle *other)
{
    Group group = {.count = 1 + test_random_below(IMPI_OCTANT_LANES)};
    group.place = test_random_below(group.count);
    for (size_t i = 0; i < group.count; ++i)
        group.triangles[i] = i == group.place ? *triangle : random_companion(triangle, other);
    return group;
}

static size_t list_variants(impi_OctantsDecide *variants[2])
{
    size_t count = 0;
    variants[count++] = impi_octants_decide_portable;
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx2())
        variants[count++] = impi_octants_decide_avx2;
#endif
    return count;
}

// Of each triangle, all variants tell the same, and the same as of it alone.
static void check_variants(const Group *group, const impi_Octants *octants, Counts *counts)
{
    impi_OctantsDecide *variants[2];
    size_t variant_count = list_variants(variants);
    for (size_t i = 0; i < group->count; ++i) {
        const imp_Triangle *together[IMPI_OCTANT_LANES], *alone[IMPI_OCTANT_LANES];
        impi_OctantLane lanes[IMPI_OCTANT_LANES], first = {0};
        for (size_t k = 0; k < IMPI_OCTANT_LANES; ++k) {
            together[k] = &group->triangles[k % group->count];
            alone[k] = &group->triangles[i];
        }
        for (size_t variant = 0; variant < variant_count; ++variant) {
            variants[variant](alone, octants, lanes);
            if (variant == 0)
                first = lanes[0];
            for (size_t k = 0; k < IMPI_OCTANT_LANES; ++k)
                CHECK(memcmp(&lanes[k], &first, sizeof first) == 0);
            variants[variant](together, octants, lanes);
            CHECK(memcmp(&lanes[i], &first, sizeof first) == 0);
        }
        uint8_t doubtful = first.unknown & (uint8_t)~first.missed;
        ++counts->lanes;
        counts->doubtful += doubtful != 0;
        counts->all_doubtful += doubtful == 0xFF;
    }
}

// ---- cells

static bool meets(const imp_Triangle *triangle, const impi_Octants *octants, unsigned octant)
{
    imp_Box box = octant_box(octants, octant);
    return octants->is_open ? impi_triangle_enters_box(triangle, &box)
                            : impi_triangle_touches_box(triangle, &box);
}

static bool is_right_of_all(const Group *group, const impi_Octants *octants, const uint8_t *masks)
{
    bool is_right = true;
    for (size_t i = 0; i < group->count; ++i)
        for (unsigned octant = 0; octant < 8; ++octant)
            is_right &= (masks[i] >> octant & 1) == meets(&group->triangles[i], octants, octant);
    return is_right;
}

static bool try_cell(const Group *group, impi_Octants *octants, Counts *counts)
{
    const imp_Triangle *triangle = &group->triangles[group->place];
    uint8_t closed[IMPI_OCTANT_LANES], open[IMPI_OCTANT_LANES];
    octants->is_open = false;
    impi_triangles_octants(group->triangles, group->count, octants, closed);
    check_variants(group, octants, counts);
    bool is_right = is_right_of_all(group, octants, closed);
    octants->is_open = true;
    impi_triangles_octants(group->triangles, group->count, octants, open);
    check_variants(group, octants, counts);
    is_right &= is_right_of_all(group, octants, open);
    for (unsigned octant = 0; octant < 8; ++octant) {
        imp_Box box = octant_box(octants, octant);
        bool touches = oracle_triangle_touches_box(triangle, &box), enters = open[group->place] >> octant & 1;
        is_right &= (closed[group->place] >> octant & 1) == touches && (touches || !enters);
        counts->met += touches;
        counts->entered += enters;
        counts->touched_only += touches && !enters;
    }
    ++counts->cells;
    ++counts->groups[group->count];
    return is_right;
}

static void check_groups(const Counts *counts)
{
    printf("%" PRIu64 " triangles filtered: %" PRIu64 " with octants in doubt, %" PRIu64 " with all\n",
           counts->lanes, counts->doubtful, counts->all_doubtful);
    for (size_t count = 1; count <= IMPI_OCTANT_LANES; ++count)
        CHECK(counts->groups[count] > counts->cells / 8);
    CHECK(counts->doubtful > counts->lanes / 8 && counts->doubtful < counts->lanes - counts->lanes / 8);
    CHECK(counts->all_doubtful > counts->lanes / 50);
}

TEST(octants_are_told_as_one_by_one)
{
    uint64_t total = test_count(8000);
    Counts counts = {0};
    for (uint64_t i = 0; i < total; ++i) {
        TriangleCase pair = triangle_case_make((TriangleKind)(i % TRIANGLE_KIND_COUNT));
        Group group = random_group(&pair.a, &pair.b);
        impi_Octants octants;
        if (make_cell(&pair.b, &octants) && !CHECK(try_cell(&group, &octants, &counts)))
            triangle_case_print(&pair);
    }
    printf("%" PRIu64 " cells: %" PRIu64 " octants met, %" PRIu64 " entered, %" PRIu64 " touched only\n",
           counts.cells, counts.met, counts.entered, counts.touched_only);
    CHECK(counts.cells > total / 2);
    CHECK(counts.entered > counts.cells / 2);
    CHECK(counts.touched_only > counts.cells / 4);
    CHECK(counts.met < 6 * counts.cells);
    check_groups(&counts);
}

// Far from where things are, one double apart, and small beside large.
TEST(cells_far_away_and_thin_are_told_as_one_by_one)
{
    uint64_t total = test_count(8000) / 4;
    Counts counts = {0};
    for (uint64_t i = 0; i < total; ++i) {
        imp_Triangle triangle;
        impi_Octants octants;
        double far = ldexp(1, (int)test_random_below(60)),
               scale = ldexp(1, (int)test_random_below(1600) - 800);
        for (int axis = 0; axis < 3; ++axis) {
            double *planes = octants.planes[axis];
            planes[1] = far * scale;
            planes[0] = nextafter(planes[1], -INFINITY) - scale * test_random_below(3);
            planes[2] = nextafter(planes[1], INFINITY) + scale * test_random_below(3);
        }
        impi_octants_make(&octants);
        for (int k = 0; k < 3; ++k) {
            double at[3];
            for (int axis = 0; axis < 3; ++axis)
                at[axis] = octants.planes[axis][test_random_below(3)] + scale * random_integer(2);
            triangle.v[k] = (imp_Vec3){at[0], at[1], at[2]};
        }
        imp_Triangle other = scaled(&triangle, -1);
        Group group = random_group(&triangle, &other);
        CHECK(try_cell(&group, &octants, &counts));
    }
    CHECK(counts.met > total && counts.touched_only > total / 8);
    check_groups(&counts);
}

// What is parallel to axes and planes across them has directions that are left out, so that nothing is in
// doubt that bounding boxes tell.
TEST(what_lies_along_axes_is_told_by_the_filter)
{
    static const imp_Triangle triangles[IMPI_OCTANT_LANES] = {
        {{{-2, 0.25, 0.25}, {3, 0.25, 0.25}, {2, 0.25, 0.25}}}, // a segment along x
        {{{0.5, -2, -0.5}, {0.5, -2, -0.5}, {0.5, -2, -0.5}}},  // a point outside of the cell
        {{{-2, -0.5, -3}, {-2, -0.5, 1}, {1, -0.5, 1}}},        // across y, legs along x and z
        {{{0.25, -3, -3}, {0.25, 5, -3}, {0.25, -3, 5}}},       // across x, legs along y and z
    };
    static const uint8_t expected[IMPI_OCTANT_LANES] = {0xC0, 0, 0x33, 0xAA};
    const imp_Triangle *list[IMPI_OCTANT_LANES];
    impi_OctantsDecide *variants[2];
    impi_Octants octants = {.planes = {{-1, 0, 1}, {-1, 0, 1}, {-1, 0, 1}}};
    size_t variant_count = list_variants(variants);
    impi_octants_make(&octants);
    for (int i = 0; i < IMPI_OCTANT_LANES; ++i)
        list[i] = &triangles[i];
    for (size_t variant = 0; variant < 2 * variant_count; ++variant) {
        impi_OctantLane lanes[IMPI_OCTANT_LANES];
        octants.is_open = variant % 2 == 1;
        variants[variant / 2](list, &octants, lanes);
        for (int i = 0; i < IMPI_OCTANT_LANES; ++i) {
            CHECK_INT((uint8_t)~lanes[i].missed, expected[i]);
            CHECK_INT(lanes[i].unknown & expected[i], 0);
        }
    }
}
