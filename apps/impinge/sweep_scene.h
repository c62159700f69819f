/// The bodies of a sweep, where they go, and when they meet on their way.
#ifndef IMPINGE_APPS_SWEEP_SCENE_H
#define IMPINGE_APPS_SWEEP_SCENE_H

#include "check_scene.h"
#include "sweep_targets.h"

typedef struct SweepScene {
    CheckScene bodies; // where they begin, rules about them, and the playback that has swept them
    SweepTargets targets;
    imp_SweepDef def;
    const imp_SweepReport *report; // bodies have the slots 1, 2, ...
} SweepScene;

/// Read the files, put the bodies where they begin, and read where they end and the rules about them. Says
/// what went wrong; free the scene in any case.
CommandResult sweep_scene_load(SweepScene *scene, const Options *options, uint32_t thread_count);

/// Find out when they meet. Says what went wrong.
CommandResult sweep_scene_find(SweepScene *scene, const imp_SweepDef *def);

void sweep_scene_free(SweepScene *scene);

#endif
