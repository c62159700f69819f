/// Where two triangles that touch have a common point: exactly, for all finite doubles.
#ifndef IMPINGE_GEOM_COMMON_PARTS_H
#define IMPINGE_GEOM_COMMON_PARTS_H

#include "geom/part_pair.h"

/// Parts that have a single point in common; where there are several, the chosen ones (impi_choose_parts).
/// The triangles touch.
impi_PartPair impi_common_parts(const imp_Triangle *a, const imp_Triangle *b);

#endif
