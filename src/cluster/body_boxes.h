/// Bodies whose boxes meet, of those that are spread over ranks with the meshes that they are made of.
#ifndef IMPINGE_CLUSTER_BODY_BOXES_H
#define IMPINGE_CLUSTER_BODY_BOXES_H

#include "cluster/rank_meshes.h"

/// Bound the bodies whose meshes this rank holds, as a world does, and find out which boxes of all ranks
/// meet. This rank gets a stretch of those pairs, in the arena of the meshes: bodies by their numbers, a < b,
/// each pair on one rank. Calls public functions. The status is the same on all ranks: IMP_STATUS_BAD_NUMBER
/// for the first body that a world refuses.
imp_Status impi_body_boxes_pairs(impi_RankMeshes *meshes, imp_IndexPair **pairs, size_t *count);

#endif
