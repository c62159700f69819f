// What the functions of math.h refuse: numbers that are not finite in any position, null pointers, inverted
// boxes. Outputs stay as they were.
#include "harness.h"

#include <impinge/distance.h>

#include <float.h>
#include <math.h>
#include <string.h>

static const imp_Triangle triangle_a = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
static const imp_Triangle triangle_b = {{{1, 1, -1}, {1, 1, 1}, {9, 9, 9}}};
static const imp_Segment segment = {{{1, 1, -1}, {1, 1, 1}}};
static const imp_Box box = {{0, 0, 0}, {1, 1, 1}};
static const imp_Pose pose = {{1, 2, 3}, {0.8, 0, 0.6, 0}};

#define BAD_COUNT 3
static const double bad_numbers[BAD_COUNT] = {NAN, INFINITY, -INFINITY};

// Set the n-th double of an object.
static void spoil(void *object, size_t n, double number)
{
    memcpy((char *)object + n * sizeof number, &number, sizeof number);
}

// Calls `call` with each double of `object` spoiled in turn; it returns whether all was as it should be.
static void spoil_each(void *object, size_t size, bool (*call)(imp_Status want))
{
    CHECK(call(IMP_STATUS_OK));
    for (size_t n = 0; n < size / sizeof(double); ++n)
        for (int bad = 0; bad < BAD_COUNT; ++bad) {
            double good;
            memcpy(&good, (char *)object + n * sizeof good, sizeof good);
            spoil(object, n, bad_numbers[bad]);
            CHECK(call(IMP_STATUS_BAD_NUMBER));
            spoil(object, n, good);
        }
    CHECK(call(IMP_STATUS_OK));
}

static struct {
    imp_Triangle a, b;
} two_triangles;

static bool call_triangles(imp_Status want)
{
    for (int before = 0; before < 2; ++before) {
        bool touch = before;
        if (imp_triangles_touch(&two_triangles.a, &two_triangles.b, &touch) != want)
            return false;
        if (touch != (want == IMP_STATUS_OK ? true : before))
            return false;
    }
    return true;
}

TEST(triangles_touch_refuses_bad_numbers)
{
    two_triangles.a = triangle_a;
    two_triangles.b = triangle_b;
    spoil_each(&two_triangles, sizeof two_triangles, call_triangles);
}

// What is refused leaves the results as they were.
static bool call_lengths(imp_Status want)
{
    imp_Distance found = {.distance = 77}, before = found;
    bool is_done = want == IMP_STATUS_OK, within = false;
    if (imp_triangles_distance(&two_triangles.a, &two_triangles.b, &found) != want ||
        imp_triangles_within(&two_triangles.a, &two_triangles.b, 1e9, &within) != want)
        return false;
    return is_done ? found.distance == 0 && within : !within && memcmp(&found, &before, sizeof found) == 0;
}

TEST(lengths_refuse_bad_numbers)
{
    two_triangles.a = triangle_a;
    two_triangles.b = triangle_b;
    spoil_each(&two_triangles, sizeof two_triangles, call_lengths);
    const double bad[] = {-1, -DBL_TRUE_MIN, NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 5; ++i) {
        bool within = i % 2;
        CHECK_INT(imp_triangles_within(&triangle_a, &triangle_b, bad[i], &within), IMP_STATUS_BAD_NUMBER);
        CHECK_INT(within, i % 2);
    }
    bool within = false;
    CHECK_INT(imp_triangles_within(&triangle_a, &triangle_b, -0.0, &within), IMP_STATUS_OK);
    CHECK(within);
    imp_Distance found;
    CHECK_INT(imp_triangles_within(NULL, &triangle_b, 1, &within), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_triangles_within(&triangle_a, NULL, 1, &within), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_triangles_within(&triangle_a, &triangle_b, 1, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_triangles_distance(NULL, &triangle_b, &found), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_triangles_distance(&triangle_a, NULL, &found), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_triangles_distance(&triangle_a, &triangle_b, NULL), IMP_STATUS_BAD_ARGUMENT);
}

static struct {
    imp_Segment segment;
    imp_Triangle triangle;
} segment_and_triangle;

static bool call_segment(imp_Status want)
{
    for (int before = 0; before < 2; ++before) {
        bool touch = before;
        if (imp_segment_touches_triangle(&segment_and_triangle.segment, &segment_and_triangle.triangle,
                                         &touch) != want)
            return false;
        if (touch != (want == IMP_STATUS_OK ? true : before))
            return false;
    }
    return true;
}

TEST(segment_touches_triangle_refuses_bad_numbers)
{
    segment_and_triangle.segment = segment;
    segment_and_triangle.triangle = triangle_a;
    spoil_each(&segment_and_triangle, sizeof segment_and_triangle, call_segment);
}

static struct {
    imp_Triangle triangle;
    imp_Box box;
} triangle_and_box;

static bool call_box(imp_Status want)
{
    for (int before = 0; before < 2; ++before) {
        bool touch = before;
        if (imp_triangle_touches_box(&triangle_and_box.triangle, &triangle_and_box.box, &touch) != want)
            return false;
        if (touch != (want == IMP_STATUS_OK ? true : before))
            return false;
    }
    return true;
}

TEST(triangle_touches_box_refuses_bad_numbers_and_inverted_boxes)
{
    triangle_and_box.triangle = triangle_a;
    triangle_and_box.box = box;
    spoil_each(&triangle_and_box, sizeof triangle_and_box, call_box);
    for (size_t axis = 0; axis < 3; ++axis) {
        triangle_and_box.box = box;
        spoil(&triangle_and_box.box, axis, nextafter(1, 2));
        CHECK(call_box(IMP_STATUS_BAD_NUMBER));
    }
}

static imp_Vec2 flat_points[3];

static bool call_orient2d(imp_Status want)
{
    int sign = 7;
    return imp_orient2d(flat_points[0], flat_points[1], flat_points[2], &sign) == want &&
           sign == (want == IMP_STATUS_OK ? 1 : 7);
}

static imp_Vec3 points[4];

static bool call_orient3d(imp_Status want)
{
    int sign = 7;
    return imp_orient3d(points[0], points[1], points[2], points[3], &sign) == want &&
           sign == (want == IMP_STATUS_OK ? 1 : 7);
}

TEST(orientations_refuse_bad_numbers)
{
    flat_points[0] = (imp_Vec2){0, 0};
    flat_points[1] = (imp_Vec2){1, 0};
    flat_points[2] = (imp_Vec2){0, 1};
    spoil_each(flat_points, sizeof flat_points, call_orient2d);
    memcpy(points, triangle_a.v, sizeof triangle_a.v);
    points[3] = (imp_Vec3){1, 1, 1};
    spoil_each(points, sizeof points, call_orient3d);
}

static struct {
    imp_Pose pose;
    imp_Vec3 point;
} pose_and_point;

static bool call_pose_apply(imp_Status want)
{
    const imp_Vec3 before = {7, 7, 7};
    imp_Vec3 posed = before;
    return imp_pose_apply(&pose_and_point.pose, pose_and_point.point, &posed) == want &&
           (want == IMP_STATUS_OK) == (memcmp(&posed, &before, sizeof before) != 0);
}

static bool call_pose_transform(imp_Status want)
{
    const imp_Transform before = {{{7}}, {7, 7, 7}};
    imp_Transform transform = before;
    return imp_pose_transform(&pose_and_point.pose, &transform) == want &&
           (want == IMP_STATUS_OK) == (memcmp(&transform, &before, sizeof before) != 0);
}

TEST(poses_refuse_bad_numbers)
{
    pose_and_point.pose = pose;
    pose_and_point.point = (imp_Vec3){1, 2, 3};
    spoil_each(&pose_and_point, sizeof pose_and_point, call_pose_apply);
    spoil_each(&pose_and_point.pose, sizeof pose_and_point.pose, call_pose_transform);
}

// ------------------------------------------------------------------------------------------------- batches

enum { PAIR_COUNT = 21 };

static imp_Triangle batch_a[PAIR_COUNT], batch_b[PAIR_COUNT];

static void fill_batch(void)
{
    for (int i = 0; i < PAIR_COUNT; ++i) {
        batch_a[i] = triangle_a;
        batch_b[i] = triangle_b;
    }
}

static void check_refused_at(imp_Context *context, uint64_t index)
{
    bool touch[PAIR_COUNT] = {true, false, true};
    bool before[PAIR_COUNT] = {true, false, true};
    CHECK_INT(imp_triangle_pairs_touch(context, batch_a, batch_b, PAIR_COUNT, touch), IMP_STATUS_BAD_NUMBER);
    CHECK(memcmp(touch, before, sizeof touch) == 0);
    CHECK_INT(imp_context_get_error(context)->status, IMP_STATUS_BAD_NUMBER);
    CHECK_INT((int64_t)imp_context_get_error(context)->index, (int64_t)index);
}

TEST(triangle_pairs_refuse_bad_numbers_and_name_the_first)
{
    imp_Context *context = NULL;
    if (!CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK))
        return;
    for (size_t n = 0; n < 18; ++n)
        for (size_t index = 0; index < PAIR_COUNT; ++index) {
            fill_batch();
            spoil(n < 9 ? &batch_a[index] : &batch_b[index], n % 9, bad_numbers[(n + index) % BAD_COUNT]);
            spoil(&batch_b[PAIR_COUNT - 1], 0, NAN);
            check_refused_at(context, index);
        }
    fill_batch();
    bool touch[PAIR_COUNT] = {false};
    CHECK_INT(imp_triangle_pairs_touch(context, batch_a, batch_b, PAIR_COUNT, touch), IMP_STATUS_OK);
    for (int i = 0; i < PAIR_COUNT; ++i)
        CHECK(touch[i]);
    CHECK_INT(imp_triangle_pairs_touch(context, batch_a, batch_b, 0, touch), IMP_STATUS_OK);
    imp_context_destroy(context);
}

// ----------------------------------------------------------------------------------------------- pointers

TEST(null_pointers_are_refused)
{
    const imp_Vec2 flat = {0, 0};
    const imp_Vec3 point = {0, 0, 0};
    bool touch = true;
    imp_Transform transform;
    imp_Vec3 posed;
    CHECK_INT(imp_triangles_touch(NULL, &triangle_b, &touch), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_triangles_touch(&triangle_a, NULL, &touch), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_triangles_touch(&triangle_a, &triangle_b, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_segment_touches_triangle(NULL, &triangle_a, &touch), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_segment_touches_triangle(&segment, NULL, &touch), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_segment_touches_triangle(&segment, &triangle_a, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_triangle_touches_box(NULL, &box, &touch), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_triangle_touches_box(&triangle_a, NULL, &touch), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_triangle_touches_box(&triangle_a, &box, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_orient2d(flat, flat, flat, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_orient3d(point, point, point, point, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pose_transform(NULL, &transform), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pose_transform(&pose, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pose_apply(NULL, point, &posed), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pose_apply(&pose, point, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK(touch);
}

TEST(null_pointers_to_batches_are_refused)
{
    imp_Context *context = NULL;
    bool touch = true;
    if (!CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK))
        return;
    CHECK_INT(imp_triangle_pairs_touch(NULL, &triangle_a, &triangle_b, 1, &touch), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_triangle_pairs_touch(context, NULL, &triangle_b, 1, &touch), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_triangle_pairs_touch(context, &triangle_a, NULL, 1, &touch), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_triangle_pairs_touch(context, &triangle_a, &triangle_b, 1, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_context_get_error(context)->status, IMP_STATUS_BAD_ARGUMENT);
    CHECK(touch);
    imp_context_destroy(context);
}
