/// How far do balls stick out of a body? With proof.
#ifndef IMPINGE_SHAPE_SPHERE_PROTRUSION_H
#define IMPINGE_SHAPE_SPHERE_PROTRUSION_H

#include "shape/mesh.h"

#include <impinge/spheres.h>

/// Fill in protrusion, surface_protrusion, point and face of spheres whose center and radius stand, in the
/// default floating-point mode (base/float_guard.h). `is_solid` is whether the mesh, which has faces, is
/// closed.
///
/// `depths` get the radius of a ball around each center that is all inside of the mesh, off its surface by
/// more than rounding can tell; negative where there is none. May be null.
///
/// The bounds are not less than the truth. They exceed it by no more than IMPI_PROTRUSION_ACCURACY of the
/// sphere's radius or IMPI_PROTRUSION_SHARE of the bound, whichever is more, and 2^-36 of the size of mesh
/// and sphere, and what separates doubles there; and by more only where that would take some 16,000 distances
/// for a sphere, as where a ball is full of tiny gaps. Spread over the threads of the context, whose scratch
/// arena is used. IMP_STATUS_OUT_OF_MEMORY, IMP_STATUS_TOO_LARGE, IMP_STATUS_BAD_NUMBER with the index of a
/// sphere where a bound exceeds the largest double, what a watch says, or OK.
imp_Status impi_sphere_protrusions_measure(imp_Context *context, const imp_Mesh *mesh, bool is_solid,
                                           imp_Sphere *spheres, double *depths, size_t count);

#define IMPI_PROTRUSION_ACCURACY 0x1p-10
#define IMPI_PROTRUSION_SHARE    0x1p-8

#endif
