/// Scenes in motion as assimp gives them.
#ifndef IMPINGE_IO_ASSIMP_SCENE_H
#define IMPINGE_IO_ASSIMP_SCENE_H

#include "io/assimp_import.h"
#include "io/scene.h"

/// Nodes, tracks and bodies. `scene` is empty; what was read on failure stays in it. `*unheld_count` is the
/// number of vertices of skins that no joint holds.
imp_Status impi_assimp_read_scene(imp_Context *context, const char *file_name,
                                  const impi_AssimpImport *import, imp_Scene *scene, size_t *unheld_count);

#endif
