// When do bodies on rigid and straight paths first come near? Against exact distances of the bodies at rest,
// at many times along the way: none before the time that is told, near enough at it, never where they are
// told apart.
#include "moving_pairs.h"

#include "base/scratch_pool.h"
#include "failing_allocator.h"
#include "sanitizers.h"

#include <inttypes.h>
#include <stdio.h>

#ifdef TEST_UNDER_SANITIZER
#define DEFAULT_TRIALS 20
#else
#define DEFAULT_TRIALS 60
#endif

static struct {
    uint64_t meet, certain, apart, open, start, tested, solids, kinds[MOVER_KINDS], steps, swapped_differs;
    int complaints;
} tallies;

typedef struct Trial {
    Mover a, b;
    impi_AdvanceAsk ask;
    impi_Budget budget;
} Trial;

static void make_trial(MoverShapes *shapes, Trial *trial)
{
    double size = shapes->scale, far = test_random_below(4) == 0 ? 100 * size : 0;
    imp_Vec3 centre = random_vector(far), offset = random_vector(2.5 * size), goal = random_vector(2 * size);
    MoverKind kind_a = (MoverKind)test_random_below(MOVER_KINDS),
              kind_b = (MoverKind)test_random_below(MOVER_KINDS);
    imp_Pose a = {centre, random_turn(3)}, b = {centre, random_turn(3)};
    b.translation = (imp_Vec3){centre.x + offset.x, centre.y + offset.y, centre.z + offset.z};
    if (test_random_below(6) == 0) // next to each other
        goal = offset;
    imp_Vec3 goal_a = {centre.x + goal.x, centre.y + goal.y, centre.z + goal.z}, goal_b = b.translation;
    if (test_random_below(2)) {
        imp_Vec3 way = random_vector(size);
        goal_b = (imp_Vec3){goal_b.x + way.x, goal_b.y + way.y, goal_b.z + way.z};
    }
    mover_make(shapes, kind_a, &a, goal_a, &trial->a);
    mover_make(shapes, kind_b, &b, goal_b, &trial->b);
    ++tallies.kinds[kind_a];
    ++tallies.kinds[kind_b];
    tallies.solids += !trial->a.mesh || !trial->b.mesh;
    impi_budget_begin(&trial->budget, 0, NULL);
    trial->ask = (impi_AdvanceAsk){.end = 1, .budget = &trial->budget};
    if (test_random_below(2))
        trial->ask.separation = size * test_random_between(0, 0.3);
    if (test_random_below(4) == 0)
        trial->ask.tolerance = size * 1e-5;
}

static void release_trial(imp_Context *context, Trial *trial)
{
    mover_release(context, &trial->a);
    mover_release(context, &trial->b);
}

static impi_Advance ask(imp_Context *context, impi_Arena *arena, const impi_BodyPath *a,
                        const impi_BodyPath *b, const impi_AdvanceAsk *question)
{
    impi_Advance result = {.verdict = IMPI_ADVANCE_OPEN};
    CHECK_INT(impi_advance_prepare(context, a, b), IMP_STATUS_OK);
    CHECK_INT(impi_advance(context, arena, a, b, question, &result), IMP_STATUS_OK);
    impi_arena_reset(arena);
    return result;
}

static void complain(const Trial *trial, const impi_Advance *result, const char *what, double time)
{
    if (++tallies.complaints <= 10)
        printf("case %" PRIu64
               " (%d, %d; solids %d, %d): %s at %.17g; verdict %d, time %.17g, certain %d at %.17g, "
               "separation %g, tolerance %g\n",
               tallies.tested, trial->a.path.kind, trial->b.path.kind, !trial->a.mesh, !trial->b.mesh, what,
               time, result->verdict, result->time, result->is_certain, result->certain_time,
               trial->ask.separation, result->tolerance);
    CHECK(!"holds");
}

// Times before the one that is told: anywhere, and ever nearer to it.
static double sample_time(const impi_Advance *result, uint64_t i)
{
    if (result->verdict != IMPI_ADVANCE_APART && i % 2 == 0) {
        double before = result->time * (1 - ldexp(1, -(int)(i / 2 % 45) - 3));
        return before < result->time ? before : 0;
    }
    return i == 1                                            ? 0
           : i == 3 && result->verdict == IMPI_ADVANCE_APART ? 1
                                                             : result->time * test_random_unit();
}

static void check_trial(imp_Context *context, const Trial *trial, const impi_Advance *result,
                        uint64_t samples)
{
    PairWorld pair;
    double d = trial->ask.separation;
    pair_world_make(context, &trial->a, &trial->b, &pair);
    bool begins_inside = result->verdict == IMPI_ADVANCE_MEET && result->time == 0;
    for (uint64_t i = 0; i < samples && !begins_inside; ++i) {
        double time = sample_time(result, i);
        if (pair_world_is_within(&pair, time, d))
            complain(trial, result, "too near", time);
    }
    if (result->verdict == IMPI_ADVANCE_MEET && result->face_a != IMP_NO_FACE) {
        if (!pair_world_is_within(&pair, result->time, (d + result->tolerance) * (1 + 1e-12)))
            complain(trial, result, "too far", result->time);
        if (result->is_certain &&
            !pair_world_is_within(&pair, result->certain_time, d + 1e-14 * trial->ask.separation) &&
            trial->a.path.kind != IMPI_PATH_STRAIGHT && trial->b.path.kind != IMPI_PATH_STRAIGHT)
            complain(trial, result, "not so certain", result->certain_time);
    }
    pair_world_release(&pair);
}

static bool holds(const imp_Box *box, const imp_Vec3 *v)
{
    return v->x >= box->min.x && v->x <= box->max.x && v->y >= box->min.y && v->y <= box->max.y &&
           v->z >= box->min.z && v->z <= box->max.z;
}

static imp_Vec3 between(imp_Vec3 from, imp_Vec3 to, double time)
{
    return (imp_Vec3){from.x + time * (to.x - from.x), from.y + time * (to.y - from.y),
                      from.z + time * (to.z - from.z)};
}

// Vertices at any time are in the box of the path, and in the box that goes straight from its begin to its
// end; that is wider by more than what is rounded here.
static void check_box(const Mover *mover)
{
    imp_Box box = impi_body_path_box(&mover->path), ends[2];
    imp_Mesh *mesh = mover_surface(mover);
    impi_body_path_bound_ends(&mover->path, ends);
    for (int i = 0; i < 20; ++i) {
        double time = i == 0 ? 0 : i == 1 ? 1 : test_random_unit();
        imp_Box moving = {between(ends[0].min, ends[1].min, time), between(ends[0].max, ends[1].max, time)};
        imp_Pose pose = mover->path.kind == IMPI_PATH_RIGID ? impi_rigid_path_pose(&mover->path.rigid, time)
                                                            : mover->body.pose;
        for (size_t k = 0; k < imp_mesh_get_vertex_count(mesh); ++k) {
            imp_Vec3 v;
            CHECK_INT(imp_pose_apply(&pose, imp_mesh_get_vertices(mesh)[k], &v), IMP_STATUS_OK);
            if (mover->path.kind == IMPI_PATH_STRAIGHT)
                v = straight_vertex(mover, k, time);
            if (!CHECK(holds(&box, &v)) || !CHECK(holds(&moving, &v)))
                return;
        }
    }
}

static void count(const impi_Advance *result)
{
    ++tallies.tested;
    tallies.steps += result->step_count;
    tallies.meet += result->verdict == IMPI_ADVANCE_MEET;
    tallies.start += result->verdict == IMPI_ADVANCE_MEET && result->time == 0;
    tallies.certain += result->verdict == IMPI_ADVANCE_MEET && result->is_certain;
    tallies.apart += result->verdict == IMPI_ADVANCE_APART;
    tallies.open += result->verdict == IMPI_ADVANCE_OPEN;
}

static void test_scale(imp_Context *context, double scale, uint64_t trials, uint64_t samples)
{
    MoverShapes shapes;
    impi_Arena arena;
    mover_shapes_make(&shapes, context, scale);
    impi_arena_init(&arena, &context->allocator);
    for (uint64_t i = 0; i < trials; ++i) {
        Trial trial;
        test_random_restart(i * 64 + (uint64_t)(40 + log10(scale)));
        make_trial(&shapes, &trial);
        impi_Advance result = ask(context, &arena, &trial.a.path, &trial.b.path, &trial.ask);
        count(&result);
        check_trial(context, &trial, &result, samples);
        check_box(&trial.a);
        check_box(&trial.b);
        Trial mirrored = trial;
        mirrored.a = trial.b;
        mirrored.b = trial.a;
        impi_Advance swapped = ask(context, &arena, &trial.b.path, &trial.a.path, &trial.ask);
        check_trial(context, &mirrored, &swapped, samples / 4);
        tallies.swapped_differs += swapped.verdict != result.verdict;
        if (swapped.verdict != result.verdict)
            CHECK(!result.is_certain && !swapped.is_certain);
        release_trial(context, &trial);
    }
    impi_arena_destroy(&arena);
    mover_shapes_release(&shapes);
}

TEST(never_nearer_before_the_time_that_is_told)
{
    if (skips_slow_tests())
        return;
    static const double scales[] = {1, 1e-3, 1e6, 0.1, 1e3};
    imp_Context *context = NULL;
    uint64_t trials = test_count(DEFAULT_TRIALS), samples = trials > 100 ? 10000 : 150;
    memset(&tallies, 0, sizeof tallies);
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (int i = 0; i < 5; ++i)
        test_scale(context, scales[i], trials, samples);
    printf("%" PRIu64 " pairs: %" PRIu64 " meet (%" PRIu64 " at the start, %" PRIu64 " for sure), %" PRIu64
           " apart, %" PRIu64 " open, %" PRIu64 " differ when swapped; %.1f steps\n",
           tallies.tested, tallies.meet, tallies.start, tallies.certain, tallies.apart, tallies.open,
           tallies.swapped_differs, (double)tallies.steps / (double)tallies.tested);
    uint64_t all = tallies.tested;
    CHECK(tallies.meet > all * 3 / 10 && tallies.apart > all * 2 / 10);
    CHECK(tallies.start > all / 50 && tallies.start < all * 4 / 10);
    CHECK(tallies.certain * 10 > tallies.meet * 9);
    CHECK(tallies.open == 0 && tallies.swapped_differs * 100 <= all);
    CHECK(tallies.solids > all / 4);
    for (int i = 0; i < MOVER_KINDS; ++i)
        CHECK(tallies.kinds[i] > all / 6);
    imp_context_destroy(context);
}

// ---- passing by

// The least distance on the way, about: the best of many times, and of times around it.
static double least_distance(imp_Context *context, const Trial *trial)
{
    PairWorld pair;
    pair_world_make(context, &trial->a, &trial->b, &pair);
    double best_time = 0, best = pair_world_distance(&pair, 0);
    for (double width = 1; width > 1e-9; width *= 0.2) {
        double middle = best_time;
        for (int i = -12; i <= 12; ++i) {
            double time = fmin(fmax(middle + width * i / 12, 0), 1), found = pair_world_distance(&pair, time);
            best_time = found < best ? time : best_time;
            best = fmin(found, best);
        }
    }
    pair_world_release(&pair);
    return best;
}

// Separations next to the least distance: the bodies only just come near, or only just do not.
TEST(what_passes_by_is_told_as_well)
{
    if (skips_slow_tests())
        return;
    imp_Context *context = NULL;
    MoverShapes shapes;
    impi_Arena arena;
    uint64_t passed = 0;
    memset(&tallies, 0, sizeof tallies);
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    mover_shapes_make(&shapes, context, 1);
    impi_arena_init(&arena, &context->allocator);
    for (uint64_t i = 0; i < test_count(DEFAULT_TRIALS); ++i) {
        Trial trial;
        test_random_restart(i + 1000000);
        make_trial(&shapes, &trial);
        double least = least_distance(context, &trial);
        for (int k = 3; k < 15 && least > 0; k += 2) {
            double part = test_random_below(2) ? 1 + pow(10, -k) : 1 - pow(10, -k);
            trial.ask.separation = least * part;
            impi_Advance result = ask(context, &arena, &trial.a.path, &trial.b.path, &trial.ask);
            count(&result);
            check_trial(context, &trial, &result, 60);
            passed += least * part < least;
        }
        release_trial(context, &trial);
    }
    printf("%" PRIu64 " pairs: %" PRIu64 " meet (%" PRIu64 " for sure), %" PRIu64 " apart, %" PRIu64
           " open; %.1f steps\n",
           tallies.tested, tallies.meet, tallies.certain, tallies.apart, tallies.open,
           (double)tallies.steps / (double)tallies.tested);
    CHECK(tallies.open == 0 && tallies.meet > tallies.tested / 4 && tallies.apart > tallies.tested / 10);
    CHECK(passed > tallies.tested / 4);
    impi_arena_destroy(&arena);
    mover_shapes_release(&shapes);
    imp_context_destroy(context);
}

// ---- known answers

typedef struct RodScene {
    imp_Context *context;
    imp_Mesh *rod, *post;
    impi_Body bodies[2];
    impi_Arena arena;
    impi_Budget budget;
} RodScene;

// A rod from the origin to both sides along x, 10 long and thin, and a post at `x`, `y`.
static void rod_scene_make(RodScene *scene, double x, double y)
{
    imp_Pose none = {.translation = {0, 0, 0}}, there = {.translation = {x, y, 0}};
    CHECK_INT(imp_context_create(NULL, &scene->context), IMP_STATUS_OK);
    CHECK_INT(scene_box(scene->context, (imp_Vec3){-5, -0.01, -0.01}, (imp_Vec3){5, 0.01, 0.01}, &scene->rod),
              IMP_STATUS_OK);
    CHECK_INT(
        scene_box(scene->context, (imp_Vec3){-0.05, -0.05, -1}, (imp_Vec3){0.05, 0.05, 1}, &scene->post),
        IMP_STATUS_OK);
    CHECK_INT(impi_body_make(scene->context, &scene->rod->shape, &none, &scene->bodies[0]), IMP_STATUS_OK);
    CHECK_INT(impi_body_make(scene->context, &scene->post->shape, &there, &scene->bodies[1]), IMP_STATUS_OK);
    impi_arena_init(&scene->arena, &scene->context->allocator);
    impi_budget_begin(&scene->budget, 0, NULL);
}

static void rod_scene_release(RodScene *scene)
{
    for (int i = 0; i < 2; ++i)
        impi_body_release(&scene->context->allocator, &scene->bodies[i]);
    imp_mesh_release(scene->rod);
    imp_mesh_release(scene->post);
    impi_arena_destroy(&scene->arena);
    imp_context_destroy(scene->context);
}

static impi_Advance spin(double x, double y, imp_Quat to, int32_t turns, double separation)
{
    RodScene scene;
    impi_RigidPathDef def = {.to = {.rotation = to}, .turns = turns, .axis = {0, 0, 1}};
    impi_RigidPath rigid;
    impi_BodyPath paths[2];
    rod_scene_make(&scene, x, y);
    CHECK_INT(impi_rigid_path_make(&def, &rigid), IMP_STATUS_OK);
    impi_body_path_rigid(&scene.bodies[0], &rigid, &paths[0]);
    impi_body_path_rest(&scene.bodies[1], &paths[1]);
    impi_AdvanceAsk question = {.separation = separation, .end = 1, .budget = &scene.budget};
    impi_Advance result = ask(scene.context, &scene.arena, &paths[0], &paths[1], &question);
    rod_scene_release(&scene);
    return result;
}

static const double one_turn = 6.283185307179586;

// Both ends of the interval look the same, and straight ways between them are points.
TEST(a_spinning_rod_does_not_pass_through_a_post)
{
    // The side of the rod, 0.01 off its axis, meets the post's corner at (3.05, 2.95).
    double angle = atan2(2.95, 3.05) - asin(0.01 / hypot(2.95, 3.05));
    impi_Advance result = spin(3, 3, (imp_Quat){1, 0, 0, 0}, 1, 0);
    CHECK(result.verdict == IMPI_ADVANCE_MEET && result.is_certain);
    CHECK(fabs(result.time - angle / one_turn) < 1e-9);
    result = spin(3, 3, (imp_Quat){1, 0, 0, 0}, 100, 0);
    CHECK(result.verdict == IMPI_ADVANCE_MEET && fabs(result.time - angle / one_turn / 100) < 1e-10);
    result = spin(3, 3, (imp_Quat){1, 0, 0, 0}, -1, 0); // the other end comes from the other side
    CHECK(result.verdict == IMPI_ADVANCE_MEET && result.time > 0.25 && result.time < 0.5);
    result = spin(3, 3, (imp_Quat){0, 0, 0, 1}, 0, 0); // half a turn
    CHECK(result.verdict == IMPI_ADVANCE_MEET && fabs(result.time - 2 * angle / one_turn) < 1e-9);
}

TEST(a_post_beyond_a_rod_is_never_met)
{
    double reach = hypot(5, 0.01);
    impi_Advance result = spin(5.2, 0, (imp_Quat){1, 0, 0, 0}, 3, 0);
    CHECK(result.verdict == IMPI_ADVANCE_APART && result.time == 1);
    result = spin(reach + 0.05 + 1e-7, 0.5, (imp_Quat){1, 0, 0, 0}, 3, 0);
    CHECK(result.verdict == IMPI_ADVANCE_APART);
    result = spin(6, 0.5, (imp_Quat){1, 0, 0, 0}, 1, 6 - reach);
    CHECK(result.verdict == IMPI_ADVANCE_MEET && result.is_certain);
    result = spin(6, 0.5, (imp_Quat){1, 0, 0, 0}, 1, 5.95 - reach - 1e-6);
    CHECK(result.verdict == IMPI_ADVANCE_APART);
}

// More steps than anybody has the time for: what is known is told, and no more.
TEST(what_would_take_too_long_is_left_open)
{
    impi_Advance result = spin(5.0501, 0.5, (imp_Quat){1, 0, 0, 0}, IMPI_MAX_TURNS, 0);
    CHECK(result.verdict == IMPI_ADVANCE_OPEN && !result.is_certain);
    CHECK(result.time > 0 && result.time < 1);
}

// ---- the same every time

#define BATCH 40

typedef struct Batch {
    imp_Context *context;
    Trial trials[BATCH];
    impi_ScratchPool pool;
    impi_Advance results[BATCH];
    atomic_int failures;
} Batch;

static void run_batch_task(size_t begin, size_t end, size_t block, void *argument)
{
    Batch *batch = argument;
    impi_Arena *arena = impi_scratch_pool_take(&batch->pool);
    (void)block;
    for (size_t i = begin; i < end; ++i) {
        const Trial *trial = &batch->trials[i];
        if (!arena || impi_advance(batch->context, arena, &trial->a.path, &trial->b.path, &trial->ask,
                                   &batch->results[i]) != IMP_STATUS_OK)
            ++batch->failures;
    }
    if (arena)
        impi_scratch_pool_give_back(&batch->pool, arena);
}

static void make_batch(Batch *batch, MoverShapes *shapes)
{
    size_t memory = 0;
    batch->context = shapes->context;
    memset(batch->results, 0, sizeof batch->results);
    atomic_init(&batch->failures, 0);
    impi_scratch_pool_init(&batch->pool, &batch->context->allocator);
    for (size_t i = 0; i < BATCH; ++i) {
        const impi_BodyPath *a = &batch->trials[i].a.path, *b = &batch->trials[i].b.path;
        test_random_restart(i);
        make_trial(shapes, &batch->trials[i]);
        CHECK_INT(impi_advance_prepare(batch->context, a, b), IMP_STATUS_OK);
        size_t size = impi_advance_memory(a, b);
        memory = size > memory ? size : memory;
    }
    CHECK(impi_scratch_pool_prepare(&batch->pool, 5, memory));
}

static void release_batch(Batch *batch)
{
    for (size_t i = 0; i < BATCH; ++i)
        release_trial(batch->context, &batch->trials[i]);
    impi_scratch_pool_destroy(&batch->pool);
}

// Nor is anything allocated, with the memory that was told.
TEST(any_number_of_threads_gives_the_same_bytes)
{
    static Batch batches[3];
    static const uint32_t threads[3] = {1, 2, 5};
    for (int i = 0; i < 3; ++i) {
        FailingAllocator memory;
        MoverShapes shapes;
        imp_Context *context = NULL;
        failing_allocator_init(&memory, 0);
        imp_ContextDef def = {.thread_count = threads[i], .allocator = failing_allocator_hooks(&memory)};
        CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
        mover_shapes_make(&shapes, context, 1);
        make_batch(&batches[i], &shapes);
        uint64_t before = atomic_load(&memory.allocations);
        impi_parallel_for(&context->executor, BATCH, 1, run_batch_task, &batches[i]);
        CHECK_INT((int64_t)(atomic_load(&memory.allocations) - before), 0);
        CHECK_INT(atomic_load(&batches[i].failures), 0);
        CHECK(memcmp(batches[i].results, batches[0].results, sizeof batches[0].results) == 0);
        release_batch(&batches[i]);
        mover_shapes_release(&shapes);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    }
}

// ---- what can go wrong

TEST(lack_of_memory_is_a_status)
{
    imp_Context *context = NULL;
    MoverShapes shapes;
    uint64_t refusals = 0;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    mover_shapes_make(&shapes, context, 1);
    for (uint64_t i = 0; i < 20; ++i) {
        Trial trial;
        test_random_restart(i);
        make_trial(&shapes, &trial);
        CHECK_INT(impi_advance_prepare(context, &trial.a.path, &trial.b.path), IMP_STATUS_OK);
        for (uint64_t n = 1;; ++n) {
            FailingAllocator memory;
            impi_Arena arena;
            failing_allocator_init(&memory, n);
            imp_Allocator hooks = failing_allocator_hooks(&memory);
            impi_arena_init(&arena, &hooks);
            impi_Advance result = {.time = -1};
            imp_Status status =
                impi_advance(context, &arena, &trial.a.path, &trial.b.path, &trial.ask, &result);
            impi_arena_destroy(&arena);
            bool has_failed = failing_allocator_has_failed(&memory);
            CHECK_INT(status, has_failed ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
            CHECK(failing_allocator_is_clean(&memory) && (!has_failed || result.time == -1));
            refusals += has_failed;
            if (!has_failed)
                break;
        }
        release_trial(context, &trial);
    }
    CHECK(refusals > 40);
    mover_shapes_release(&shapes);
    imp_context_destroy(context);
}

TEST(a_cancelled_search_says_so)
{
    imp_Context *context = NULL;
    MoverShapes shapes;
    impi_Arena arena;
    imp_Cancel *cancel = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    CHECK_INT(imp_cancel_create(context, &cancel), IMP_STATUS_OK);
    imp_cancel_request(cancel);
    mover_shapes_make(&shapes, context, 1);
    impi_arena_init(&arena, &context->allocator);
    for (uint64_t i = 0; i < 20; ++i) {
        Trial trial;
        test_random_restart(i);
        make_trial(&shapes, &trial);
        impi_budget_begin(&trial.budget, 0, cancel);
        impi_Advance result = ask(context, &arena, &trial.a.path, &trial.b.path, &trial.ask);
        CHECK(result.verdict == IMPI_ADVANCE_CUT_SHORT ||
              (result.verdict == IMPI_ADVANCE_MEET && result.time == 0)); // solids that touch
        CHECK(result.time == 0);
        release_trial(context, &trial);
    }
    impi_arena_destroy(&arena);
    mover_shapes_release(&shapes);
    imp_cancel_destroy(cancel);
    imp_context_destroy(context);
}
