/// When do a moving vertex and a moving face, or two moving edges, first share a point?
#ifndef IMPINGE_GEOM_SWEEP_H
#define IMPINGE_GEOM_SWEEP_H

#include "geom/sweep_exact.h"

/// As impi_sweep_exact, mostly in doubles. Times after `until` need not be found: then it is infinite.
double impi_sweep(impi_SweepKind kind, const imp_Vec3 points[8], double until);

#endif
