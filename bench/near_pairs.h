/// Pairs of bodies that come near each other, with their distances, and how one list of them differs from
/// another.
#ifndef IMPINGE_BENCH_NEAR_PAIRS_H
#define IMPINGE_BENCH_NEAR_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct NearPair {
    uint32_t frame, a, b; ///< bodies, a < b
    double distance;
} NearPair;

typedef struct NearPairs {
    NearPair *pairs;
    size_t count, capacity;
} NearPairs;

/// Bodies in any order. Stops the program when there is no memory.
void near_pairs_add(NearPairs *list, NearPair pair);

/// Forget the pairs, keep the memory.
static inline void near_pairs_clear(NearPairs *list)
{
    list->count = 0;
}

void near_pairs_free(NearPairs *list);

/// Do two distances differ by more than a millionth?
bool near_pairs_differ(double distance, double expected);

/// "yes", or "-3/+1": misses 3 of the expected pairs and has 1 too many. A pair whose distance differs is
/// missed and one too many. Sorts both.
void near_pairs_compare(NearPairs *list, NearPairs *expected, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
