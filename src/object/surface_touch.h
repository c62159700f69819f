/// Do two surfaces touch? For meshes of moderate size that are asked about again and again, on the caller's
/// thread alone, which leaves as soon as one touching pair of faces is found.
#ifndef IMPINGE_OBJECT_SURFACE_TOUCH_H
#define IMPINGE_OBJECT_SURFACE_TOUCH_H

#include "object/block_pairs.h"
#include "object/filter.h"

/// Bodies of more blocks are worth being spread over threads.
#define IMPI_MAX_TOUCH_BLOCKS 256

typedef enum impi_TouchVerdict {
    IMPI_TOUCH_NONE,
    IMPI_TOUCH_FOUND,
    IMPI_TOUCH_CUT_SHORT, // the budget ended first
} impi_TouchVerdict;

/// Can the pair be asked about here? It has a hint, and its bodies are at rest and of moderate size.
bool impi_surfaces_touch_takes(const impi_FilterRun *run, const impi_PairWork *pair);

/// Surfaces must have been required. Poses the blocks that it looks at. `pairs` is room that is kept from
/// pair to pair; scratch is as much as filters of blocks take. IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_surfaces_touch(const impi_FilterRun *run, const impi_PairWork *pair, impi_BlockPairs *pairs,
                               impi_TouchVerdict *verdict);

#endif
