/// Area, volume and which way components turn. Default floating-point mode expected (base/float_guard.h).
#ifndef IMPINGE_SHAPE_MESH_MEASURE_H
#define IMPINGE_SHAPE_MESH_MEASURE_H

#include "shape/mesh.h"

/// Right to 1e-12 of it, for all finite coordinates; infinite only where the largest double is less.
/// IMP_STATUS_OK, or that of the context's watch, here and below.
imp_Status impi_mesh_area(imp_Context *context, const imp_Mesh *mesh, double *area);

/// The volume that a closed mesh encloses, positive when that is inside. The same, but right to 1e-10.
imp_Status impi_mesh_volume(imp_Context *context, const imp_Mesh *mesh, double *volume);

/// The sign of the volume that each component of a closed mesh encloses, exactly. Scratch comes from the
/// context's arena. IMP_STATUS_OUT_OF_MEMORY too.
imp_Status impi_mesh_directions(imp_Context *context, const imp_Mesh *mesh, const uint32_t *component_of_face,
                                size_t component_count, int8_t *directions);

#endif
