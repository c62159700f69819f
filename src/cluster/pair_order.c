#include "cluster/pair_order.h"

#include "cluster/key_cuts.h"
#include "cluster/mailing.h"

#include <string.h>

// A share is eight of these or more, so that shares are alike.
static uint64_t stretch_unit(uint64_t total, uint32_t rank_count)
{
    uint64_t unit = IMPI_MOST_STRETCH_UNIT;
    while (unit > IMPI_LEAST_STRETCH_UNIT && total / rank_count < 8 * unit)
        unit /= 2;
    return unit;
}

// Where the stretch of a rank begins: even shares, moved to where a unit of the file begins.
static uint64_t stretch_start(uint64_t total, uint32_t rank, uint32_t rank_count)
{
    uint64_t even = impi_even_share(total, rank, rank_count);
    uint64_t unit = stretch_unit(total, rank_count), units = (even + IMPI_HEADER_PAIRS + unit / 2) / unit;
    uint64_t start = units ? units * unit - IMPI_HEADER_PAIRS : 0;
    return rank == rank_count || start > total ? total : start;
}

typedef struct Ordering {
    impi_Cluster *cluster;
    const impi_SearchWork *work;
    unsigned index_bits;
    uint64_t *keys; // found by this rank
    size_t key_count;
    uint64_t *cuts;
    impi_Mailing mailing;
    impi_Routes routes;
} Ordering;

static imp_Status find_cuts(Ordering *ordering, uint64_t total)
{
    uint32_t rank_count = ordering->cluster->exchange->rank_count;
    for (uint32_t i = 1; i < rank_count; ++i)
        ordering->cuts[i - 1] = stretch_start(total, i, rank_count);
    impi_SpreadKeys keys = {ordering->keys, NULL, ordering->key_count, 2 * ordering->index_bits};
    return impi_key_cuts_find(ordering->cluster, &keys, ordering->cuts, rank_count - 1, ordering->cuts);
}

static imp_Status send_keys(Ordering *ordering, uint64_t **received)
{
    impi_Cluster *cluster = ordering->cluster;
    imp_Status status = impi_cluster_post(cluster, &ordering->routes);
    if (status != IMP_STATUS_OK)
        return status;
    uint64_t *packed = impi_cluster_allocate(cluster, ordering->key_count, sizeof *packed);
    *received =
        impi_cluster_allocate(cluster, impi_routes_received(cluster, &ordering->routes), sizeof **received);
    status = impi_cluster_agree(cluster);
    if (status != IMP_STATUS_OK)
        return status;
    impi_mailing_pack(cluster, &ordering->mailing, sizeof *packed, ordering->keys, packed, *received);
    impi_cluster_deliver(cluster, sizeof *packed, packed, *received, &ordering->routes);
    return IMP_STATUS_OK;
}

static void sort_stretch(const Ordering *ordering, uint64_t *keys, size_t count, imp_RankPairs *result)
{
    impi_Cluster *cluster = ordering->cluster;
    uint64_t *spare = impi_cluster_allocate(cluster, count, sizeof *spare);
    imp_IndexPair *pairs = impi_cluster_allocate(cluster, count, sizeof *pairs);
    if (!spare || !pairs)
        return;
    impi_cluster_keep_undone(
        cluster, impi_pair_keys_sort(ordering->work, keys, spare, count, ordering->index_bits, pairs));
    result->pairs = pairs;
    result->count = count;
}

imp_Status impi_pairs_order(impi_Cluster *cluster, const impi_SearchWork *work, impi_PairStore *store,
                            imp_RankPairs *result)
{
    uint32_t rank = cluster->exchange->rank, rank_count = cluster->exchange->rank_count;
    Ordering ordering = {.cluster = cluster,
                         .work = work,
                         .index_bits = store->index_bits,
                         .key_count = impi_pair_store_kept(store),
                         .routes = impi_cluster_routes(cluster)};
    uint64_t total = ordering.key_count, *received;
    ordering.keys = impi_cluster_allocate(cluster, ordering.key_count, sizeof *ordering.keys);
    ordering.cuts = impi_cluster_allocate(cluster, rank_count, sizeof *ordering.cuts);
    imp_Status status = impi_cluster_agree(cluster);
    if (status != IMP_STATUS_OK)
        return status;
    impi_pair_store_copy(store, ordering.keys);
    impi_cluster_all_reduce(cluster, &total, 1, IMPI_REDUCE_SUM);
    status = find_cuts(&ordering, total);
    if (status != IMP_STATUS_OK)
        return status;
    impi_mailing_make(cluster, ordering.keys, ordering.key_count, 2 * ordering.index_bits, ordering.cuts,
                      &ordering.routes, &ordering.mailing);
    status = send_keys(&ordering, &received);
    if (status != IMP_STATUS_OK)
        return status;
    imp_RankPairs found = {.first = stretch_start(total, rank, rank_count), .total = total};
    sort_stretch(&ordering, received, impi_routes_received(cluster, &ordering.routes), &found);
    status = impi_cluster_agree(cluster);
    if (status == IMP_STATUS_OK)
        *result = found;
    return status;
}
