#include "base/context.h"
#include "cluster/rank_pairs.h"
#include "mpi/mpi_exchange.h"

#include <impinge/mpi.h>

// Ranks whose arguments are no good still take part, or the others would wait for them for ever; without a
// context there is nothing to tell them with, so all of them learn of it first.
static imp_Status agree_on_contexts(MPI_Comm comm, imp_Status own)
{
    int most = (int)own;
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, comm);
    return (imp_Status)most;
}

imp_Status imp_mpi_pairs_find(MPI_Comm comm, imp_Context *context, const imp_BoxArray *own,
                              const imp_RankDef *def, imp_RankPairs *result)
{
    impi_MpiExchange mpi;
    imp_RankPairs found;
    imp_Status status = impi_context_check(context);
    if (status == IMP_STATUS_OK && !result)
        status = impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "the result is null");
    status = agree_on_contexts(comm, status);
    if (status != IMP_STATUS_OK || !result)
        return status;
    if (!impi_mpi_exchange_begin(comm, &mpi))
        return impi_fail_out_of_memory(context);
    status = impi_rank_pairs_find(&mpi.exchange, context, own, def, &found);
    impi_mpi_exchange_end(&mpi);
    if (status == IMP_STATUS_OK)
        *result = found;
    return status;
}
