#include "harness.h"

#include "base/memory.h"
#include "failing_allocator.h"
#include "feature/swept_hull.h"

#include <float.h>
#include <math.h>

static bool meet(const impi_SweptHull *a, const impi_SweptHull *b)
{
    impi_SweptHullScratch scratch;
    bool forth = false, back = false;
    impi_swept_hull_scratch_init(&scratch, &impi_default_allocator);
    CHECK_INT(impi_swept_hulls_meet(&scratch, a, b, &forth), IMP_STATUS_OK);
    CHECK_INT(impi_swept_hulls_meet(&scratch, b, a, &back), IMP_STATUS_OK);
    CHECK_INT(forth, back);
    impi_swept_hull_scratch_destroy(&scratch);
    return forth;
}

static imp_Triangle triangle_at(imp_Vec3 at, double size)
{
    return (imp_Triangle){
        {{at.x - size, at.y - size, at.z}, {at.x + size, at.y - size, at.z}, {at.x, at.y + size, at.z}}};
}

// From below to above the plane z = height.
static impi_SweptHull rising(imp_Vec3 at, double size, double way, double widening)
{
    imp_Triangle begin = triangle_at((imp_Vec3){at.x, at.y, at.z - way}, size);
    imp_Triangle end = triangle_at((imp_Vec3){at.x, at.y, at.z + way}, size);
    return impi_swept_hull(&begin, &end, widening);
}

TEST(a_hull_inside_another_meets_it)
{
    impi_SweptHull outer = rising((imp_Vec3){0, 0, 0}, 10, 10, 0);
    impi_SweptHull inner = rising((imp_Vec3){0, -1, 0}, 0.1, 0.1, 0);
    CHECK(meet(&outer, &inner));
}

TEST(hulls_that_share_a_point_meet)
{
    impi_SweptHull a = rising((imp_Vec3){0, 0, 0}, 1, 1, 0), b = rising((imp_Vec3){0, 0, 2}, 1, 1, 0);
    CHECK(meet(&a, &b));
    for (int i = 0; i < 6; ++i)
        b.points[i].z = nextafter(b.points[i].z, INFINITY);
    CHECK(!meet(&a, &b));
}

TEST(faces_at_rest_are_hulls_of_their_own)
{
    imp_Triangle triangle = triangle_at((imp_Vec3){0, 0, 0}, 1), same = triangle;
    impi_SweptHull still = impi_swept_hull(&triangle, &same, 0);
    impi_SweptHull passing = rising((imp_Vec3){0, 0, 0}, 0.1, 1, 0);
    impi_SweptHull beside = rising((imp_Vec3){1.5, 0, 0}, 0.1, 1, 0);
    CHECK(meet(&still, &passing));
    CHECK(!meet(&still, &beside));
    CHECK(meet(&still, &still));
}

TEST(points_and_segments_have_hulls_too)
{
    imp_Triangle point = triangle_at((imp_Vec3){0, 0, 0}, 0), moved = triangle_at((imp_Vec3){0, 0, 4}, 0);
    impi_SweptHull segment = impi_swept_hull(&point, &moved, 0), dot = impi_swept_hull(&point, &point, 0);
    CHECK(meet(&segment, &dot));
    point = triangle_at((imp_Vec3){0, 0, 2}, 0);
    dot = impi_swept_hull(&point, &point, 0);
    CHECK(meet(&segment, &dot));
    point = triangle_at((imp_Vec3){0, 0x1p-1000, 2}, 0);
    dot = impi_swept_hull(&point, &point, 0);
    CHECK(!meet(&segment, &dot));
}

TEST(sizes_from_the_smallest_to_the_largest)
{
    static const double sizes[] = {0x1p-1060, 0x1p-500, 1e-3, 1, 1e6, 0x1p500, 0x1p1020};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        double s = sizes[i];
        impi_SweptHull a = rising((imp_Vec3){0, 0, 0}, s, s, 0);
        impi_SweptHull touching = rising((imp_Vec3){0, 0, 2 * s}, s, s, 0);
        impi_SweptHull apart = rising((imp_Vec3){0, 0, 3 * s}, s, s, 0);
        impi_SweptHull wide = rising((imp_Vec3){0, 0, 3 * s}, s, s, 2 * s);
        CHECK(meet(&a, &touching));
        CHECK(!meet(&a, &apart));
        CHECK(meet(&a, &wide));
    }
}

TEST(widening_counts_from_both)
{
    impi_SweptHull a = rising((imp_Vec3){0, 0, 0}, 1, 1, 0.25), b = rising((imp_Vec3){0, 0, 2.5}, 1, 1, 0.25);
    CHECK(meet(&a, &b)); // half apart, and half is what both are widened by
    b.widening = 0.249;
    CHECK(!meet(&a, &b));
    a.widening = 0.26;
    CHECK(meet(&a, &b));
}

TEST(boxes_are_around_all)
{
    impi_SweptHull hull = rising((imp_Vec3){1, 2, 3}, 1, 2, 0);
    imp_Box box = impi_swept_hull_box(&hull);
    CHECK_DOUBLE(box.min.x, 0);
    CHECK_DOUBLE(box.max.x, 2);
    CHECK_DOUBLE(box.min.z, 1);
    CHECK_DOUBLE(box.max.z, 5);
    hull.widening = 0x1p-60;
    box = impi_swept_hull_box(&hull);
    CHECK(box.max.z > 5 && box.min.z < 1 && box.min.x < 0);
    hull.widening = DBL_MAX;
    box = impi_swept_hull_box(&hull);
    CHECK(box.max.z >= DBL_MAX && box.min.z <= -DBL_MAX);
}

static imp_Quat turn(double angle)
{
    return (imp_Quat){cos(angle / 2), 0.6 * sin(angle / 2), 0, 0.8 * sin(angle / 2)};
}

TEST(heights_of_arcs)
{
    static const double angles[] = {0, 1e-12, 1e-6, 0.01, 1, 3, 3.14159};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; ++i) {
        double true_height = 2 * sin(angles[i] / 4) * sin(angles[i] / 4);
        double height = impi_turn_height(turn(0.5), turn(0.5 + angles[i]), 0);
        CHECK(height >= true_height * (1 - 1e-14));
        CHECK(height <= true_height * (1 + 1e-9) + 1e-14 * angles[i] + 1e-28);
        imp_Quat negative = turn(0.5 + angles[i]);
        negative = (imp_Quat){-negative.w, -negative.x, -negative.y, -negative.z};
        CHECK_DOUBLE(impi_turn_height(turn(0.5), negative, 0), height);
    }
    CHECK(impi_turn_height(turn(0), turn(5), 0) < 1); // the short way: 2 pi - 5
    CHECK_DOUBLE(impi_turn_height(turn(0), turn(0), 1), 2);
    CHECK(impi_turn_widening(0, 0, 0) > 0);
    CHECK(impi_turn_widening(1, DBL_MAX, DBL_MAX) <= DBL_MAX);
}

TEST(out_of_memory_is_a_status)
{
    impi_SweptHull a = rising((imp_Vec3){0, 0, 0}, 1, 1, 0), b = rising((imp_Vec3){0, 0, 2}, 1, 1, 0);
    FailingAllocator memory;
    uint64_t n = 0;
    do {
        failing_allocator_init(&memory, ++n);
        imp_Allocator hooks = failing_allocator_hooks(&memory);
        impi_SweptHullScratch scratch;
        bool answer = false;
        impi_swept_hull_scratch_init(&scratch, &hooks);
        imp_Status status = impi_swept_hulls_meet(&scratch, &a, &b, &answer);
        bool has_failed = failing_allocator_has_failed(&memory);
        CHECK_INT(status, has_failed ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
        CHECK_INT(answer, !has_failed);
        impi_swept_hull_scratch_destroy(&scratch);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 1);
}
