/// Affine maps, kept as transforms whose rows need not be those of a rotation.
#ifndef IMPINGE_IO_AFFINE_H
#define IMPINGE_IO_AFFINE_H

#include "geom/pose.h"

extern const imp_Transform impi_affine_identity;

/// First b, then a.
imp_Transform impi_affine_multiply(const imp_Transform *a, const imp_Transform *b);

double impi_affine_determinant(const imp_Transform *map);

/// Does it turn left hands into right ones? Also where its determinant is beyond the range of a double.
bool impi_affine_is_mirrored(const imp_Transform *map);

/// The largest entry lies below 2 to this power and not below half of that, the translation left aside. 0
/// when all of them are 0, or one is not finite.
int impi_affine_exponent(const imp_Transform *map);

/// The same map without its translation, times 2 to this power.
imp_Transform impi_affine_scale(const imp_Transform *map, int exponent);

/// Without the translation.
imp_Vec3 impi_affine_turn(const imp_Transform *map, imp_Vec3 vector);

#endif
