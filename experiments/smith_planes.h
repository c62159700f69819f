/// The method that Smith & Kitamura compare with in their Figure 3.9: a separating plane for every pair of
/// convex bodies (after Graphics Gems IV, "Fast collision detection of moving convex polyhedra").
///
/// Without boxes; each cycle every pair's cached plane is held against all vertices of both bodies; where it
/// separates them no more, another one is looked for between the two closest points. Says yes or no only.
#ifndef IMPINGE_EXPERIMENTS_SMITH_PLANES_H
#define IMPINGE_EXPERIMENTS_SMITH_PLANES_H

#include "smith_cycles.h"

typedef struct SmithPlanesCycle {
    double ns;           // median
    uint32_t touching;   // pairs of bodies
    uint32_t looked_for; // planes that had to be found anew
} SmithPlanesCycle;

typedef struct SmithPlanesCourse {
    SmithPlanesCycle cycles[SMITH_MAX_CYCLES]; // [0] is cycle 1, in which all planes are looked for
    uint32_t cycle_count;
} SmithPlanesCourse;

/// Play a motion of convex bodies. False when the run has failed.
bool smith_planes_play(ExperimentRun *run, const SceneMotion *motion, size_t repetitions,
                       SmithPlanesCourse *course);

#endif
