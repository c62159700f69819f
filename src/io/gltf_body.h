/// Bodies of a scene from a glTF file.
#ifndef IMPINGE_IO_GLTF_BODY_H
#define IMPINGE_IO_GLTF_BODY_H

#include "io/gltf_instances.h"
#include "io/scene.h"

/// What a body is made of.
typedef struct impi_GltfBodyDef {
    impi_Gltf *gltf; // was checked
    const impi_GltfNode *node;
    const impi_UnitConversion *conversion; // of its mesh
    impi_GltfInstances *instances;         // the meshes of earlier bodies
} impi_GltfBodyDef;

/// Read the shape of a body whose node is set (the same as the def's), plan its motion and make its mesh, or
/// take that of an earlier body. The scene has its nodes, and no conversion yet. `*unheld_count` grows by
/// the number of vertices of a skin that no joint holds. IMP_STATUS_BAD_FILE when the transforms make a
/// coordinate that is not finite, IMP_STATUS_BAD_NUMBER when the conversion does.
imp_Status impi_gltf_read_body(const impi_GltfBodyDef *def, imp_Scene *scene, impi_SceneBody *body,
                               size_t *unheld_count);

#endif
