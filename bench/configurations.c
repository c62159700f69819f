// Which of 10,000 configurations of a robot are free, and what touches in the others? Microseconds a
// configuration, beside FCL, whose bodies are moved one configuration after the other. Ours are asked about
// in one call, `impinge-detect` by a detect each. Nobody asks what is inside of what. `pairs` is how many
// pairs of bodies touch in all configurations; where only the first is asked for, how many configurations are
// not free.
//
//   robot        an arm of 7 links and 5 obstacles        random: configurations anywhere
//   cell         two arms with grippers, 25 bodies        path: from one to the next by a degree or so
//   robot-first, cell-first    up to the first pair that touches
#include "bench.h"
#include "fcl_configurations.h"
#include "near_pairs.h"

#include "scenes/robots.h"

#include <impinge/impinge.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFIGURATION_COUNT 10000
#define MAX_BODIES          32
#define SEED                1

typedef struct Question {
    SceneRobots *robots;
    size_t body_count, moved[MAX_BODIES], moved_count;
    imp_Pose *poses; // CONFIGURATION_COUNT * moved_count
    bool first_only;
} Question;

typedef struct System {
    const Question *question;
    imp_Context *context;
    imp_World *world; // ours
    imp_BodyId bodies[MAX_BODIES], moved[MAX_BODIES];
#if IMPINGE_BENCH_FCL
    FclConfigurations *fcl; // or FCL's
#endif
    NearPairs found, *correct;
    char agrees[48];
} System;

// ---- ours

static void make_world(System *system, uint32_t threads)
{
    const Question *question = system->question;
    bench_require(imp_context_create(&(imp_ContextDef){.thread_count = threads}, &system->context));
    bench_require(imp_world_create(system->context, NULL, &system->world));
    bench_require(scene_robots_add_bodies(question->robots, system->world, system->bodies));
    for (size_t i = 0; i < question->moved_count; ++i)
        system->moved[i] = system->bodies[question->moved[i]];
}

// Which first pair a system finds is its own affair, so only that there is one counts.
static void note_pair(System *system, size_t configuration, const imp_BodyPair *pair)
{
    NearPair found = {(uint32_t)configuration, pair->body_a.slot - 1, pair->body_b.slot - 1, 0};
    if (system->question->first_only)
        found.a = found.b = 0;
    near_pairs_add(&system->found, found);
}

static uint64_t run_configurations(void *state)
{
    System *system = state;
    const imp_ConfigurationsReport *report = NULL;
    imp_ConfigurationsDef def = {.bodies = system->moved,
                                 .body_count = system->question->moved_count,
                                 .poses = system->question->poses,
                                 .configuration_count = CONFIGURATION_COUNT,
                                 .first_only = system->question->first_only,
                                 .ignore_containment = true};
    near_pairs_clear(&system->found);
    bench_require(imp_world_detect_configurations(system->world, &def, &report));
    for (size_t i = 0, k = 0; i < CONFIGURATION_COUNT; ++i)
        for (; k < report->ends[i]; ++k)
            note_pair(system, i, &report->pairs[k]);
    return system->found.count;
}

static uint64_t run_detects(void *state)
{
    System *system = state;
    const Question *question = system->question;
    imp_DetectDef def = {.mode = question->first_only ? IMP_DETECT_FIRST : IMP_DETECT_BODIES,
                         .ignore_containment = true};
    near_pairs_clear(&system->found);
    for (size_t i = 0; i < CONFIGURATION_COUNT; ++i) {
        const imp_Report *report = NULL;
        bench_require(imp_world_set_poses(system->world, system->moved,
                                          question->poses + i * question->moved_count,
                                          question->moved_count));
        bench_require(imp_world_detect(system->world, &def, &report));
        for (size_t k = 0; k < report->body_pair_count; ++k)
            note_pair(system, i, &report->body_pairs[k]);
    }
    return system->found.count;
}

static const char *check_found(void *state)
{
    System *system = state;
    near_pairs_compare(&system->found, system->correct, system->agrees, sizeof system->agrees);
    return system->agrees;
}

static const char *check_ours(void *state)
{
    const char *agrees = check_found(state);
    bench_check(strcmp(agrees, "yes") == 0, "configurations and detects find other pairs");
    return agrees;
}

// ---- FCL's

#if IMPINGE_BENCH_FCL
static bool is_asked[MAX_BODIES * MAX_BODIES];

static void make_fcl(System *system)
{
    const Question *question = system->question;
    imp_Mesh *meshes[MAX_BODIES];
    imp_Pose poses[MAX_BODIES];
    for (size_t i = 0; i < question->body_count; ++i) {
        SceneRobotsBody body = scene_robots_body(question->robots, i);
        meshes[i] = body.mesh;
        poses[i] = body.pose;
        for (size_t k = 0; k < question->body_count; ++k)
            is_asked[i * question->body_count + k] =
                (body.moves || scene_robots_body(question->robots, k).moves) &&
                !scene_robots_is_ignored(question->robots, i, k);
    }
    system->fcl = fcl_configurations_create(meshes, poses, question->body_count, is_asked);
}

static uint64_t run_fcl(void *state)
{
    System *system = state;
    const Question *question = system->question;
    near_pairs_clear(&system->found);
    for (uint32_t i = 0; i < CONFIGURATION_COUNT; ++i)
        fcl_configurations_ask(system->fcl, question->moved, question->moved_count,
                               question->poses + i * question->moved_count, question->first_only, i,
                               &system->found);
    for (size_t i = 0; i < system->found.count && question->first_only; ++i)
        system->found.pairs[i].a = system->found.pairs[i].b = 0;
    return system->found.count;
}
#endif

// ---- scenes

#define MAX_SYSTEMS 4

static void measure(const BenchOptions *options, const BenchScene *scene, const Question *question)
{
    static System made[MAX_SYSTEMS];
    BenchSystem systems[MAX_SYSTEMS];
    size_t count = 3;
    for (size_t i = 0; i < MAX_SYSTEMS; ++i)
        made[i] = (System){.question = question, .correct = &made[2].found};
    for (size_t i = 0; i < 3; ++i) {
        make_world(&made[i], i == 1 ? 2 : 1);
        systems[i] = (BenchSystem){.name = i == 2 ? "impinge-detect" : "impinge",
                                   .threads = i == 1 ? 2 : 1,
                                   .run = i == 2 ? run_detects : run_configurations,
                                   .state = &made[i],
                                   .check = check_ours};
    }
    run_detects(&made[2]);
#if IMPINGE_BENCH_FCL
    if (bench_wants_system(options, "fcl-obbrss")) {
        make_fcl(&made[count]);
        systems[count] = (BenchSystem){
            .name = "fcl-obbrss", .threads = 1, .run = run_fcl, .state = &made[count], .check = check_found};
        ++count;
    }
#endif
    bench_measure(options, scene, systems, count);
    for (size_t i = 0; i < count; ++i) {
        near_pairs_free(&made[i].found);
        imp_world_destroy(made[i].world);
        imp_context_destroy(made[i].context);
#if IMPINGE_BENCH_FCL
        if (made[i].fcl)
            fcl_configurations_destroy(made[i].fcl);
#endif
    }
}

static void ask(const BenchOptions *options, imp_Context *context, SceneRobotsKind kind, bool first_only)
{
    static const char *const names[2][2] = {{"robot", "robot-first"}, {"cell", "cell-first"}};
    const char *name = names[kind == SCENE_CELL][first_only];
    Question question = {.first_only = first_only};
    if (!bench_wants(options, name))
        return;
    bench_require(scene_robots_create(context, kind, &question.robots));
    question.body_count = scene_robots_body_count(question.robots);
    question.moved_count = scene_robots_moved(question.robots, question.moved);
    question.poses = malloc(CONFIGURATION_COUNT * question.moved_count * sizeof *question.poses);
    bench_check(question.poses, "there is no memory for the poses");
    for (SceneRobotsWay way = SCENE_RANDOM; way <= SCENE_PATH; ++way) {
        BenchScene scene = {name, way == SCENE_RANDOM ? "random" : "path", "us", 1e3 * CONFIGURATION_COUNT,
                            options->quick ? 3 : 7};
        scene_robots_configurations(question.robots, way, SEED, CONFIGURATION_COUNT, question.poses);
        measure(options, &scene, &question);
    }
    free(question.poses);
    scene_robots_destroy(question.robots);
}

int bench_configurations(const BenchOptions *options)
{
    imp_Context *context = NULL;
    bench_require(imp_context_create(NULL, &context));
    for (int first_only = 0; first_only < 2; ++first_only) {
        ask(options, context, SCENE_ROBOT, first_only);
        ask(options, context, SCENE_CELL, first_only);
    }
    imp_context_destroy(context);
    return 0;
}
