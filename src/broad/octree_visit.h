/// Which boxes of an octree overlap one of them?
#ifndef IMPINGE_BROAD_OCTREE_VISIT_H
#define IMPINGE_BROAD_OCTREE_VISIT_H

#include "broad/linear_octree.h"

/// Write the numbers of all boxes whose search coordinates overlap those of row `box`, itself included, to
/// `found`, in no order; returns how many. `rows` are those that the octree was filled with; `found` has room
/// for all of them.
size_t impi_octree_find_overlapping(const impi_Octree *octree, const impi_BoxRows *rows, size_t box,
                                    uint32_t *found);

#endif
