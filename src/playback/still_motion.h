/// Bodies that stand still: a motion of one frame.
#ifndef IMPINGE_PLAYBACK_STILL_MOTION_H
#define IMPINGE_PLAYBACK_STILL_MOTION_H

#include "playback/motion.h"

typedef struct impi_StillBody {
    const char *name;   // errors begin with it
    const char *path;   // of its file
    imp_Mesh *mesh;     // see impi_MotionBody
    imp_Convex *convex; // may be null
    imp_Pose pose;      // all zero is the identity
} impi_StillBody;

/// The bodies must stay as they are while the motion is used.
impi_Motion impi_still_motion(const impi_StillBody *bodies, size_t count);

#endif
