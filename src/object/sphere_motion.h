/// Where one body's sphere tree is in the frame of another's.
#ifndef IMPINGE_OBJECT_SPHERE_MOTION_H
#define IMPINGE_OBJECT_SPHERE_MOTION_H

#include "object/body.h"
#include "object/sphere_test.h"

#include <float.h>

/// What rounding may move posed vertices and centers, and what is computed of their poses in doubles, per sum
/// of the sizes of all coordinates involved: some 40 roundings of 2^-53 each, and rows that are not quite
/// upright on each other. The least doubles come on top, where sizes are next to nothing.
#define IMPI_POSE_ERROR       0x1p-45
#define IMPI_LEAST_POSE_ERROR (16 * DBL_TRUE_MIN)

/// Both bodies have trees. What distances are widened by makes up for all roundings, those of posed vertices
/// among them, and for how far vertices of deformed bodies are from those of their meshes. Where numbers are
/// beyond single precision it is infinite or NaN, and all spheres meet.
void impi_sphere_motion_find(const impi_Body *a, const impi_Body *b, impi_SphereMotion *motion);

#endif
