/// Scenes in motion from files: bodies, and where they are and what shape they have at any time.
#ifndef IMPINGE_SCENE_H
#define IMPINGE_SCENE_H

#include <impinge/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a file tells about bodies in motion. Immutable after loading: any number of threads may use it at
/// once. Like a mesh, it may outlive the context it was loaded in, but not the allocator of that context.
typedef struct imp_Scene imp_Scene;

/// One body of a scene: a node of the file that has triangles, or a whole mesh file, or a solid of one.
typedef struct imp_SceneBody {
    /// The node's, or "node 3" where it has none; the file's, without folder and extension; the solid's, or
    /// "solid 3" where it has none. What the file says, control characters included; only a zero has become
    /// U+FFFD in a node's name, and ends a solid's. Owned by the scene.
    const char *name;
    /// Owned by the scene: retain it to keep it. Its vertices are those at time 0. Bodies that do not deform
    /// have the same mesh where their nodes do, at the same scale.
    imp_Mesh *mesh;
    bool deforms; ///< its shape changes: by morph targets, a skin, or a scale that moves
} imp_SceneBody;

/// Read a scene: glTF (.gltf, .glb) with node animation, morph targets and skins, or whatever imp_mesh_load
/// reads, as one body at rest. Of glTF, node scale is baked into
/// the meshes; mirrored triangles are turned, so that outside stays outside. When a file has several
/// animations, all play at once from time 0. A file without any is a scene that lasts 0 seconds. Refused: no
/// triangles in the file (IMP_STATUS_BAD_SHAPE); missing buffers, wrong accessors, nodes in a circle, numbers
/// that are not finite, also in animations (IMP_STATUS_BAD_FILE); a file that can't be opened
/// (IMP_STATUS_IO); what can't be read, as compressed meshes, nodes nested too deeply, or unknown extensions
/// (IMP_STATUS_UNSUPPORTED), buffers in files that are neither beside this one nor below (see
/// imp_ContextDef.allow_outside_files); more than 2^27 vertices and corners, or files beyond
/// imp_ContextDef.max_file_bytes (IMP_STATUS_TOO_LARGE). The context's watch can end it.
/// docs/scene-files.md and docs/files.md tell more.
IMP_CHECKED imp_Status imp_scene_load(imp_Context *context, const char *path, imp_Scene **scene);

/// The same with a def, which may be null: all defaults. See imp_mesh_load_with. A factor applies to the
/// vertices of bodies, once the scale of their nodes is in them, and to the translations of their poses, so
/// that it is the same scene in another unit. With `solids`, a text STL file of several solids is a body for
/// each, in their order, their faces counting from 0 in each; those without triangles are left out, which
/// the remark tells. Every other mesh file is one body, named by its path, or by def->name where that is set
/// (whole, where it has no slash).
IMP_CHECKED imp_Status imp_scene_load_with(imp_Context *context, const char *path, const imp_LoadDef *def,
                                           imp_Scene **scene);

/// Null is fine.
IMP_API void imp_scene_destroy(imp_Scene *scene);

IMP_API size_t imp_scene_get_body_count(const imp_Scene *scene);

/// IMP_STATUS_BAD_INDEX when there is no such body.
IMP_CHECKED imp_Status imp_scene_get_body(const imp_Scene *scene, size_t index, imp_SceneBody *body);

/// The time of the last key, in seconds; motion begins at 0.
IMP_API double imp_scene_get_duration(const imp_Scene *scene);

/// What the reader has to remark, one line, or null.
IMP_API const char *imp_scene_get_remark(const imp_Scene *scene);

/// Where a body is at a time in seconds (before the first key as at the first, after the last as at the last,
/// and within a millionth of a key's time as at the key, because files hold times in single precision), and
/// its vertices in its own frame, as many as its mesh has. `vertices` may be null; a body that does not
/// deform always has the vertices of its mesh. Any thread. IMP_STATUS_BAD_INDEX when there is no such body,
/// IMP_STATUS_BAD_NUMBER when the time is not finite or when the transforms make numbers that are not (then
/// `vertices` is void).
IMP_CHECKED imp_Status imp_scene_sample(const imp_Scene *scene, size_t body, double seconds, imp_Pose *pose,
                                        imp_Vec3 *vertices);

#ifdef __cplusplus
}
#endif

#endif
