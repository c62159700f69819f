#include "failing_allocator.h"
#include "harness.h"
#include "object/separating_vector.h"

#include <impinge/convex.h>

#include <math.h>
#include <string.h>

// A cube from -1 to 1, or a ball of many vertices, tested against itself.
typedef struct Fixture {
    imp_Context *context;
    imp_Convex *cube, *ball;
    imp_ConvexPair pair;
} Fixture;

#define BALL_POINTS 500

static imp_Convex *make_hull(imp_Context *context, const double *points, size_t count)
{
    imp_Convex *convex = NULL;
    imp_ConvexDef def = {.points = points, .point_count = count};
    CHECK_INT(imp_convex_create(context, &def, &convex), IMP_STATUS_OK);
    return convex;
}

static imp_Convex *make_cube(imp_Context *context, double size)
{
    double corners[24];
    for (int i = 0; i < 24; ++i)
        corners[i] = i / 3 >> i % 3 & 1 ? size : -size;
    return make_hull(context, corners, 8);
}

static imp_Convex *make_ball(imp_Context *context, double size)
{
    static double points[3 * BALL_POINTS];
    for (int i = 0; i < BALL_POINTS;) {
        double x = test_random_between(-1, 1), y = test_random_between(-1, 1), z = test_random_between(-1, 1);
        double length = sqrt(x * x + y * y + z * z);
        if (length < 0.1)
            continue;
        points[3 * i] = x / length * size;
        points[3 * i + 1] = y / length * size;
        points[3 * i + 2] = z / length * size;
        ++i;
    }
    return make_hull(context, points, BALL_POINTS);
}

static void setup(Fixture *fixture)
{
    *fixture = (Fixture){0};
    CHECK_INT(imp_context_create(NULL, &fixture->context), IMP_STATUS_OK);
    fixture->cube = make_cube(fixture->context, 1);
    fixture->ball = make_ball(fixture->context, 1);
    fixture->pair = (imp_ConvexPair){.a = fixture->cube, .b = fixture->cube};
}

static void teardown(Fixture *fixture)
{
    imp_convex_release(fixture->cube);
    imp_convex_release(fixture->ball);
    imp_context_destroy(fixture->context);
}

// The verdict, with its proof checked.
static bool touches(Fixture *fixture, imp_ConvexState *state)
{
    imp_ConvexResult result = {.touch = false};
    bool is_valid = false;
    CHECK_INT(imp_convex_test(fixture->context, state, &fixture->pair, &result), IMP_STATUS_OK);
    CHECK_INT(imp_certificate_check(fixture->context, &fixture->pair, &result.certificate, &is_valid),
              IMP_STATUS_OK);
    CHECK(is_valid && result.certificate.touch == result.touch);
    return result.touch;
}

static const double sizes[] = {0x1p-1070, 0x1p-500, 0x1p-160, 0x1p-70, 0x1p-30, 0.25,
                               1,         0x1p30,   0x1p160,  0x1p500, 0x1p1000};

TEST(bodies_of_any_size)
{
    Fixture f;
    setup(&f);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        imp_Convex *cube = make_cube(f.context, sizes[i]), *ball = make_ball(f.context, sizes[i]);
        for (int shape = 0; shape < 2; ++shape) {
            f.pair.a = f.pair.b = shape ? ball : cube;
            f.pair.pose_b.translation.x = sizes[i];
            CHECK(touches(&f, NULL));
            f.pair.pose_b.translation.x = 4 * sizes[i];
            CHECK(!touches(&f, NULL));
        }
        imp_convex_release(cube);
        imp_convex_release(ball);
    }
    teardown(&f);
}

// What is posed is what is tested, to the bit: on the transforms that imp_pose_transform makes of the poses.
TEST(poses_are_the_transforms_that_they_stand_for)
{
    Fixture f;
    setup(&f);
    f.pair.b = f.ball;
    int touching = 0;
    for (int i = 0; i < 500; ++i) {
        imp_Quat *q = &f.pair.pose_b.rotation;
        *q = (imp_Quat){test_random_between(-1, 1), test_random_between(-1, 1), test_random_between(-1, 1),
                        test_random_between(-1, 1)};
        double length = sqrt(((q->w * q->w + q->x * q->x) + q->y * q->y) + q->z * q->z);
        length *= i % 3 ? 1 : 1 + test_random_between(-1e-7, 1e-7);
        *q = (imp_Quat){q->w / length, q->x / length, q->y / length, q->z / length};
        f.pair.pose_a.rotation = i % 4 ? (imp_Quat){q->x, -q->y, q->w, q->z} : (imp_Quat){0};
        f.pair.pose_b.translation.x = test_random_between(1.9, 2.8);
        imp_Transform a, b;
        CHECK_INT(imp_pose_transform(&f.pair.pose_a, &a), IMP_STATUS_OK);
        CHECK_INT(imp_pose_transform(&f.pair.pose_b, &b), IMP_STATUS_OK);
        impi_Polytope cube = impi_convex_polytope(f.cube, &a), ball = impi_convex_polytope(f.ball, &b);
        imp_ConvexState first = {0}, second = {0};
        imp_ConvexResult got = {0}, want = {0};
        CHECK_INT(imp_convex_test(f.context, &first, &f.pair, &got), IMP_STATUS_OK);
        CHECK_INT(impi_convex_test(&f.context->scratch, &cube, &ball, &second, &want), IMP_STATUS_OK);
        CHECK(memcmp(&got, &want, sizeof got) == 0 && memcmp(&first, &second, sizeof first) == 0);
        touching += got.touch;
    }
    CHECK(touching > 50 && touching < 450);
    teardown(&f);
}

TEST(numbers_that_are_not_finite_are_refused)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    Fixture f;
    setup(&f);
    for (int i = 0; i < 14; ++i) {
        for (int k = 0; k < 3; ++k) {
            double numbers[14] = {0};
            numbers[i] = bad[k];
            memcpy(&f.pair.pose_a, numbers, sizeof numbers / 2);
            memcpy(&f.pair.pose_b, numbers + 7, sizeof numbers / 2);
            imp_ConvexResult result = {.step_count = 77};
            imp_ConvexState state = {.witness_count = 1};
            imp_ConvexDistance distance = {.depth = 77};
            bool is_valid = true;
            CHECK_INT(imp_convex_test(f.context, &state, &f.pair, &result), IMP_STATUS_BAD_NUMBER);
            CHECK_INT(imp_convex_distance(f.context, &state, &f.pair, NULL, &distance),
                      IMP_STATUS_BAD_NUMBER);
            CHECK(strstr(imp_context_get_error(f.context)->message, i < 7 ? "pose_a (" : "pose_b ("));
            CHECK_INT(imp_certificate_check(f.context, &f.pair, &result.certificate, &is_valid),
                      IMP_STATUS_BAD_NUMBER);
            CHECK(result.step_count == 77 && state.witness_count == 1 && distance.depth == 77 && is_valid);
        }
    }
    teardown(&f);
}

TEST(rotations_that_are_not_of_unit_length_are_refused)
{
    Fixture f;
    setup(&f);
    imp_ConvexResult result = {.step_count = 77};
    f.pair.pose_b.rotation.w = 1.1;
    CHECK_INT(imp_convex_test(f.context, NULL, &f.pair, &result), IMP_STATUS_BAD_NUMBER);
    CHECK_TEXT(imp_context_get_error(f.context)->message,
               "pose_b (0 0 0, 1.1 0 0 0) is not finite or its rotation is not of unit length");
    CHECK_INT(result.step_count, 77);
    teardown(&f);
}

TEST(vertices_beyond_the_largest_double_are_refused)
{
    Fixture f;
    setup(&f);
    imp_Convex *huge = make_cube(f.context, 1.5e308);
    imp_ConvexResult result;
    f.pair.b = huge;
    CHECK(touches(&f, NULL));
    f.pair.pose_b.translation.z = 1e308;
    CHECK_INT(imp_convex_test(f.context, NULL, &f.pair, &result), IMP_STATUS_BAD_NUMBER);
    CHECK_TEXT(imp_context_get_error(f.context)->message, "a pose moves a vertex beyond the largest double");
    imp_convex_release(huge);
    teardown(&f);
}

TEST(null_arguments_are_refused)
{
    Fixture f;
    setup(&f);
    imp_ConvexResult result;
    imp_ConvexDistance distance;
    CHECK_INT(imp_convex_test(NULL, NULL, &f.pair, &result), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_convex_test(f.context, NULL, NULL, &result), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_convex_test(f.context, NULL, &f.pair, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_convex_distance(f.context, NULL, &f.pair, NULL, NULL), IMP_STATUS_BAD_ARGUMENT);
    static const double accuracies[] = {-1, 1, NAN, INFINITY};
    for (int i = 0; i < 4; ++i) {
        imp_DistanceDef def = {.relative_accuracy = accuracies[i]};
        CHECK_INT(imp_convex_distance(f.context, NULL, &f.pair, &def, &distance), IMP_STATUS_BAD_ARGUMENT);
    }
    imp_ConvexPair pairs[2] = {f.pair, f.pair};
    pairs[0].a = NULL;
    pairs[1].b = NULL;
    for (int i = 0; i < 2; ++i)
        CHECK_INT(imp_convex_test(f.context, NULL, &pairs[i], &result), IMP_STATUS_BAD_ARGUMENT);
    teardown(&f);
}

TEST(any_state_is_safe)
{
    Fixture f;
    setup(&f);
    f.pair.a = f.pair.b = f.ball;
    for (int i = 0; i < 300; ++i) {
        imp_ConvexState state;
        for (size_t byte = 0; byte < sizeof state; ++byte)
            ((unsigned char *)&state)[byte] = (unsigned char)test_random_below(256);
        state.witness_count = test_random_below(7);
        for (int k = 0; k < IMP_MAX_WITNESSES; ++k)
            state.witnesses[k] = (imp_VertexPair){test_random_below(BALL_POINTS + 3), test_random_below(3)};
        if (i % 3 == 0)
            state.direction = (imp_Vec3){NAN, 1, 0};
        f.pair.pose_b.translation.x = i % 2 ? 1.5 : 2.5;
        CHECK(touches(&f, &state) == (i % 2 == 1));
    }
    teardown(&f);
}

TEST(distances_of_cubes)
{
    Fixture f;
    setup(&f);
    imp_ConvexDistance d;
    f.pair.pose_b.translation = (imp_Vec3){5, 0.25, 0};
    CHECK_INT(imp_convex_distance(f.context, NULL, &f.pair, NULL, &d), IMP_STATUS_OK);
    CHECK(!d.touch && d.reached_accuracy && fabs(d.distance - 3) < 1e-5 && d.lower_bound <= 3);
    CHECK(fabs(d.normal.x - 1) < 1e-5 && fabs(d.point_a.x - 1) < 1e-5 && fabs(d.point_b.x - 4) < 1e-5);
    f.pair.pose_b.translation = (imp_Vec3){4, 5, 0}; // edge to edge: 2, 3, 0
    CHECK_INT(imp_convex_distance(f.context, NULL, &f.pair, NULL, &d), IMP_STATUS_OK);
    CHECK(!d.touch && fabs(d.distance - sqrt(13)) < 1e-5 && d.lower_bound <= sqrt(13));
    f.pair.pose_b.translation = (imp_Vec3){1.5, 0.25, 0};
    CHECK_INT(imp_convex_distance(f.context, NULL, &f.pair, NULL, &d), IMP_STATUS_OK);
    CHECK(d.touch && d.distance == 0 && fabs(d.depth - 0.5) < 1e-9 && fabs(d.normal.x - 1) < 1e-9);
    CHECK(fabs(d.point_a.x) <= 1 && d.point_a.x >= 0.5 && fabs(d.point_a.y) <= 1 && fabs(d.point_a.z) <= 1);
    teardown(&f);
}

TEST(distances_of_any_size)
{
    Fixture f;
    setup(&f);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        imp_Convex *cube = make_cube(f.context, sizes[i]);
        f.pair = (imp_ConvexPair){.a = cube, .b = cube, .pose_b.translation = {5 * sizes[i], 0, 0}};
        imp_ConvexDistance d;
        CHECK_INT(imp_convex_distance(f.context, NULL, &f.pair, NULL, &d), IMP_STATUS_OK);
        CHECK(!d.touch && fabs(d.distance - 3 * sizes[i]) <= 1e-6 * d.distance);
        CHECK(d.lower_bound <= 3 * sizes[i] && d.normal.x > 0.99);
        CHECK(d.reached_accuracy || sizes[i] < 0x1p-1050);
        imp_convex_release(cube);
    }
    teardown(&f);
}

// Cubes face on face are decided in exact arithmetic, which needs memory.
TEST(running_out_of_memory_changes_nothing)
{
    static const double corners[24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1,
                                       1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1};
    imp_Context *maker = NULL;
    CHECK_INT(imp_context_create(NULL, &maker), IMP_STATUS_OK);
    imp_Convex *cube = make_hull(maker, corners, 8);
    uint64_t n = 0, failed_tests = 0;
    FailingAllocator memory;
    do {
        failing_allocator_init(&memory, 0);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
        imp_ConvexPair pair = {.a = cube, .b = cube, .pose_b.translation = {1, 0.25, 0}};
        imp_ConvexState state = {.direction = {0, 0, 7}};
        imp_ConvexResult result = {.step_count = 77};
        imp_ConvexDistance distance = {.depth = 77};
        failing_allocator_arm(&memory, ++n);
        imp_Status status = imp_convex_test(context, &state, &pair, &result);
        if (status == IMP_STATUS_OUT_OF_MEMORY)
            CHECK(result.step_count == 77 && state.direction.z == 7 && ++failed_tests > 0);
        else
            CHECK(status == IMP_STATUS_OK && result.touch && result.used_exact);
        status = imp_convex_distance(context, NULL, &pair, NULL, &distance);
        CHECK(status == IMP_STATUS_OK ? distance.touch
                                      : status == IMP_STATUS_OUT_OF_MEMORY && distance.depth == 77);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(failed_tests > 0);
    imp_convex_release(cube);
    imp_context_destroy(maker);
}
