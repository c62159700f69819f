/// Boxes that are spread over the ranks of an MPI job: which of them overlap?
///
/// Part of libimpinge-mpi, which holds all of libimpinge as well: link it in its place. See docs/cluster.md.
#ifndef IMPINGE_MPI_H
#define IMPINGE_MPI_H

#include <impinge/ranks.h>

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Find every pair of boxes of all ranks that share a point. All ranks of the communicator call this
/// together, each with its own boxes (none is fine), which are numbered in the order of ranks, and with a
/// context of its own. The pairs, as imp_pairs_find would find them of all boxes together, are sorted and
/// spread over the ranks: `result` is this rank's stretch, in scratch memory of the context, valid until the
/// next call of any function that gets the context or works in it, getters aside. The same for any number of
/// ranks and threads.
///
/// `def` may be null; count_only and first_set_count are the same on all ranks. The status is the same on all
/// ranks, as is the error in their contexts; a bad box is named by its number among all
/// (IMP_STATUS_BAD_NUMBER). Messages travel in a copy of the communicator. MPI must be initialised; one
/// thread per rank calls it.
IMP_CHECKED imp_Status imp_mpi_pairs_find(MPI_Comm comm, imp_Context *context, const imp_BoxArray *own,
                                          const imp_RankDef *def, imp_RankPairs *result);

#ifdef __cplusplus
}
#endif

#endif
