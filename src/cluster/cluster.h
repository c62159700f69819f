/// A rank at work: its exchange, its context, and what its phases took.
///
/// Work is a sequence of phases, each on this rank alone, with calls of the exchange between them. What fails
/// in a phase (memory, bad input) is kept until the next call of impi_cluster_agree or impi_cluster_post,
/// where all ranks learn of it and give up together: so all of them always do the same calls.
#ifndef IMPINGE_CLUSTER_CLUSTER_H
#define IMPINGE_CLUSTER_CLUSTER_H

#include "base/context.h"
#include "cluster/exchange.h"

#include <impinge/ranks.h>

typedef struct impi_Cluster {
    const impi_Exchange *exchange;
    imp_Context *context;
    imp_RankStats *stats; // null: nobody wants them
    imp_RankPart part;    // what time and messages count for
    uint64_t since_ns;    // when this rank's current phase began
    imp_Status status;    // the first failure on this rank since all agreed that there is none
    uint64_t order;       // of that failure among those of all ranks: the least one is told
} impi_Cluster;

/// Failures without an index come after all that have one.
#define IMPI_CLUSTER_NO_ORDER (UINT64_MAX - 1)

/// Work begins now. `stats` may be null; what is done is added to them.
void impi_cluster_begin(impi_Cluster *cluster, const impi_Exchange *exchange, imp_Context *context,
                        imp_RankStats *stats);

/// From now on time and messages count for this part.
void impi_cluster_enter(impi_Cluster *cluster, imp_RankPart part);

/// Work ends, and with it the phase that goes on.
void impi_cluster_end(impi_Cluster *cluster);

/// Keep a failure, if it is one and the first; its error stands in the context. `order` is a global index, or
/// IMPI_CLUSTER_NO_ORDER.
void impi_cluster_keep(impi_Cluster *cluster, imp_Status status, uint64_t order);

/// Room in the context's scratch memory; when there is none, null, and that is kept as a failure.
void *impi_cluster_allocate(impi_Cluster *cluster, size_t count, size_t size);

/// The same in another arena, for what has to stay while public functions are called: they empty the scratch
/// memory.
void *impi_cluster_allocate_in(impi_Cluster *cluster, impi_Arena *arena, size_t count, size_t size);

/// Keep a failure when the watch has told a phase to end, or when it was not done for want of memory.
void impi_cluster_keep_undone(impi_Cluster *cluster, bool is_done);

/// Where part i of `part_count` even parts of a total begins: not total * i / part_count, which may be beyond
/// 64 bits.
static inline uint64_t impi_even_share(uint64_t total, uint64_t i, uint64_t part_count)
{
    return total / part_count * i + total % part_count * i / part_count;
}

/// OK when no rank has kept a failure. Otherwise all ranks get the same status, and its error stands in all
/// contexts: that with the least order, of the first rank among equals.
imp_Status impi_cluster_agree(impi_Cluster *cluster);

// ---- the calls of the exchange, counted

void impi_cluster_all_reduce(impi_Cluster *cluster, uint64_t *values, size_t count, impi_Reduction reduction);
void impi_cluster_all_gather(impi_Cluster *cluster, const void *own, size_t size, void *all);
uint64_t impi_cluster_prefix_sum(impi_Cluster *cluster, uint64_t value);

/// How rows travel: how many go to each rank and come from it. `sent_starts` and `received_starts` have room
/// for one more number than there are ranks.
typedef struct impi_Routes {
    size_t *sent_starts, *received_starts;
} impi_Routes;

/// Room for routes, which begin empty. Keeps a failure when there is none.
impi_Routes impi_cluster_routes(impi_Cluster *cluster);

static inline size_t impi_routes_sent(const impi_Cluster *cluster, const impi_Routes *routes)
{
    return routes->sent_starts[cluster->exchange->rank_count];
}

static inline size_t impi_routes_received(const impi_Cluster *cluster, const impi_Routes *routes)
{
    return routes->received_starts[cluster->exchange->rank_count];
}

/// Once all ranks agree, as by impi_cluster_agree: tell each how many rows come (sent_starts), and learn how
/// many to expect (received_starts). Where `routes` could not be made, a failure is kept, and they are not
/// looked at.
imp_Status impi_cluster_post(impi_Cluster *cluster, const impi_Routes *routes);

/// Deliver what was posted, once all have agreed that there is room for it. What a rank has for itself is not
/// moved.
void impi_cluster_deliver(impi_Cluster *cluster, size_t row_size, const void *sent, void *received,
                          const impi_Routes *routes);

/// Move that, where it is not in its place already.
void impi_cluster_deliver_own(const impi_Cluster *cluster, size_t row_size, const void *sent, void *received,
                              const impi_Routes *routes);

#endif
