/// Work that lies evenly on all ranks.
#ifndef IMPINGE_CLUSTER_WORK_BALANCE_H
#define IMPINGE_CLUSTER_WORK_BALANCE_H

#include "cluster/rank_search.h"

/// Estimate the work of each rank, and where the heaviest has much more than the mean, divide space anew,
/// such that the estimates of all ranks are alike: then `search` has other boxes. The status is the same on
/// all ranks.
imp_Status impi_work_balance(impi_RankSearch *search);

#endif
