// crowd-1000: a thousand bodies of about a thousand faces, all moving, a third of them deforming; all
// touching face pairs of each frame, milliseconds a frame, updates included.
#include "bench.h"
#include "fcl_crowd.h"
#include "mesh_scenes.h"

#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <stdio.h>
#include <stdlib.h>

#define BODY_COUNT  1000
#define FRAME_COUNT 10
#define SHAPE_COUNT 4 // of deforming bodies
#define WORLD_EDGE  24.0

typedef struct Crowd {
    imp_Mesh *kinds[3]; // bodies of kind 2 deform
    imp_Pose poses[FRAME_COUNT][BODY_COUNT];
    imp_Vec3 *shapes[SHAPE_COUNT];
    unsigned frame;
} Crowd;

typedef struct CrowdWorld {
    const Crowd *crowd;
    imp_Context *context;
    imp_World *world;
    imp_BodyId bodies[BODY_COUNT];
} CrowdWorld;

typedef struct FclWorld {
    const Crowd *crowd;
    FclCrowd *fcl;
    uint64_t found, expected; // face pairs of all frames
    char agrees[48];
} FclWorld;

static bool is_deforming(size_t body)
{
    return body % 3 == 2;
}

static imp_Pose random_pose(uint64_t *random)
{
    SceneTurn s = scene_turn((uint64_t)(scene_random_unit(random) * 4096), 4096);
    SceneTurn t = scene_turn((uint64_t)(scene_random_unit(random) * 4096), 4096);
    double x = scene_random_unit(random), y = scene_random_unit(random), z = scene_random_unit(random);
    return (imp_Pose){{x * WORLD_EDGE, y * WORLD_EDGE, z * WORLD_EDGE},
                      {s.cosine * t.cosine, s.sine * t.cosine, s.cosine * t.sine, s.sine * t.sine}};
}

// Each body drifts by up to a twentieth of its radius a frame, and keeps its rotation.
static void make_motion(Crowd *crowd)
{
    uint64_t random = 5;
    for (size_t body = 0; body < BODY_COUNT; ++body) {
        crowd->poses[0][body] = random_pose(&random);
        imp_Vec3 step = {0.1 * (scene_random_unit(&random) - 0.5), 0.1 * (scene_random_unit(&random) - 0.5),
                         0.1 * (scene_random_unit(&random) - 0.5)};
        for (size_t frame = 1; frame < FRAME_COUNT; ++frame) {
            imp_Pose pose = crowd->poses[frame - 1][body];
            pose.translation.x += step.x;
            pose.translation.y += step.y;
            pose.translation.z += step.z;
            crowd->poses[frame][body] = pose;
        }
    }
}

static void make_shapes(Crowd *crowd)
{
    const imp_Mesh *mesh = crowd->kinds[2];
    size_t count = imp_mesh_get_vertex_count(mesh);
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        crowd->shapes[shape] = malloc(count * sizeof *crowd->shapes[shape]);
        if (!crowd->shapes[shape])
            exit(1);
        for (size_t i = 0; i < count; ++i) {
            imp_Vec3 v = imp_mesh_get_vertices(mesh)[i];
            crowd->shapes[shape][i] = (imp_Vec3){v.x * (1 + 0.02 * shape), v.y, v.z * (1 - 0.02 * shape)};
        }
    }
}

static uint64_t run_impinge(void *state)
{
    CrowdWorld *crowd = state;
    uint64_t pairs = 0;
    for (size_t frame = 0; frame < FRAME_COUNT; ++frame) {
        const imp_Report *report = NULL;
        for (size_t body = 0; body < BODY_COUNT; ++body) {
            bench_require(
                imp_body_set_pose(crowd->world, crowd->bodies[body], crowd->crowd->poses[frame][body]));
            if (is_deforming(body))
                bench_require(imp_body_set_vertices(crowd->world, crowd->bodies[body],
                                                    &crowd->crowd->shapes[frame % SHAPE_COUNT]->x,
                                                    imp_mesh_get_vertex_count(crowd->crowd->kinds[2])));
        }
        bench_require(imp_world_detect(crowd->world, &(imp_DetectDef){.ignore_containment = true}, &report));
        pairs += report->face_pair_count;
    }
    return pairs;
}

static void make_world(const Crowd *crowd, uint32_t threads, CrowdWorld *made)
{
    made->crowd = crowd;
    bench_check(imp_context_create(&(imp_ContextDef){.thread_count = threads}, &made->context) ==
                        IMP_STATUS_OK &&
                    imp_world_create(made->context, NULL, &made->world) == IMP_STATUS_OK,
                "no world");
    for (size_t body = 0; body < BODY_COUNT; ++body)
        bench_require(imp_world_add_body(made->world, &(imp_BodyDef){.mesh = crowd->kinds[body % 3]},
                                         &made->bodies[body]));
}

static void destroy_world(CrowdWorld *world)
{
    imp_world_destroy(world->world);
    imp_context_destroy(world->context);
}

#if IMPINGE_BENCH_FCL
static uint64_t run_fcl(void *state)
{
    FclWorld *world = state;
    uint64_t pairs = 0;
    for (size_t frame = 0; frame < FRAME_COUNT; ++frame) {
        for (size_t body = 0; body < BODY_COUNT; ++body) {
            if (is_deforming(body))
                fcl_crowd_deform(world->fcl, body, world->crowd->shapes[frame % SHAPE_COUNT]);
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
    imp_Mesh *meshes[BODY_COUNT];
    for (size_t body = 0; body < BODY_COUNT; ++body)
        meshes[body] = crowd->kinds[body % 3];
    return fcl_crowd_create(meshes, BODY_COUNT);
}
#endif

static void measure(const Crowd *crowd, const BenchOptions *options)
{
    static CrowdWorld worlds[2];
    make_world(crowd, 1, &worlds[0]);
    make_world(crowd, 2, &worlds[1]);
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
    BenchScene scene = {"crowd-1000", "moving", "ms", 1e6 * FRAME_COUNT, options->quick ? 3 : 7};
    bench_measure(options, &scene, systems, count);
#if IMPINGE_BENCH_FCL
    if (fcl.fcl)
        fcl_crowd_destroy(fcl.fcl);
#endif
    destroy_world(&worlds[0]);
    destroy_world(&worlds[1]);
}

void bench_crowd(imp_Context *context, const BenchOptions *options)
{
    static Crowd crowd;
    if (!bench_wants(options, "crowd-1000"))
        return;
    bench_check(scene_sphere_of_faces(context, 960, 1, &crowd.kinds[0]) == IMP_STATUS_OK &&
                    scene_torus(context, 32, 16, 0.8, 0.3, &crowd.kinds[1]) == IMP_STATUS_OK &&
                    scene_bumpy_sphere(context, 32, 17, 1, 0.2, 3, &crowd.kinds[2]) == IMP_STATUS_OK,
                "no bodies");
    make_motion(&crowd);
    make_shapes(&crowd);
    measure(&crowd, options);
    for (int i = 0; i < 3; ++i)
        imp_mesh_release(crowd.kinds[i]);
    for (int i = 0; i < SHAPE_COUNT; ++i)
        free(crowd.shapes[i]);
}
