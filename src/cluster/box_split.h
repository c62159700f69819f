/// Space divided among the ranks: boxes travel to the rank whose stretch of the walk through an octree their
/// centre lies in.
#ifndef IMPINGE_CLUSTER_BOX_SPLIT_H
#define IMPINGE_CLUSTER_BOX_SPLIT_H

#include "cluster/common_grid.h"

/// Make the keys of boxes, and check these. Keeps a failure for the first bad one, by its number among all
/// boxes.
void impi_boxes_make_keys(impi_Cluster *cluster, const impi_CommonGrid *grid, impi_RankBoxes *boxes);

/// Send boxes, which have keys, such that each rank has about the same number of them, or with `weights` (one
/// for each box, not 0) such that they weigh about the same. `to` lies in scratch memory, and has room for
/// impi_boxes_room. The status is the same on all ranks.
imp_Status impi_boxes_split(impi_Cluster *cluster, const impi_CommonGrid *grid, const impi_RankBoxes *from,
                            const uint32_t *weights, impi_RankBoxes *to);

/// Behind the boxes of a rank there is room for those that others send later: a quarter as many, and a few.
static inline size_t impi_boxes_room(size_t count)
{
    return count + count / 4 + 4096;
}

#endif
