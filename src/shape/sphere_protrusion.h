/// How far do balls stick out of a body? With proof.
#ifndef IMPINGE_SHAPE_SPHERE_PROTRUSION_H
#define IMPINGE_SHAPE_SPHERE_PROTRUSION_H

#include "shape/mesh.h"

#include <impinge/spheres.h>

/// Fill in protrusion, surface_protrusion, point and face of spheres whose center and radius stand. The
/// bounds exceed the truth by no more than IMPI_PROTRUSION_ACCURACY of the sphere's radius. Spread over the
/// threads of the context. IMP_STATUS_OUT_OF_MEMORY, what a watch says, or OK.
imp_Status impi_sphere_protrusions_measure(imp_Context *context, const imp_Mesh *mesh, bool is_solid,
                                           imp_Sphere *spheres, size_t count);

#define IMPI_PROTRUSION_ACCURACY 0x1p-8

#endif
