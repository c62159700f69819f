/// What the model of ranks says of impinge's, and how it is told.
#ifndef IMPINGE_EXPERIMENTS_RANK_SCALING_H
#define IMPINGE_EXPERIMENTS_RANK_SCALING_H

#include "experiment.h"
#include "rank_pairs_program.h"

#define RANK_SCALING_COUNTS  6
#define RANK_SCALING_TARGETS 2

typedef struct RankScalingSizes {
    size_t box_count; // spread over ranks
    uint32_t rank_counts[RANK_SCALING_COUNTS];
    size_t large_share, small_shares[2];         // boxes of a rank
    uint32_t few_ranks;                          // that run with the large share
    uint32_t half_ranks, most_ranks;             // that run with the small ones
    uint32_t target_ranks[RANK_SCALING_TARGETS]; // what is wanted for the large share
    size_t repeat_count;
} RankScalingSizes;

/// One number of ranks.
typedef struct RankScalingRow {
    RankCosts costs;
    RankPairsSummary summary;
} RankScalingRow;

typedef struct RankScalingResults {
    const RankScalingSizes *sizes;
    double serial_ns[RANK_SCENE_KINDS]; // imp_pairs_find on one thread, `box_count` boxes
    double serial_share_ns;             // of `large_share` boxes, uniform
    RankScalingRow rows[RANK_SCENE_KINDS][RANK_SCALING_COUNTS];
    RankScalingRow few;                       // ranks with the large share
    RankCosts targets[RANK_SCALING_TARGETS];  // put together, see rank_scaling.c
    double target_halo[RANK_SCALING_TARGETS]; // boxes of others for each own one, where ranks ran with small
                                              // shares
    double target_surplus[RANK_SCALING_TARGETS];
    // Two ranks as processes of MPI; names what is missing, else null.
    const char *missing;
    Network measured; // between them
    double wall_ns, wall_model_ns;
} RankScalingResults;

/// Write tables, plot and page.
void rank_scaling_report(ExperimentRun *run, const RankScalingResults *results);

#endif
