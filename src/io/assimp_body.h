/// Bodies as assimp gives them. Only for builds that have its headers.
#ifndef IMPINGE_IO_ASSIMP_BODY_H
#define IMPINGE_IO_ASSIMP_BODY_H

#include "io/assimp_nodes.h"

/// Has the node triangles?
bool impi_assimp_is_body(const impi_AssimpReader *reader, const C_STRUCT aiNode *node);

/// Read the shape of a body whose node is set, plan its motion and make its mesh.
imp_Status impi_assimp_read_body(impi_AssimpReader *reader, impi_SceneBody *body);

#endif
