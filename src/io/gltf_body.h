/// Bodies of a scene from a glTF file.
#ifndef IMPINGE_IO_GLTF_BODY_H
#define IMPINGE_IO_GLTF_BODY_H

#include "io/gltf_document.h"
#include "io/scene.h"

/// Read the shape of a body whose node is set, plan its motion and make its mesh. `node` is the same in the
/// file, which was checked. The scene has its nodes. `*unheld_count` grows by the number of vertices of a
/// skin that no joint holds. IMP_STATUS_BAD_FILE when the transforms make a coordinate that is not finite.
imp_Status impi_gltf_read_body(impi_Gltf *gltf, const impi_GltfNode *node, imp_Scene *scene,
                               impi_SceneBody *body, size_t *unheld_count);

#endif
