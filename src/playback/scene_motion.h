/// A scene from a file, frame by frame.
#ifndef IMPINGE_PLAYBACK_SCENE_MOTION_H
#define IMPINGE_PLAYBACK_SCENE_MOTION_H

#include "playback/motion.h"

#include <impinge/scene.h>

/// More frames than this are refused rather than begun.
#define IMPI_MAX_FRAMES 10000000

/// Frame k is at k / frame_rate seconds; the last one is at the last key, or just before. `frame_limit` ends
/// it sooner. The scene must outlive the motion. IMP_STATUS_BAD_ARGUMENT when the rate is not above 0,
/// IMP_STATUS_TOO_LARGE for more than IMPI_MAX_FRAMES.
imp_Status impi_scene_motion(imp_Context *context, const imp_Scene *scene, double frame_rate,
                             uint32_t frame_limit, impi_Motion *motion);

#endif
