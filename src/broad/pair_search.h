/// One search for all pairs of boxes, among one set of them or between two.
#ifndef IMPINGE_BROAD_PAIR_SEARCH_H
#define IMPINGE_BROAD_PAIR_SEARCH_H

#include "base/context.h"
#include "broad/linear_octree.h"
#include "broad/pair_store.h"

/// A set of boxes, or with `others` two sets: then a pair is a box of each.
typedef struct impi_BoxSets {
    const imp_BoxArray *boxes;
    const imp_BoxArray *others; // null: pairs among `boxes`
} impi_BoxSets;

/// Boxes are numbered through: those of the second set follow those of the first.
typedef struct impi_PairSearch {
    imp_Context *context;
    impi_SearchWork work;
    impi_BoxRows rows;
    size_t set_counts[2];
    bool is_between; // two sets
    impi_Octree octree;
    impi_PairStore store;
} impi_PairSearch;

/// Are the sets given as they should be? IMP_STATUS_BAD_ARGUMENT, IMP_STATUS_TOO_LARGE or OK.
imp_Status impi_box_sets_check(imp_Context *context, const impi_BoxSets *sets);

/// Find all pairs and keep up to `limit` of them in the store; its total tells how many there are. The sets
/// have passed the check; everything is allocated in `arena`. IMP_STATUS_BAD_NUMBER with the index of a bad
/// box in its set. Call impi_pair_search_end in any case.
imp_Status impi_pair_search_run(impi_PairSearch *search, imp_Context *context, const impi_BoxSets *sets,
                                uint64_t limit, impi_Arena *arena);
void impi_pair_search_end(impi_PairSearch *search);

/// Write the pairs kept, sorted, to `pairs`, which has room for them, with numbers in their sets.
imp_Status impi_pair_search_write(impi_PairSearch *search, imp_IndexPair *pairs);

#endif
