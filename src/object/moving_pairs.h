/// Which faces of two surfaces on their way may touch, and when: as object/block_pairs.h for surfaces that
/// stand. Surfaces may be one and the same; then each pair of its faces is found once.
#ifndef IMPINGE_OBJECT_MOVING_PAIRS_H
#define IMPINGE_OBJECT_MOVING_PAIRS_H

#include "base/array.h"
#include "geom/time_span.h"
#include "object/first_time.h"
#include "shape/moving_surface.h"

/// Two blocks, one of each surface, whose boxes meet on their way, and no earlier than at this time.
typedef struct impi_MovingBlocks {
    uint32_t block_a, block_b;
    double first;
} impi_MovingBlocks;

typedef IMPI_ARRAY(impi_MovingBlocks) impi_MovingBlockPairs;

/// A search for the blocks that meet within a span of time, which can be left and taken up again.
typedef struct impi_MovingSearch {
    const impi_MovingSurface *a, *b;
    impi_TimeSpan when;
    uint32_t next_block; // of a: where it goes on; 0 at first, the number of its blocks when all is found
} impi_MovingSearch;

/// Append block pairs, sorted by blocks, until all are found or `limit` of them; then those of one block of a
/// are still found to the last. False when out of memory.
bool impi_moving_blocks_find(const imp_Allocator *allocator, impi_MovingSearch *search, size_t limit,
                             impi_MovingBlockPairs *pairs);

/// Keep, in order, those whose exact boxes meet within the span; returns how many. The blocks must be posed,
/// here and below.
size_t impi_moving_blocks_keep(const impi_MovingSurface *a, const impi_MovingSurface *b,
                               const impi_TimeSpan *when, impi_MovingBlocks *pairs, size_t count);

/// The earliest first.
void impi_moving_blocks_sort(impi_MovingBlocks *pairs, size_t count);

/// How many face pairs are handed over at a time, at most.
#define IMPI_MAX_MOVING_CANDIDATES (2 * IMPI_BLOCK_FACES * IMPI_BLOCK_FACES)

#define IMPI_MAX_MOVING_LOT (IMPI_MAX_MOVING_CANDIDATES - IMPI_BLOCK_FACES * IMPI_BLOCK_FACES)

/// Working memory of one thread.
typedef struct impi_MovingScratch impi_MovingScratch;
size_t impi_moving_scratch_size(void);

/// Gets candidates in lots, and may overwrite them; returns whether to go on.
typedef bool (*impi_MovingFoundFn)(impi_BlockFacePair *candidates, size_t count, void *argument);

/// A stretch of the block pairs of two surfaces.
typedef struct impi_MovingRun {
    const impi_MovingSurface *a, *b;
    impi_TimeSpan when;
    impi_FirstTime *until; // what is later does not matter either, as soon as that is known; null: none
    const impi_MovingBlocks *pairs;
    size_t count;
    size_t lot; // so many candidates are enough to be handed over; at most IMPI_MAX_MOVING_LOT
} impi_MovingRun;

/// Find the face pairs whose boxes meet within the span, each once, and hand them over.
void impi_moving_faces_find(const impi_MovingRun *run, impi_MovingScratch *scratch, impi_MovingFoundFn found,
                            void *argument);

#endif
