// First impact of two bunnies, milliseconds a question. One comes from a tenth of its width away in a random
// direction, a fifth of its width. In bunny-rigid both turn on rigid paths, in bunny-straight neither does,
// and the answer is exact. `pairs` is how many of the questions have a contact. `agrees` is -m/+n where m of
// a peer's times are more than 0.01 before ours, and n are more than that after it: by then the bodies have
// crossed.
#include "bunny.h"
#include "sweep_parts.h"
#include "sweep_peers.h"

#include "base/context.h"
#include "geom/pose.h"
#include "geom/vector.h"
#include "object/advancement.h"
#include "scenes/shapes.h"
#include "shape/mesh.h"

#include <impinge/impinge.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define QUESTION_COUNT 6

typedef struct RigidScene {
    const char *name;
    const RigidPeer *ours;
    bool turn;
    imp_Mesh *bunny;
    RigidQuestion questions[QUESTION_COUNT];
    double expected[QUESTION_COUNT]; // times
} RigidScene;

// ---- ours, where bodies turn

typedef struct OurState {
    imp_Context *context;
    impi_Body a, b;
    impi_Arena arena;
} OurState;

static void *our_create(imp_Mesh *a, imp_Mesh *b)
{
    OurState *state = calloc(1, sizeof *state);
    bench_check(state && imp_context_create(NULL, &state->context) == IMP_STATUS_OK, "no context");
    imp_Pose none = {.translation = {0, 0, 0}};
    bench_require(impi_body_make(state->context, &a->shape, &none, &state->a));
    bench_require(impi_body_make(state->context, &b->shape, &none, &state->b));
    impi_arena_init(&state->arena, &state->context->allocator);
    return state;
}

static void our_destroy(void *argument)
{
    OurState *state = argument;
    impi_body_release(&state->context->allocator, &state->a);
    impi_body_release(&state->context->allocator, &state->b);
    impi_arena_destroy(&state->arena);
    imp_context_destroy(state->context);
    free(state);
}

static void set_path(OurState *state, impi_Body *body, const imp_Pose *from, const imp_Pose *to,
                     impi_BodyPath *path)
{
    impi_RigidPathDef def = {.from = *from, .to = *to};
    impi_RigidPath rigid;
    imp_Transform transform;
    bench_require(impi_body_check_pose(state->context, body, from, &transform));
    impi_body_move(body, from, &transform);
    bench_require(impi_rigid_path_make(&def, &rigid));
    impi_body_path_rigid(body, &rigid, path);
}

static double our_ask(void *argument, const RigidQuestion *question)
{
    OurState *state = argument;
    impi_BodyPath a, b;
    impi_Budget budget;
    impi_Advance result;
    impi_budget_begin(&budget, 0, NULL);
    impi_AdvanceAsk ask = {.end = 1, .budget = &budget};
    set_path(state, &state->a, &question->from_a, &question->to_a, &a);
    set_path(state, &state->b, &question->from_b, &question->to_b, &b);
    bench_require(impi_advance_prepare(state->context, &a, &b));
    bench_require(impi_advance(state->context, &state->arena, &a, &b, &ask, &result));
    impi_arena_reset(&state->arena);
    bench_check(result.verdict == IMPI_ADVANCE_MEET || result.verdict == IMPI_ADVANCE_APART, "no verdict");
    return result.verdict == IMPI_ADVANCE_MEET ? result.time : (double)INFINITY;
}

static const RigidPeer impinge_sweep = {"impinge", 1, our_create, our_destroy, our_ask};

// ---- ours, where bodies go straight

typedef struct OurWorld {
    imp_Context *context;
    imp_World *world;
    imp_BodyId a, b;
} OurWorld;

static void *world_create(imp_Mesh *a, imp_Mesh *b)
{
    OurWorld *state = calloc(1, sizeof *state);
    bench_check(state != NULL, "out of memory");
    bench_require(imp_context_create(&(imp_ContextDef){.thread_count = 1}, &state->context));
    bench_require(imp_world_create(state->context, NULL, &state->world));
    bench_require(imp_world_add_body(state->world, &(imp_BodyDef){.mesh = a}, &state->a));
    bench_require(imp_world_add_body(state->world, &(imp_BodyDef){.mesh = b}, &state->b));
    return state;
}

static void world_destroy(void *argument)
{
    OurWorld *state = argument;
    imp_world_destroy(state->world);
    imp_context_destroy(state->context);
    free(state);
}

static double world_ask(void *argument, const RigidQuestion *question)
{
    OurWorld *state = argument;
    const imp_SweepReport *report;
    bench_require(imp_body_set_pose(state->world, state->a, question->from_a));
    bench_require(imp_body_set_pose(state->world, state->b, question->from_b));
    bench_require(imp_body_set_target(state->world, state->a, &(imp_TargetDef){.pose = question->to_a}));
    bench_require(imp_body_set_target(state->world, state->b, &(imp_TargetDef){.pose = question->to_b}));
    bench_require(imp_world_sweep(state->world, NULL, &report));
    return report->pair_count ? report->first_time : (double)INFINITY;
}

static const RigidPeer impinge_straight = {"impinge", 1, world_create, world_destroy, world_ask};

// ---- the scene

static double distance_of(imp_Query *query, imp_Mesh *bunny, const imp_Pose *pose)
{
    imp_MeshPair meshes = {.a = bunny, .b = bunny, .poses_b = pose, .pose_count = 1};
    imp_Distance result;
    bench_require(
        imp_meshes_distance(query, &meshes, &(imp_DistanceDef){.ignore_containment = true}, &result));
    return result.distance;
}

static imp_Quat random_turn(uint64_t *random, double angle)
{
    imp_Vec3 axis = impi_unit(scene_random_vector(random, -1, 1));
    double half = angle / 2, sine = half - half * half * half / 6, cosine = sqrt(1 - sine * sine);
    return (imp_Quat){cosine, axis.x * sine, axis.y * sine, axis.z * sine};
}

// From afar, as near as a tenth of the width.
static void make_question(imp_Query *query, imp_Mesh *bunny, bool turn, uint64_t *random,
                          RigidQuestion *question)
{
    imp_Box box = imp_mesh_get_bounds(bunny);
    double width = box.max.x - box.min.x;
    imp_Vec3 way = impi_unit(scene_random_vector(random, -1, 1));
    imp_Pose b = {impi_scale(way, 4 * width), random_turn(random, 0.9)};
    for (int i = 0; i < 60; ++i) {
        double gap = distance_of(query, bunny, &b) - 0.1 * width;
        b.translation = impi_add_scaled(b.translation, -gap, way);
    }
    *question = (RigidQuestion){.from_b = b};
    imp_Pose turn_a = {.rotation = random_turn(random, 0.2)}, turn_b = {.rotation = random_turn(random, 0.3)};
    question->to_b = b;
    if (turn) {
        question->to_a = turn_a;
        bench_require(imp_pose_compose(&(imp_Pose){.rotation = b.rotation}, &turn_b, &question->to_b));
    }
    question->to_b.translation = impi_add_scaled(b.translation, -0.2 * width, way);
}

// Ours stop the program where the bodies touch a little before the time that is told, or at no time after it.
static void check_question(imp_Query *query, imp_Mesh *bunny, const RigidQuestion *question, double time)
{
    impi_RigidPathDef def_a = {.from = question->from_a, .to = question->to_a};
    impi_RigidPathDef def_b = {.from = question->from_b, .to = question->to_b};
    impi_RigidPath a, b;
    bench_require(impi_rigid_path_make(&def_a, &a));
    bench_require(impi_rigid_path_make(&def_b, &b));
    for (int i = 0; i <= 40; ++i) {
        double part = i / 40.0, at = (time <= 1 ? time * (1 - 1e-9) : 1) * part;
        imp_Pose pose_a = impi_rigid_path_pose(&a, at), pose_b = impi_rigid_path_pose(&b, at);
        imp_MeshPair meshes = {.a = bunny, .b = bunny, .pose_a = pose_a, .poses_b = &pose_b, .pose_count = 1};
        imp_Distance result;
        bench_require(
            imp_meshes_distance(query, &meshes, &(imp_DistanceDef){.ignore_containment = true}, &result));
        bench_check(result.distance > 0, "bunnies touch before the time that was told");
        bench_check(!(time <= 1) || i < 40 || result.distance < 1e-8,
                    "bunnies are far apart at the time told");
    }
}

typedef struct System {
    const RigidScene *scene;
    const RigidPeer *peer;
    void *state;
    double times[QUESTION_COUNT];
    char agrees[32];
} System;

static uint64_t run_system(void *argument)
{
    System *system = argument;
    uint64_t found = 0;
    for (size_t i = 0; i < QUESTION_COUNT; ++i) {
        system->times[i] = system->peer->ask(system->state, &system->scene->questions[i]);
        found += system->times[i] <= 1;
    }
    return found;
}

static const char *check_system(void *argument)
{
    System *system = argument;
    int early = 0, late = 0;
    for (size_t i = 0; i < QUESTION_COUNT; ++i) {
        double expected = system->scene->expected[i], found = system->times[i];
        early += found < expected - 0.01 && !(found > 1);
        late += found > expected + 0.01 && expected <= 1;
    }
    if (early == 0 && late == 0)
        return "yes";
    snprintf(system->agrees, sizeof system->agrees, "-%d/+%d", early, late);
    return system->agrees;
}

static void measure(const RigidScene *scene, const BenchOptions *options)
{
    const RigidPeer *const peers[] = {
        scene->ours,
#if IMPINGE_BENCH_FCL
        &fcl_rss_sweep,
        &fcl_obbrss_sweep,
        &fcl_distance_sweep,
#endif
    };
    System made[sizeof peers / sizeof peers[0]];
    BenchSystem systems[sizeof peers / sizeof peers[0]];
    size_t count = 0;
    for (size_t i = 0; i < sizeof peers / sizeof peers[0]; ++i) {
        if (i > 0 && !bench_wants_system(options, peers[i]->name))
            continue;
        made[count] =
            (System){.scene = scene, .peer = peers[i], .state = peers[i]->create(scene->bunny, scene->bunny)};
        systems[count] = (BenchSystem){.name = peers[i]->name,
                                       .threads = peers[i]->threads,
                                       .run = run_system,
                                       .state = &made[count],
                                       .check = check_system};
        ++count;
    }
    BenchScene description = {scene->name, "cold", "ms", 1e6 * QUESTION_COUNT, options->quick ? 3 : 21};
    bench_measure(options, &description, systems, count);
    for (size_t i = 0; i < count; ++i)
        made[i].peer->destroy(made[i].state);
}

static void run_scene(RigidScene *scene, const BenchOptions *options)
{
    imp_Query *query;
    uint64_t random = 17;
    bench_require(imp_query_create(NULL, &query));
    void *state = scene->ours->create(scene->bunny, scene->bunny);
    for (size_t i = 0; i < QUESTION_COUNT; ++i) {
        make_question(query, scene->bunny, scene->turn, &random, &scene->questions[i]);
        scene->expected[i] = scene->ours->ask(state, &scene->questions[i]);
        check_question(query, scene->bunny, &scene->questions[i], scene->expected[i]);
    }
    scene->ours->destroy(state);
    imp_query_destroy(query);
    measure(scene, options);
}

void sweep_rigid(const BenchOptions *options)
{
    RigidScene scenes[] = {{.name = "bunny-straight", .ours = &impinge_straight},
                           {.name = "bunny-rigid", .ours = &impinge_sweep, .turn = true}};
    imp_Context *context;
    imp_Mesh *bunny = NULL;
    if (!bench_wants(options, scenes[0].name) && !bench_wants(options, scenes[1].name))
        return;
#if !IMPINGE_BENCH_FCL
    fprintf(stderr, "impinge-bench: FCL is left out: install libfcl-dev\n");
#endif
    bench_require(imp_context_create(NULL, &context));
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i)
        if (bench_wants(options, scenes[i].name) && (bunny || (bunny = bench_load_bunny(context)))) {
            scenes[i].bunny = bunny;
            run_scene(&scenes[i], options);
        }
    imp_mesh_release(bunny);
    imp_context_destroy(context);
}
