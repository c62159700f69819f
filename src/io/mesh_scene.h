/// Scenes of mesh files: bodies at rest.
#ifndef IMPINGE_IO_MESH_SCENE_H
#define IMPINGE_IO_MESH_SCENE_H

#include "io/file_load.h"
#include "io/scene.h"

/// Make a scene of what was read: one body, or one for each solid that the builder kept, where it kept
/// several. The builder is still to be freed. On failure there is no scene.
imp_Status impi_mesh_scene_make(impi_MeshBuilder *builder, const impi_FileLoad *load, imp_Scene **scene);

#endif
