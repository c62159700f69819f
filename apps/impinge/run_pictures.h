/// Pictures of frames, touching faces coloured, closest points joined where distances were asked for.
#ifndef IMPINGE_APPS_RUN_PICTURES_H
#define IMPINGE_APPS_RUN_PICTURES_H

#include "playback/history.h"
#include "run_scene.h"

/// Draw these frames into `folder`, which is made when it is not there, as frame-0012.svg and so on, all
/// seen from the same side. Says what went wrong.
CommandResult run_pictures_save(const RunScene *scene, const impi_History *history, imp_Context *context,
                                const char *folder, const uint32_t *frames, size_t frame_count);

#endif
