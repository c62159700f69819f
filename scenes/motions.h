/// Scenes in motion, made by code: the papers' experiments, demonstrations, crowds for tests and benchmarks.
///
/// A motion gives each body a pose at each frame, and a shape where the body deforms. The same name gives the
/// same bits on every machine.
#ifndef IMPINGE_SCENES_MOTIONS_H
#define IMPINGE_SCENES_MOTIONS_H

#include <impinge/mesh.h>

typedef struct SceneMotion SceneMotion;

typedef struct SceneBody {
    const char *name; // "shuttle 3"; owned by the motion
    imp_Mesh *mesh;   // owned by the motion; its vertices are those of frame 0
    bool deforms;
} SceneBody;

/// The built-in scenes by number, for lists. Past the last both texts are null.
typedef struct SceneTitle {
    const char *name;    // "shuttles"
    const char *summary; // a line: "fifteen space shuttles on three rings fly through each other"
} SceneTitle;

size_t scene_motion_title_count(void);
SceneTitle scene_motion_title(size_t index);

/// Make a built-in scene. IMP_STATUS_BAD_ARGUMENT when there is none of that name.
imp_Status scene_motion_create(imp_Context *context, const char *name, SceneMotion **motion);

/// Null is fine.
void scene_motion_destroy(SceneMotion *motion);

size_t scene_motion_body_count(const SceneMotion *motion);
SceneBody scene_motion_body(const SceneMotion *motion, size_t body);
uint32_t scene_motion_frame_count(const SceneMotion *motion);
double scene_motion_frame_rate(const SceneMotion *motion); ///< frames a second, for players

/// Pose of a body at a frame; any frame, also past the last, as far as numbers go.
imp_Pose scene_motion_pose(const SceneMotion *motion, size_t body, uint32_t frame);
imp_Transform scene_motion_transform(const SceneMotion *motion, size_t body, uint32_t frame);

/// Vertices of a body that deforms, in its own frame, as many as its mesh has.
void scene_motion_vertices(const SceneMotion *motion, size_t body, uint32_t frame, imp_Vec3 *vertices);

#endif
