/// Bodies that stand still: a motion of one frame.
#ifndef IMPINGE_PLAYBACK_STILL_MOTION_H
#define IMPINGE_PLAYBACK_STILL_MOTION_H

#include "playback/motion.h"

/// What is known of a mesh that is on another machine.
typedef struct impi_FarMesh {
    size_t triangle_count;
    imp_Box bounds;
} impi_FarMesh;

typedef struct impi_StillBody {
    const char *name; // errors begin with it
    const char *path; // of its file
    imp_Mesh *mesh;   // see impi_MotionBody; null: it is elsewhere, and `far_mesh` tells of it
    impi_FarMesh far_mesh;
    imp_Convex *convex; // may be null
    imp_Pose pose;      // all zero is the identity
} impi_StillBody;

/// Of the body's mesh, wherever that is.
size_t impi_still_triangle_count(const impi_StillBody *body);
imp_Box impi_still_bounds(const impi_StillBody *body);

/// The bodies must stay as they are while the motion is used. Those whose meshes are elsewhere can be listed,
/// not played.
impi_Motion impi_still_motion(const impi_StillBody *bodies, size_t count);

#endif
