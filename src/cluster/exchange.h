/// What ranks tell each other. Ranks are the processes of one job, or for tests and models threads of one
/// process, and do the same calls in the same order.
///
/// Implemented twice: cluster/local_exchange.h, and on MPI in mpi/. None of the calls fails: when a rank is
/// lost, the job ends.
#ifndef IMPINGE_CLUSTER_EXCHANGE_H
#define IMPINGE_CLUSTER_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

typedef enum impi_Reduction {
    IMPI_REDUCE_SUM,
    IMPI_REDUCE_MIN,
    IMPI_REDUCE_MAX,
} impi_Reduction;

/// Rows for each rank, in the order of ranks: those for rank r are [starts[r], starts[r + 1]).
typedef struct impi_Mail {
    const void *rows;
    const size_t *starts; // one more than there are ranks
} impi_Mail;

/// Room for rows from each rank, likewise.
typedef struct impi_MailBox {
    void *rows;
    const size_t *starts;
} impi_MailBox;

typedef struct impi_ExchangeCalls {
    /// values[i] becomes the reduction of all ranks' values[i].
    void (*all_reduce)(void *user, uint64_t *values, size_t count, impi_Reduction reduction);

    /// all[r] becomes what rank r has; `size` bytes each, the same on all ranks.
    void (*all_gather)(void *user, const void *own, size_t size, void *all);

    /// The sum of the values of all ranks before this one.
    uint64_t (*prefix_sum)(void *user, uint64_t value);

    /// received[r] becomes what rank r has in sent[this rank].
    void (*all_to_all)(void *user, const uint64_t *sent, uint64_t *received);

    /// Rows of any numbers, `row_size` bytes each: this rank's `received` stretch for r becomes rank r's
    /// `sent` stretch for this one, and is as long. What a rank has for itself is not moved: it is where it
    /// belongs.
    void (*deliver)(void *user, size_t row_size, impi_Mail sent, impi_MailBox received);
} impi_ExchangeCalls;

typedef struct impi_Exchange {
    uint32_t rank, rank_count;
    const impi_ExchangeCalls *calls;
    void *user;
} impi_Exchange;

#endif
