/// impinge's own ranks as a program for the model, and what they tell beside times.
#ifndef IMPINGE_EXPERIMENTS_RANK_PAIRS_PROGRAM_H
#define IMPINGE_EXPERIMENTS_RANK_PAIRS_PROGRAM_H

#include "rank_model.h"
#include "rank_scenes.h"

#include <impinge/ranks.h>

/// Of all ranks together: zero it, and all is added up.
typedef struct RankPairsSummary {
    uint64_t pair_count, total; // in all stretches, and as ranks say; the same where all is well
    uint64_t own_count, most_own_count, halo_count; // boxes
    uint64_t block_pairs, most_block_pairs;
    uint64_t move_count;
    double
        most_bytes_per_box; // the most memory that a rank held at once, less its pairs, for each of its boxes
    bool is_wrong;          // not the pairs that were expected
} RankPairsSummary;

typedef struct RankPairsJob {
    size_t box_count;              // of all ranks; each has as many
    RankSceneKind kind;            // each rank makes its boxes,
    const double *boxes;           // or these are there already
    const imp_IndexPair *expected; // all pairs; null: nobody knows
    uint64_t expected_count;
    RankPairsSummary summary;
} RankPairsJob;

/// The job is filled while the program runs.
RankProgram rank_pairs_program(RankPairsJob *job);

/// Heaviest rank over the mean.
double rank_pairs_box_surplus(const RankPairsSummary *summary, uint32_t rank_count);
double rank_pairs_block_surplus(const RankPairsSummary *summary, uint32_t rank_count);

#endif
