// crowd-1000: a thousand bodies of about a thousand faces, all moving, a third of them deforming; all
// touching face pairs of each frame, milliseconds a frame, updates included.
#include "bench.h"
#include "crowd_scene.h"
#include "fcl_crowd.h"
#include "mesh_scenes.h"

#include <impinge/impinge.h>

#include <stdio.h>

typedef struct FclWorld {
    const Crowd *crowd;
    FclCrowd *fcl;
    uint64_t found, expected; // face pairs of all frames
    char agrees[48];
} FclWorld;

static uint64_t run_impinge(void *state)
{
    CrowdWorld *crowd = state;
    uint64_t pairs = 0;
    for (size_t frame = 0; frame < CROWD_FRAME_COUNT; ++frame) {
        const imp_Report *report = NULL;
        crowd_world_show(crowd, frame);
        bench_require(imp_world_detect(crowd->world, &(imp_DetectDef){.ignore_containment = true}, &report));
        pairs += report->face_pair_count;
    }
    return pairs;
}

#if IMPINGE_BENCH_FCL
static uint64_t run_fcl(void *state)
{
    FclWorld *world = state;
    uint64_t pairs = 0;
    for (size_t frame = 0; frame < CROWD_FRAME_COUNT; ++frame) {
        for (size_t body = 0; body < CROWD_BODY_COUNT; ++body) {
            const imp_Vec3 *shape = crowd_shape(world->crowd, frame, body);
            if (shape)
                fcl_crowd_deform(world->fcl, body, shape);
            fcl_crowd_pose(world->fcl, body, &world->crowd->poses[frame][body]);
        }
        pairs += fcl_crowd_collide(world->fcl);
    }
    return world->found = pairs;
}

static const char *check_fcl(void *state)
{
    FclWorld *world = state;
    snprintf(world->agrees, sizeof world->agrees, world->found == world->expected ? "yes" : "%+lld in all",
             (long long)(world->found - world->expected));
    return world->agrees;
}

static FclCrowd *make_fcl(const Crowd *crowd)
{
    imp_Mesh *meshes[CROWD_BODY_COUNT];
    for (size_t body = 0; body < CROWD_BODY_COUNT; ++body)
        meshes[body] = crowd_mesh(crowd, body);
    return fcl_crowd_create(meshes, CROWD_BODY_COUNT);
}
#endif

static void measure(const Crowd *crowd, const BenchOptions *options)
{
    static CrowdWorld worlds[2];
    crowd_world_make(crowd, 1, &worlds[0]);
    crowd_world_make(crowd, 2, &worlds[1]);
    uint64_t expected = run_impinge(&worlds[0]);
    bench_check(run_impinge(&worlds[1]) == expected, "two threads find other pairs than one");
    BenchSystem systems[3] = {{.name = "impinge", .threads = 1, .run = run_impinge, .state = &worlds[0]},
                              {.name = "impinge", .threads = 2, .run = run_impinge, .state = &worlds[1]}};
    size_t count = 2;
#if IMPINGE_BENCH_FCL
    FclWorld fcl = {.crowd = crowd, .expected = expected};
    if (bench_wants_system(options, "fcl-obb")) {
        fcl.fcl = make_fcl(crowd);
        systems[count++] =
            (BenchSystem){.name = "fcl-obb", .threads = 1, .run = run_fcl, .state = &fcl, .check = check_fcl};
    }
#endif
    BenchScene scene = {"crowd-1000", "moving", "ms", 1e6 * CROWD_FRAME_COUNT, options->quick ? 3 : 7};
    bench_measure(options, &scene, systems, count);
#if IMPINGE_BENCH_FCL
    if (fcl.fcl)
        fcl_crowd_destroy(fcl.fcl);
#endif
    crowd_world_free(&worlds[0]);
    crowd_world_free(&worlds[1]);
}

void bench_crowd(imp_Context *context, const BenchOptions *options)
{
    static Crowd crowd;
    if (!bench_wants(options, "crowd-1000"))
        return;
    crowd_make(context, &crowd);
    measure(&crowd, options);
    crowd_free(&crowd);
}
