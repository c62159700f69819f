#include "crowd_scene.h"

#include "bench.h"

#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <stdlib.h>

#define WORLD_EDGE 24.0

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
    for (size_t body = 0; body < CROWD_BODY_COUNT; ++body) {
        crowd->poses[0][body] = random_pose(&random);
        imp_Vec3 step = {0.1 * (scene_random_unit(&random) - 0.5), 0.1 * (scene_random_unit(&random) - 0.5),
                         0.1 * (scene_random_unit(&random) - 0.5)};
        for (size_t frame = 1; frame < CROWD_FRAME_COUNT; ++frame) {
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
    for (int shape = 0; shape < CROWD_SHAPE_COUNT; ++shape) {
        crowd->shapes[shape] = malloc(count * sizeof *crowd->shapes[shape]);
        if (!crowd->shapes[shape])
            exit(1);
        for (size_t i = 0; i < count; ++i) {
            imp_Vec3 v = imp_mesh_get_vertices(mesh)[i];
            crowd->shapes[shape][i] = (imp_Vec3){v.x * (1 + 0.02 * shape), v.y, v.z * (1 - 0.02 * shape)};
        }
    }
}

void crowd_make(imp_Context *context, Crowd *crowd)
{
    bench_check(scene_sphere_of_faces(context, 960, 1, &crowd->kinds[0]) == IMP_STATUS_OK &&
                    scene_torus(context, 32, 16, 0.8, 0.3, &crowd->kinds[1]) == IMP_STATUS_OK &&
                    scene_bumpy_sphere(context, 32, 17, 1, 0.2, 3, &crowd->kinds[2]) == IMP_STATUS_OK,
                "no bodies");
    make_motion(crowd);
    make_shapes(crowd);
}

void crowd_make_spheres(imp_Context *context, imp_SphereMethod method, Crowd *crowd)
{
    for (int i = 0; i < CROWD_KIND_COUNT; ++i) {
        imp_SphereTreeDef def = {.mesh = crowd->kinds[i], .method = method};
        bench_require(imp_sphere_tree_create(context, &def, &crowd->spheres[i]));
    }
}

void crowd_free(Crowd *crowd)
{
    for (int i = 0; i < CROWD_KIND_COUNT; ++i) {
        imp_sphere_tree_release(crowd->spheres[i]);
        imp_mesh_release(crowd->kinds[i]);
    }
    for (int i = 0; i < CROWD_SHAPE_COUNT; ++i)
        free(crowd->shapes[i]);
}

void crowd_world_make(const Crowd *crowd, uint32_t threads, CrowdWorld *world)
{
    world->crowd = crowd;
    bench_check(imp_context_create(&(imp_ContextDef){.thread_count = threads}, &world->context) ==
                        IMP_STATUS_OK &&
                    imp_world_create(world->context, NULL, &world->world) == IMP_STATUS_OK,
                "no world");
    for (size_t body = 0; body < CROWD_BODY_COUNT; ++body) {
        imp_BodyDef def = {.mesh = crowd_mesh(crowd, body),
                           .spheres = crowd->spheres[body % CROWD_KIND_COUNT]};
        bench_require(imp_world_add_body(world->world, &def, &world->bodies[body]));
    }
}

void crowd_world_free(CrowdWorld *world)
{
    imp_world_destroy(world->world);
    imp_context_destroy(world->context);
}

void crowd_world_show(CrowdWorld *world, size_t frame)
{
    for (size_t body = 0; body < CROWD_BODY_COUNT; ++body) {
        const imp_Vec3 *shape = crowd_shape(world->crowd, frame, body);
        bench_require(imp_body_set_pose(world->world, world->bodies[body], world->crowd->poses[frame][body]));
        if (shape)
            bench_require(imp_body_set_vertices(world->world, world->bodies[body], &shape->x,
                                                imp_mesh_get_vertex_count(crowd_mesh(world->crowd, body))));
    }
}
