/// All pairs of boxes, for the other parts of the library.
#ifndef IMPINGE_BROAD_PAIRS_FIND_H
#define IMPINGE_BROAD_PAIRS_FIND_H

#include "base/arena.h"

#include <impinge/broad.h>

/// Find the pairs of boxes that share a point, sorted. They are allocated in `arena`, as is all that the
/// search needs. Bad boxes are refused as by imp_pairs_find; outputs are untouched on failure.
imp_Status impi_pairs_find(imp_Context *context, const imp_BoxArray *boxes, impi_Arena *arena,
                           const imp_IndexPair **pairs, size_t *count);

#endif
