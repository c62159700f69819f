/// The octree over a rank's boxes, and behind them over those that others sent, the halo. Pairs are searched
/// among the rank's own, and between them and the halo; not within the halo.
#ifndef IMPINGE_CLUSTER_RANK_SEARCH_H
#define IMPINGE_CLUSTER_RANK_SEARCH_H

#include "broad/pair_store.h"
#include "cluster/common_grid.h"

typedef struct impi_RankSearch {
    const impi_CommonGrid *grid;
    impi_Cluster *cluster;
    impi_SearchWork work;
    impi_RankBoxes boxes; // own ones, and the halo behind them
    size_t own_count, row_room;
    size_t own_lanes, lane_room;
    size_t class_starts[IMPI_SIZE_CLASSES + 1]; // in the order of own boxes
    impi_Octree octree;
    bool is_exact;            // search coordinates are the boxes' own numbers
    uint64_t first_set_count; // 0: one set
    impi_PairStore store;     // pairs by their numbers among all boxes
} impi_RankSearch;

/// Put the boxes in order and fill the octree with them, without a halo. There is room for impi_boxes_room of
/// them. Keeps a failure when memory is short. Call impi_rank_search_end in any case.
void impi_rank_search_begin(impi_RankSearch *search, impi_Cluster *cluster, const impi_CommonGrid *grid,
                            const impi_RankBoxes *boxes);
void impi_rank_search_end(impi_RankSearch *search);

/// Room for so many boxes of others behind the own ones: their rows and ids are written there. Keeps a
/// failure when there is none.
void impi_rank_search_make_room(impi_RankSearch *search, size_t halo_count);

/// The halo is there: add it to the octree.
void impi_rank_search_add_halo(impi_RankSearch *search, size_t halo_count);

/// Find all pairs; with `count_only` they are counted and not kept. Returns how many. Keeps a failure when
/// memory is short, or the work was told to end.
uint64_t impi_rank_search_run(impi_RankSearch *search, bool count_only);

#endif
