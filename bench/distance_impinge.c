#include "distance_impinge.h"

#include "bench.h"

#include <impinge/impinge.h>

#include <stdlib.h>

static DistanceAnswer convert(const imp_Distance *result)
{
    return (DistanceAnswer){result->distance, result->a.position, result->b.position};
}

// A limit is asked for by stopping on either side of it.
static DistanceAnswer convert_limited(const imp_Distance *result, double at_most)
{
    bench_check(result->distance <= at_most || result->lower_bound >= at_most,
                "a distance stopped on neither side of its limit");
    return convert(result);
}

// ---- without a world

typedef struct QueryState {
    imp_Query *query;
    DistancePair pair;
    imp_Distance *results;
    size_t capacity;
} QueryState;

static void *query_create(const DistancePair *pair)
{
    QueryState *state = calloc(1, sizeof *state);
    bench_check(state && imp_query_create(NULL, &state->query) == IMP_STATUS_OK, "no query");
    state->pair = *pair;
    return state;
}

static void query_destroy(void *argument)
{
    QueryState *state = argument;
    imp_query_destroy(state->query);
    free(state->results);
    free(state);
}

static void query_ask_limits(QueryState *state, const DistanceQuestions *questions, DistanceAnswer *answers)
{
    for (size_t i = 0; i < questions->count; ++i) {
        double limit = questions->at_most[i];
        imp_MeshPair meshes = {
            .a = state->pair.a, .b = state->pair.b, .poses_b = &questions->poses_b[i], .pose_count = 1};
        imp_DistanceDef def = {.stop_below = limit, .stop_above = limit, .ignore_containment = true};
        imp_Distance result;
        bench_require(imp_meshes_distance(state->query, &meshes, &def, &result));
        answers[i] = convert_limited(&result, limit);
    }
}

static void query_ask(void *argument, const DistanceQuestions *questions, DistanceAnswer *answers)
{
    QueryState *state = argument;
    if (questions->at_most) {
        query_ask_limits(state, questions, answers);
        return;
    }
    if (questions->count > state->capacity) {
        state->capacity = questions->count;
        state->results = realloc(state->results, state->capacity * sizeof *state->results);
        if (!state->results)
            exit(1);
    }
    imp_MeshPair meshes = {.a = state->pair.a,
                           .b = state->pair.b,
                           .poses_b = questions->poses_b,
                           .pose_count = questions->count};
    bench_require(imp_meshes_distance(state->query, &meshes, &(imp_DistanceDef){.ignore_containment = true},
                                      state->results));
    for (size_t i = 0; i < questions->count; ++i)
        answers[i] = convert(&state->results[i]);
}

const DistancePeer impinge_query_distance = {
    .name = "impinge", .threads = 1, .create = query_create, .destroy = query_destroy, .ask = query_ask};

// ---- in a world

typedef struct WorldState {
    imp_Context *context;
    imp_World *world;
    imp_BodyId a, b;
    size_t vertex_count_a, vertex_count_b;
} WorldState;

static void *world_create(const DistancePair *pair, uint32_t threads)
{
    WorldState *state = calloc(1, sizeof *state);
    bench_check(state &&
                    imp_context_create(&(imp_ContextDef){.thread_count = threads}, &state->context) ==
                        IMP_STATUS_OK &&
                    imp_world_create(state->context, NULL, &state->world) == IMP_STATUS_OK,
                "no world");
    imp_BodyDef a = {.convex = pair->convex_a, .mesh = pair->convex_a ? NULL : pair->a};
    bench_require(imp_world_add_body(state->world, &a, &state->a));
    bench_require(imp_world_add_body(state->world, &(imp_BodyDef){.mesh = pair->b}, &state->b));
    state->vertex_count_a = imp_mesh_get_vertex_count(pair->a);
    state->vertex_count_b = imp_mesh_get_vertex_count(pair->b);
    return state;
}

static void *world_create_1(const DistancePair *pair)
{
    return world_create(pair, 1);
}

static void *world_create_2(const DistancePair *pair)
{
    return world_create(pair, 2);
}

static void world_destroy(void *argument)
{
    WorldState *state = argument;
    imp_world_destroy(state->world);
    imp_context_destroy(state->context);
    free(state);
}

static void world_deform(void *argument, const imp_Vec3 *a, const imp_Vec3 *b)
{
    WorldState *state = argument;
    bench_require(imp_body_set_vertices(state->world, state->a, &a->x, state->vertex_count_a));
    bench_require(imp_body_set_vertices(state->world, state->b, &b->x, state->vertex_count_b));
}

static void world_ask(void *argument, const DistanceQuestions *questions, DistanceAnswer *answers)
{
    WorldState *state = argument;
    for (size_t i = 0; i < questions->count; ++i) {
        double limit = questions->at_most ? questions->at_most[i] : 0;
        imp_DistanceDef def = {.stop_below = limit, .stop_above = limit, .ignore_containment = true};
        imp_Distance result;
        bench_require(imp_body_set_pose(state->world, state->b, questions->poses_b[i]));
        bench_require(imp_world_distance(state->world, state->a, state->b, &def, &result));
        answers[i] = questions->at_most ? convert_limited(&result, limit) : convert(&result);
    }
}

const DistancePeer impinge_world_distance = {.name = "impinge",
                                             .threads = 1,
                                             .create = world_create_1,
                                             .destroy = world_destroy,
                                             .deform = world_deform,
                                             .ask = world_ask};

const DistancePeer impinge_world_distance_2 = {.name = "impinge",
                                               .threads = 2,
                                               .create = world_create_2,
                                               .destroy = world_destroy,
                                               .deform = world_deform,
                                               .ask = world_ask};
