/// What a machine has for each of the ranks of a job that run on it.
#ifndef IMPINGE_MPI_MPI_MACHINE_H
#define IMPINGE_MPI_MPI_MACHINE_H

#include <mpi.h>
#include <stdint.h>

typedef struct impi_MachineShare {
    uint32_t thread_count; // of the cores that it may use; at least 1
    uint64_t memory_bytes;
} impi_MachineShare;

/// All ranks of the communicator call this together.
impi_MachineShare impi_machine_share(MPI_Comm comm);

#endif
