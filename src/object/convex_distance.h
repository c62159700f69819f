/// How far apart two convex polytopes are, or how deep in each other.
#ifndef IMPINGE_OBJECT_CONVEX_DISTANCE_H
#define IMPINGE_OBJECT_CONVEX_DISTANCE_H

#include "object/separating_vector.h"

/// See imp_convex_distance; the accuracy is above 0 and below 1. As impi_convex_test otherwise.
imp_Status impi_convex_distance(impi_Arena *arena, const impi_Polytope *a, const impi_Polytope *b,
                                imp_ConvexState *state, double relative_accuracy, imp_ConvexDistance *result);

#endif
