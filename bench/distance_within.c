// bunny-within, regime `faces`: all pairs of faces at most a fiftieth of a width apart, bunnies standing at
// half of that, milliseconds a question; beside detects with as many candidates, for which one bunny is moved
// into the other. `pairs` is how many candidates a run has: pairs of faces whose boxes come that near, or
// that the detects have tested.
#include "bench.h"
#include "distance_impinge.h"
#include "distance_oracle.h"
#include "distance_scene.h"
#include "distance_scenes.h"

#include "geom/vector.h"

#include <impinge/impinge.h>

#include <stdlib.h>

#define SHARE_OF_WIDTH 0.02

typedef struct Bodies {
    imp_Context *context;
    imp_World *world;
    imp_BodyId a, b;
    imp_Pose poses[DISTANCE_POSE_COUNT];
    size_t pose_count;
    double distance;
    uint64_t candidates; // of all poses
} Bodies;

static void open_bodies(Bodies *bodies, const DistanceScene *scene)
{
    bench_check(imp_context_create(NULL, &bodies->context) == IMP_STATUS_OK &&
                    imp_world_create(bodies->context, NULL, &bodies->world) == IMP_STATUS_OK,
                "no world");
    bench_require(imp_world_add_body(bodies->world, &(imp_BodyDef){.mesh = scene->pair.a}, &bodies->a));
    bench_require(imp_world_add_body(bodies->world, &(imp_BodyDef){.mesh = scene->pair.b}, &bodies->b));
    bodies->pose_count = scene->pose_count;
    bodies->distance = SHARE_OF_WIDTH * scene->width;
    for (size_t i = 0; i < scene->pose_count; ++i)
        bodies->poses[i] = scene->poses[i];
}

static void close_bodies(Bodies *bodies)
{
    imp_world_destroy(bodies->world);
    imp_context_destroy(bodies->context);
}

static uint64_t detect(Bodies *bodies, imp_Pose pose)
{
    const imp_Report *report = NULL;
    bench_require(imp_body_set_pose(bodies->world, bodies->b, pose));
    bench_require(imp_world_detect(bodies->world, &(imp_DetectDef){.ignore_containment = true}, &report));
    return report->candidate_face_pairs;
}

static uint64_t run_detect(void *state)
{
    Bodies *bodies = state;
    uint64_t candidates = 0;
    for (size_t i = 0; i < bodies->pose_count; ++i)
        candidates += detect(bodies, bodies->poses[i]);
    return candidates;
}

static uint64_t run_faces(void *state)
{
    Bodies *bodies = state;
    for (size_t i = 0; i < bodies->pose_count; ++i) {
        const imp_ClearanceReport *report = NULL;
        bench_require(imp_body_set_pose(bodies->world, bodies->b, bodies->poses[i]));
        bench_require(imp_world_clearance(
            bodies->world, &(imp_ClearanceDef){.distance = bodies->distance, .face_pairs = true}, &report));
    }
    return bodies->candidates;
}

static uint64_t count_candidates(const DistanceScene *scene, size_t pose)
{
    imp_Triangle *a = distance_scene_triangles(scene->pair.a, &(imp_Pose){0});
    imp_Triangle *b = distance_scene_triangles(scene->pair.b, &scene->poses[pose]);
    OracleSurface surface_a = {a, imp_mesh_get_triangle_count(scene->pair.a)};
    OracleSurface surface_b = {b, imp_mesh_get_triangle_count(scene->pair.b)};
    uint64_t count = distance_oracle_count(&surface_a, &surface_b, SHARE_OF_WIDTH * scene->width);
    free(a);
    free(b);
    return count;
}

// Move b towards the middle of a until a detect has that many candidates.
static imp_Pose move_in(Bodies *bodies, const DistanceScene *scene, size_t pose, uint64_t candidates)
{
    imp_Pose start = scene->poses[pose], moved = start;
    double low = 0, high = 1; // widths
    for (int i = 0; i < 20; ++i) {
        double t = (low + high) / 2;
        moved.translation = impi_add_scaled(start.translation, -t * scene->width, scene->directions[pose]);
        *(detect(bodies, moved) < candidates ? &low : &high) = t;
    }
    return moved;
}

void bench_faces_within(const DistanceScene *scene, const BenchOptions *options)
{
    Bodies near = {0}, touching = {0};
    open_bodies(&near, scene);
    open_bodies(&touching, scene);
    for (size_t i = 0; i < scene->pose_count; ++i) {
        uint64_t candidates = count_candidates(scene, i);
        near.candidates += candidates;
        touching.poses[i] = move_in(&touching, scene, i, candidates);
    }
    BenchSystem systems[] = {
        {.name = "impinge-detect", .threads = 1, .run = run_detect, .state = &touching},
        {.name = "impinge", .threads = 1, .run = run_faces, .state = &near},
    };
    BenchScene description = {scene->name, "faces", "ms", 1e6 * (double)scene->pose_count,
                              options->quick ? 3 : 21};
    bench_measure(options, &description, systems, sizeof systems / sizeof systems[0]);
    close_bodies(&near);
    close_bodies(&touching);
}
