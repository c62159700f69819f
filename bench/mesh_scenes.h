/// Scenes of the area `mesh` that have a file of their own.
#ifndef IMPINGE_BENCH_MESH_SCENES_H
#define IMPINGE_BENCH_MESH_SCENES_H

#include "bench.h"

#include <impinge/base.h>

void bench_crowd(imp_Context *context, const BenchOptions *options);

#endif
