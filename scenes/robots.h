/// Robots among obstacles, made by code, and many configurations of them: what planners of motions ask about.
///
/// Lengths are metres, z is up. The same arguments give the same bits on every machine.
#ifndef IMPINGE_SCENES_ROBOTS_H
#define IMPINGE_SCENES_ROBOTS_H

#include <impinge/world.h>

typedef struct SceneRobots SceneRobots;

typedef enum SceneRobotsKind {
    SCENE_ROBOT, ///< an arm of 7 links on a table, with a pillar, a shelf, a ring and a plaster head
    SCENE_CELL,  ///< two such arms with grippers on one table, with four fixtures
} SceneRobotsKind;

imp_Status scene_robots_create(imp_Context *context, SceneRobotsKind kind, SceneRobots **robots);

/// Null is fine.
void scene_robots_destroy(SceneRobots *robots);

typedef struct SceneRobotsBody {
    const char *name; // "left forearm"; owned by the scene
    imp_Mesh *mesh;   // owned by the scene
    imp_Pose pose;    // with all joints at 0
    bool moves;
} SceneRobotsBody;

size_t scene_robots_body_count(const SceneRobots *robots);
SceneRobotsBody scene_robots_body(const SceneRobots *robots, size_t body);

/// Are two bodies not to be compared, because they are joined or stand on each other? In either order.
bool scene_robots_is_ignored(const SceneRobots *robots, size_t a, size_t b);

/// Add all bodies to a world, in their order, with what is ignored; `ids` holds scene_robots_body_count.
imp_Status scene_robots_add_bodies(const SceneRobots *robots, imp_World *world, imp_BodyId *ids);

/// The bodies that move, ascending; `moved` holds scene_robots_body_count numbers. Returns how many.
size_t scene_robots_moved(const SceneRobots *robots, size_t *moved);

size_t scene_robots_joint_count(const SceneRobots *robots);

/// Where the bodies that move are, in their order, for angles of all joints (see scenes/path.h).
void scene_robots_poses(const SceneRobots *robots, const int32_t *angles, imp_Pose *poses);

typedef enum SceneRobotsWay {
    SCENE_RANDOM, ///< each joint anywhere in its range: a planner's samples
    SCENE_PATH,   ///< from one such configuration to the next in steps of a degree or so: paths that are
                  ///< checked
} SceneRobotsWay;

/// Poses of the bodies that move, configuration after configuration. The first ones of many are those of few.
void scene_robots_configurations(const SceneRobots *robots, SceneRobotsWay way, uint64_t seed, size_t count,
                                 imp_Pose *poses);

#endif
