/// The inside of imp_Scene.
#ifndef IMPINGE_IO_SCENE_H
#define IMPINGE_IO_SCENE_H

#include "base/context.h"
#include "geom/unit_conversion.h"
#include "io/mesh_builder.h"
#include "io/node_motion.h"
#include "io/text_buffer.h"

#include <impinge/scene.h>

/// One node on the way from the top of the tree to a body.
///
/// The way is walked with a pose and a stretch behind it, which together are the map so far. While the
/// stretch is the same in all directions (frame times a factor, `frame` being a rotation or a reflection),
/// the rotations of further nodes turn the pose; once it is not, they are part of the stretch.
typedef struct impi_PathStep {
    uint32_t node;
    bool turns_pose;
    imp_Transform frame;
    double frame_sign; // of its determinant
} impi_PathStep;

/// Vertices that follow a joint.
typedef struct impi_SceneJoint {
    uint32_t node;
    imp_Transform inverse_bind;
    uint32_t *vertices;
    double *weights;
    size_t vertex_count;
} impi_SceneJoint;

/// How a body's vertices come about: displaced by morph targets, then moved by joints or by its node.
typedef struct impi_BodyShape {
    imp_Vec3 *vertices; // as in the file
    size_t vertex_count;
    uint32_t target_count;
    imp_Vec3 **displacements; // one array per target; null for a target that displaces nothing
    double *target_weights;   // where no track moves them
    impi_SceneJoint *joints;
    size_t joint_count; // 0: no skin
} impi_BodyShape;

typedef struct impi_SceneBody {
    char *name;
    uint32_t node;
    imp_Mesh *mesh;
    bool deforms;
    impi_PathStep *path;  // from the top down
    size_t path_length;   // 0: it rests at the origin
    impi_BodyShape shape; // of no use for bodies that do not deform, once they have their mesh
} impi_SceneBody;

struct imp_Scene {
    imp_Allocator allocator; // a copy: like a mesh, a scene may outlive the context that made it
    impi_Arena arena;        // holds everything below but the meshes
    impi_SceneNode *nodes;
    uint32_t node_count;
    impi_SceneBody *bodies;
    size_t body_count;
    double duration;
    impi_UnitConversion conversion; // of translations, and of vertices that change
    char *remark;                   // null when there is none
};

/// An empty scene; null when out of memory.
imp_Scene *impi_scene_new(const imp_Allocator *allocator);

/// A terminated copy that the scene owns; null when out of memory.
char *impi_scene_copy_text(imp_Scene *scene, const char *text, size_t length);

/// Make this text, which is freed, the remark; none where it is empty. False when out of memory, also
/// earlier, when the text was written.
bool impi_scene_set_remark(imp_Scene *scene, impi_Text *text);

/// Find out how a body moves and whether it deforms. Its node and shape are set. False when out of memory.
bool impi_scene_body_plan(imp_Scene *scene, impi_SceneBody *body);

/// Where a body is and, if `vertices` is not null, its vertices in its own frame. Default floating-point mode
/// expected. What they give may not be finite.
void impi_scene_body_sample(const imp_Scene *scene, const impi_SceneBody *body, double seconds,
                            imp_Pose *pose, imp_Vec3 *vertices);

/// The stretch that comes before the pose of a body without a skin, at time 0.
imp_Transform impi_scene_body_stretch(const imp_Scene *scene, const impi_SceneBody *body);

/// Does the body's node mirror its shape at time 0?
bool impi_scene_body_is_mirrored(const imp_Scene *scene, const impi_SceneBody *body);

#endif
