/// The parts of area sweep.
#ifndef IMPINGE_BENCH_SWEEP_PARTS_H
#define IMPINGE_BENCH_SWEEP_PARTS_H

#include "bench.h"

/// Queries about moving vertices, faces and edges: of two bunnies, and public ones.
void sweep_queries(const BenchOptions *options);

/// The bodies of crowd-1000 from frame to frame.
void sweep_crowd(const BenchOptions *options);

/// First impact of two bunnies, on straight paths and on rigid ones.
void sweep_rigid(const BenchOptions *options);

#endif
