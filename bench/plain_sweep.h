/// The usual way to ask when moving features touch, in plain double arithmetic, for comparison only: roots of
/// the cubic, and a look with a tolerance at each of them. Fast, and wrong near boundaries.
#ifndef IMPINGE_BENCH_PLAIN_SWEEP_H
#define IMPINGE_BENCH_PLAIN_SWEEP_H

#include <impinge/sweep.h>

/// The first time, or NaN.
double plain_sweep_vertex_face(const imp_SweepQuery *query);
double plain_sweep_edges(const imp_SweepQuery *query);

#endif
