#include "cluster/cluster.h"

#include "base/clock.h"
#include "base/memory.h"

#include <string.h>

void impi_cluster_begin(impi_Cluster *cluster, const impi_Exchange *exchange, imp_Context *context,
                        imp_RankStats *stats)
{
    *cluster = (impi_Cluster){
        exchange, context, stats, IMP_RANK_READ, impi_clock_ns(), IMP_STATUS_OK, IMPI_CLUSTER_NO_ORDER};
}

// ---- time, bytes, messages

static void end_phase(impi_Cluster *cluster)
{
    uint64_t now = impi_clock_ns();
    if (cluster->stats)
        cluster->stats->work_ns[cluster->part] += now - cluster->since_ns;
    cluster->since_ns = now;
}

static void end_call(impi_Cluster *cluster, uint64_t bytes, uint64_t messages)
{
    uint64_t now = impi_clock_ns();
    if (cluster->stats) {
        cluster->stats->exchange_ns[cluster->part] += now - cluster->since_ns;
        cluster->stats->bytes[cluster->part] += bytes;
        cluster->stats->messages[cluster->part] += messages;
    }
    cluster->since_ns = now;
}

void impi_cluster_enter(impi_Cluster *cluster, imp_RankPart part)
{
    end_phase(cluster);
    cluster->part = part;
}

void impi_cluster_end(impi_Cluster *cluster)
{
    end_phase(cluster);
}

// Rounds of a call in which each rank's data spreads to twice as many ranks.
static uint64_t doubling_rounds(const impi_Cluster *cluster)
{
    uint64_t rounds = 0;
    while (((uint64_t)1 << rounds) < cluster->exchange->rank_count)
        ++rounds;
    return rounds;
}

// ---- failures

void impi_cluster_keep(impi_Cluster *cluster, imp_Status status, uint64_t order)
{
    if (status == IMP_STATUS_OK || cluster->status != IMP_STATUS_OK)
        return;
    cluster->status = status;
    cluster->order = order;
}

void *impi_cluster_allocate_in(impi_Cluster *cluster, impi_Arena *arena, size_t count, size_t size)
{
    void *room = impi_arena_allocate_array(arena, count, size);
    if (!room && cluster->status == IMP_STATUS_OK)
        impi_cluster_keep(cluster, impi_fail_out_of_memory(cluster->context), IMPI_CLUSTER_NO_ORDER);
    return room;
}

void *impi_cluster_allocate(impi_Cluster *cluster, size_t count, size_t size)
{
    return impi_cluster_allocate_in(cluster, &cluster->context->scratch, count, size);
}

void impi_cluster_keep_undone(impi_Cluster *cluster, bool is_done)
{
    imp_Status status = impi_watch_status(cluster->context);
    if (status == IMP_STATUS_OK && !is_done)
        status = impi_fail_out_of_memory(cluster->context);
    impi_cluster_keep(cluster, status, IMPI_CLUSTER_NO_ORDER);
}

// Some rank has failed: all learn which failure comes first. The error travels in pieces that all ranks add
// up, since only one of them has any: so no room is needed.
static imp_Status spread_failure(impi_Cluster *cluster)
{
    imp_Error *error = &cluster->context->error;
    uint32_t rank = cluster->exchange->rank;
    uint64_t least = cluster->status == IMP_STATUS_OK ? UINT64_MAX : cluster->order;
    impi_cluster_all_reduce(cluster, &least, 1, IMPI_REDUCE_MIN);
    bool is_mine = cluster->status != IMP_STATUS_OK && cluster->order == least;
    uint64_t first_rank = is_mine ? rank : UINT64_MAX;
    impi_cluster_all_reduce(cluster, &first_rank, 1, IMPI_REDUCE_MIN);
    uint64_t words[(sizeof *error + sizeof(uint64_t) - 1) / sizeof(uint64_t)] = {0};
    if (first_rank == rank)
        memcpy(words, error, sizeof *error);
    impi_cluster_all_reduce(cluster, words, sizeof words / sizeof *words, IMPI_REDUCE_SUM);
    memcpy(error, words, sizeof *error);
    cluster->status = IMP_STATUS_OK;
    cluster->order = IMPI_CLUSTER_NO_ORDER;
    return error->status;
}

imp_Status impi_cluster_agree(impi_Cluster *cluster)
{
    uint64_t failed = cluster->status != IMP_STATUS_OK;
    impi_cluster_all_reduce(cluster, &failed, 1, IMPI_REDUCE_MAX);
    return failed ? spread_failure(cluster) : IMP_STATUS_OK;
}

// ---- calls

void impi_cluster_all_reduce(impi_Cluster *cluster, uint64_t *values, size_t count, impi_Reduction reduction)
{
    const impi_Exchange *exchange = cluster->exchange;
    end_phase(cluster);
    exchange->calls->all_reduce(exchange->user, values, count, reduction);
    end_call(cluster, 2 * count * sizeof *values * (exchange->rank_count > 1), doubling_rounds(cluster));
}

void impi_cluster_all_gather(impi_Cluster *cluster, const void *own, size_t size, void *all)
{
    const impi_Exchange *exchange = cluster->exchange;
    end_phase(cluster);
    exchange->calls->all_gather(exchange->user, own, size, all);
    end_call(cluster, size * (exchange->rank_count - 1), doubling_rounds(cluster));
}

uint64_t impi_cluster_prefix_sum(impi_Cluster *cluster, uint64_t value)
{
    const impi_Exchange *exchange = cluster->exchange;
    end_phase(cluster);
    uint64_t sum = exchange->calls->prefix_sum(exchange->user, value);
    end_call(cluster, doubling_rounds(cluster) * sizeof value, doubling_rounds(cluster));
    return sum;
}

impi_Routes impi_cluster_routes(impi_Cluster *cluster)
{
    size_t count = cluster->exchange->rank_count + (size_t)1;
    size_t *starts = impi_cluster_allocate(cluster, count, 2 * sizeof *starts);
    if (!starts)
        return (impi_Routes){NULL, NULL};
    memset(starts, 0, 2 * count * sizeof *starts);
    return (impi_Routes){starts, starts + count};
}

imp_Status impi_cluster_post(impi_Cluster *cluster, const impi_Routes *routes)
{
    const impi_Exchange *exchange = cluster->exchange;
    uint32_t rank_count = exchange->rank_count;
    uint64_t *counts = impi_cluster_allocate(cluster, rank_count, 2 * sizeof *counts);
    // Without room for the counts nothing can be said in their place.
    imp_Status status = impi_cluster_agree(cluster);
    if (status != IMP_STATUS_OK)
        return status;
    for (uint32_t rank = 0; rank < rank_count; ++rank)
        counts[rank] = routes->sent_starts[rank + 1] - routes->sent_starts[rank];
    end_phase(cluster);
    exchange->calls->all_to_all(exchange->user, counts, counts + rank_count);
    end_call(cluster, sizeof *counts * (rank_count - 1), rank_count - 1);
    for (uint32_t rank = 0; rank < rank_count; ++rank)
        routes->received_starts[rank + 1] = routes->received_starts[rank] + (size_t)counts[rank_count + rank];
    return IMP_STATUS_OK;
}

void impi_cluster_deliver(impi_Cluster *cluster, size_t row_size, const void *sent, void *received,
                          const impi_Routes *routes)
{
    const impi_Exchange *exchange = cluster->exchange;
    impi_Mail out = {sent, routes->sent_starts};
    impi_MailBox in = {received, routes->received_starts};
    size_t own = routes->sent_starts[exchange->rank + 1] - routes->sent_starts[exchange->rank];
    uint64_t messages = 0;
    for (uint32_t rank = 0; rank < exchange->rank_count; ++rank)
        messages += rank != exchange->rank && routes->sent_starts[rank + 1] > routes->sent_starts[rank];
    end_phase(cluster);
    exchange->calls->deliver(exchange->user, row_size, out, in);
    end_call(cluster, row_size * (impi_routes_sent(cluster, routes) - own), messages);
}

void impi_cluster_deliver_own(const impi_Cluster *cluster, size_t row_size, const void *sent, void *received,
                              const impi_Routes *routes)
{
    uint32_t own = cluster->exchange->rank;
    size_t count = routes->sent_starts[own + 1] - routes->sent_starts[own];
    if (count > 0)
        memcpy((char *)received + row_size * routes->received_starts[own],
               (const char *)sent + row_size * routes->sent_starts[own], row_size * count);
}
