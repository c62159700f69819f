#include "object/contact_split.h"

#include "geom/vector.h"
#include "harness.h"

static double area_of(const imp_Triangle *t)
{
    return impi_length(impi_cross(impi_subtract(t->v[1], t->v[0]), impi_subtract(t->v[2], t->v[0]))) / 2;
}

static imp_Triangle random_triangle(void)
{
    imp_Triangle triangle;
    for (int i = 0; i < 9; ++i)
        (&triangle.v[0].x)[i] = test_random_between(-1, 1);
    return triangle;
}

// Parts lie in the triangle's plane and cover its area.
static void check_parts(const imp_Triangle *whole, const imp_Triangle *parts, int count)
{
    imp_Vec3 normal = impi_unit(
        impi_cross(impi_subtract(whole->v[1], whole->v[0]), impi_subtract(whole->v[2], whole->v[0])));
    double area = 0;
    for (int i = 0; i < count; ++i) {
        area += area_of(&parts[i]);
        for (int k = 0; k < 3; ++k)
            CHECK(fabs(impi_dot(normal, impi_subtract(parts[i].v[k], whole->v[0]))) < 1e-14);
    }
    CHECK(fabs(area - area_of(whole)) < 1e-14);
}

TEST(parts_are_the_whole)
{
    int cuts = 0, along = 0;
    for (int n = 0; n < 1000; ++n) {
        imp_Triangle whole = random_triangle(), face = random_triangle(), parts[IMPI_MAX_PARTS];
        impi_triangle_halve(&whole, parts);
        check_parts(&whole, parts, 2);
        CHECK(fabs(area_of(&parts[0]) - area_of(&parts[1])) < 1e-14);
        int count = impi_triangle_cut(&whole, &face, 1e-9, parts);
        CHECK(count == 0 || count == 3);
        if (count > 0)
            check_parts(&whole, parts, count);
        cuts += count > 0;
        // Along a line through the middle of two edges.
        imp_Vec3 ends[2] = {impi_add_scaled(impi_scale(whole.v[0], 0.5), 0.5, whole.v[1]),
                            impi_add_scaled(impi_scale(whole.v[0], 0.5), 0.5, whole.v[2])};
        imp_Vec3 normal = impi_unit(
            impi_cross(impi_subtract(whole.v[1], whole.v[0]), impi_subtract(whole.v[2], whole.v[0])));
        count = impi_triangle_cut_along(&whole, ends, normal, 1e-9, parts);
        if (count > 0) {
            check_parts(&whole, parts, count);
            CHECK(fabs(area_of(&parts[0]) - area_of(&whole) / 4) < 1e-14);
        }
        along += count > 0;
    }
    CHECK(cuts > 300 && along > 950);
}

TEST(segments_that_only_reach_an_edge_do_not_cut)
{
    const imp_Triangle triangle = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
    const struct {
        imp_Vec3 ends[2];
        bool cuts;
    } cases[] = {
        {{{-1, 1, 0}, {9, 1, 0}}, true},      {{{1, 1, 0}, {1.5, 1, 0}}, true},
        {{{-1, 0, 0}, {9, 0, 0}}, false},     {{{-1, -1e-3, 0}, {9, -1e-3, 0}}, false},
        {{{0, 4, 0}, {4, 0, 0}}, false},      {{{3, 3, 0}, {9, 9, 0}}, false},
        {{{-1, 0.005, 0}, {9, 0, 0}}, false}, {{{-2, 1, 0}, {1, -2, 0}}, false},
        {{{-1, 5, 0}, {5, -1, 0}}, false},    {{{-1, 4.9, 0}, {4.9, -1, 0}}, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        CHECK_INT(impi_may_be_cut(&triangle, cases[i].ends, IMPI_AXIS_Z, 0.01), cases[i].cuts);
        const imp_Vec3 turned[2] = {cases[i].ends[1], cases[i].ends[0]};
        CHECK_INT(impi_may_be_cut(&triangle, turned, IMPI_AXIS_Z, 0.01), cases[i].cuts);
    }
}

// A triangle that is thinner than the margin is still cut across.
TEST(needles_are_cut_across)
{
    const imp_Triangle needle = {{{0, 0, 0}, {4, 0, 0}, {4, 0.001, 0}}};
    const imp_Vec3 across[2] = {{2, -1, 0}, {2, 1, 0}}, beside[2] = {{2, 1, 0}, {2, 2, 0}};
    CHECK(impi_may_be_cut(&needle, across, IMPI_AXIS_Z, 0.01));
    CHECK(!impi_may_be_cut(&needle, beside, IMPI_AXIS_Z, 0.01));
    // One along the segment, and farther, may lie on both sides of the curve.
    const imp_Vec3 along[2] = {{1, 0.0005, 0}, {2, 0.0005, 0}};
    CHECK(impi_may_be_cut(&needle, along, IMPI_AXIS_Z, 0.01));
}

TEST(triangles_that_only_share_an_edge_do_not_overlap)
{
    const imp_Triangle triangle = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
    const struct {
        imp_Triangle other;
        bool overlaps;
    } cases[] = {
        {{{{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}}, true},
        {{{{-9, -9, 0}, {30, -9, 0}, {-9, 30, 0}}}, true},
        {{{{4, 0, 0}, {4, 4, 0}, {0, 4, 0}}}, false},
        {{{{3.9, 0, 0}, {4, 4, 0}, {0, 3.9, 0}}}, true},
        {{{{0, 0.005, 0}, {4, 0.005, 0}, {0, -4, 0}}}, false},
        {{{{0, 0.02, 0}, {4, 0.02, 0}, {0, -4, 0}}}, true},
        {{{{4, 0, 0}, {8, 0, 0}, {4, 4, 0}}}, false},
        {{{{3, 3, 0}, {9, 3, 0}, {3, 9, 0}}}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        CHECK_INT(impi_may_overlap(&triangle, &cases[i].other, IMPI_AXIS_Z, 0.01), cases[i].overlaps);
        CHECK_INT(impi_may_overlap(&cases[i].other, &triangle, IMPI_AXIS_Z, 0.01), cases[i].overlaps);
    }
}

TEST(what_is_cut_across_is_half_as_long)
{
    for (int n = 0; n < 1000; ++n) {
        imp_Triangle whole = random_triangle(), parts[IMPI_MAX_PARTS];
        double length = 0;
        // A needle, its last corner close to the edge between the others.
        imp_Vec3 along = impi_subtract(whole.v[1], whole.v[0]);
        whole.v[2] =
            impi_add_scaled(impi_add_scaled(whole.v[0], test_random_unit(), along), 1e-9, whole.v[2]);
        CHECK(impi_triangle_width(&whole) < 1e-8);
        CHECK_INT(impi_triangle_cut_across(&whole, parts), 3);
        for (int i = 0; i < 9; ++i)
            length =
                fmax(length, impi_length(impi_subtract(parts[i / 3].v[(i + 1) % 3], parts[i / 3].v[i % 3])));
        CHECK(length < impi_length(along) / 2 + 1e-8);
    }
}
