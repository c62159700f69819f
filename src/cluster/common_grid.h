/// What all ranks agree on before boxes are divided among them: how many there are, what their numbers are,
/// and the cells that keys name.
#ifndef IMPINGE_CLUSTER_COMMON_GRID_H
#define IMPINGE_CLUSTER_COMMON_GRID_H

#include "broad/linear_octree_variants.h"
#include "cluster/cluster.h"

typedef struct impi_CommonGrid {
    uint64_t box_count;  // of all ranks, below 2^32 - 1
    unsigned index_bits; // enough for the number of every box
    bool has_floats;
    size_t row_size;         // of a box, in bytes
    double origin[3], scale; // of search coordinates (box_rows.h)
    impi_KeyWindow window;
    impi_HilbertSteps hilbert;
} impi_CommonGrid;

/// Boxes of one rank: rows as in box_rows.h, and the number of each among the boxes of all ranks.
typedef struct impi_RankBoxes {
    const void *rows; // six floats or doubles each
    void *room;       // the rows, where they lie in scratch memory and others may follow; else null
    uint32_t *ids;
    uint32_t *keys; // of the grid (linear_octree_variants.h); null where they are not made
    size_t count;
} impi_RankBoxes;

/// Count the boxes of all ranks, look at some of each, and give this rank's their numbers, which lie in
/// scratch memory as does what is made of them. `own` has been checked on this rank; ranks without boxes have
/// no say in what numbers are. The status is the same on all ranks: IMP_STATUS_TOO_LARGE for 2^32 - 1 boxes
/// or more, IMP_STATUS_BAD_ARGUMENT when some ranks have floats and others doubles.
imp_Status impi_common_grid_choose(impi_Cluster *cluster, const imp_BoxArray *own, impi_CommonGrid *grid,
                                   impi_RankBoxes *boxes);

/// The rows of boxes as a search sees them.
impi_BoxRows impi_common_grid_rows(const impi_CommonGrid *grid, const void *rows, size_t count);

#endif
