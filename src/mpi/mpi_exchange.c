// Counts of MPI 3.1 are ints, and so are its displacements in MPI_Alltoallv. So rows travel in messages of
// their own, of a gibibyte at most, and only between ranks that have something for each other, which are few
// where a rank has neighbours.
#include "mpi/mpi_exchange.h"

#include <stdlib.h>

#define ROWS_TAG      1
#define MAX_MESSAGE   ((size_t)1 << 30)
#define MAX_WORDS     ((size_t)1 << 27) // of one reduction
#define COMM_OF(user) (((impi_MpiExchange *)(user))->comm)

static MPI_Op operation(impi_Reduction reduction)
{
    switch (reduction) {
    case IMPI_REDUCE_MIN:
        return MPI_MIN;
    case IMPI_REDUCE_MAX:
        return MPI_MAX;
    default:
        return MPI_SUM;
    }
}

static void mpi_all_reduce(void *user, uint64_t *values, size_t count, impi_Reduction reduction)
{
    for (size_t done = 0; done < count; done += MAX_WORDS) {
        size_t left = count - done;
        MPI_Allreduce(MPI_IN_PLACE, values + done, (int)(left < MAX_WORDS ? left : MAX_WORDS), MPI_UINT64_T,
                      operation(reduction), COMM_OF(user));
    }
}

static void mpi_all_gather(void *user, const void *own, size_t size, void *all)
{
    MPI_Allgather(own, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, COMM_OF(user));
}

// MPI leaves the first rank's result as it was.
static uint64_t mpi_prefix_sum(void *user, uint64_t value)
{
    uint64_t sum = 0;
    MPI_Exscan(&value, &sum, 1, MPI_UINT64_T, MPI_SUM, COMM_OF(user));
    return ((impi_MpiExchange *)user)->exchange.rank == 0 ? 0 : sum;
}

static void mpi_all_to_all(void *user, const uint64_t *sent, uint64_t *received)
{
    MPI_Alltoall(sent, 1, MPI_UINT64_T, received, 1, MPI_UINT64_T, COMM_OF(user));
}

// ---- rows

// The part of a stretch that a round of messages takes, in bytes.
typedef struct Piece {
    size_t begin, size;
} Piece;

static Piece piece_of(const size_t *starts, size_t row_size, uint32_t rank, size_t round)
{
    size_t begin = starts[rank] * row_size, size = starts[rank + 1] * row_size - begin;
    size_t skipped = round * MAX_MESSAGE;
    if (skipped >= size)
        return (Piece){begin, 0};
    size_t left = size - skipped;
    return (Piece){begin + skipped, left < MAX_MESSAGE ? left : MAX_MESSAGE};
}

// Returns whether anything was left to send or receive.
static bool deliver_round(impi_MpiExchange *mpi, size_t row_size, const impi_Mail *sent,
                          const impi_MailBox *received, size_t round)
{
    uint32_t rank = mpi->exchange.rank, rank_count = mpi->exchange.rank_count;
    int count = 0;
    // Each rank begins with another partner, so that they don't all send to the same one.
    for (uint32_t i = 1; i < rank_count; ++i) {
        uint32_t other = (rank + rank_count - i) % rank_count;
        Piece piece = piece_of(received->starts, row_size, other, round);
        if (piece.size > 0)
            MPI_Irecv((char *)received->rows + piece.begin, (int)piece.size, MPI_BYTE, (int)other, ROWS_TAG,
                      mpi->comm, &mpi->requests[count++]);
    }
    for (uint32_t i = 1; i < rank_count; ++i) {
        uint32_t other = (rank + i) % rank_count;
        Piece piece = piece_of(sent->starts, row_size, other, round);
        if (piece.size > 0)
            MPI_Isend((const char *)sent->rows + piece.begin, (int)piece.size, MPI_BYTE, (int)other, ROWS_TAG,
                      mpi->comm, &mpi->requests[count++]);
    }
    MPI_Waitall(count, mpi->requests, MPI_STATUSES_IGNORE);
    return count > 0;
}

static void mpi_deliver(void *user, size_t row_size, impi_Mail sent, impi_MailBox received)
{
    impi_MpiExchange *mpi = user;
    for (size_t round = 0; deliver_round(mpi, row_size, &sent, &received, round); ++round)
        ;
}

static const impi_ExchangeCalls mpi_calls = {mpi_all_reduce, mpi_all_gather, mpi_prefix_sum, mpi_all_to_all,
                                             mpi_deliver};

// ---- begin and end

bool impi_mpi_exchange_begin(MPI_Comm comm, impi_MpiExchange *exchange)
{
    int rank, rank_count, failed;
    MPI_Comm_dup(comm, &exchange->comm);
    MPI_Comm_set_errhandler(exchange->comm, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_rank(exchange->comm, &rank);
    MPI_Comm_size(exchange->comm, &rank_count);
    exchange->requests = malloc(2 * (size_t)rank_count * sizeof *exchange->requests);
    failed = !exchange->requests;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, exchange->comm);
    exchange->exchange = (impi_Exchange){(uint32_t)rank, (uint32_t)rank_count, &mpi_calls, exchange};
    if (failed)
        impi_mpi_exchange_end(exchange);
    return !failed;
}

void impi_mpi_exchange_end(impi_MpiExchange *exchange)
{
    free(exchange->requests);
    MPI_Comm_free(&exchange->comm);
}
