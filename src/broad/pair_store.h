/// Pairs as a search finds them, from several threads at once; afterwards they are sorted.
#ifndef IMPINGE_BROAD_PAIR_STORE_H
#define IMPINGE_BROAD_PAIR_STORE_H

#include "broad/search_work.h"

#include <impinge/broad.h>

#include <pthread.h>
#include <stdatomic.h>

/// Two boxes are not compared when the categories of one meet what the other ignores, or when they are of the
/// same group and that is not 0.
typedef struct impi_PairFilter {
    uint64_t category_bits, ignore_bits;
    uint32_t group;
} impi_PairFilter;

static inline bool impi_filters_allow(const impi_PairFilter *a, const impi_PairFilter *b)
{
    bool is_ignored = ((a->category_bits & b->ignore_bits) | (b->category_bits & a->ignore_bits)) != 0;
    return !is_ignored && (a->group == 0 || a->group != b->group);
}

/// Pairs are dropped that the filters rule out, or that do not overlap in double precision.
typedef struct impi_PairStore {
    const double *double_rows;      // compare by these rows (see box_rows.h), or null
    const impi_PairFilter *filters; // one per box, or null
    unsigned index_bits;            // of boxes, see impi_PairTaker
    uint64_t limit;                 // keep no more than this
    uint64_t total;                 // pairs found, kept or not
    atomic_bool is_over_limit;      // more were found
    void *reusable; // memory of the search (aligned to 64) that the sort may overwrite, or null
    size_t reusable_size;

    // The rest is private. Pages are filled one after the other; allocation happens under the mutex.
    impi_Arena *arena;
    pthread_mutex_t mutex;
    uint64_t **pages;
    size_t page_count, page_capacity, kept;
    bool out_of_memory;
} impi_PairStore;

/// How many bits it takes to tell `count` boxes apart.
unsigned impi_index_bits(size_t count);

/// Indices of boxes are below `box_count`. `arena` may be used for other things only while no search runs.
void impi_pair_store_init(impi_PairStore *store, impi_Arena *arena, size_t box_count);
void impi_pair_store_destroy(impi_PairStore *store);

/// Take pairs (an impi_PairsFn; `store` is an impi_PairStore).
void impi_pair_store_take(uint64_t *pairs, size_t count, void *store);

/// Write all pairs kept, sorted, to `pairs`, which has room for them. False when out of memory (also while
/// taking them) or ended, with nothing written. `spare` is room to work in for as many 64-bit keys, and may
/// be the storage of `pairs`; when it is null, room is found elsewhere.
bool impi_pair_store_sort(impi_PairStore *store, const impi_SearchWork *work, uint64_t *spare,
                          imp_IndexPair *pairs);

/// Pairs that were kept, packed as they were taken, in no order.
static inline size_t impi_pair_store_kept(const impi_PairStore *store)
{
    return store->kept;
}
void impi_pair_store_copy(const impi_PairStore *store, uint64_t *keys);

/// Write packed pairs, sorted, to `pairs`; `keys` and `spare`, which is as long, are overwritten. False when
/// out of memory, or ended.
bool impi_pair_keys_sort(const impi_SearchWork *work, uint64_t *keys, uint64_t *spare, size_t count,
                         unsigned index_bits, imp_IndexPair *pairs);

#endif
