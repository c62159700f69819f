/// Random pairs of bodies on paths, and how far apart they are at a time by distances of worlds at rest: for
/// tests of when they first come near.
#ifndef IMPINGE_TESTS_MOVING_PAIRS_H
#define IMPINGE_TESTS_MOVING_PAIRS_H

#include "harness.h"

#include "object/advancement.h"
#include "scenes/convex_shapes.h"
#include "scenes/shapes.h"
#include "shape/convex.h"

#include <impinge/impinge.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOVER_SHAPES 10

typedef struct MoverShapes {
    imp_Context *context;
    imp_Mesh *meshes[MOVER_SHAPES];
    imp_Convex *solids[3];
    double scale;
} MoverShapes;

static inline imp_Mesh *scaled(imp_Context *context, imp_Mesh *mesh, double scale)
{
    imp_Mesh *result = NULL;
    CHECK_INT(scene_place(context, mesh, scale, (imp_Vec3){0, 0, 0}, &result), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return result;
}

/// Each about 2 wide, times the scale.
static inline void mover_shapes_make(MoverShapes *shapes, imp_Context *context, double scale)
{
    imp_Mesh **m = shapes->meshes;
    imp_Status status = IMP_STATUS_OK;
    *shapes = (MoverShapes){.context = context, .scale = scale};
    status |= scene_sphere_of_faces(context, 80, 1, &m[0]);
    status |= scene_bumpy_sphere(context, 16, 10, 1, 0.4, 5, &m[1]);
    status |= scene_torus(context, 16, 8, 0.8, 0.25, &m[2]);
    status |= scene_box(context, (imp_Vec3){-1, -0.7, -0.5}, (imp_Vec3){1, 0.7, 0.5}, &m[3]);
    status |= scene_star_prism(context, 5, 0.4, 0.5, &m[4]);
    status |= scene_needle(context, 5, 0.02, &m[5]);
    status |= scene_l_prism(context, 1, &m[6]);
    status |= scene_soup(context, 40, 0.5, 3, &m[7]);
    status |= scene_hollow_sphere(context, 12, 8, 1, 0.7, &m[8]);
    status |= scene_grid_soup(context, 12, 3, 9, &m[9]);
    CHECK_INT(status, IMP_STATUS_OK);
    for (int i = 0; i < MOVER_SHAPES; ++i)
        m[i] = scaled(context, m[i], scale);
    for (int i = 0; i < 3; ++i) {
        imp_Vec3 points[60];
        scene_convex_points((SceneConvexKind)i, 60, 7, points);
        for (int k = 0; k < 60; ++k)
            points[k] = (imp_Vec3){points[k].x * scale, points[k].y * scale, points[k].z * scale};
        imp_ConvexDef def = {.points = &points[0].x, .point_count = 60};
        CHECK_INT(imp_convex_create(context, &def, &shapes->solids[i]), IMP_STATUS_OK);
    }
}

static inline void mover_shapes_release(MoverShapes *shapes)
{
    for (int i = 0; i < MOVER_SHAPES; ++i)
        imp_mesh_release(shapes->meshes[i]);
    for (int i = 0; i < 3; ++i)
        imp_convex_release(shapes->solids[i]);
}

/// A body and its path.
typedef struct Mover {
    imp_Mesh *mesh;     // null: it is the solid
    imp_Convex *convex; // null: it is the mesh
    impi_Body body;
    impi_BodyPath path;
    imp_Pose end;
    imp_Vec3 *end_vertices;   // as the mesh numbers them, in the frame of the end; or null
    imp_Vec3 *block_vertices; // the same, block by block
} Mover;

static inline imp_Mesh *mover_surface(const Mover *mover)
{
    return mover->mesh ? mover->mesh : imp_convex_get_mesh(mover->convex);
}

static inline imp_Vec3 random_vector(double size)
{
    return (imp_Vec3){test_random_between(-size, size), test_random_between(-size, size),
                      test_random_between(-size, size)};
}

/// Turned by at most this much.
static inline imp_Quat random_turn(double most)
{
    imp_Vec3 axis = random_vector(1);
    double length = sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
    double half = test_random_between(-most, most) / 2;
    if (length < 0.01)
        return (imp_Quat){1, 0, 0, 0};
    double s = sin(half) / length;
    return (imp_Quat){cos(half), axis.x * s, axis.y * s, axis.z * s};
}

static inline void mover_deform(Mover *mover, double size)
{
    imp_Mesh *mesh = mover_surface(mover);
    size_t count = imp_mesh_get_vertex_count(mesh);
    const imp_Vec3 *from = imp_mesh_get_vertices(mesh);
    const impi_FaceBlocks *blocks = &mover->body.blocks->blocks;
    imp_Vec3 pull = random_vector(1);
    mover->end_vertices = malloc(count * sizeof *mover->end_vertices);
    mover->block_vertices = malloc(blocks->vertex_count * sizeof *mover->block_vertices);
    for (size_t i = 0; i < count; ++i) {
        double by = 1 + 0.3 * sin(3 * from[i].x / size + pull.x) + 0.2 * pull.y;
        imp_Vec3 noise = random_vector(0.02 * size);
        mover->end_vertices[i] =
            (imp_Vec3){from[i].x * by + noise.x, from[i].y * by + noise.y, from[i].z * by + noise.z};
    }
    for (size_t i = 0; i < blocks->vertex_count; ++i)
        mover->block_vertices[i] = mover->end_vertices[blocks->vertices[i]];
}

typedef enum MoverKind {
    MOVER_RESTS,
    MOVER_TURNS,
    MOVER_SPINS,
    MOVER_SLIDES,
    MOVER_DEFORMS,
    MOVER_KINDS
} MoverKind;

static inline void mover_make(MoverShapes *shapes, MoverKind kind, const imp_Pose *from, imp_Vec3 goal,
                              Mover *mover)
{
    bool is_solid = test_random_below(3) == 0;
    double size = shapes->scale;
    imp_Transform end;
    *mover = (Mover){.mesh = NULL};
    if (is_solid)
        mover->convex = shapes->solids[test_random_below(3)];
    else
        mover->mesh = shapes->meshes[test_random_below(MOVER_SHAPES)];
    impi_Shape *shape = is_solid ? &mover->convex->shape : &mover->mesh->shape;
    CHECK_INT(impi_body_make(shapes->context, shape, from, &mover->body), IMP_STATUS_OK);
    mover->end = (imp_Pose){goal, from->rotation};
    if (kind == MOVER_TURNS || kind == MOVER_DEFORMS)
        mover->end.rotation = random_turn(3.14159);
    CHECK_INT(imp_pose_transform(&mover->end, &end), IMP_STATUS_OK);
    if (kind == MOVER_RESTS) {
        impi_body_path_rest(&mover->body, &mover->path);
    } else if (kind == MOVER_TURNS || kind == MOVER_SPINS) {
        impi_RigidPathDef def = {.from = *from, .to = mover->end, .axis = random_vector(1)};
        impi_RigidPath rigid;
        if (test_random_below(2))
            def.pivot = random_vector(size);
        def.turns = kind == MOVER_SPINS ? (int32_t)test_random_below(5) - 2 : 0;
        if (kind == MOVER_SPINS && test_random_below(2)) { // half a turn
            const imp_Quat *q = &from->rotation;
            def.to.rotation = mover->end.rotation = (imp_Quat){-q->x, q->w, q->z, -q->y};
        }
        CHECK_INT(impi_rigid_path_make(&def, &rigid), IMP_STATUS_OK);
        impi_body_path_rigid(&mover->body, &rigid, &mover->path);
    } else {
        if (kind == MOVER_DEFORMS)
            mover_deform(mover, size);
        impi_body_path_straight(&mover->body, &end, mover->block_vertices, &mover->path);
    }
}

static inline void mover_release(imp_Context *context, Mover *mover)
{
    impi_body_release(&context->allocator, &mover->body);
    free(mover->end_vertices);
    free(mover->block_vertices);
}

/// A world that has two bodies where two movers are at a time.
typedef struct PairWorld {
    imp_World *world;
    imp_BodyId ids[2];
    const Mover *movers[2];
} PairWorld;

// On straight paths solids are their surfaces.
static inline void pair_world_make(imp_Context *context, const Mover *a, const Mover *b, PairWorld *pair)
{
    *pair = (PairWorld){.movers = {a, b}};
    CHECK_INT(imp_world_create(context, NULL, &pair->world), IMP_STATUS_OK);
    for (int i = 0; i < 2; ++i) {
        const Mover *mover = pair->movers[i];
        bool is_mesh = mover->mesh || mover->path.kind == IMPI_PATH_STRAIGHT;
        imp_BodyDef def = {.mesh = is_mesh ? mover_surface(mover) : NULL,
                           .convex = is_mesh ? NULL : mover->convex,
                           .pose = mover->body.pose};
        CHECK_INT(imp_world_add_body(pair->world, &def, &pair->ids[i]), IMP_STATUS_OK);
    }
}

static inline imp_Vec3 straight_vertex(const Mover *mover, size_t vertex, double time)
{
    imp_Mesh *mesh = mover_surface(mover);
    imp_Vec3 from = imp_mesh_get_vertices(mesh)[vertex], x0, x1;
    imp_Vec3 to = mover->end_vertices ? mover->end_vertices[vertex] : from;
    CHECK_INT(imp_pose_apply(&mover->body.pose, from, &x0), IMP_STATUS_OK);
    CHECK_INT(imp_pose_apply(&mover->end, to, &x1), IMP_STATUS_OK);
    long double t = time;
    return (imp_Vec3){(double)(x0.x + t * ((long double)x1.x - x0.x)),
                      (double)(x0.y + t * ((long double)x1.y - x0.y)),
                      (double)(x0.z + t * ((long double)x1.z - x0.z))};
}

static inline void pair_world_place(PairWorld *pair, double time)
{
    for (int i = 0; i < 2; ++i) {
        const Mover *mover = pair->movers[i];
        if (mover->path.kind == IMPI_PATH_RIGID) {
            imp_Pose pose = impi_rigid_path_pose(&mover->path.rigid, time);
            CHECK_INT(imp_body_set_pose(pair->world, pair->ids[i], pose), IMP_STATUS_OK);
        }
        if (mover->path.kind != IMPI_PATH_STRAIGHT)
            continue;
        size_t count = imp_mesh_get_vertex_count(mover_surface(mover));
        imp_Vec3 *vertices = malloc(count * sizeof *vertices);
        for (size_t k = 0; k < count; ++k)
            vertices[k] = straight_vertex(mover, k, time);
        CHECK_INT(imp_body_set_pose(pair->world, pair->ids[i], (imp_Pose){.translation = {0, 0, 0}}),
                  IMP_STATUS_OK);
        CHECK_INT(imp_body_set_vertices(pair->world, pair->ids[i], &vertices->x, count), IMP_STATUS_OK);
        free(vertices);
    }
}

/// How far apart they are at a time.
static inline double pair_world_distance(PairWorld *pair, double time)
{
    imp_Distance found = {.touch = false};
    imp_DistanceDef def = {.ignore_containment = true};
    pair_world_place(pair, time);
    CHECK_INT(imp_world_distance(pair->world, pair->ids[0], pair->ids[1], &def, &found), IMP_STATUS_OK);
    return found.distance;
}

/// Are they at most so far apart at a time? Exactly.
static inline bool pair_world_is_within(PairWorld *pair, double time, double distance)
{
    imp_Distance found = {.touch = false};
    imp_DistanceDef def = {.stop_below = distance, .stop_above = distance, .ignore_containment = true};
    if (distance == 0)
        def.stop_above = 1e-300;
    pair_world_place(pair, time);
    CHECK_INT(imp_world_distance(pair->world, pair->ids[0], pair->ids[1], &def, &found), IMP_STATUS_OK);
    return distance == 0 ? found.touch : found.distance <= distance;
}

static inline void pair_world_release(PairWorld *pair)
{
    imp_world_destroy(pair->world);
}

#endif
