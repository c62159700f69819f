/// Stable least-significant-digit radix sort of 64-bit keys.
#ifndef IMPINGE_BASE_RADIX_SORT_H
#define IMPINGE_BASE_RADIX_SORT_H

#include "base/watch.h"

/// Sort `count` packed keys by their bits [low_bit, high_bit), ascending; keys equal there keep their
/// order. `spare` is as long as `keys`. Returns whichever of the two holds the result.
uint64_t *impi_radix_sort_packed(uint64_t *keys, uint64_t *spare, size_t count, unsigned low_bit,
                                 unsigned high_bit);

/// The same while somebody may watch, as `count` steps of the work: null when told to end, with nothing in
/// order.
uint64_t *impi_radix_sort_packed_watched(impi_Watch *watch, uint64_t *keys, uint64_t *spare, size_t count,
                                         unsigned low_bit, unsigned high_bit);

/// Sort few keys, or keys that are nearly in order: each is moved past those before it that are larger.
static inline void impi_insertion_sort(uint64_t *keys, size_t count)
{
    for (size_t i = 1; i < count; ++i) {
        uint64_t key = keys[i];
        size_t k = i;
        for (; k > 0 && keys[k - 1] > key; --k)
            keys[k] = keys[k - 1];
        keys[k] = key;
    }
}

typedef struct impi_KeyedArrays {
    uint64_t *keys;
    uint32_t *payloads;
} impi_KeyedArrays;

/// The same with a 32-bit payload beside each key.
impi_KeyedArrays impi_radix_sort_keyed(impi_KeyedArrays items, impi_KeyedArrays spare, size_t count,
                                       unsigned low_bit, unsigned high_bit);

/// Both are null when told to end.
impi_KeyedArrays impi_radix_sort_keyed_watched(impi_Watch *watch, impi_KeyedArrays items,
                                               impi_KeyedArrays spare, size_t count, unsigned low_bit,
                                               unsigned high_bit);

#endif
