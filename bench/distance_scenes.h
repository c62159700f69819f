/// Scenes of the area `distance` that have a file of their own.
#ifndef IMPINGE_BENCH_DISTANCE_SCENES_H
#define IMPINGE_BENCH_DISTANCE_SCENES_H

#include "bench.h"
#include "distance_scene.h"

#include <impinge/base.h>

/// crowd-1000: which bodies come near each other.
void bench_near_crowd(imp_Context *context, const BenchOptions *options);

/// bunny-within: all faces within a distance, beside all touching faces where there are as many candidates.
void bench_faces_within(const DistanceScene *scene, const BenchOptions *options);

#endif
