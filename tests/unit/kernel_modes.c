// Every function of math.h gives the same bits whatever floating-point mode the host has set, and the host
// finds its mode as it was.
#include "base/float_guard.h"
#include "harness.h"
#include "oracle/exact_oracle.h"
#include "oracle/triangle_cases.h"

#include <impinge/distance.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CASE_COUNT (80 * TRIANGLE_KIND_COUNT)

typedef struct Question {
    TriangleCase pair;
    imp_Segment segment;
    imp_Box box;
    imp_Pose pose;
} Question;

typedef struct Answers {
    bool touch, segment_touches, box_touches, batch_touch, within;
    imp_Distance distance;
    int orient2d, orient3d;
    imp_Transform transform;
    imp_Pose inverse, twice;
    imp_Vec3 applied, posed;
} Answers;

static Question questions[CASE_COUNT];
static imp_Triangle batch_a[CASE_COUNT], batch_b[CASE_COUNT];
static Answers wanted[CASE_COUNT], given[CASE_COUNT];

static imp_Box bounds(const imp_Triangle *triangle)
{
    const imp_Vec3 *v = triangle->v;
    return (imp_Box){{fmin(fmin(v[0].x, v[1].x), v[2].x), fmin(fmin(v[0].y, v[1].y), v[2].y),
                      fmin(fmin(v[0].z, v[1].z), v[2].z)},
                     {fmax(fmax(v[0].x, v[1].x), v[2].x), fmax(fmax(v[0].y, v[1].y), v[2].y),
                      fmax(fmax(v[0].z, v[1].z), v[2].z)}};
}

// Some parts of the poses are subnormal.
static imp_Pose small_pose(void)
{
    int exponent = -(int)test_random_below(1070), translation_exponent = -(int)test_random_below(1074);
    double x = ldexp(random_signed_unit(), exponent), y = ldexp(random_signed_unit(), -12);
    double norm = sqrt(1 + x * x + y * y);
    return (imp_Pose){random_vector(ldexp(1, translation_exponent)), {1 / norm, x / norm, y / norm, 0}};
}

static void make_questions(void)
{
    for (int i = 0; i < CASE_COUNT; ++i) {
        TriangleCase pair = triangle_case_make((TriangleKind)(i % TRIANGLE_KIND_COUNT));
        questions[i] = (Question){pair, {{pair.a.v[0], pair.a.v[1]}}, bounds(&pair.b), small_pose()};
        batch_a[i] = pair.a;
        batch_b[i] = pair.b;
    }
}

static imp_Vec2 flat(imp_Vec3 point)
{
    return (imp_Vec2){point.x, point.y};
}

// Points of the pose questions come from one triangle, brought near the unit cube so that nothing overflows.
static imp_Vec3 tame(imp_Vec3 point)
{
    return fabs(point.x) < 1e300 && fabs(point.y) < 1e300 && fabs(point.z) < 1e300 ? point
                                                                                   : (imp_Vec3){1, 2, 3};
}

static imp_Status answer(const Question *question, imp_Vec3 point, Answers *answers)
{
    const imp_Vec3 *a = question->pair.a.v, *b = question->pair.b.v;
    imp_Status status = IMP_STATUS_OK;
    status |= imp_triangles_touch(&question->pair.a, &question->pair.b, &answers->touch);
    status |= imp_triangles_within(&question->pair.a, &question->pair.b, 1, &answers->within);
    status |= imp_triangles_distance(&question->pair.a, &question->pair.b, &answers->distance);
    status |= imp_segment_touches_triangle(&question->segment, &question->pair.b, &answers->segment_touches);
    status |= imp_triangle_touches_box(&question->pair.a, &question->box, &answers->box_touches);
    status |= imp_orient2d(flat(a[0]), flat(a[1]), flat(b[0]), &answers->orient2d);
    status |= imp_orient3d(a[0], a[1], a[2], b[0], &answers->orient3d);
    status |= imp_pose_transform(&question->pose, &answers->transform);
    status |= imp_pose_apply(&question->pose, point, &answers->posed);
    status |= imp_pose_inverse(&question->pose, &answers->inverse);
    status |= imp_pose_compose(&question->pose, &question->pose, &answers->twice);
    answers->applied = imp_transform_apply(&answers->transform, point);
    return status;
}

// Nothing between the two changes of mode computes with doubles but the library.
static void answer_all(uint64_t mode, uint64_t *mode_after, imp_Context *context)
{
    static imp_Vec3 points[CASE_COUNT];
    static bool batch_touch[CASE_COUNT];
    imp_Status status = IMP_STATUS_OK;
    for (int i = 0; i < CASE_COUNT; ++i)
        points[i] = tame(questions[i].pair.a.v[0]);
    uint64_t host_mode = impi_float_mode_get();
    impi_float_mode_set(mode);
    for (int i = 0; i < CASE_COUNT; ++i)
        status |= answer(&questions[i], points[i], &given[i]);
    status |= imp_triangle_pairs_touch(context, batch_a, batch_b, CASE_COUNT, batch_touch);
    *mode_after = impi_float_mode_get();
    impi_float_mode_set(host_mode);
    CHECK_INT(status, IMP_STATUS_OK);
    for (int i = 0; i < CASE_COUNT; ++i)
        given[i].batch_touch = batch_touch[i];
}

static bool same_answers(const Answers *a, const Answers *b)
{
    return a->touch == b->touch && a->segment_touches == b->segment_touches &&
           a->box_touches == b->box_touches && a->batch_touch == b->batch_touch &&
           a->orient2d == b->orient2d && a->orient3d == b->orient3d && a->within == b->within &&
           memcmp(&a->distance, &b->distance, sizeof a->distance) == 0 &&
           memcmp(&a->transform, &b->transform, sizeof a->transform) == 0 &&
           memcmp(&a->inverse, &b->inverse, sizeof a->inverse) == 0 &&
           memcmp(&a->twice, &b->twice, sizeof a->twice) == 0 &&
           memcmp(&a->applied, &b->applied, sizeof a->applied) == 0 &&
           memcmp(&a->posed, &b->posed, sizeof a->posed) == 0;
}

static void check_against_the_oracle(void)
{
    int apart = 0;
    for (int i = 0; i < CASE_COUNT; ++i) {
        const Question *question = &questions[i];
        const imp_Vec3 *a = question->pair.a.v, *b = question->pair.b.v;
        bool touch = oracle_triangles_touch(&question->pair.a, &question->pair.b);
        CHECK_INT(given[i].touch, touch);
        CHECK_INT(given[i].batch_touch, touch);
        CHECK_INT(given[i].segment_touches,
                  oracle_segment_touches_triangle(&question->segment, &question->pair.b));
        CHECK_INT(given[i].box_touches, oracle_triangle_touches_box(&question->pair.a, &question->box));
        CHECK_INT(given[i].orient2d, oracle_orient2d(flat(a[0]), flat(a[1]), flat(b[0])));
        CHECK_INT(given[i].orient3d, oracle_orient3d(a[0], a[1], a[2], b[0]));
        // With all coordinates taken for zero, every pair of subnormals would touch.
        apart += question->pair.kind == KIND_SUBNORMALS && !touch;
    }
    CHECK(apart > CASE_COUNT / TRIANGLE_KIND_COUNT / 5);
}

static void try_mode(const char *name, uint64_t mode, imp_Context *context)
{
    uint64_t mode_after;
    answer_all(mode, &mode_after, context);
    if (!CHECK(mode_after == mode))
        printf("  mode %s: %llx became %llx\n", name, (unsigned long long)mode,
               (unsigned long long)mode_after);
    for (int i = 0; i < CASE_COUNT; ++i)
        if (!CHECK(same_answers(&given[i], &wanted[i]))) {
            printf("  mode %s, case %d\n", name, i);
            triangle_case_print(&questions[i].pair);
            break;
        }
}

static void try_all_modes(imp_Context *context)
{
#if defined(__x86_64__)
    static const uint64_t flush = 0x8040, up = 0x4000, down = 0x2000; // of MXCSR
#elif defined(__aarch64__)
    static const uint64_t flush = 1 << 24, up = 1 << 22, down = 2 << 22; // of FPCR
#endif
#if defined(__x86_64__) || defined(__aarch64__)
    const uint64_t usual = IMPI_FLOAT_MODE_DEFAULT;
    try_mode("flush to zero", usual | flush, context);
    try_mode("round up", usual | up, context);
    try_mode("round down", usual | down, context);
    try_mode("round to zero", usual | up | down, context);
    try_mode("round up and flush to zero", usual | up | flush, context);
#else
    try_mode("round up", FE_UPWARD, context);
    try_mode("round down", FE_DOWNWARD, context);
    try_mode("round to zero", FE_TOWARDZERO, context);
#endif
}

TEST(floating_point_modes_of_the_host_change_nothing)
{
    uint64_t mode_after;
    make_questions();
    for (uint32_t thread_count = 1; thread_count <= 2; ++thread_count) {
        imp_Context *context = NULL;
        if (!CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = thread_count}, &context),
                       IMP_STATUS_OK))
            return;
        answer_all(IMPI_FLOAT_MODE_DEFAULT, &mode_after, context);
        check_against_the_oracle();
        memcpy(wanted, given, sizeof wanted);
        try_all_modes(context);
        imp_context_destroy(context);
    }
}
