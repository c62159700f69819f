/// The inside of a motion, for the files that make scenes (scenes/motion_*.c).
#ifndef IMPINGE_SCENES_MOTION_PARTS_H
#define IMPINGE_SCENES_MOTION_PARTS_H

#include "scenes/motions.h"
#include "scenes/path.h"

#define SCENE_MAX_NAME 32

/// How the shape of a body changes. All zero: rigid. At frame 0 it is as the mesh has it.
/// A surface that is seen whole from its origin stays so, and so never meets itself.
typedef struct SceneWobble {
    double ripple;       // lumps towards the eight corners, up to this share of the radius; below 1
    int32_t ripple_rate; // steps per frame, see scenes/path.h
    double squash;       // along x, up to this share, with the volume kept; below 1
    int32_t squash_rate;
} SceneWobble;

typedef struct SceneMotionBody {
    char name[SCENE_MAX_NAME];
    imp_Mesh *mesh;
    ScenePath path;
    SceneWobble wobble;
} SceneMotionBody;

struct SceneMotion {
    uint32_t frame_count;
    double frame_rate;
    SceneMotionBody *bodies;
    size_t body_count, body_capacity;
};

/// A motion with room for `body_capacity` bodies (at least 1), 30 frames a second.
imp_Status scene_motion_begin(imp_Context *context, size_t body_capacity, uint32_t frame_count,
                              SceneMotion **motion);

#define SCENE_NO_NUMBER UINT32_MAX

/// Add a rigid body; the motion takes a reference of its own. Its number, unless it has none, is put behind
/// the name; numbers count from 0, as bodies do.
SceneMotionBody *scene_motion_add(SceneMotion *motion, const char *name, uint32_t number, imp_Mesh *mesh,
                                  const ScenePath *path);

/// Hand the motion over when `status` is IMP_STATUS_OK, destroy it otherwise; returns `status`.
imp_Status scene_motion_end(SceneMotion *motion, imp_Status status, SceneMotion **made);

/// scene_place for a mesh that was just made, with `made` coming of it, and is needed no more.
imp_Status scene_place_made(imp_Context *context, imp_Status made, imp_Mesh *mesh, double scale,
                            imp_Vec3 offset, imp_Mesh **placed);

imp_Status scene_motion_create_shuttles(imp_Context *context, SceneMotion **motion);
imp_Status scene_motion_create_crowd(imp_Context *context, SceneMotion **motion);
imp_Status scene_motion_create_jelly(imp_Context *context, SceneMotion **motion);
imp_Status scene_motion_create_apart(imp_Context *context, SceneMotion **motion);

#endif
