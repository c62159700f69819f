/// Meshes in another unit and another place.
#ifndef IMPINGE_SHAPE_MESH_TRANSFORM_H
#define IMPINGE_SHAPE_MESH_TRANSFORM_H

#include "shape/mesh.h"

/// See imp_mesh_transform. Expects the default floating-point mode.
imp_Status impi_mesh_transform(imp_Context *context, const imp_Mesh *mesh, const imp_MeshTransformDef *def,
                               imp_Mesh **result);

#endif
