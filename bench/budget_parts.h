/// The parts of area budget.
#ifndef IMPINGE_BENCH_BUDGET_PARTS_H
#define IMPINGE_BENCH_BUDGET_PARTS_H

#include "bench.h"
#include "crowd_curve.h"

#include <impinge/impinge.h>

/// Error and decided pairs against time, of a crowd with spheres.
void budget_curve(const BenchOptions *options, const Crowd *crowd);

/// Two bunnies with sphere trees.
void budget_bunnies(const BenchOptions *options, imp_Context *context);

#endif
