/// Meshes and matrices as assimp gives them. Only for builds that have its headers.
#ifndef IMPINGE_IO_ASSIMP_MESH_H
#define IMPINGE_IO_ASSIMP_MESH_H

#include "io/affine.h"
#include "io/mesh_builder.h"

#include <assimp/scene.h>

/// Deeper trees of nodes are refused, because they are visited recursively.
#define IMPI_MAX_ASSIMP_DEPTH 1001

imp_Status impi_assimp_fail(imp_Context *context, const char *file_name, imp_Status status, const char *what);

imp_Transform impi_assimp_matrix(const C_STRUCT aiMatrix4x4 *matrix);

/// Add a mesh, placed. Polygons are fanned; lines and points are left out.
imp_Status impi_assimp_add_mesh(impi_MeshBuilder *builder, const C_STRUCT aiMesh *mesh,
                                const imp_Transform *placement);

#endif
