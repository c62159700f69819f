/// What is new and what is gone between two sorted lists of pairs.
#ifndef IMPINGE_BROAD_PAIR_CHANGES_H
#define IMPINGE_BROAD_PAIR_CHANGES_H

#include "base/array.h"

#include <impinge/broad.h>

typedef IMPI_ARRAY(imp_IndexPair) impi_IndexPairs;

/// Empty the list and make room for `count` pairs. False when out of memory, with an empty list.
bool impi_index_pairs_renew(const imp_Allocator *allocator, impi_IndexPairs *list, size_t count);

/// Fill `begun` and `ended`. A pair in both lists counts as ended and begun when one of its boxes is new
/// (`is_new`, by index, may be null). False when out of memory.
bool impi_pair_changes(const imp_Allocator *allocator, const impi_IndexPairs *before,
                       const impi_IndexPairs *after, const uint8_t *is_new, impi_IndexPairs *begun,
                       impi_IndexPairs *ended);

#endif
