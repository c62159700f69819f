/// The parts of area budget.
#ifndef IMPINGE_BENCH_BUDGET_PARTS_H
#define IMPINGE_BENCH_BUDGET_PARTS_H

#include "bench.h"
#include "crowd_scene.h"

#include <impinge/impinge.h>

/// Processor time of the calling thread.
uint64_t budget_processor_ns(void);

/// What detects of a world take that decide nothing, and that decide everything through spheres; medians.
typedef struct BudgetTimes {
    double floor_us, full_us;
} BudgetTimes;

BudgetTimes budget_times(CrowdWorld *world, const imp_DetectDef *def, int rounds);

/// Error and decided pairs against time, of a crowd with spheres.
void budget_curve(const BenchOptions *options, const Crowd *crowd);

/// Two bunnies with sphere trees.
void budget_bunnies(const BenchOptions *options, imp_Context *context);

#endif
