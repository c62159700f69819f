/// What is played: bodies, and where they are and what shape they have at each frame.
///
/// A motion is a value of the caller's. Whatever it stands for, a file, code or a list of poses, plugs in
/// through two functions, so that who plays it needs to know none of them.
#ifndef IMPINGE_PLAYBACK_MOTION_H
#define IMPINGE_PLAYBACK_MOTION_H

#include <impinge/convex.h>

typedef struct impi_MotionBody {
    const char *name;      // owned by what the motion stands for, as are the others
    imp_Mesh *mesh;        // its vertices are those of frame 0; what faces are counted in
    size_t triangle_count; // of the mesh
    imp_Convex *convex; // null: the body is its mesh. Otherwise the body is this solid, the mesh its surface
    bool deforms;       // meshes only
} impi_MotionBody;

typedef struct impi_Motion impi_Motion;
struct impi_Motion {
    size_t body_count;
    uint32_t frame_count;
    double frame_rate; // frames a second
    bool is_still;     // one frame, of which nobody speaks: errors name bodies alone
    const void *source;
    impi_MotionBody (*body)(const void *source, size_t body);
    // Pose of a body at a frame, and its vertices in its own frame if it deforms; `vertices` may be null.
    // Frame 0 exists even if there are no frames to play. IMP_STATUS_BAD_NUMBER when numbers are too large.
    imp_Status (*place)(const impi_Motion *motion, uint32_t frame, size_t body, imp_Pose *pose,
                        imp_Vec3 *vertices);
};

static inline impi_MotionBody impi_motion_body(const impi_Motion *motion, size_t body)
{
    return motion->body(motion->source, body);
}

/// Where a body is at a frame, and its vertices if it deforms (else `vertices` is left alone). The error
/// names frame and body.
imp_Status impi_motion_place(imp_Context *context, const impi_Motion *motion, uint32_t frame, size_t body,
                             imp_Pose *pose, imp_Vec3 *vertices);

/// The most vertices and triangles that a body has: how much room is enough for any.
size_t impi_motion_most_vertices(const impi_Motion *motion);
size_t impi_motion_most_triangles(const impi_Motion *motion);

#endif
