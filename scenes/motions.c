#include "scenes/motions.h"

#include "scenes/motion_papers.h"
#include "scenes/motion_parts.h"
#include "scenes/shapes.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct BuiltIn {
    SceneTitle title;
    imp_Status (*create)(imp_Context *context, SceneMotion **motion);
} BuiltIn;

#define SPHERE_FACES 960

static imp_Status create_spheres(imp_Context *context, SceneMotion **motion)
{
    return scene_motion_create_spheres(context, SPHERE_FACES, motion);
}

static const BuiltIn built_in[] = {
    {{"shuttles", "fifteen space shuttles on three rings fly through each other"},
     scene_motion_create_shuttles},
    {{"spheres", "two spheres of 960 faces meet in the 72nd frame (Smith & Kitamura, Fig 3.6)"},
     create_spheres},
    {{"clutter", "Venus meets a shuttle beside a chair and a sphere (Smith & Kitamura, Fig 3.10)"},
     scene_motion_create_clutter},
    {{"venus", "Venus meets a shuttle beside a chair (Kitamura and others, Fig 17)"},
     scene_motion_create_venus},
    {{"crowd", "three hundred objects in a box, thrown back by its walls"}, scene_motion_create_crowd},
    {{"jelly", "two blobs wobble and bump into each other"}, scene_motion_create_jelly},
    {{"apart", "a ball swings through a ring and never touches it"}, scene_motion_create_apart},
};

#define BUILT_IN_COUNT (sizeof built_in / sizeof *built_in)

size_t scene_motion_title_count(void)
{
    return BUILT_IN_COUNT;
}

SceneTitle scene_motion_title(size_t index)
{
    return index < BUILT_IN_COUNT ? built_in[index].title : (SceneTitle){0};
}

imp_Status scene_motion_create(imp_Context *context, const char *name, SceneMotion **motion)
{
    for (size_t i = 0; name && i < BUILT_IN_COUNT; ++i)
        if (strcmp(name, built_in[i].title.name) == 0)
            return built_in[i].create(context, motion);
    return IMP_STATUS_BAD_ARGUMENT;
}

imp_Status scene_motion_begin(imp_Context *context, size_t body_capacity, uint32_t frame_count,
                              SceneMotion **motion)
{
    if (!context)
        return IMP_STATUS_BAD_ARGUMENT;
    SceneMotion *made = malloc(sizeof *made);
    SceneMotionBody *bodies = calloc(body_capacity, sizeof *bodies);
    if (!made || !bodies) {
        free(made);
        free(bodies);
        return IMP_STATUS_OUT_OF_MEMORY;
    }
    *made = (SceneMotion){
        .frame_count = frame_count, .frame_rate = 30, .bodies = bodies, .body_capacity = body_capacity};
    *motion = made;
    return IMP_STATUS_OK;
}

SceneMotionBody *scene_motion_add(SceneMotion *motion, const char *name, uint32_t number, imp_Mesh *mesh,
                                  const ScenePath *path)
{
    assert(motion->body_count < motion->body_capacity);
    SceneMotionBody *body = &motion->bodies[motion->body_count++];
    *body = (SceneMotionBody){.mesh = imp_mesh_retain(mesh), .path = *path};
    if (number != SCENE_NO_NUMBER)
        snprintf(body->name, sizeof body->name, "%s %u", name, number);
    else
        snprintf(body->name, sizeof body->name, "%s", name);
    return body;
}

void scene_motion_destroy(SceneMotion *motion)
{
    if (!motion)
        return;
    for (size_t i = 0; i < motion->body_count; ++i)
        imp_mesh_release(motion->bodies[i].mesh);
    free(motion->bodies);
    free(motion);
}

imp_Status scene_motion_end(SceneMotion *motion, imp_Status status, SceneMotion **made)
{
    if (status == IMP_STATUS_OK)
        *made = motion;
    else
        scene_motion_destroy(motion);
    return status;
}

imp_Status scene_place_made(imp_Context *context, imp_Status made, imp_Mesh *mesh, double scale,
                            imp_Vec3 offset, imp_Mesh **placed)
{
    imp_Status status = made == IMP_STATUS_OK ? scene_place(context, mesh, scale, offset, placed) : made;
    imp_mesh_release(mesh);
    return status;
}

size_t scene_motion_body_count(const SceneMotion *motion)
{
    return motion->body_count;
}

static bool is_deforming(const SceneMotionBody *body)
{
    return body->wobble.ripple != 0 || body->wobble.squash != 0;
}

SceneBody scene_motion_body(const SceneMotion *motion, size_t body)
{
    assert(body < motion->body_count);
    const SceneMotionBody *inside = &motion->bodies[body];
    return (SceneBody){.name = inside->name, .mesh = inside->mesh, .deforms = is_deforming(inside)};
}

uint32_t scene_motion_frame_count(const SceneMotion *motion)
{
    return motion->frame_count;
}

double scene_motion_frame_rate(const SceneMotion *motion)
{
    return motion->frame_rate;
}

imp_Pose scene_motion_pose(const SceneMotion *motion, size_t body, uint32_t frame)
{
    assert(body < motion->body_count);
    return scene_path_pose(&motion->bodies[body].path, frame);
}

imp_Transform scene_motion_transform(const SceneMotion *motion, size_t body, uint32_t frame)
{
    imp_Pose pose = scene_motion_pose(motion, body, frame);
    imp_Transform transform = {0};
    imp_Status status = imp_pose_transform(&pose, &transform);
    assert(status == IMP_STATUS_OK); // paths turn by products of unit quaternions
    (void)status;
    return transform;
}

// 1 towards four corners of a cube, -1 towards the other four, 0 towards its sides.
static double lump(imp_Vec3 v)
{
    double square = v.x * v.x + v.y * v.y + v.z * v.z;
    return square > 0 ? 5.196152422706632 * v.x * v.y * v.z / (square * sqrt(square)) : 0;
}

void scene_motion_vertices(const SceneMotion *motion, size_t body, uint32_t frame, imp_Vec3 *vertices)
{
    assert(body < motion->body_count);
    const SceneMotionBody *inside = &motion->bodies[body];
    const SceneWobble *wobble = &inside->wobble;
    const imp_Vec3 *rest = imp_mesh_get_vertices(inside->mesh);
    double ripple = wobble->ripple * scene_phase_sine((ScenePhase){0, wobble->ripple_rate}, frame);
    double along = 1 + wobble->squash * scene_phase_sine((ScenePhase){0, wobble->squash_rate}, frame);
    double across = 1 / sqrt(along);
    for (size_t i = 0; i < imp_mesh_get_vertex_count(inside->mesh); ++i) {
        double out = 1 + ripple * lump(rest[i]);
        vertices[i] =
            (imp_Vec3){along * (out * rest[i].x), across * (out * rest[i].y), across * (out * rest[i].z)};
    }
}
