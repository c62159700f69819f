/// Which faces of two surfaces may touch or come near, for meshes that move and deform freely: nothing is
/// stored from frame to frame but the grouping of faces into blocks.
///
/// `margin` is how near counts: 0 for touching. Boxes are compared per axis, so what is that near is found
/// and some that is farther too.
#ifndef IMPINGE_OBJECT_BLOCK_PAIRS_H
#define IMPINGE_OBJECT_BLOCK_PAIRS_H

#include "base/array.h"
#include "object/face_boxes.h"
#include "shape/surface.h"

/// Two blocks, one of each surface, whose boxes share a point or are near.
typedef struct impi_BlockPair {
    uint32_t block_a, block_b;
} impi_BlockPair;

typedef IMPI_ARRAY(impi_BlockPair) impi_BlockPairs;

/// A search for the block pairs of two surfaces, which can be left and taken up again.
typedef struct impi_BlockSearch {
    const impi_Surface *a, *b;
    double margin;
    uint32_t next_block; // of a: where it goes on; 0 at first, the number of its blocks when all is found
} impi_BlockSearch;

/// Append block pairs, sorted, by the boxes of the trees, until all are found or `limit` of them; then those
/// of one block of a are still found to the last. False when out of memory.
bool impi_block_pairs_find(const imp_Allocator *allocator, impi_BlockSearch *search, size_t limit,
                           impi_BlockPairs *pairs);

/// Keep, in order, those whose exact boxes meet; returns how many. The blocks must be posed, here and below.
size_t impi_block_pairs_keep_meeting(const impi_Surface *a, const impi_Surface *b, double margin,
                                     impi_BlockPair *pairs, size_t count);

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

/// A stretch of the block pairs of two surfaces.
typedef struct impi_BlockPairRun {
    const impi_Surface *a, *b;
    double margin;
    const impi_BlockPair *pairs;
    size_t count; // at most IMPI_MAX_BLOCK_PAIRS
} impi_BlockPairRun;

/// In which faces of two bodies with these bounds are compared.
impi_BoxFrame impi_choose_frame(const imp_Box *a, const imp_Box *b);

/// Find the face pairs whose boxes meet, each once, and hand them over in lots of at most
/// IMPI_MAX_CANDIDATES.
void impi_block_pairs_find_faces(const impi_BlockPairRun *run, impi_BlockPairsScratch *scratch,
                                 impi_CandidatesFn found, void *argument);

#endif
