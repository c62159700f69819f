/// What Chung & Wang's Figure 4 gives here, and what is said about it.
#ifndef IMPINGE_EXPERIMENTS_CHUNG_WANG_REPORT_H
#define IMPINGE_EXPERIMENTS_CHUNG_WANG_REPORT_H

#include "chung_wang_play.h"

#define CHUNG_WANG_MAX_REPETITIONS 5
#define CHUNG_WANG_MAX_SIZES       8
#define CHUNG_WANG_MAX_POINTS      6
#define CHUNG_WANG_MAX_SUPPORT     8

/// Panels (iv) to (vi): what varies.
typedef enum ChungWangSweep {
    CHUNG_WANG_SPEED,
    CHUNG_WANG_TURN,
    CHUNG_WANG_DENSITY,
    CHUNG_WANG_SWEEP_COUNT
} ChungWangSweep;

typedef struct ChungWangSizes {
    uint32_t body_count, frame_count;                 // panels (i) to (iii)
    uint32_t counts[CHUNG_WANG_MAX_SIZES];            // vertices
    uint32_t size_count, distribution;                // index of the count of panels (i) and (ii)
    uint32_t timed_bodies, timed_frames, repetitions; // panels (iv) to (vi)
    uint32_t timed_counts[3];
    uint32_t timed_count;
    uint32_t support_counts[CHUNG_WANG_MAX_SUPPORT]; // section 5
    uint32_t support_count, direction_count;
} ChungWangSizes;

/// Vertices looked at for one support vertex, with no vertex to start from: means over directions.
typedef struct ChungWangSupport {
    uint32_t vertex_count;
    size_t level_count;
    double hierarchy, from_table, from_anywhere;
} ChungWangSupport;

typedef struct ChungWangResults {
    const ChungWangSizes *sizes;
    ChungWangTally steps[SCENE_CONVEX_KIND_COUNT][CHUNG_WANG_MAX_SIZES];
    // By sweep, number of vertices and value: medians. Of the tests only the counts are those of one run.
    ChungWangTally timed[CHUNG_WANG_SWEEP_COUNT][3][CHUNG_WANG_MAX_POINTS];
    double values[CHUNG_WANG_SWEEP_COUNT]
                 [CHUNG_WANG_MAX_POINTS]; // per cent, degrees, bodies per unit of volume
    ChungWangSupport support[CHUNG_WANG_MAX_SUPPORT];
} ChungWangResults;

/// Write the tables, the plots and the page, without claims.
void chung_wang_report(ExperimentRun *run, const ChungWangResults *results);

/// C1 to C11.
void chung_wang_claims(ExperimentRun *run, const ChungWangResults *results);

#endif
