/// Pairs that may overlap, kept while boxes stay within reach (see box_table.h).
#ifndef IMPINGE_BROAD_CANDIDATES_H
#define IMPINGE_BROAD_CANDIDATES_H

#include "base/arena.h"
#include "broad/box_rows.h"
#include "broad/pair_changes.h"

/// Replace `pairs` by those candidates whose boxes share a point, in the same order. False when out of
/// memory.
bool impi_candidates_test(const imp_Executor *executor, impi_Arena *scratch, const impi_BoxRows *rows,
                          const impi_IndexPairs *candidates, impi_IndexPairs *pairs);

#endif
