/// All pairs of overlapping boxes that are spread over many ranks.
#ifndef IMPINGE_CLUSTER_RANK_PAIRS_H
#define IMPINGE_CLUSTER_RANK_PAIRS_H

#include "cluster/cluster.h"

/// Every rank calls this with its own boxes, which are numbered in the order of ranks. `def` may be null.
/// This rank's stretch of the sorted pairs lies in the context's scratch memory, until its next call. The
/// status is the same on all ranks, and so is the error in their contexts.
imp_Status impi_rank_pairs_find(const impi_Exchange *exchange, imp_Context *context, const imp_BoxArray *own,
                                const imp_RankDef *def, imp_RankPairs *result);

#endif
