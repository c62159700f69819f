/// All overlapping pairs of boxes that move little from search to search.
///
/// The order of the octree is kept while that pays, and so are candidates: pairs of boxes made larger by a
/// margin, which are all that has to be tested while every box stays within its larger one.
#ifndef IMPINGE_BROAD_COHERENT_SEARCH_H
#define IMPINGE_BROAD_COHERENT_SEARCH_H

#include "broad/box_table.h"
#include "broad/linear_octree.h"
#include "broad/pair_changes.h"

typedef struct impi_CoherentSearch {
    impi_Octree octree;
    IMPI_ARRAY(uint32_t) order; // of slots; the octree's
    void *levels;
    size_t levels_size;
    bool is_sorted;
    double origin[3], scale;        // of the search coordinates since the last sort
    uint64_t sorted_block_pairs[2]; // just after the sort, searching boxes and larger boxes; 0: not yet
    double surplus_block_pairs;

    impi_IndexPairs candidates; // valid while the table says that boxes are within reach
    bool has_candidates;
    uint32_t served, put_off, next_put_off; // searches
} impi_CoherentSearch;

void impi_coherent_search_init(impi_CoherentSearch *search);
void impi_coherent_search_destroy(const imp_Allocator *allocator, impi_CoherentSearch *search);

/// Replace `pairs` by all pairs of slots, a < b and sorted, whose boxes share a point and whose filters allow
/// it. False when out of memory or cancelled; then `pairs` holds nothing of use. `stats` may be null.
bool impi_coherent_search_pairs(impi_CoherentSearch *search, impi_BoxTable *table,
                                const impi_SearchWork *work, imp_SearchStats *stats, impi_IndexPairs *pairs);

/// The same for whoever may need only a few of the pairs: where there are very many, none is listed and
/// `*is_complete` is false. Then impi_coherent_search_others tells, until the next search or change of the
/// table.
bool impi_coherent_search_few(impi_CoherentSearch *search, impi_BoxTable *table, const impi_SearchWork *work,
                              imp_SearchStats *stats, impi_IndexPairs *pairs, bool *is_complete);

/// The slots above `slot`, in no order, that make a pair with it; returns how many. `others` has room for all
/// rows of the table.
size_t impi_coherent_search_others(const impi_CoherentSearch *search, const impi_BoxTable *table,
                                   uint32_t slot, uint32_t *others);

#endif
