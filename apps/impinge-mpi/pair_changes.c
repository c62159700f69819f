// Both lists are sorted and cut into stretches, one per rank, but at different places. Pairs of the earlier
// one travel to the rank whose stretch of the later one they fall into, where the two are compared.
#include "pair_changes.h"

#include <stdlib.h>

static uint64_t key_of(imp_IndexPair pair)
{
    return (uint64_t)pair.a << 32 | pair.b;
}

static size_t lower_bound(const uint64_t *keys, size_t count, uint64_t key)
{
    size_t begin = 0, end = count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (keys[middle] < key)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

void pair_changes_free(PairChanges *changes)
{
    free(changes->earlier);
    *changes = (PairChanges){0};
}

// Where the stretches of the ranks begin. One without pairs begins where the next one does, but for the
// first, which takes whatever comes before all of them.
static void route_earlier(RankJob *job, const imp_RankPairs *found, const PairChanges *changes,
                          uint64_t *cuts, impi_Routes *routes)
{
    uint32_t rank_count = rank_job_rank_count(job);
    uint64_t first = found->count > 0 ? key_of(found->pairs[0]) : UINT64_MAX;
    impi_cluster_all_gather(&job->cluster, &first, sizeof first, cuts);
    routes->sent_starts[rank_count] = changes->earlier_count;
    for (uint32_t rank = rank_count; rank-- > 1;) {
        if (cuts[rank] == UINT64_MAX && rank + 1 < rank_count)
            cuts[rank] = cuts[rank + 1];
        routes->sent_starts[rank] = lower_bound(changes->earlier, changes->earlier_count, cuts[rank]);
    }
}

static uint64_t count_common(const imp_RankPairs *found, const uint64_t *earlier, size_t earlier_count)
{
    uint64_t common = 0;
    for (size_t i = 0, k = 0; i < found->count && k < earlier_count;) {
        uint64_t key = key_of(found->pairs[i]);
        common += key == earlier[k];
        i += key <= earlier[k];
        k += earlier[k] <= key;
    }
    return common;
}

static CommandResult keep_found(RankJob *job, const imp_RankPairs *found, PairChanges *changes)
{
    pair_changes_free(changes);
    changes->earlier = rank_job_allocate(job, found->count, sizeof *changes->earlier);
    if (rank_job_agree(job) != COMMAND_DONE)
        return COMMAND_FAILED;
    for (size_t i = 0; i < found->count; ++i)
        changes->earlier[i] = key_of(found->pairs[i]);
    changes->earlier_count = found->count;
    changes->earlier_total = found->total;
    return COMMAND_DONE;
}

CommandResult pair_changes_step(RankJob *job, const imp_RankPairs *found, PairChanges *changes,
                                PairsFrame *frame)
{
    impi_Cluster *cluster = &job->cluster;
    impi_Routes routes = impi_cluster_routes(cluster);
    uint64_t *cuts = impi_cluster_allocate(cluster, rank_job_rank_count(job), sizeof *cuts);
    if (rank_job_agree(job) != COMMAND_DONE)
        return COMMAND_FAILED;
    route_earlier(job, found, changes, cuts, &routes);
    if (impi_cluster_post(cluster, &routes) != IMP_STATUS_OK)
        return rank_job_fail(job);
    size_t received_count = impi_routes_received(cluster, &routes);
    uint64_t *received = impi_cluster_allocate(cluster, received_count, sizeof *received);
    if (rank_job_agree(job) != COMMAND_DONE)
        return COMMAND_FAILED;
    impi_cluster_deliver(cluster, sizeof *received, changes->earlier, received, &routes);
    impi_cluster_deliver_own(cluster, sizeof *received, changes->earlier, received, &routes);
    uint64_t common = count_common(found, received, received_count);
    impi_cluster_all_reduce(cluster, &common, 1, IMPI_REDUCE_SUM);
    *frame = (PairsFrame){found->total, found->total - common, changes->earlier_total - common};
    return keep_found(job, found, changes);
}
