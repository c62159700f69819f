/// Which faces of two surfaces may touch, for meshes that move and deform freely: nothing is stored from
/// frame to frame but the grouping of faces into blocks.
#ifndef IMPINGE_OBJECT_BLOCK_PAIRS_H
#define IMPINGE_OBJECT_BLOCK_PAIRS_H

#include "base/array.h"
#include "shape/surface.h"

/// Two blocks, one of each surface, whose boxes share a point inside the overlap region.
typedef struct impi_BlockPair {
    uint32_t block_a, block_b;
} impi_BlockPair;

typedef IMPI_ARRAY(impi_BlockPair) impi_BlockPairs;

/// Append the block pairs of two surfaces, sorted, by the boxes of their trees. False when out of memory.
bool impi_block_pairs_find(const imp_Allocator *allocator, const impi_Surface *a, const impi_Surface *b,
                           impi_BlockPairs *pairs);

/// Keep, in order, those whose exact boxes meet; returns how many. The blocks must be posed, here and below.
size_t impi_block_pairs_keep_meeting(const impi_Surface *a, const impi_Surface *b, impi_BlockPair *pairs,
                                     size_t count);

/// How many block pairs impi_block_pairs_find_faces takes at a time.
#define IMPI_MAX_BLOCK_PAIRS 256

/// No more face pairs than this come from one block pair.
#define IMPI_MAX_BLOCK_FACE_PAIRS (IMPI_BLOCK_FACES * IMPI_BLOCK_FACES)

/// Working memory of one thread.
typedef struct impi_BlockPairsScratch impi_BlockPairsScratch;
size_t impi_block_pairs_scratch_size(void);

/// Gets candidates in lots of at least one and at most `count`; returns whether to go on.
typedef bool (*impi_CandidatesFn)(const impi_BlockFacePair *candidates, size_t count, void *argument);

#define IMPI_MAX_CANDIDATES (2 * IMPI_MAX_BLOCK_FACE_PAIRS)

/// Find the face pairs with overlapping boxes in `count` block pairs of two surfaces, each once, and hand
/// them over in lots of at most IMPI_MAX_CANDIDATES.
void impi_block_pairs_find_faces(const impi_Surface *a, const impi_Surface *b, const impi_BlockPair *pairs,
                                 size_t count, impi_BlockPairsScratch *scratch, impi_CandidatesFn found,
                                 void *argument);

#endif
