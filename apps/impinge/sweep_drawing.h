/// Bodies of a sweep to look at, when they first meet.
#ifndef IMPINGE_APPS_SWEEP_DRAWING_H
#define IMPINGE_APPS_SWEEP_DRAWING_H

#include "sweep_scene.h"

/// Draw the bodies of a scene that was swept, at the first time of all, with the faces that meet then; at the
/// end where none meet. After that the scene's playback is there. Says what went wrong.
CommandResult sweep_draw(SweepScene *scene, const char *path);

#endif
