/// Which pairs of a frame the frame before did not have, and the other way round, where both lists are spread
/// over the ranks.
#ifndef IMPINGE_APPS_PAIR_CHANGES_H
#define IMPINGE_APPS_PAIR_CHANGES_H

#include "pairs_run.h"
#include "rank_job.h"

/// Begin with zero; free it in any case.
typedef struct PairChanges {
    uint64_t *earlier; // pairs of the frame before, of this rank
    size_t earlier_count;
    uint64_t earlier_total; // of all ranks
} PairChanges;

void pair_changes_free(PairChanges *changes);

/// Count pairs of the next frame, and those that have begun and ended since the frame before. All ranks fail
/// when one does.
CommandResult pair_changes_step(RankJob *job, const imp_RankPairs *found, PairChanges *changes,
                                PairsFrame *frame);

#endif
