/// Boxes that a rank needs of others, so that every pair of all boxes is found by one rank.
///
/// Of two ranks r < s, r finds their common pairs if r + s is even, else s.
#ifndef IMPINGE_CLUSTER_HALO_H
#define IMPINGE_CLUSTER_HALO_H

#include "cluster/rank_search.h"

/// Send each rank that finds pairs of this one's boxes those that they may be with, receive those of others,
/// and add them to the octree. The status is the same on all ranks.
imp_Status impi_halo_exchange(impi_RankSearch *search);

#endif
