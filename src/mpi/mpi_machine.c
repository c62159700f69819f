#include "mpi/mpi_machine.h"

#include "base/cores.h"

#include <unistd.h>

impi_MachineShare impi_machine_share(MPI_Comm comm)
{
    MPI_Comm neighbours;
    int rank_count;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &neighbours);
    MPI_Comm_size(neighbours, &rank_count);
    MPI_Comm_free(&neighbours);
    uint32_t threads = impi_core_count() / (uint32_t)rank_count;
    long pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGESIZE);
    uint64_t memory = pages > 0 && page_size > 0 ? (uint64_t)pages * (uint64_t)page_size : 0;
    return (impi_MachineShare){threads ? threads : 1, memory / (uint32_t)rank_count};
}
