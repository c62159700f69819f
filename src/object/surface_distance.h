/// What the filters of distances have in common: the surfaces of a pair, asked how far apart they are.
#ifndef IMPINGE_OBJECT_SURFACE_DISTANCE_H
#define IMPINGE_OBJECT_SURFACE_DISTANCE_H

#include "object/filter.h"
#include "object/mesh_distance.h"
#include "object/pair_tasks.h"

/// Measure each pair of the run by the function, on all threads. IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_surface_distances_run(const impi_FilterRun *run, impi_PairFn measure);

/// The most that impi_surface_distance takes from the arena for a pair of the run.
size_t impi_surface_distances_memory(const impi_FilterRun *run);

/// Ask about the surfaces of a pair, up to another distance than the run's own. Hints are read and written.
imp_Status impi_surface_distance(const impi_FilterRun *run, impi_Arena *arena, impi_PairWork *pair,
                                 double stop_above, impi_SurfaceDistance *result);

/// The pair's answer where a search has stopped early: what is known then, and no more.
void impi_answer_near(impi_PairWork *pair, double stop_below);
void impi_answer_far(impi_PairWork *pair, double stop_above);

#endif
