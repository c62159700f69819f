/// Which rank compares which pair of bodies.
#ifndef IMPINGE_CLUSTER_PAIR_ASSIGNMENT_H
#define IMPINGE_CLUSTER_PAIR_ASSIGNMENT_H

#include "cluster/rank_meshes.h"

/// Send pairs, of which each rank has some, to those who compare them, and get this rank's own, in the arena
/// of the meshes. The status is the same on all ranks.
imp_Status impi_pairs_assign(impi_RankMeshes *meshes, const imp_IndexPair *pairs, size_t count,
                             imp_IndexPair **own_pairs, size_t *own_count);

#endif
