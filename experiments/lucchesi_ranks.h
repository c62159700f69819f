/// What the model says of the paper's master and slaves, and of impinge's ranks, on the paper's objects.
#ifndef IMPINGE_EXPERIMENTS_LUCCHESI_RANKS_H
#define IMPINGE_EXPERIMENTS_LUCCHESI_RANKS_H

#include "lucchesi_report.h"
#include "rank_pairs_program.h"

/// One number of objects.
typedef struct LucchesiRanksRow {
    size_t object_count, pair_count;
    uint64_t code_count;
    RankCosts paper[LUCCHESI_PROCESSOR_COUNT], ours[LUCCHESI_PROCESSOR_COUNT];
    RankCosts heap;   // the paper's, most processors, lists merged by a heap
    double serial_ns; // imp_pairs_find on one thread
} LucchesiRanksRow;

typedef struct LucchesiRanksResults {
    const LucchesiSizes *sizes;
    LucchesiRanksRow rows[LUCCHESI_MAX_SIZES];
} LucchesiRanksResults;

/// Write tables, plot and page.
void lucchesi_ranks_report(ExperimentRun *run, const LucchesiRanksResults *results);

#endif
