/// Error and decided pairs against time, of a crowd with spheres: what area budget prints and an experiment
/// draws.
///
/// The floor is what a detect takes that decides nothing, refining time what it takes beyond that to decide
/// everything through spheres. Times are of the processor, of the calling thread.
#ifndef IMPINGE_BENCH_CROWD_CURVE_H
#define IMPINGE_BENCH_CROWD_CURVE_H

#include "crowd_scene.h"

/// Processor time of the calling thread.
uint64_t crowd_processor_ns(void);

/// How often a thread of this process had to make way for another process. A budget is of the wall clock, so
/// a call meanwhile tells nothing of what can be done in that time.
long crowd_interruption_count(void);

/// Medians of several detects in all frames in turn.
typedef struct CrowdTimes {
    double floor_us, full_us;
} CrowdTimes;

double crowd_median_us(CrowdWorld *world, const imp_DetectDef *def, size_t detect_count);
CrowdTimes crowd_times(CrowdWorld *world, const imp_DetectDef *def, size_t detect_count);

/// The largest floor of several detects, each of them after one that decides everything: caches are cold
/// then.
double crowd_largest_floor_us(CrowdWorld *world, const imp_DetectDef *def, size_t detect_count);

/// Shares of the refining time at which a curve is measured, from 0 to 1.
#define CROWD_SHARE_COUNT 9
extern const double crowd_shares[CROWD_SHARE_COUNT];

/// Means of several detects with the same budget: of those that nobody disturbed, or of all where there are
/// none.
typedef struct CrowdPoint {
    double budget_us;
    size_t detect_count; // of which they are the means
    double decided;      // share of the candidate pairs
    double error;        // of all candidate pairs, over the radius of bodies; 0 of those that are decided
} CrowdPoint;

CrowdPoint crowd_point(CrowdWorld *world, const CrowdTimes *times, imp_RefineOrder order, double share,
                       size_t detect_count);

#endif
