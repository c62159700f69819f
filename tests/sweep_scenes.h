/// Worlds of bodies that stay, fly, fly together, turn on straight paths and deform, some of them solids,
/// flat or degenerate: for tests of sweeps. A third lies on a grid, with coordinates that rounding leaves
/// alone.
#ifndef IMPINGE_TESTS_SWEEP_SCENES_H
#define IMPINGE_TESTS_SWEEP_SCENES_H

#include "harness.h"
#include "posed_faces.h"
#include "scenes/shapes.h"

#include <math.h>

#define THREAD_KINDS 3 // worlds of a scene are alike but for their threads
#define MESH_KINDS   7
#define SOLID_KINDS  2
#define MAX_BODIES   6
#define MAX_VERTICES 200

static const uint32_t thread_counts[THREAD_KINDS] = {1, 2, 5};

// How many bodies were of each kind.
static struct {
    uint64_t flying, together, turning, deforming, still;
} scene_tallies;

static imp_Context *contexts[THREAD_KINDS];
static imp_Mesh *meshes[MESH_KINDS];
static imp_Convex *solids[SOLID_KINDS];

// ---- shapes

// A flat sheet of squares.
static inline imp_Mesh *make_sheet(imp_Context *context, uint32_t edge)
{
    imp_Mesh *mesh = NULL;
    imp_Vec3 vertices[64];
    uint32_t indices[6 * 49], count = 0;
    for (uint32_t i = 0; i <= edge; ++i)
        for (uint32_t k = 0; k <= edge; ++k)
            vertices[i * (edge + 1) + k] = (imp_Vec3){i / (double)edge, k / (double)edge, 0};
    for (uint32_t i = 0; i < edge; ++i)
        for (uint32_t k = 0; k < edge; ++k) {
            uint32_t v = i * (edge + 1) + k;
            const uint32_t square[6] = {v, v + 1, v + edge + 1, v + 1, v + edge + 2, v + edge + 1};
            memcpy(indices + count, square, sizeof square);
            count += 6;
        }
    CHECK_INT(imp_mesh_create(context,
                              &(imp_MeshDef){.vertices = &vertices->x,
                                             .vertex_count = (size_t)(edge + 1) * (edge + 1),
                                             .indices = indices,
                                             .triangle_count = count / 3},
                              &mesh),
              IMP_STATUS_OK);
    return mesh;
}

static inline void make_shapes(void)
{
    for (int i = 0; i < THREAD_KINDS; ++i)
        contexts[i] = context_with_threads(thread_counts[i]);
    imp_Context *context = contexts[0];
    CHECK_INT(scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}, &meshes[0]), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(context, 6, 4, 0.5, &meshes[1]), IMP_STATUS_OK);
    CHECK_INT(scene_soup(context, 10, 0.5, 3, &meshes[2]), IMP_STATUS_OK);
    CHECK_INT(scene_grid_soup(context, 8, 3, 4, &meshes[3]), IMP_STATUS_OK);
    CHECK_INT(scene_needle(context, 3, 0.05, &meshes[4]), IMP_STATUS_OK);
    CHECK_INT(scene_torus(context, 12, 8, 0.8, 0.3, &meshes[5]), IMP_STATUS_OK);
    meshes[6] = make_sheet(context, 4);
    for (int i = 0; i < SOLID_KINDS; ++i) {
        static const imp_Vec3 sizes[SOLID_KINDS] = {{1, 1, 1}, {2, 0.25, 0.5}};
        imp_Mesh *surface = NULL;
        CHECK_INT(scene_box(context, (imp_Vec3){0}, sizes[i], &surface), IMP_STATUS_OK);
        CHECK_INT(imp_convex_create_from_mesh(context, surface, &solids[i]), IMP_STATUS_OK);
        imp_mesh_release(surface);
    }
}

static inline void release_shapes(void)
{
    for (int i = 0; i < MESH_KINDS; ++i)
        imp_mesh_release(meshes[i]);
    for (int i = 0; i < SOLID_KINDS; ++i)
        imp_convex_release(solids[i]);
    for (int i = 0; i < THREAD_KINDS; ++i)
        imp_context_destroy(contexts[i]);
}

// ---- scenes

// A body as the test knows it.
typedef struct Actor {
    imp_Mesh *mesh;
    imp_Convex *convex;
    imp_Pose pose;
    bool is_deformed, has_target;
    imp_TargetDef target;
    imp_Vec3 shape[MAX_VERTICES], end_shape[MAX_VERTICES];
    imp_BodyId id; // the same in all worlds
    imp_MovingTriangle *faces;
    size_t face_count;
} Actor;

typedef struct Scene {
    imp_World *worlds[THREAD_KINDS];
    Actor actors[MAX_BODIES];
    size_t count;
    double grid; // coordinates are multiples of this; 0: any
    imp_Vec3 centre;
} Scene;

static inline double random_coordinate(const Scene *scene, double reach)
{
    double x = test_random_between(-reach, reach);
    return scene->grid > 0 ? round(x / scene->grid) * scene->grid : x;
}

static inline imp_Vec3 random_place(const Scene *scene, double reach)
{
    double x = random_coordinate(scene, reach), y = random_coordinate(scene, reach);
    double z = random_coordinate(scene, reach);
    return (imp_Vec3){scene->centre.x + x, scene->centre.y + y, scene->centre.z + z};
}

static inline imp_Quat random_turn(const Scene *scene)
{
    return scene->grid > 0 ? (imp_Quat){.w = 1} : random_rotation();
}

static inline size_t vertex_count_of(const Actor *actor)
{
    return imp_mesh_get_vertex_count(actor->mesh);
}

static inline void random_shape(const Scene *scene, const Actor *actor, imp_Vec3 *shape)
{
    const imp_Vec3 *vertices = imp_mesh_get_vertices(actor->mesh);
    double wobble = test_random_below(2) ? 0.5 : 2;
    for (size_t i = 0; i < vertex_count_of(actor); ++i) {
        double x = random_coordinate(scene, wobble), y = random_coordinate(scene, wobble);
        double z = random_coordinate(scene, wobble);
        shape[i] = (imp_Vec3){vertices[i].x + x, vertices[i].y + y, vertices[i].z + z};
    }
}

static inline void choose_target(const Scene *scene, Actor *actor, imp_Vec3 fleet)
{
    uint32_t kind = test_random_below(6);
    actor->has_target = kind > 0;
    actor->target = (imp_TargetDef){.pose = actor->pose};
    imp_Vec3 *to = &actor->target.pose.translation;
    if (kind == 1 || kind == 2) {
        *to = (imp_Vec3){to->x + fleet.x, to->y + fleet.y, to->z + fleet.z};
        if (kind == 2 && !scene->grid)
            to->x += test_random_between(-0.1, 0.1);
        ++scene_tallies.together;
    } else if (kind > 0) {
        *to = random_place(scene, 2.5);
    }
    if (kind == 4 && !scene->grid) {
        actor->target.pose.rotation = random_rotation();
        actor->target.path = IMP_PATH_STRAIGHT;
        ++scene_tallies.turning;
    }
    if (kind == 5 && !actor->convex) {
        random_shape(scene, actor, actor->end_shape);
        actor->target.vertices = &actor->end_shape->x;
        actor->target.vertex_count = vertex_count_of(actor);
        if (!scene->grid && test_random_below(2))
            actor->target.pose.rotation = random_rotation();
        ++scene_tallies.deforming;
    }
    scene_tallies.flying += kind > 0;
    scene_tallies.still += kind == 0;
}

static inline void choose_actor(const Scene *scene, Actor *actor, imp_Vec3 fleet)
{
    *actor = (Actor){.mesh = NULL};
    if (test_random_below(5) == 0) {
        actor->convex = solids[test_random_below(SOLID_KINDS)];
        actor->mesh = imp_convex_get_mesh(actor->convex);
    } else {
        actor->mesh = meshes[test_random_below(MESH_KINDS)];
    }
    actor->pose = (imp_Pose){random_place(scene, 2), random_turn(scene)};
    actor->is_deformed = !actor->convex && test_random_below(4) == 0;
    if (actor->is_deformed)
        random_shape(scene, actor, actor->shape);
    choose_target(scene, actor, fleet);
}

static inline void make_faces(Actor *actor)
{
    const uint32_t *indices = imp_mesh_get_indices(actor->mesh);
    const imp_Vec3 *begin = actor->is_deformed ? actor->shape : imp_mesh_get_vertices(actor->mesh);
    const imp_Vec3 *end = actor->has_target && actor->target.vertices ? actor->end_shape : begin;
    imp_Transform from, to;
    CHECK_INT(imp_pose_transform(&actor->pose, &from), IMP_STATUS_OK);
    CHECK_INT(imp_pose_transform(actor->has_target ? &actor->target.pose : &actor->pose, &to), IMP_STATUS_OK);
    actor->face_count = imp_mesh_get_triangle_count(actor->mesh);
    actor->faces = malloc(actor->face_count * sizeof *actor->faces);
    for (size_t i = 0; i < actor->face_count; ++i)
        for (size_t k = 0; k < 3; ++k) {
            actor->faces[i].begin.v[k] = imp_transform_apply(&from, begin[indices[3 * i + k]]);
            actor->faces[i].end.v[k] = imp_transform_apply(&to, end[indices[3 * i + k]]);
        }
}

static inline void show_actor(imp_World *world, const Actor *actor)
{
    CHECK_INT(imp_body_set_pose(world, actor->id, actor->pose), IMP_STATUS_OK);
    if (!actor->convex)
        CHECK_INT(imp_body_set_vertices(world, actor->id, actor->is_deformed ? &actor->shape->x : NULL,
                                        actor->is_deformed ? vertex_count_of(actor) : 0),
                  IMP_STATUS_OK);
    CHECK_INT(imp_body_set_target(world, actor->id, actor->has_target ? &actor->target : NULL),
              IMP_STATUS_OK);
}

// The last one goes to where it touches the first one, which stays, with its side, from beyond.
static inline void make_arrival(Scene *scene)
{
    Actor *still = &scene->actors[0], *other = &scene->actors[scene->count - 1];
    imp_Vec3 at = scene->actors[0].pose.translation;
    double far = 0.25 * (double)(1 + test_random_below(8));
    *still = (Actor){.mesh = meshes[0], .pose = {at, {.w = 1}}};
    *other = (Actor){.mesh = meshes[0], .pose = {{at.x + 1 + far, at.y, at.z}, {.w = 1}}, .has_target = true};
    other->target.pose = (imp_Pose){{at.x + 1, at.y + 0.25 * (double)test_random_below(4), at.z}, {.w = 1}};
}

static inline void scene_make(Scene *scene)
{
    *scene = (Scene){.grid = test_random_below(3) == 0 ? 0.25 : 0};
    if (test_random_below(4) == 0)
        scene->centre = (imp_Vec3){1e6, -3e6, 2e5};
    imp_Vec3 fleet = random_place(scene, 8);
    scene->count = 2 + test_random_below(MAX_BODIES - 1);
    for (size_t i = 0; i < scene->count; ++i)
        choose_actor(scene, &scene->actors[i], fleet);
    if (scene->grid > 0 && test_random_below(3) == 0)
        make_arrival(scene);
    for (int k = 0; k < THREAD_KINDS; ++k) {
        CHECK_INT(imp_world_create(contexts[k], NULL, &scene->worlds[k]), IMP_STATUS_OK);
        for (size_t i = 0; i < scene->count; ++i) {
            Actor *actor = &scene->actors[i];
            imp_BodyDef def = {.mesh = actor->convex ? NULL : actor->mesh, .convex = actor->convex};
            CHECK_INT(imp_world_add_body(scene->worlds[k], &def, &actor->id), IMP_STATUS_OK);
            show_actor(scene->worlds[k], actor);
        }
    }
    for (size_t i = 0; i < scene->count; ++i)
        make_faces(&scene->actors[i]);
}

static inline void scene_destroy(Scene *scene)
{
    for (int k = 0; k < THREAD_KINDS; ++k)
        imp_world_destroy(scene->worlds[k]);
    for (size_t i = 0; i < scene->count; ++i)
        free(scene->actors[i].faces);
}

// Other targets, and some other poses, for the next sweep of the same worlds.
static inline void change_scene(Scene *scene)
{
    imp_Vec3 fleet = random_place(scene, 3);
    for (size_t i = 0; i < scene->count; ++i) {
        Actor *actor = &scene->actors[i];
        if (test_random_below(2))
            actor->pose.translation = random_place(scene, 2);
        if (test_random_below(3))
            choose_target(scene, actor, fleet);
        free(actor->faces);
        make_faces(actor);
        for (int k = 0; k < THREAD_KINDS; ++k)
            show_actor(scene->worlds[k], actor);
    }
}

#endif
