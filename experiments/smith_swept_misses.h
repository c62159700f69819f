/// What the swept-space method of Smith & Kitamura 4.2 misses as it is printed, counted.
#ifndef IMPINGE_EXPERIMENTS_SMITH_SWEPT_MISSES_H
#define IMPINGE_EXPERIMENTS_SMITH_SWEPT_MISSES_H

#include "smith_swept_play.h"

/// Count, on faces of different sizes, on rods that spin and on spheres that jump, and put tables on the
/// page. Fails the run where widened hulls miss anything.
void swept_misses_measure(ExperimentRun *run);
void swept_misses_report(ExperimentRun *run);

#endif
