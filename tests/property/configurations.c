// Many configurations in one call beside a world that is stepped through them one by one: robots, and crowds
// of meshes, solids and bodies that deform, inside of each other and filtered in every way, with bodies that
// come, go and change between the calls.
#include "failing_allocator.h"
#include "reports.h"
#include "sanitizers.h"
#include "scenes/robots.h"
#include "world_fixture.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

#ifdef TEST_UNDER_SANITIZER
#define ROBOT_CONFIGURATIONS 60
#define PROGRAM_COUNT        4
#define LARGE_THREADS        1 // where each allocation of a large crowd fails
#define CANCEL_GROWTH        30
#else
#define ROBOT_CONFIGURATIONS 400
#define PROGRAM_COUNT        30
#define LARGE_THREADS        2
#define CANCEL_GROWTH        5
#endif

#define MAX_BODIES         200
#define MAX_CONFIGURATIONS 70 // more than a block of them

static const uint32_t thread_counts[3] = {1, 2, 5};

// ---- the slow way

typedef struct Answers {
    imp_BodyPair *pairs;
    size_t *ends;
    size_t pair_count, free_count, inside_count;
} Answers;

static void answers_free(Answers *answers)
{
    free(answers->pairs);
    free(answers->ends);
}

// Step a world through the configurations, and put it back.
static Answers step_through(imp_World *world, const imp_ConfigurationsDef *def)
{
    Answers answers = {.ends = calloc(def->configuration_count + 1, sizeof *answers.ends)};
    const imp_DetectDef detect = {.mode = def->first_only ? IMP_DETECT_FIRST : IMP_DETECT_BODIES,
                                  .ignore_containment = def->ignore_containment};
    imp_Pose *before = calloc(def->body_count + 1, sizeof *before);
    size_t room = 0;
    for (size_t i = 0; i < def->body_count; ++i)
        CHECK_INT(imp_body_get_pose(world, def->bodies[i], &before[i]), IMP_STATUS_OK);
    for (size_t i = 0; i < def->configuration_count; ++i) {
        const imp_Report *report = NULL;
        CHECK_INT(imp_world_set_poses(world, def->bodies, def->poses + i * def->body_count, def->body_count),
                  IMP_STATUS_OK);
        if (!CHECK_INT(imp_world_detect(world, &detect, &report), IMP_STATUS_OK))
            break;
        if (answers.pair_count + report->body_pair_count > room) {
            room = 2 * (answers.pair_count + report->body_pair_count);
            answers.pairs = realloc(answers.pairs, room * sizeof *answers.pairs);
        }
        for (size_t k = 0; k < report->body_pair_count; ++k) {
            answers.pairs[answers.pair_count++] = report->body_pairs[k];
            answers.inside_count += !(report->body_pairs[k].relations & IMP_RELATION_TOUCH);
        }
        answers.free_count += report->body_pair_count == 0;
        answers.ends[i] = answers.pair_count;
    }
    CHECK_INT(imp_world_set_poses(world, def->bodies, before, def->body_count), IMP_STATUS_OK);
    free(before);
    return answers;
}

static bool is_answer(const imp_ConfigurationsReport *report, const imp_ConfigurationsDef *def,
                      const Answers *answers)
{
    return CHECK_INT(report->configuration_count, def->configuration_count) &&
           CHECK_INT(report->pair_count, answers->pair_count) &&
           CHECK(are_same_bytes(report->ends, answers->ends,
                                def->configuration_count * sizeof *report->ends)) &&
           CHECK(are_same_bytes(report->pairs, answers->pairs, report->pair_count * sizeof *report->pairs));
}

static bool ask(imp_World *world, const imp_ConfigurationsDef *def, const Answers *answers)
{
    const imp_ConfigurationsReport *report = NULL;
    return CHECK_INT(imp_world_detect_configurations(world, def, &report), IMP_STATUS_OK) &&
           is_answer(report, def, answers);
}

// ---- robots

typedef struct Robots {
    imp_Context *context;
    imp_World *world;
    SceneRobots *scene;
    imp_BodyId ids[MAX_BODIES], moved[MAX_BODIES];
    size_t body_count, moved_count;
} Robots;

static void robots_make(Robots *robots, SceneRobotsKind kind, uint32_t threads)
{
    size_t moved[MAX_BODIES];
    *robots = (Robots){.context = context_with_threads(threads)};
    CHECK_INT(imp_world_create(robots->context, NULL, &robots->world), IMP_STATUS_OK);
    CHECK_INT(scene_robots_create(robots->context, kind, &robots->scene), IMP_STATUS_OK);
    CHECK_INT(scene_robots_add_bodies(robots->scene, robots->world, robots->ids), IMP_STATUS_OK);
    robots->body_count = scene_robots_body_count(robots->scene);
    robots->moved_count = scene_robots_moved(robots->scene, moved);
    for (size_t i = 0; i < robots->moved_count; ++i)
        robots->moved[i] = robots->ids[moved[i]];
}

static void robots_destroy(Robots *robots)
{
    imp_world_destroy(robots->world);
    scene_robots_destroy(robots->scene);
    imp_context_destroy(robots->context);
}

static bool is_even_pair(imp_BodyId a, imp_BodyId b, void *user)
{
    (void)user;
    return (a.slot + b.slot) % 2 == 0;
}

// All ways to ask, with all numbers of threads.
static void check_robots(SceneRobotsKind kind, SceneRobotsWay way, size_t count)
{
    Robots robots[3];
    for (int i = 0; i < 3; ++i)
        robots_make(&robots[i], kind, thread_counts[i]);
    imp_Pose *poses = calloc(count * robots[0].moved_count, sizeof *poses);
    scene_robots_configurations(robots[0].scene, way, test_random(), count, poses);
    for (unsigned form = 0; form < 8; ++form) {
        imp_ConfigurationsDef def = {.bodies = robots[0].moved,
                                     .body_count = robots[0].moved_count,
                                     .poses = poses,
                                     .configuration_count = count,
                                     .first_only = form & 1,
                                     .ignore_containment = form & 2};
        imp_PairFilterFn filter = form & 4 ? is_even_pair : NULL;
        for (int i = 0; i < 3; ++i)
            CHECK_INT(imp_world_set_pair_filter(robots[i].world, filter, NULL), IMP_STATUS_OK);
        Answers answers = step_through(robots[0].world, &def);
        for (int i = 0; i < 3; ++i)
            ask(robots[i].world, &def, &answers);
        if (form == 0) {
            printf("  of %zu configurations %zu are free; %zu pairs\n", count, answers.free_count,
                   answers.pair_count);
            // A short path is all in one place.
            double share = (double)answers.free_count / (double)count;
            CHECK((share > 0.2 && share < 0.7) || (way == SCENE_PATH && count < 5000));
            CHECK(answers.pair_count > 0);
        }
        answers_free(&answers);
    }
    free(poses);
    for (int i = 0; i < 3; ++i)
        robots_destroy(&robots[i]);
}

TEST(robots_are_as_when_stepped)
{
    size_t count = test_count(ROBOT_CONFIGURATIONS);
    check_robots(SCENE_ROBOT, SCENE_RANDOM, count);
    check_robots(SCENE_ROBOT, SCENE_PATH, count);
}

TEST(cells_are_as_when_stepped)
{
    size_t count = test_count(ROBOT_CONFIGURATIONS);
    check_robots(SCENE_CELL, SCENE_RANDOM, count);
    check_robots(SCENE_CELL, SCENE_PATH, count);
}

// ---- crowds

#define SHAPE_COUNT 6

typedef struct Crowd {
    imp_World *world;
    imp_Mesh *meshes[SHAPE_COUNT - 1];
    imp_Convex *solid;
    imp_BodyId ids[MAX_BODIES];
    imp_BodyDef defs[MAX_BODIES]; // as they were added
    size_t body_count;
    double width;
} Crowd;

static imp_Pose random_pose(const Crowd *crowd)
{
    double half = crowd->width / 2;
    imp_Quat q = {test_random_between(-1, 1), test_random_between(-1, 1), test_random_between(-1, 1), 0.1};
    double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (imp_Pose){.translation = {test_random_between(-half, half), test_random_between(-half, half),
                                      test_random_between(-half, half)},
                      .rotation = {q.w / length, q.x / length, q.y / length, q.z / length}};
}

static void add_random(Crowd *crowd, size_t number)
{
    uint32_t shape = test_random_below(SHAPE_COUNT);
    imp_BodyDef def = {.mesh = shape + 1 < SHAPE_COUNT ? crowd->meshes[shape] : NULL,
                       .convex = shape + 1 < SHAPE_COUNT ? NULL : crowd->solid,
                       .pose = random_pose(crowd),
                       .category_bits = test_random_below(8),
                       .ignore_bits = test_random_below(8) == 0 ? 1 + test_random_below(7) : 0,
                       .group = test_random_below(4) == 0 ? 1 + test_random_below(3) : 0};
    CHECK_INT(imp_world_add_body(crowd->world, &def, &crowd->ids[number]), IMP_STATUS_OK);
    crowd->defs[number] = def;
}

static void crowd_make(Crowd *crowd, imp_Context *context, size_t body_count)
{
    *crowd = (Crowd){.body_count = body_count, .width = 3.2 * cbrt((double)body_count)};
    CHECK_INT(scene_sphere(context, 16, 10, 2.5, &crowd->meshes[0]), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(context, 8, 5, 0.4, &crowd->meshes[1]), IMP_STATUS_OK);
    CHECK_INT(scene_torus(context, 20, 12, 1.5, 0.3, &crowd->meshes[2]), IMP_STATUS_OK);
    CHECK_INT(scene_soup(context, 90, 0.5, 7, &crowd->meshes[3]), IMP_STATUS_OK);
    CHECK_INT(scene_box(context, (imp_Vec3){-1, -1, -1}, (imp_Vec3){1, 1, 1}, &crowd->meshes[4]),
              IMP_STATUS_OK);
    imp_ConvexDef hull = {.points = &imp_mesh_get_vertices(crowd->meshes[1])->x,
                          .point_count = imp_mesh_get_vertex_count(crowd->meshes[1])};
    CHECK_INT(imp_convex_create(context, &hull, &crowd->solid), IMP_STATUS_OK);
    CHECK_INT(imp_world_create(context, NULL, &crowd->world), IMP_STATUS_OK);
    for (size_t i = 0; i < body_count; ++i)
        add_random(crowd, i);
}

static void crowd_destroy(Crowd *crowd)
{
    imp_world_destroy(crowd->world);
    for (int i = 0; i < SHAPE_COUNT - 1; ++i)
        imp_mesh_release(crowd->meshes[i]);
    imp_convex_release(crowd->solid);
}

static void deform(Crowd *crowd, imp_BodyId id, double stretch)
{
    imp_Convex *convex = NULL;
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_body_get_convex(crowd->world, id, &convex), IMP_STATUS_OK);
    CHECK_INT(imp_body_get_mesh(crowd->world, id, &mesh), IMP_STATUS_OK);
    if (convex || !mesh)
        return;
    size_t count = imp_mesh_get_vertex_count(mesh);
    imp_Vec3 *vertices = calloc(count, sizeof *vertices);
    for (size_t i = 0; i < count; ++i) {
        vertices[i] = imp_mesh_get_vertices(mesh)[i];
        vertices[i].z *= stretch;
    }
    CHECK_INT(imp_body_set_vertices(crowd->world, id, &vertices->x, count), IMP_STATUS_OK);
    free(vertices);
}

static void change(Crowd *crowd)
{
    size_t i = test_random_below((uint32_t)crowd->body_count),
           k = test_random_below((uint32_t)crowd->body_count);
    switch (test_random_below(5)) {
    case 0:
        CHECK_INT(imp_world_remove_body(crowd->world, crowd->ids[i]), IMP_STATUS_OK);
        add_random(crowd, i);
        break;
    case 1:
        deform(crowd, crowd->ids[i], test_random_between(0.5, 1.8));
        break;
    case 2:
        if (i != k)
            CHECK_INT(imp_world_ignore_pair(crowd->world, crowd->ids[i], crowd->ids[k], test_random_below(3)),
                      IMP_STATUS_OK);
        break;
    case 3:
        CHECK_INT(imp_world_set_pair_filter(crowd->world, test_random_below(2) ? is_even_pair : NULL, NULL),
                  IMP_STATUS_OK);
        break;
    default:
        CHECK_INT(imp_body_set_pose(crowd->world, crowd->ids[i], random_pose(crowd)), IMP_STATUS_OK);
    }
}

typedef struct Question {
    imp_ConfigurationsDef def;
    imp_BodyId bodies[MAX_BODIES];
    imp_Pose *poses;
} Question;

// Some of the bodies, in any order; some poses are those they have, some the same as the time before.
static void draw_question(const Crowd *crowd, size_t moved_count, size_t configuration_count,
                          Question *question)
{
    memcpy(question->bodies, crowd->ids, crowd->body_count * sizeof *crowd->ids);
    for (size_t i = 0; i < moved_count; ++i) {
        size_t other = i + test_random_below((uint32_t)(crowd->body_count - i));
        imp_BodyId id = question->bodies[i];
        question->bodies[i] = question->bodies[other];
        question->bodies[other] = id;
    }
    question->poses = calloc(moved_count * configuration_count + 1, sizeof *question->poses);
    for (size_t i = 0; i < moved_count * configuration_count; ++i) {
        uint32_t kind = test_random_below(8);
        question->poses[i] = random_pose(crowd);
        if (kind == 0)
            CHECK_INT(imp_body_get_pose(crowd->world, question->bodies[i % moved_count], &question->poses[i]),
                      IMP_STATUS_OK);
        else if (kind < 4 && i >= moved_count)
            question->poses[i] = question->poses[i - moved_count];
    }
    question->def = (imp_ConfigurationsDef){.bodies = question->bodies,
                                            .body_count = moved_count,
                                            .poses = question->poses,
                                            .configuration_count = configuration_count,
                                            .first_only = test_random_below(3) == 0,
                                            .ignore_containment = test_random_below(4) == 0};
}

typedef struct Tallies {
    size_t configurations, free, pairs, inside, first, nothing_moves, all_move;
} Tallies;

// The world's own report must not notice.
static void ask_between_detects(Crowd *crowd, const imp_ConfigurationsDef *def, const Answers *answers)
{
    const imp_DetectDef detect = {.mode = IMP_DETECT_BODIES};
    const imp_Report *report = NULL;
    CHECK_INT(imp_world_detect(crowd->world, &detect, &report), IMP_STATUS_OK);
    size_t count = report->body_pair_count;
    imp_BodyPair *pairs = calloc(count + 1, sizeof *pairs);
    if (count > 0)
        memcpy(pairs, report->body_pairs, count * sizeof *pairs);
    ask(crowd->world, def, answers);
    CHECK(report->body_pair_count == count &&
          are_same_bytes(report->body_pairs, pairs, count * sizeof *pairs));
    CHECK_INT(imp_world_detect(crowd->world, &detect, &report), IMP_STATUS_OK);
    CHECK(report->begun_count == 0 && report->ended_count == 0);
    CHECK(report->body_pair_count == count &&
          are_same_bytes(report->body_pairs, pairs, count * sizeof *pairs));
    free(pairs);
}

static void run_program(imp_Context *context, size_t body_count, size_t configuration_count, size_t rounds,
                        Tallies *tallies)
{
    Crowd crowd;
    crowd_make(&crowd, context, body_count);
    for (size_t round = 0; round < rounds; ++round) {
        Question question;
        size_t moved = round % 4 == 3 ? body_count : test_random_below((uint32_t)body_count + 1);
        draw_question(&crowd, moved, configuration_count, &question);
        Answers answers = step_through(crowd.world, &question.def);
        ask_between_detects(&crowd, &question.def, &answers);
        tallies->configurations += configuration_count;
        tallies->free += answers.free_count;
        tallies->pairs += answers.pair_count;
        tallies->inside += answers.inside_count;
        tallies->first += question.def.first_only;
        tallies->nothing_moves += moved == 0;
        tallies->all_move += moved == body_count;
        answers_free(&answers);
        free(question.poses);
        for (uint32_t i = test_random_below(6); i > 0; --i)
            change(&crowd);
    }
    crowd_destroy(&crowd);
}

TEST(crowds_are_as_when_stepped)
{
    Tallies tallies = {0};
    size_t count = test_count(PROGRAM_COUNT);
    for (size_t i = 0; i < count; ++i) {
        imp_Context *context = context_with_threads(thread_counts[i % 3]);
        run_program(context, 2 + test_random_below(9), 1 + test_random_below(MAX_CONFIGURATIONS), 8,
                    &tallies);
        imp_context_destroy(context);
    }
    printf("  %zu configurations, %zu free; %zu pairs, %zu inside; %zu first, %zu and %zu where none and all "
           "move\n",
           tallies.configurations, tallies.free, tallies.pairs, tallies.inside, tallies.first,
           tallies.nothing_moves, tallies.all_move);
    CHECK(tallies.free * 20 > tallies.configurations && tallies.free * 5 < 4 * tallies.configurations);
    CHECK(tallies.inside * 50 > tallies.pairs && tallies.inside < tallies.pairs / 2);
    CHECK(tallies.first > 0 && tallies.nothing_moves > 0 && tallies.all_move > 0);
}

// So many that pairs are searched for, not listed.
TEST(large_crowds_are_as_when_stepped)
{
    Tallies tallies = {0};
    size_t count = test_count(3);
    for (size_t i = 0; i < count; ++i) {
        imp_Context *context = context_with_threads(thread_counts[i % 3]);
        run_program(context, MAX_BODIES, 3 + 32 * (i % 2), 4, &tallies);
        imp_context_destroy(context);
    }
    CHECK(tallies.pairs > tallies.configurations && tallies.inside > 0 && tallies.all_move >= count);
}

// ---- threads

static void run_in_turn(imp_TaskFn task, void *argument, uint32_t task_count, void *user)
{
    *(uint32_t *)user += task_count;
    for (uint32_t i = 0; i < task_count; ++i)
        task(i, argument);
}

// One may take very long.
TEST(few_configurations_are_shared_by_all_threads)
{
    uint32_t tasks_run = 0;
    imp_Context *context = NULL;
    Crowd crowd;
    Question question;
    CHECK_INT(imp_context_create(&(imp_ContextDef){.executor = {run_in_turn, 4, &tasks_run}}, &context),
              IMP_STATUS_OK);
    crowd_make(&crowd, context, 5);
    draw_question(&crowd, 5, 4, &question);
    Answers answers = step_through(crowd.world, &question.def);
    tasks_run = 0;
    ask(crowd.world, &question.def, &answers);
    CHECK_INT(tasks_run, 4);
    answers_free(&answers);
    free(question.poses);
    crowd_destroy(&crowd);
    imp_context_destroy(context);
}

// ---- what goes wrong

TEST(a_configuration_that_is_refused_is_named)
{
    Robots robots;
    const imp_ConfigurationsReport *report = NULL;
    robots_make(&robots, SCENE_ROBOT, 1);
    size_t moved = robots.moved_count;
    imp_Pose *poses = calloc(50 * moved, sizeof *poses);
    scene_robots_configurations(robots.scene, SCENE_RANDOM, 3, 50, poses);
    imp_ConfigurationsDef def = {
        .bodies = robots.moved, .body_count = moved, .poses = poses, .configuration_count = 50};
    const imp_Error *error = imp_context_get_error(robots.context);
    for (size_t at = 0; at < 50 * moved; at += 23) {
        imp_Pose good = poses[at];
        poses[at] = (imp_Pose){.translation.x = at % 2 ? NAN : 0, .rotation.w = at % 2 ? 1 : 2};
        CHECK_INT(imp_world_detect_configurations(robots.world, &def, &report), IMP_STATUS_BAD_NUMBER);
        CHECK_INT(error->index, at);
        poses[at] = good;
    }
    imp_BodyId id = robots.moved[2];
    robots.moved[2].generation += 1;
    CHECK_INT(imp_world_detect_configurations(robots.world, &def, &report), IMP_STATUS_BAD_INDEX);
    CHECK_INT(error->index, 2);
    robots.moved[2] = robots.moved[1];
    CHECK_INT(imp_world_detect_configurations(robots.world, &def, &report), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(error->index, 2);
    robots.moved[2] = id;
    CHECK_INT(imp_world_detect_configurations(NULL, &def, &report), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_world_detect_configurations(robots.world, NULL, &report), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_world_detect_configurations(robots.world, &def, NULL), IMP_STATUS_BAD_ARGUMENT);
    imp_ConfigurationsDef bad = def;
    bad.reserved[1] = 1;
    CHECK_INT(imp_world_detect_configurations(robots.world, &bad, &report), IMP_STATUS_BAD_ARGUMENT);
    bad = def;
    bad.poses = NULL;
    CHECK_INT(imp_world_detect_configurations(robots.world, &bad, &report), IMP_STATUS_BAD_ARGUMENT);
    bad = def;
    bad.bodies = NULL;
    CHECK_INT(imp_world_detect_configurations(robots.world, &bad, &report), IMP_STATUS_BAD_ARGUMENT);
    bad = def;
    bad.configuration_count = SIZE_MAX / 2;
    CHECK_INT(imp_world_detect_configurations(robots.world, &bad, &report), IMP_STATUS_BAD_ARGUMENT);
    CHECK(!report);
    CHECK_INT(imp_world_detect_configurations(robots.world, &def, &report), IMP_STATUS_OK);
    def.configuration_count = 0;
    CHECK_INT(imp_world_detect_configurations(robots.world, &def, &report), IMP_STATUS_OK);
    CHECK(report->pair_count == 0 && report->configuration_count == 0);
    free(poses);
    robots_destroy(&robots);
}

// The same bodies in a world that has never been asked.
static imp_World *copy_world(imp_Context *context, const Crowd *crowd, double stretch)
{
    Crowd copy = *crowd;
    CHECK_INT(imp_world_create(context, NULL, &copy.world), IMP_STATUS_OK);
    for (size_t i = 0; i < crowd->body_count; ++i) {
        imp_BodyId id = {0};
        CHECK_INT(imp_world_add_body(copy.world, &crowd->defs[i], &id), IMP_STATUS_OK);
        CHECK(are_same_bytes(&id, &crowd->ids[i], sizeof id));
    }
    deform(&copy, crowd->ids[0], stretch);
    return copy.world;
}

// Ask with each allocation failing once. Returns how often that was refused; some can be done without.
static uint64_t fail_each(FailingAllocator *memory, imp_Context *context, const Crowd *crowd,
                          const imp_ConfigurationsDef *def)
{
    imp_World *world = copy_world(context, crowd, 1.3);
    Answers answers = step_through(world, def);
    bool has_failed = true;
    uint64_t n = 0, refused = 0;
    imp_world_destroy(world);
    while (has_failed) {
        const imp_ConfigurationsReport *report = NULL;
        world = copy_world(context, crowd, 1.3);
        failing_allocator_arm(memory, ++n);
        imp_Status status = imp_world_detect_configurations(world, def, &report);
        has_failed = failing_allocator_has_failed(memory);
        failing_allocator_arm(memory, 0);
        CHECK(status == IMP_STATUS_OUT_OF_MEMORY ? has_failed && !report : status == IMP_STATUS_OK);
        refused += status == IMP_STATUS_OUT_OF_MEMORY;
        ask(world, def, &answers);
        imp_world_destroy(world);
    }
    answers_free(&answers);
    return refused;
}

TEST(without_memory_it_fails_and_goes_on)
{
    for (int large = 0; large < 2; ++large)
        for (uint32_t threads = 1; threads <= (large ? LARGE_THREADS : 2); ++threads) {
            FailingAllocator memory;
            imp_Context *context = NULL;
            Crowd crowd;
            Question question;
            failing_allocator_init(&memory, 0);
            imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory), .thread_count = threads};
            CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
            crowd_make(&crowd, context, large ? 140 : 8);
            draw_question(&crowd, large ? 130 : 5, large ? 2 : 35, &question);
            CHECK(fail_each(&memory, context, &crowd, &question.def) > 20);
            free(question.poses);
            crowd_destroy(&crowd);
            imp_context_destroy(context);
            CHECK(failing_allocator_is_clean(&memory));
        }
}

// ---- ending it

typedef struct Canceller {
    imp_Cancel *cancel;
    atomic_int pairs_left;
} Canceller;

static bool cancel_later(imp_BodyId a, imp_BodyId b, void *user)
{
    Canceller *canceller = user;
    (void)a;
    (void)b;
    if (atomic_fetch_sub(&canceller->pairs_left, 1) == 1)
        imp_cancel_request(canceller->cancel);
    return true;
}

TEST(it_can_be_cancelled_at_any_time)
{
    size_t cancelled = 0, finished = 0;
    for (int threads = 1; threads <= 2; ++threads) {
        imp_Context *context = context_with_threads((uint32_t)threads);
        Canceller canceller = {.cancel = NULL};
        Crowd crowd;
        Question question;
        CHECK_INT(imp_cancel_create(context, &canceller.cancel), IMP_STATUS_OK);
        crowd_make(&crowd, context, 140);
        draw_question(&crowd, 130, 35, &question);
        CHECK_INT(imp_world_set_pair_filter(crowd.world, cancel_later, &canceller), IMP_STATUS_OK);
        Answers answers = step_through(crowd.world, &question.def);
        for (int pairs = 1; pairs < 200000; pairs *= CANCEL_GROWTH) {
            const imp_ConfigurationsReport *report = NULL;
            atomic_store(&canceller.pairs_left, pairs);
            imp_cancel_reset(canceller.cancel);
            question.def.cancel = canceller.cancel;
            imp_Status status = imp_world_detect_configurations(crowd.world, &question.def, &report);
            cancelled += status == IMP_STATUS_CANCELLED;
            finished += status == IMP_STATUS_OK;
            CHECK(status == IMP_STATUS_CANCELLED ? !report : status == IMP_STATUS_OK);
            question.def.cancel = NULL;
            atomic_store(&canceller.pairs_left, 0);
            ask(crowd.world, &question.def, &answers);
        }
        answers_free(&answers);
        free(question.poses);
        crowd_destroy(&crowd);
        imp_cancel_destroy(canceller.cancel);
        imp_context_destroy(context);
    }
    CHECK(cancelled > 2 && finished > 0);
}
