/// Ranks that are the processes of an MPI communicator.
#ifndef IMPINGE_MPI_MPI_EXCHANGE_H
#define IMPINGE_MPI_MPI_EXCHANGE_H

#include "cluster/exchange.h"

#include <mpi.h>
#include <stdbool.h>

typedef struct impi_MpiExchange {
    impi_Exchange exchange;
    MPI_Comm comm;         // one of its own, so that its messages are never taken for a caller's
    MPI_Request *requests; // room for a message to and from each rank
} impi_MpiExchange;

/// All ranks of the communicator call this together. False on all of them when one is out of memory;
/// otherwise end it with impi_mpi_exchange_end, together again. Errors of MPI end the job
/// (MPI_ERRORS_ARE_FATAL).
bool impi_mpi_exchange_begin(MPI_Comm comm, impi_MpiExchange *exchange);
void impi_mpi_exchange_end(impi_MpiExchange *exchange);

#endif
