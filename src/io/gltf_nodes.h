/// Nodes, the scene, and animations of a glTF file.
#ifndef IMPINGE_IO_GLTF_NODES_H
#define IMPINGE_IO_GLTF_NODES_H

#include "io/gltf_reader.h"

/// Deeper trees are refused: where a body is costs a product per ancestor.
#define IMPI_MAX_NODE_DEPTH 1000

/// After the meshes. Nodes form trees; a node has at most one parent.
void impi_gltf_read_nodes(impi_GltfReader *reader);

/// After the skins. Times ascend from 0 on.
void impi_gltf_read_animations(impi_GltfReader *reader);

/// Are skins where they can be: on nodes whose meshes have joints, with joints in the scene?
void impi_gltf_check_skinning(impi_GltfReader *reader);

#endif
