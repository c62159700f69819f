/// Pairs that ranks have found, as one sorted list: pairs travel to where they stand in it.
#ifndef IMPINGE_CLUSTER_PAIR_ORDER_H
#define IMPINGE_CLUSTER_PAIR_ORDER_H

#include "broad/pair_store.h"
#include "cluster/cluster.h"

/// Where stretches begin: at places of the list where the pairs of a NumPy file begin a mebibyte of it, so
/// that no two ranks write into the same page; where pairs are few a smaller power of two, down to a page.
/// Pairs stand behind a header of as much as IMPI_HEADER_PAIRS of them.
#define IMPI_MOST_STRETCH_UNIT  ((uint64_t)131072)
#define IMPI_LEAST_STRETCH_UNIT ((uint64_t)512)
#define IMPI_HEADER_PAIRS       ((uint64_t)16)

/// The pairs in the store of each rank, no two of which are the same, become this rank's stretch of the
/// sorted list, in scratch memory. Numbers of boxes have `index_bits`. The status is the same on all ranks.
imp_Status impi_pairs_order(impi_Cluster *cluster, const impi_SearchWork *work, impi_PairStore *store,
                            imp_RankPairs *result);

#endif
