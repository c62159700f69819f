#include "failing_allocator.h"
#include "harness.h"

#include <impinge/convex.h>

#include <math.h>
#include <string.h>

static const imp_Transform identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};

// A cube from -1 to 1, or a ball of many vertices, tested against itself.
typedef struct Fixture {
    imp_Context *context;
    imp_Convex *cube, *ball;
    imp_Transform a, b;
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

static imp_Convex *make_ball(imp_Context *context)
{
    static double points[3 * BALL_POINTS];
    for (int i = 0; i < BALL_POINTS;) {
        double x = test_random_between(-1, 1), y = test_random_between(-1, 1), z = test_random_between(-1, 1);
        double length = sqrt(x * x + y * y + z * z);
        if (length < 0.1)
            continue;
        points[3 * i] = x / length;
        points[3 * i + 1] = y / length;
        points[3 * i + 2] = z / length;
        ++i;
    }
    return make_hull(context, points, BALL_POINTS);
}

static void setup(Fixture *fixture)
{
    double corners[24];
    for (int i = 0; i < 24; ++i)
        corners[i] = i / 3 >> i % 3 & 1 ? 1 : -1;
    *fixture = (Fixture){.a = identity, .b = identity};
    CHECK_INT(imp_context_create(NULL, &fixture->context), IMP_STATUS_OK);
    fixture->cube = make_hull(fixture->context, corners, 8);
    fixture->ball = make_ball(fixture->context);
    fixture->pair = (imp_ConvexPair){fixture->cube, fixture->cube, &fixture->a, &fixture->b};
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

static void scale(imp_Transform *transform, double factor)
{
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            transform->rows[i][k] = identity.rows[i][k] * factor;
}

static const double factors[] = {0x1p-1070, 0x1p-500, 0x1p-160, 0x1p-70, 0x1p-30, 0.25,
                                 1,         0x1p30,   0x1p160,  0x1p500, 0x1p1000};

TEST(transforms_may_shrink_and_grow)
{
    Fixture f;
    setup(&f);
    for (unsigned i = 0; i < sizeof factors / sizeof *factors; ++i) {
        scale(&f.a, factors[i]);
        scale(&f.b, factors[i]);
        for (int shape = 0; shape < 2; ++shape) {
            f.pair.a = f.pair.b = shape ? f.ball : f.cube;
            f.b.translation.x = factors[i];
            CHECK(touches(&f, NULL));
            f.b.translation.x = 4 * factors[i];
            CHECK(!touches(&f, NULL));
        }
    }
    teardown(&f);
}

TEST(transforms_may_flatten)
{
    Fixture f;
    setup(&f);
    f.pair.b = f.ball;
    scale(&f.b, 0); // a point
    CHECK(touches(&f, NULL));
    f.b.translation.x = 1;
    CHECK(touches(&f, NULL));
    f.b.translation.x = nextafter(1, 2);
    CHECK(!touches(&f, NULL));
    scale(&f.a, 0);
    CHECK(!touches(&f, NULL));
    f.b.translation.x = 0;
    CHECK(touches(&f, NULL));
    f.b.rows[0][0] = 1; // a segment through it
    CHECK(touches(&f, NULL));
    f.a.translation.y = 0x1p-1074;
    CHECK(!touches(&f, NULL));
    teardown(&f);
}

TEST(numbers_that_are_not_finite_are_refused)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    Fixture f;
    setup(&f);
    for (int i = 0; i < 12; ++i) {
        for (int k = 0; k < 3; ++k) {
            double numbers[12];
            memcpy(numbers, &identity, sizeof numbers);
            numbers[i] = bad[k];
            memcpy(&f.b, numbers, sizeof numbers);
            imp_ConvexResult result = {.step_count = 77};
            imp_ConvexState state = {.witness_count = 1};
            imp_ConvexDistance distance = {.depth = 77};
            bool is_valid = true;
            CHECK_INT(imp_convex_test(f.context, &state, &f.pair, &result), IMP_STATUS_BAD_NUMBER);
            CHECK_INT(imp_convex_distance(f.context, &state, &f.pair, NULL, &distance),
                      IMP_STATUS_BAD_NUMBER);
            CHECK_INT(imp_certificate_check(f.context, &f.pair, &result.certificate, &is_valid),
                      IMP_STATUS_BAD_NUMBER);
            CHECK(result.step_count == 77 && state.witness_count == 1 && distance.depth == 77 && is_valid);
        }
    }
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
    imp_ConvexPair pairs[4] = {f.pair, f.pair, f.pair, f.pair};
    pairs[0].a = NULL;
    pairs[1].b = NULL;
    pairs[2].transform_a = NULL;
    pairs[3].transform_b = NULL;
    for (int i = 0; i < 4; ++i)
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
        f.b.translation.x = i % 2 ? 1.5 : 2.5;
        CHECK(touches(&f, &state) == (i % 2 == 1));
    }
    teardown(&f);
}

TEST(distances_of_cubes)
{
    Fixture f;
    setup(&f);
    imp_ConvexDistance d;
    f.b.translation = (imp_Vec3){5, 0.25, 0};
    CHECK_INT(imp_convex_distance(f.context, NULL, &f.pair, NULL, &d), IMP_STATUS_OK);
    CHECK(!d.touch && d.reached_accuracy && fabs(d.distance - 3) < 1e-5 && d.lower_bound <= 3);
    CHECK(fabs(d.normal.x - 1) < 1e-5 && fabs(d.point_a.x - 1) < 1e-5 && fabs(d.point_b.x - 4) < 1e-5);
    f.b.translation = (imp_Vec3){4, 5, 0}; // edge to edge: 2, 3, 0
    CHECK_INT(imp_convex_distance(f.context, NULL, &f.pair, NULL, &d), IMP_STATUS_OK);
    CHECK(!d.touch && fabs(d.distance - sqrt(13)) < 1e-5 && d.lower_bound <= sqrt(13));
    f.b.translation = (imp_Vec3){1.5, 0.25, 0};
    CHECK_INT(imp_convex_distance(f.context, NULL, &f.pair, NULL, &d), IMP_STATUS_OK);
    CHECK(d.touch && d.distance == 0 && fabs(d.depth - 0.5) < 1e-9 && fabs(d.normal.x - 1) < 1e-9);
    CHECK(fabs(d.point_a.x) <= 1 && d.point_a.x >= 0.5 && fabs(d.point_a.y) <= 1 && fabs(d.point_a.z) <= 1);
    teardown(&f);
}

TEST(distances_of_any_size)
{
    Fixture f;
    setup(&f);
    for (unsigned i = 0; i < sizeof factors / sizeof *factors; ++i) {
        scale(&f.a, factors[i]);
        scale(&f.b, factors[i]);
        f.b.translation = (imp_Vec3){5 * factors[i], 0, 0};
        imp_ConvexDistance d;
        CHECK_INT(imp_convex_distance(f.context, NULL, &f.pair, NULL, &d), IMP_STATUS_OK);
        CHECK(!d.touch && d.distance >= 2.999 * factors[i] && d.distance < 100 * factors[i]);
        CHECK(d.lower_bound <= 3 * factors[i] && fabs(d.normal.x) > 0.1);
        CHECK(d.reached_accuracy == (d.distance - d.lower_bound <= 1e-6 * d.distance));
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
    imp_Transform moved = identity;
    moved.translation = (imp_Vec3){1, 0.25, 0};
    uint64_t n = 0, failed_tests = 0;
    FailingAllocator memory;
    do {
        failing_allocator_init(&memory, 0);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
        imp_ConvexPair pair = {cube, cube, &identity, &moved};
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
