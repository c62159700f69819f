/// Does a mesh bound a convex polytope?
#ifndef IMPINGE_SHAPE_CONVEX_CHECK_H
#define IMPINGE_SHAPE_CONVEX_CHECK_H

#include "shape/mesh_topology.h"

/// IMP_STATUS_OK when it does, exactly; IMP_STATUS_BAD_SHAPE with what is wrong and a face as the index;
/// IMP_STATUS_OUT_OF_MEMORY, or what a watch says. Linear. Scratch stays in the context's arena; expects the
/// default floating-point mode (base/float_guard.h). `corners` are those of the mesh.
imp_Status impi_convex_check(imp_Context *context, const imp_Mesh *mesh, const impi_Corners *corners);

#endif
