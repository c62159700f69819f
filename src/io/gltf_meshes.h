/// Meshes and skins of a glTF file.
#ifndef IMPINGE_IO_GLTF_MESHES_H
#define IMPINGE_IO_GLTF_MESHES_H

#include "io/gltf_reader.h"

/// Attributes must have the types that glTF lays down, and as many elements as there are vertices. The
/// numbers themselves are not looked at.
void impi_gltf_read_meshes(impi_GltfReader *reader);

/// After the nodes.
void impi_gltf_read_skins(impi_GltfReader *reader);

#endif
