/// Tables of poses as motions.
#ifndef IMPINGE_PLAYBACK_POSE_MOTION_H
#define IMPINGE_PLAYBACK_POSE_MOTION_H

#include "playback/pose_table.h"
#include "playback/still_motion.h"

/// Bodies that stand where they are, but for those that a table places.
typedef struct impi_PosedBodies {
    const impi_StillBody *bodies;
    size_t count;
    const impi_PoseTable *table;
} impi_PosedBodies;

/// A motion whose frame k is configuration k of the table, whatever time lies between two of them. Its frame
/// rate is one over the mean step of times, or 1. All of it must stay while the motion is used.
/// IMP_STATUS_TOO_LARGE for more than IMPI_MAX_FRAMES configurations.
imp_Status impi_pose_motion(imp_Context *context, const impi_PosedBodies *posed, impi_Motion *motion);

#endif
