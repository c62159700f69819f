/// The triangles of a glTF mesh.
#ifndef IMPINGE_IO_GLTF_TRIANGLES_H
#define IMPINGE_IO_GLTF_TRIANGLES_H

#include "io/gltf_document.h"
#include "io/mesh_builder.h"

/// Add the vertices and triangles of all primitives of a checked file's mesh, in the order of the file:
/// strips and fans are taken apart, points and lines are left out.
imp_Status impi_gltf_add_triangles(const impi_Gltf *gltf, const impi_GltfMesh *mesh,
                                   impi_MeshBuilder *builder);

#endif
