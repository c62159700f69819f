// crowd-1000 from frame to frame: a detect of each frame, as area mesh has it, and beside it a sweep from
// each frame to the next one. Milliseconds a frame, updates included.
#include "crowd_scene.h"
#include "sweep_parts.h"

#include <impinge/impinge.h>

static uint64_t run_detect(void *state)
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

static void set_targets(CrowdWorld *crowd, size_t frame)
{
    for (size_t body = 0; body < CROWD_BODY_COUNT; ++body) {
        const imp_Vec3 *shape = crowd_shape(crowd->crowd, frame, body);
        imp_TargetDef def = {.pose = crowd->crowd->poses[frame][body],
                             .vertices = shape ? &shape->x : NULL,
                             .vertex_count =
                                 shape ? imp_mesh_get_vertex_count(crowd_mesh(crowd->crowd, body)) : 0};
        bench_require(imp_body_set_target(crowd->world, crowd->bodies[body], &def));
    }
}

static uint64_t run_sweep(void *state)
{
    CrowdWorld *crowd = state;
    uint64_t pairs = 0;
    crowd_world_show(crowd, 0);
    for (size_t frame = 1; frame < CROWD_FRAME_COUNT; ++frame) {
        const imp_SweepReport *report = NULL;
        set_targets(crowd, frame);
        bench_require(imp_world_sweep(crowd->world, NULL, &report));
        bench_require(imp_world_advance(crowd->world, 1));
        pairs += report->face_pair_count;
    }
    return pairs;
}

void sweep_crowd(const BenchOptions *options)
{
    static Crowd crowd;
    static CrowdWorld worlds[3];
    imp_Context *context = NULL;
    if (!bench_wants(options, "crowd-1000"))
        return;
    bench_require(imp_context_create(NULL, &context));
    crowd_make(context, &crowd);
    for (int i = 0; i < 3; ++i)
        crowd_world_make(&crowd, i < 2 ? 1 : 2, &worlds[i]);
    bench_check(run_sweep(&worlds[1]) == run_sweep(&worlds[2]), "two threads find other pairs than one");
    BenchSystem systems[3] = {
        {.name = "impinge-detect", .threads = 1, .run = run_detect, .state = &worlds[0]},
        {.name = "impinge", .threads = 1, .run = run_sweep, .state = &worlds[1]},
        {.name = "impinge", .threads = 2, .run = run_sweep, .state = &worlds[2]},
    };
    systems[1].unit_per_item = systems[2].unit_per_item = 1e6 * (CROWD_FRAME_COUNT - 1);
    BenchScene scene = {"crowd-1000", "first-times", "ms", 1e6 * CROWD_FRAME_COUNT, options->quick ? 3 : 7};
    bench_measure(options, &scene, systems, 3);
    for (int i = 0; i < 3; ++i)
        crowd_world_free(&worlds[i]);
    crowd_free(&crowd);
    imp_context_destroy(context);
}
