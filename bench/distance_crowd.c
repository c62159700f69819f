// crowd-1000 of crowd_scene.h: all pairs of bodies at most a hundredth of a body's width apart, with their
// distances, milliseconds a frame, updates included; beside our detect of the same frames. `pairs` is how
// many pairs of bodies there are in all frames, for the detect how many touch.
#include "bench.h"
#include "crowd_scene.h"
#include "distance_impinge.h"
#include "distance_scenes.h"
#include "fcl_clearance.h"
#include "near_pairs.h"

#include <impinge/impinge.h>

#include <string.h>

#define BODY_WIDTH 2.0
#define CLEARANCE  (0.01 * BODY_WIDTH)

typedef struct NearSystem {
    const Crowd *crowd;
    CrowdWorld *world;  // ours
    FclClearance *fcl;  // or FCL's
    NearPairs found;    // by the last run
    NearPairs *correct; // what is right
    char agrees[48];
} NearSystem;

static const char *check_found(void *state)
{
    NearSystem *system = state;
    near_pairs_compare(&system->found, system->correct, system->agrees, sizeof system->agrees);
    return system->agrees;
}

static const char *check_ours(void *state)
{
    const char *agrees = check_found(state);
    bench_check(strcmp(agrees, "yes") == 0, "two threads find other near bodies than one");
    return agrees;
}

// Slots count from 1 in the order in which bodies were added.
static uint64_t run_clearance(void *state)
{
    NearSystem *system = state;
    near_pairs_clear(&system->found);
    for (uint32_t frame = 0; frame < CROWD_FRAME_COUNT; ++frame) {
        const imp_ClearanceReport *report = NULL;
        crowd_world_show(system->world, frame);
        bench_require(
            imp_world_clearance(system->world->world, &(imp_ClearanceDef){.distance = CLEARANCE}, &report));
        for (size_t i = 0; i < report->pair_count; ++i)
            near_pairs_add(&system->found,
                           (NearPair){frame, report->pairs[i].body_a.slot - 1,
                                      report->pairs[i].body_b.slot - 1, report->pairs[i].distance.distance});
    }
    return system->found.count;
}

// The clearances of one thread are what is right.
static size_t add_clearances(NearSystem *made, BenchSystem *systems)
{
    static CrowdWorld worlds[2];
    for (int i = 0; i < 2; ++i) {
        crowd_world_make(made[i].crowd, (uint32_t)i + 1, &worlds[i]);
        made[i].world = &worlds[i];
        systems[i] = (BenchSystem){.name = "impinge",
                                   .threads = i + 1,
                                   .run = run_clearance,
                                   .state = &made[i],
                                   .check = check_ours};
    }
    run_clearance(&made[0]);
    return 2;
}

static uint64_t run_detect(void *state)
{
    NearSystem *system = state;
    uint64_t pairs = 0;
    for (size_t frame = 0; frame < CROWD_FRAME_COUNT; ++frame) {
        const imp_Report *report = NULL;
        crowd_world_show(system->world, frame);
        bench_require(
            imp_world_detect(system->world->world, &(imp_DetectDef){.ignore_containment = true}, &report));
        pairs += report->body_pair_count;
    }
    return pairs;
}

static size_t add_detect(NearSystem *made, BenchSystem *system)
{
    static CrowdWorld world;
    crowd_world_make(made->crowd, 1, &world);
    made->world = &world;
    *system = (BenchSystem){.name = "impinge-detect", .threads = 1, .run = run_detect, .state = made};
    return 1;
}

#if IMPINGE_BENCH_FCL
static uint64_t run_fcl(void *state)
{
    NearSystem *system = state;
    near_pairs_clear(&system->found);
    for (uint32_t frame = 0; frame < CROWD_FRAME_COUNT; ++frame) {
        for (size_t body = 0; body < CROWD_BODY_COUNT; ++body) {
            const imp_Vec3 *shape = crowd_shape(system->crowd, frame, body);
            if (shape)
                fcl_clearance_deform(system->fcl, body, shape);
            fcl_clearance_pose(system->fcl, body, &system->crowd->poses[frame][body]);
        }
        fcl_clearance_find(system->fcl, frame, &system->found);
    }
    return system->found.count;
}

static size_t add_fcl(NearSystem *made, BenchSystem *system, const BenchOptions *options)
{
    imp_Mesh *meshes[CROWD_BODY_COUNT];
    if (!bench_wants_system(options, "fcl-rss"))
        return 0;
    for (size_t body = 0; body < CROWD_BODY_COUNT; ++body)
        meshes[body] = crowd_mesh(made->crowd, body);
    made->fcl = fcl_clearance_create(meshes, CROWD_BODY_COUNT, CLEARANCE);
    *system =
        (BenchSystem){.name = "fcl-rss", .threads = 1, .run = run_fcl, .state = made, .check = check_found};
    return 1;
}
#endif

#define MAX_SYSTEMS 4

static void measure(const Crowd *crowd, const BenchOptions *options)
{
    BenchSystem systems[MAX_SYSTEMS];
    NearSystem made[MAX_SYSTEMS] = {0};
    size_t count = 0;
    for (size_t i = 0; i < MAX_SYSTEMS; ++i)
        made[i] = (NearSystem){.crowd = crowd, .correct = &made[0].found};
    count += add_clearances(made, systems);
#if IMPINGE_BENCH_FCL
    count += add_fcl(&made[count], &systems[count], options);
#endif
    count += add_detect(&made[count], &systems[count]);
    BenchScene scene = {"crowd-1000", "moving", "ms", 1e6 * CROWD_FRAME_COUNT, options->quick ? 3 : 7};
    bench_measure(options, &scene, systems, count);
    for (size_t i = 0; i < count; ++i) {
        near_pairs_free(&made[i].found);
        if (made[i].world)
            crowd_world_free(made[i].world);
#if IMPINGE_BENCH_FCL
        if (made[i].fcl)
            fcl_clearance_destroy(made[i].fcl);
#endif
    }
}

void bench_near_crowd(imp_Context *context, const BenchOptions *options)
{
    static Crowd crowd;
    if (!bench_wants(options, "crowd-1000"))
        return;
    crowd_make(context, &crowd);
    measure(&crowd, options);
    crowd_free(&crowd);
}
