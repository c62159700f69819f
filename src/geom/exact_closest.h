/// Where two triangles that do not touch are closest to each other: exactly, for all finite doubles.
#ifndef IMPINGE_GEOM_EXACT_CLOSEST_H
#define IMPINGE_GEOM_EXACT_CLOSEST_H

#include "geom/closest_guess.h"
#include "geom/exact_length.h"

/// How far apart two triangles are that do not touch. The guess makes it quick, and changes no more than
/// which of several parts that are equally near is told; those are returned.
impi_PartPair impi_exact_shortest(const impi_GridPair *grid, const impi_PartPair *guess, bool *is_alone,
                                  impi_ExactLength *length);

/// The same, and the parts that the closest points lie in. Where several pairs of points are equally near,
/// the chosen one (impi_choose_parts) of those that no others are between: corners of the region that they
/// fill. That knows nothing of the guess.
impi_PartPair impi_exact_closest(const impi_GridPair *grid, const impi_PartPair *guess,
                                 impi_ExactLength *length);

#endif
