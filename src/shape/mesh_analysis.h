/// What a mesh is like.
#ifndef IMPINGE_SHAPE_MESH_ANALYSIS_H
#define IMPINGE_SHAPE_MESH_ANALYSIS_H

#include "shape/mesh.h"

/// See imp_mesh_analyse. Expects the default floating-point mode (base/float_guard.h).
imp_Status impi_mesh_analyse(imp_Context *context, const imp_Mesh *mesh, imp_MeshInfo *info);

#endif
