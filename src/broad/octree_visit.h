/// Which boxes of an octree overlap one box?
#ifndef IMPINGE_BROAD_OCTREE_VISIT_H
#define IMPINGE_BROAD_OCTREE_VISIT_H

#include "broad/linear_octree.h"

/// In search coordinates.
typedef struct impi_SearchBox {
    float min[3], max[3];
} impi_SearchBox;

/// Lanes of a block that overlap: bit j stands for lane 16 block + j. At least one does.
typedef void (*impi_BlockHitFn)(size_t block, uint32_t lanes, void *argument);

/// Tell which lanes overlap the box, block by block in their order.
void impi_octree_find_lanes(const impi_Octree *octree, const impi_SearchBox *box, impi_BlockHitFn hit,
                            void *argument);

/// Write the numbers of all boxes whose search coordinates overlap those of row `box`, itself included, to
/// `found`, in no order; returns how many. `rows` are those that the octree was filled with; `found` has room
/// for all of them.
size_t impi_octree_find_overlapping(const impi_Octree *octree, const impi_BoxRows *rows, size_t box,
                                    uint32_t *found);

#endif
