/// What `impinge run` plays: a built-in scene or a file.
#ifndef IMPINGE_APPS_RUN_SCENE_H
#define IMPINGE_APPS_RUN_SCENE_H

#include "command.h"
#include "playback/motion.h"

typedef struct RunScene {
    const char *name; // of the built-in scene, or the file as it was given
    imp_Context *context;
    impi_Motion motion;
    // One of the two is set.
    struct imp_Scene *file;
    struct SceneMotion *built_in;
} RunScene;

/// What to play of it.
typedef struct RunSceneDef {
    const char *name;     // a file if it has an extension, else a built-in scene
    double frame_rate;    // of files: frames a second; 0: the default
    uint32_t frame_limit; // play at most so many frames
} RunSceneDef;

#define RUN_DEFAULT_FRAME_RATE 30

/// Load a file or make a built-in scene. Says what went wrong; free the scene in any case.
CommandResult run_scene_open(imp_Context *context, const RunSceneDef *def, RunScene *scene);

/// Where a body is at a frame, and its vertices in its own frame if it deforms (else `vertices` is left
/// alone and may be null). Says what went wrong.
CommandResult run_scene_place(const RunScene *scene, uint32_t frame, size_t body, imp_Pose *pose,
                              imp_Vec3 *vertices);

void run_scene_free(RunScene *scene);

#endif
