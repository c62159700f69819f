/// Sorting 64-bit keys on several threads: split by the top digit, then sort each part in cache.
#ifndef IMPINGE_BROAD_KEY_SORT_H
#define IMPINGE_BROAD_KEY_SORT_H

#include "broad/search_work.h"

/// Below this many keys a split costs more than it brings.
#define IMPI_SPLIT_MIN_KEYS 4096

#define IMPI_SPLIT_BITS  8
#define IMPI_SPLIT_PARTS 256

typedef struct impi_KeyPiece {
    const uint64_t *keys;
    size_t count;
} impi_KeyPiece;

/// Part p is [starts[p], starts[p + 1]).
typedef struct impi_KeyParts {
    size_t starts[IMPI_SPLIT_PARTS + 1];
} impi_KeyParts;

/// Copy the keys of all pieces to `to`, those whose bits [shift, shift + 8) are p into part p; the order
/// within a part is that of the pieces. False when out of memory or ended.
bool impi_keys_split(const impi_SearchWork *work, const impi_KeyPiece *pieces, size_t piece_count,
                     unsigned shift, uint64_t *to, impi_KeyParts *parts);

/// Sort keys by their bits [low_bit, high_bit), ascending, on the caller's thread; equal ones keep their
/// order. `spare` is as long.
void impi_keys_sort_run(uint64_t *keys, uint64_t *spare, size_t count, unsigned low_bit, unsigned high_bit);

/// The same on all threads, which is `count` steps of the work. Returns whichever of the two holds the
/// result, or null when out of memory or ended.
uint64_t *impi_keys_sort(const impi_SearchWork *work, uint64_t *keys, uint64_t *spare, size_t count,
                         unsigned low_bit, unsigned high_bit);

#endif
