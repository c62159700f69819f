// All octants of a cell at once against each of them by itself, closed and open, for cells whose planes pass
// through points of what a triangle may touch.
#include "geom/triangle_octants.h"
#include "geom/touch.h"
#include "harness.h"
#include "oracle/exact_oracle.h"
#include "oracle/triangle_cases.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

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

typedef struct Counts {
    uint64_t cells, met, entered, touched_only;
} Counts;

static bool try_cell(const imp_Triangle *triangle, impi_Octants *octants, Counts *counts)
{
    uint8_t closed, open;
    octants->is_open = false;
    closed = impi_triangle_octants(triangle, octants);
    octants->is_open = true;
    open = impi_triangle_octants(triangle, octants);
    bool is_right = true;
    for (unsigned octant = 0; octant < 8; ++octant) {
        imp_Box box = octant_box(octants, octant);
        bool touches = oracle_triangle_touches_box(triangle, &box),
             enters = impi_triangle_enters_box(triangle, &box);
        is_right &=
            (closed >> octant & 1) == touches && (open >> octant & 1) == enters && (touches || !enters);
        counts->met += touches;
        counts->entered += enters;
        counts->touched_only += touches && !enters;
    }
    ++counts->cells;
    return is_right;
}

TEST(octants_are_told_as_one_by_one)
{
    uint64_t total = test_count(20000);
    Counts counts = {0};
    for (uint64_t i = 0; i < total; ++i) {
        TriangleCase pair = triangle_case_make((TriangleKind)(i % TRIANGLE_KIND_COUNT));
        impi_Octants octants;
        if (make_cell(&pair.b, &octants) && !CHECK(try_cell(&pair.a, &octants, &counts)))
            triangle_case_print(&pair);
    }
    printf("%" PRIu64 " cells: %" PRIu64 " octants met, %" PRIu64 " entered, %" PRIu64 " touched only\n",
           counts.cells, counts.met, counts.entered, counts.touched_only);
    CHECK(counts.cells > total / 2);
    CHECK(counts.entered > counts.cells / 2);
    CHECK(counts.touched_only > counts.cells / 4);
    CHECK(counts.met < 6 * counts.cells);
}

// Far from where things are, one double apart, and small beside large.
TEST(cells_far_away_and_thin_are_told_as_one_by_one)
{
    uint64_t total = test_count(20000) / 4;
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
        CHECK(try_cell(&triangle, &octants, &counts));
    }
    CHECK(counts.met > total && counts.touched_only > total / 8);
}
