/// Points of triangles that integers give the weights of, rounded to doubles.
#ifndef IMPINGE_GEOM_EXACT_POINT_H
#define IMPINGE_GEOM_EXACT_POINT_H

#include "geom/exact_length.h"

/// The point of a part of a (side 0) or b (side 1) that has the weights of the length, each coordinate
/// rounded to the nearest double, to even where two are as near; zeros are positive.
imp_Vec3 impi_exact_point(const impi_GridPair *pair, const impi_ExactLength *length, impi_Part part,
                          int side);

/// The common point of two parts that have a single one (impi_common_parts), rounded in the same way.
imp_Vec3 impi_exact_common_point(const impi_GridPair *pair, const impi_PartPair *parts);

#endif
