/// Affine maps, kept as transforms whose rows need not be those of a rotation.
#ifndef IMPINGE_IO_AFFINE_H
#define IMPINGE_IO_AFFINE_H

#include "geom/pose.h"

extern const imp_Transform impi_affine_identity;

/// First b, then a.
imp_Transform impi_affine_multiply(const imp_Transform *a, const imp_Transform *b);

double impi_affine_determinant(const imp_Transform *map);

/// Without the translation.
imp_Vec3 impi_affine_turn(const imp_Transform *map, imp_Vec3 vector);

#endif
