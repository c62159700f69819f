/// What `impinge run` plays: a built-in scene, a file, or bodies of files by a table of poses.
#ifndef IMPINGE_APPS_RUN_SCENE_H
#define IMPINGE_APPS_RUN_SCENE_H

#include "bodies.h"
#include "playback/playback.h"
#include "playback/pose_motion.h"

typedef struct RunScene {
    const char *name; // of the built-in scene, or the file as it was given, or the table of poses
    imp_Context *context;
    impi_Motion motion;
    // One of these is set.
    struct imp_Scene *file;
    struct SceneMotion *built_in;
    impi_PoseTable *poses; // of these:
    Bodies bodies;
    impi_PosedBodies posed;       // both, as the motion reads them
    impi_BodyNames *own_names;    // of the others
    impi_BodyRounding *roundings; // see units_roundings; null: none
} RunScene;

/// What to play of it.
typedef struct RunSceneDef {
    const Options *options; // files, their poses, scales and units; null: none
    const char *name;       // a file if it has an extension, else a built-in scene
    const char *poses_path; // null: none
    double frame_rate;      // of files: frames a second; 0: the default
    uint32_t frame_limit;   // play at most so many frames
} RunSceneDef;

#define RUN_DEFAULT_FRAME_RATE 30

/// Load a file or make a built-in scene. Says what went wrong; free the scene in any case.
CommandResult run_scene_open(imp_Context *context, const RunSceneDef *def, RunScene *scene);

/// The bodies' names, for rules. Null after saying that memory is out.
const impi_BodyNames *run_scene_names(RunScene *scene);

/// Where a body is at a frame, and its vertices in its own frame if it deforms (else `vertices` is left
/// alone and may be null). Says what went wrong.
CommandResult run_scene_place(const RunScene *scene, uint32_t frame, size_t body, imp_Pose *pose,
                              imp_Vec3 *vertices);

void run_scene_free(RunScene *scene);

#endif
