// An arm is a chain of parts, each with a joint to the one before it: a turn about an axis, or none. Parts
// that are neighbours touch at their joint.
#include "scenes/robots.h"

#include "scenes/objects.h"
#include "scenes/path.h"
#include "scenes/robot_parts.h"
#include "scenes/shapes.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BODIES    32
#define MAX_JOINTS    16
#define MAX_NAME      24
#define STEPS_PER_LEG 100 // configurations of a path from one random one to the next
#define NO_BODY       SIZE_MAX
#define QUARTER       (SCENE_STEPS_PER_TURN / 4)

typedef struct Joint {
    imp_Vec3 axis;     // all zero: it does not turn
    int32_t low, high; // its range
} Joint;

typedef struct Body {
    char name[MAX_NAME];
    imp_Mesh *mesh;
    size_t parent;   // to which it is joined, or on which it stands
    imp_Vec3 offset; // from there to here, in the parent's frame
    imp_Quat turn;   // with the joint at 0
    Joint joint;
    size_t angle; // the joint's number
    bool moves;
} Body;

struct SceneRobots {
    Body bodies[MAX_BODIES];
    size_t body_count;
    Joint joints[MAX_JOINTS];
    size_t joint_count;
};

// ---- parts

typedef struct Part {
    const char *name;
    int parent; // in the arm; -1: the table
    imp_Vec3 offset;
    Joint joint;
    SceneSolid solids[SCENE_MAX_SOLIDS];
} Part;

#define SPOOL(axis_, x, y, z, radius_, low_, high_)                                                          \
    {                                                                                                        \
        .kind = SCENE_SPOOL, .axis = (axis_), .centre = {x, y, z}, .radius = (radius_), .low = (low_),       \
        .high = (high_)                                                                                      \
    }
#define BLOCK(x, y, z, half_x, half_y, half_z)                                                               \
    {                                                                                                        \
        .kind = SCENE_BLOCK, .centre = {x, y, z}, .half = { half_x, half_y, half_z }                         \
    }

#define TURNS_Z(degrees)                                                                                     \
    {                                                                                                        \
        {0, 0, 1}, -100 * (degrees), 100 * (degrees)                                                         \
    }
#define TURNS_Y(degrees)                                                                                     \
    {                                                                                                        \
        {0, 1, 0}, -100 * (degrees), 100 * (degrees)                                                         \
    }

#define ARM_PARTS     7
#define GRIPPER_PARTS 3

static const Part arm[ARM_PARTS + GRIPPER_PARTS] = {
    {"base",
     -1,
     {0, 0, 0},
     {{0, 0, 0}, 0, 0},
     {SPOOL(2, 0, 0, 0, 0.09, 0, 0.1), BLOCK(0, 0, 0.02, 0.1, 0.1, 0.02)}},
    {"shoulder",
     0,
     {0, 0, 0.1},
     TURNS_Z(180),
     {SPOOL(2, 0, 0, 0, 0.08, 0, 0.1), SPOOL(1, 0, 0, 0.1, 0.075, -0.08, 0.08)}},
    {"upper arm",
     1,
     {0, 0.14, 0.1},
     TURNS_Y(110),
     {SPOOL(1, 0, 0, 0, 0.075, -0.06, 0.065), SPOOL(2, 0, 0, 0, 0.055, 0.03, 0.4),
      SPOOL(1, 0, 0, 0.42, 0.065, -0.055, 0.06)}},
    {"forearm",
     2,
     {0, -0.115, 0.42},
     TURNS_Y(140),
     {SPOOL(1, 0, 0, 0, 0.06, -0.055, 0.06), SPOOL(2, 0, 0, 0, 0.045, 0.02, 0.36),
      SPOOL(1, 0, 0, 0.38, 0.05, -0.05, 0.05)}},
    {"wrist 1",
     3,
     {0, 0.095, 0.38},
     TURNS_Y(180),
     {SPOOL(1, 0, 0, 0, 0.045, -0.045, 0.045), SPOOL(2, 0, 0, 0, 0.042, -0.05, 0.05)}},
    {"wrist 2",
     4,
     {0, 0, 0.09},
     TURNS_Z(180),
     {SPOOL(2, 0, 0, 0, 0.045, -0.04, 0.045), SPOOL(1, 0, 0, 0, 0.042, -0.045, 0.045)}},
    {"wrist 3",
     5,
     {0, 0.065, 0},
     TURNS_Y(180),
     {SPOOL(1, 0, 0, 0, 0.04, -0.02, 0.03), BLOCK(0, 0.02, 0, 0.02, 0.01, 0.045)}},
    {"palm",
     6,
     {0, 0.03, 0},
     {{0, 0, 0}, 0, 0},
     {SPOOL(1, 0, 0, 0, 0.042, 0, 0.04), BLOCK(0, 0.045, 0, 0.06, 0.015, 0.025)}},
    {"finger 1",
     7,
     {0.045, 0.06, 0},
     {{0, 0, 0}, 0, 0},
     {BLOCK(0, 0.035, 0, 0.01, 0.035, 0.015), BLOCK(-0.01, 0.06, 0, 0.01, 0.01, 0.01)}},
    {"finger 2",
     7,
     {-0.045, 0.06, 0},
     {{0, 0, 0}, 0, 0},
     {BLOCK(0, 0.035, 0, 0.01, 0.035, 0.015), BLOCK(0.01, 0.06, 0, 0.01, 0.01, 0.01)}},
};

// Solids of the table and of what stands on it.
static const SceneSolid table[SCENE_MAX_SOLIDS] = {BLOCK(0, 0, -0.03, 1.2, 0.8, 0.03),
                                                   BLOCK(0, 0, -0.1, 1.1, 0.7, 0.06)};
static const SceneSolid pillar[SCENE_MAX_SOLIDS] = {SPOOL(2, 0, 0, 0, 0.06, 0, 0.7),
                                                    BLOCK(0, 0, 0.72, 0.12, 0.04, 0.02)};
static const SceneSolid shelf[SCENE_MAX_SOLIDS] = {
    BLOCK(-0.2, 0, 0.3, 0.015, 0.15, 0.3), BLOCK(0.2, 0, 0.3, 0.015, 0.15, 0.3),
    BLOCK(0, 0, 0.3, 0.22, 0.15, 0.015), BLOCK(0, 0, 0.6, 0.22, 0.15, 0.015)};
static const SceneSolid fixture[SCENE_MAX_SOLIDS] = {BLOCK(0, 0, 0.02, 0.08, 0.08, 0.02),
                                                     SPOOL(2, 0, 0, 0, 0.03, 0.03, 0.2),
                                                     SPOOL(0, 0, 0, 0.2, 0.025, -0.08, 0.08)};

static const imp_Vec3 nowhere = {0, 0, 0};

// ---- putting together

static Body *add_body(SceneRobots *robots, const char *group, const char *name, imp_Mesh *mesh)
{
    assert(robots->body_count < MAX_BODIES);
    Body *body = &robots->bodies[robots->body_count++];
    *body = (Body){.mesh = mesh, .parent = NO_BODY, .turn = {1, 0, 0, 0}};
    snprintf(body->name, sizeof body->name, "%s%s%s", group, group[0] ? " " : "", name);
    return body;
}

// Something that stands still; the table is the first of them all.
static void add_still(SceneRobots *robots, const char *name, imp_Mesh *mesh, imp_Vec3 offset, imp_Quat turn)
{
    Body *body = add_body(robots, "", name, mesh);
    body->parent = robots->body_count > 1 ? 0 : NO_BODY;
    body->offset = offset;
    body->turn = turn;
}

static imp_Status add_solids(SceneRobots *robots, imp_Context *context, const char *name,
                             const SceneSolid *solids, imp_Vec3 offset, imp_Quat turn)
{
    imp_Mesh *mesh = NULL;
    imp_Status status = scene_make_solids(context, solids, &mesh);
    if (status == IMP_STATUS_OK)
        add_still(robots, name, mesh, offset, turn);
    return status;
}

static imp_Status add_arm(SceneRobots *robots, imp_Context *context, const char *group, size_t part_count,
                          imp_Vec3 offset, imp_Quat turn)
{
    size_t first = robots->body_count;
    for (size_t i = 0; i < part_count; ++i) {
        const Part *part = &arm[i];
        imp_Mesh *mesh = NULL;
        imp_Status status = scene_make_solids(context, part->solids, &mesh);
        if (status != IMP_STATUS_OK)
            return status;
        Body *body = add_body(robots, group, part->name, mesh);
        body->parent = part->parent < 0 ? 0 : first + (size_t)part->parent;
        body->offset = part->parent < 0 ? offset : part->offset;
        body->turn = part->parent < 0 ? turn : body->turn;
        body->joint = part->joint;
        bool turns = part->joint.low < part->joint.high;
        body->moves = turns || robots->bodies[body->parent].moves;
        if (turns) {
            assert(robots->joint_count < MAX_JOINTS);
            body->angle = robots->joint_count;
            robots->joints[robots->joint_count++] = part->joint;
        }
    }
    return IMP_STATUS_OK;
}

static imp_Status add_head(SceneRobots *robots, imp_Context *context)
{
    imp_Mesh *head = NULL, *placed = NULL;
    imp_Status status = scene_venus(context, 1816, &head);
    if (status == IMP_STATUS_OK)
        status = scene_place(context, head, 0.4, nowhere, &placed);
    imp_mesh_release(head);
    if (status == IMP_STATUS_OK)
        add_still(robots, "head", placed, (imp_Vec3){-0.3, -0.3, 0},
                  scene_turn_around((imp_Vec3){1, 0, 0}, QUARTER));
    return status;
}

static imp_Status add_ring(SceneRobots *robots, imp_Context *context)
{
    imp_Mesh *ring = NULL;
    imp_Status status = scene_torus(context, 36, 16, 0.16, 0.03, &ring);
    if (status == IMP_STATUS_OK)
        add_still(robots, "ring", ring, (imp_Vec3){0.25, -0.3, 0.19},
                  scene_turn_around((imp_Vec3){1, 0, 0}, QUARTER));
    return status;
}

static imp_Status make_robot(SceneRobots *robots, imp_Context *context)
{
    const imp_Quat straight = {1, 0, 0, 0};
    imp_Status status = add_solids(robots, context, "table", table, nowhere, straight);
    if (status == IMP_STATUS_OK)
        status = add_arm(robots, context, "", ARM_PARTS, nowhere, straight);
    if (status == IMP_STATUS_OK)
        status = add_solids(robots, context, "pillar", pillar, (imp_Vec3){0.32, 0.2, 0}, straight);
    if (status == IMP_STATUS_OK)
        status = add_solids(robots, context, "shelf", shelf, (imp_Vec3){-0.45, 0.35, 0}, straight);
    if (status == IMP_STATUS_OK)
        status = add_head(robots, context);
    return status == IMP_STATUS_OK ? add_ring(robots, context) : status;
}

static imp_Status make_cell(SceneRobots *robots, imp_Context *context)
{
    static const imp_Vec3 stands[4] = {{0, 0.35, 0}, {0, -0.35, 0}, {0.6, 0.4, 0}, {-0.6, -0.4, 0}};
    const imp_Quat straight = {1, 0, 0, 0};
    imp_Quat back = scene_turn_around((imp_Vec3){0, 0, 1}, 2 * QUARTER);
    imp_Status status = add_solids(robots, context, "table", table, nowhere, straight);
    if (status == IMP_STATUS_OK)
        status =
            add_arm(robots, context, "left", ARM_PARTS + GRIPPER_PARTS, (imp_Vec3){-0.36, 0, 0}, straight);
    if (status == IMP_STATUS_OK)
        status = add_arm(robots, context, "right", ARM_PARTS + GRIPPER_PARTS, (imp_Vec3){0.36, 0, 0}, back);
    for (size_t i = 0; i < 4 && status == IMP_STATUS_OK; ++i) {
        const char *names[4] = {"fixture 1", "fixture 2", "fixture 3", "fixture 4"};
        status = add_solids(robots, context, names[i], fixture, stands[i], straight);
    }
    return status;
}

imp_Status scene_robots_create(imp_Context *context, SceneRobotsKind kind, SceneRobots **robots)
{
    SceneRobots *made = calloc(1, sizeof *made);
    if (!made)
        return IMP_STATUS_OUT_OF_MEMORY;
    imp_Status status = kind == SCENE_ROBOT ? make_robot(made, context) : make_cell(made, context);
    if (status != IMP_STATUS_OK) {
        scene_robots_destroy(made);
        return status;
    }
    *robots = made;
    return IMP_STATUS_OK;
}

void scene_robots_destroy(SceneRobots *robots)
{
    if (!robots)
        return;
    for (size_t i = 0; i < robots->body_count; ++i)
        imp_mesh_release(robots->bodies[i].mesh);
    free(robots);
}

// ---- where everything is

static imp_Pose pose_of(const Body *body, const imp_Pose *parents, const int32_t *angles)
{
    imp_Pose pose = {.translation = body->offset, .rotation = body->turn};
    if (body->joint.low < body->joint.high)
        pose.rotation = scene_turn_after(
            pose.rotation, scene_turn_around(body->joint.axis, angles ? angles[body->angle] : 0));
    if (body->parent == NO_BODY)
        return pose;
    const imp_Pose *parent = &parents[body->parent];
    imp_Status status = imp_pose_apply(parent, pose.translation, &pose.translation);
    assert(status == IMP_STATUS_OK); // turns are of unit length
    (void)status;
    pose.rotation = scene_turn_after(parent->rotation, pose.rotation);
    return pose;
}

// All bodies, for these angles, or with all joints at 0.
static void pose_all(const SceneRobots *robots, const int32_t *angles, imp_Pose *poses)
{
    for (size_t i = 0; i < robots->body_count; ++i)
        poses[i] = pose_of(&robots->bodies[i], poses, angles);
}

size_t scene_robots_body_count(const SceneRobots *robots)
{
    return robots->body_count;
}

SceneRobotsBody scene_robots_body(const SceneRobots *robots, size_t body)
{
    imp_Pose poses[MAX_BODIES];
    const Body *found = &robots->bodies[body];
    pose_all(robots, NULL, poses);
    return (SceneRobotsBody){found->name, found->mesh, poses[body], found->moves};
}

bool scene_robots_is_ignored(const SceneRobots *robots, size_t a, size_t b)
{
    return robots->bodies[a].parent == b || robots->bodies[b].parent == a;
}

imp_Status scene_robots_add_bodies(const SceneRobots *robots, imp_World *world, imp_BodyId *ids)
{
    imp_Pose poses[MAX_BODIES];
    imp_Status status = IMP_STATUS_OK;
    pose_all(robots, NULL, poses);
    for (size_t i = 0; i < robots->body_count && status == IMP_STATUS_OK; ++i) {
        imp_BodyDef def = {.mesh = robots->bodies[i].mesh, .pose = poses[i]};
        status = imp_world_add_body(world, &def, &ids[i]);
        for (size_t k = 0; k < i && status == IMP_STATUS_OK; ++k)
            if (scene_robots_is_ignored(robots, i, k))
                status = imp_world_ignore_pair(world, ids[i], ids[k], true);
    }
    return status;
}

size_t scene_robots_moved(const SceneRobots *robots, size_t *moved)
{
    size_t count = 0;
    for (size_t i = 0; i < robots->body_count; ++i) {
        moved[count] = i;
        count += robots->bodies[i].moves;
    }
    return count;
}

size_t scene_robots_joint_count(const SceneRobots *robots)
{
    return robots->joint_count;
}

void scene_robots_poses(const SceneRobots *robots, const int32_t *angles, imp_Pose *poses)
{
    imp_Pose all[MAX_BODIES];
    size_t moved[MAX_BODIES], count = scene_robots_moved(robots, moved);
    pose_all(robots, angles, all);
    for (size_t i = 0; i < count; ++i)
        poses[i] = all[moved[i]];
}

// ---- configurations

static void draw_angles(const SceneRobots *robots, uint64_t *seed, int32_t *angles)
{
    for (size_t i = 0; i < robots->joint_count; ++i)
        angles[i] = (int32_t)scene_random_between(seed, robots->joints[i].low, robots->joints[i].high);
}

void scene_robots_configurations(const SceneRobots *robots, SceneRobotsWay way, uint64_t seed, size_t count,
                                 imp_Pose *poses)
{
    int32_t from[MAX_JOINTS], to[MAX_JOINTS], angles[MAX_JOINTS];
    size_t moved[MAX_BODIES], moved_count = scene_robots_moved(robots, moved);
    draw_angles(robots, &seed, to);
    for (size_t i = 0; i < count; ++i) {
        int32_t step = way == SCENE_RANDOM ? 0 : (int32_t)(i % STEPS_PER_LEG);
        if (step == 0) {
            memcpy(from, to, sizeof from);
            draw_angles(robots, &seed, to);
        }
        for (size_t k = 0; k < robots->joint_count; ++k)
            angles[k] = from[k] + (to[k] - from[k]) * step / STEPS_PER_LEG;
        scene_robots_poses(robots, angles, poses + i * moved_count);
    }
}
