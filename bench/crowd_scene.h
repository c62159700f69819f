/// The bodies of scene crowd-1000 and how they move: a thousand of about a thousand faces, a third of them
/// deforming.
#ifndef IMPINGE_BENCH_CROWD_SCENE_H
#define IMPINGE_BENCH_CROWD_SCENE_H

#include <impinge/spheres.h>
#include <impinge/world.h>

#define CROWD_BODY_COUNT  1000
#define CROWD_FRAME_COUNT 10
#define CROWD_KIND_COUNT  3
#define CROWD_SHAPE_COUNT 4 // of deforming bodies

typedef struct Crowd {
    imp_Mesh *kinds[CROWD_KIND_COUNT]; // bodies of the last kind deform
    imp_Pose poses[CROWD_FRAME_COUNT][CROWD_BODY_COUNT];
    imp_Vec3 *shapes[CROWD_SHAPE_COUNT];
    imp_SphereTree *spheres[CROWD_KIND_COUNT]; // null until crowd_make_spheres
} Crowd;

/// All of these stop the program where something fails.
void crowd_make(imp_Context *context, Crowd *crowd);
void crowd_make_spheres(imp_Context *context, imp_SphereMethod method, Crowd *crowd);
void crowd_free(Crowd *crowd);

static inline imp_Mesh *crowd_mesh(const Crowd *crowd, size_t body)
{
    return crowd->kinds[body % CROWD_KIND_COUNT];
}

/// Vertices of a body in a frame, or null when it is as its mesh.
static inline const imp_Vec3 *crowd_shape(const Crowd *crowd, size_t frame, size_t body)
{
    return body % CROWD_KIND_COUNT == CROWD_KIND_COUNT - 1 ? crowd->shapes[frame % CROWD_SHAPE_COUNT] : NULL;
}

/// The crowd in a world of its own.
typedef struct CrowdWorld {
    const Crowd *crowd;
    imp_Context *context;
    imp_World *world;
    imp_BodyId bodies[CROWD_BODY_COUNT];
} CrowdWorld;

/// Bodies have the crowd's spheres if it has any.
void crowd_world_make(const Crowd *crowd, uint32_t threads, CrowdWorld *world);
void crowd_world_free(CrowdWorld *world);

/// Move and deform all bodies.
void crowd_world_show(CrowdWorld *world, size_t frame);

#endif
