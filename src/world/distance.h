/// What distances and clearances have in common.
#ifndef IMPINGE_WORLD_DISTANCE_H
#define IMPINGE_WORLD_DISTANCE_H

#include "base/context.h"

#include <impinge/distance.h>

/// IMP_STATUS_BAD_ARGUMENT when it is not between 0, which is the default, and 1.
imp_Status impi_check_accuracy(imp_Context *context, double accuracy);
double impi_choose_accuracy(double accuracy);

/// IMP_STATUS_BAD_ARGUMENT, with a message that says what it is, when it is negative or not finite.
imp_Status impi_check_length(imp_Context *context, const char *what, double length);

/// Likewise for all of a def.
imp_Status impi_check_distance_def(imp_Context *context, const imp_DistanceDef *def);

#endif
