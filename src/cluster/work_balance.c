// The estimate is the number of blocks that the search will compare, and a share for each box that sorting
// and filling take: counts, so that runs are repeatable. It is known for each group of blocks; each box of a
// group weighs as much as the others when space is divided by weight.
#include "cluster/work_balance.h"

#include "cluster/box_split.h"

#include <string.h>

// The heaviest rank may have this much more than the mean, in percent.
#define MOST_SURPLUS 10

// Dividing anew makes other groups of boxes, whose work is another: it ends after so many times.
#define MAX_ROUNDS 3

// What a box weighs besides the pairs of blocks it is in, and what one pair weighs: nanoseconds of a million
// unit cubes (`impinge pairs --stats`, one thread), 30 of sorting and filling for a box, 18 of searching for
// a pair.
#define BOX_WEIGHT        30
#define BLOCK_PAIR_WEIGHT 18

#define GROUP_LANES (IMPI_LANES * IMPI_LANES)

// Of very many groups, one in so many is counted, which stands for those that follow: neighbours are alike.
#define MOST_COUNTED_STEP 4
#define MANY_GROUPS       256

// Of a box in each group.
static uint32_t *estimate(impi_RankSearch *search, uint64_t *total)
{
    impi_Cluster *cluster = search->cluster;
    size_t group_count = search->own_lanes / GROUP_LANES;
    size_t step = group_count < MANY_GROUPS ? 1 : MOST_COUNTED_STEP;
    uint64_t *counts = impi_cluster_allocate(cluster, group_count, sizeof *counts);
    uint32_t *weights = impi_cluster_allocate(cluster, group_count, sizeof *weights);
    *total = 0;
    if (!counts || !weights || cluster->status != IMP_STATUS_OK)
        return weights;
    if (group_count > 0) {
        memset(counts, 0, group_count * sizeof *counts);
        impi_octree_count_block_pairs(&search->work, &search->octree, step, counts);
    }
    for (size_t group = 0; group < group_count; ++group) {
        size_t left = search->own_count - group * GROUP_LANES,
               boxes = left < GROUP_LANES ? left : GROUP_LANES;
        uint64_t weight = BOX_WEIGHT + counts[group / step] * BLOCK_PAIR_WEIGHT / boxes;
        weights[group] = weight < UINT32_MAX ? (uint32_t)weight : UINT32_MAX;
        *total += weights[group] * boxes;
    }
    impi_cluster_keep(cluster, impi_watch_status(cluster->context), IMPI_CLUSTER_NO_ORDER);
    return weights;
}

static bool is_even(impi_Cluster *cluster, uint64_t own)
{
    uint64_t most = own, sum = own, rank_count = cluster->exchange->rank_count;
    impi_cluster_all_reduce(cluster, &most, 1, IMPI_REDUCE_MAX);
    impi_cluster_all_reduce(cluster, &sum, 1, IMPI_REDUCE_SUM);
    return most / (100 + MOST_SURPLUS) <= sum / rank_count / 100;
}

// Boxes by the weights of their groups.
static uint32_t *weigh_boxes(const impi_RankSearch *search, const uint32_t *group_weights)
{
    uint32_t *weights = impi_cluster_allocate(search->cluster, search->own_count, sizeof *weights);
    for (size_t i = 0; weights && i < search->own_count; ++i)
        weights[search->octree.order[i]] = group_weights[i / GROUP_LANES];
    return weights;
}

imp_Status impi_work_balance(impi_RankSearch *search)
{
    impi_Cluster *cluster = search->cluster;
    for (int round = 0; cluster->exchange->rank_count > 1; ++round) {
        uint64_t total;
        uint32_t *group_weights = estimate(search, &total);
        imp_Status status = impi_cluster_agree(cluster);
        if (status != IMP_STATUS_OK)
            return status;
        if (is_even(cluster, total) || round == MAX_ROUNDS)
            return IMP_STATUS_OK;
        uint32_t *weights = weigh_boxes(search, group_weights);
        status = impi_cluster_agree(cluster);
        if (status != IMP_STATUS_OK)
            return status;
        impi_RankBoxes boxes;
        status = impi_boxes_split(cluster, search->grid, &search->boxes, weights, &boxes);
        if (status != IMP_STATUS_OK)
            return status;
        if (cluster->stats)
            ++cluster->stats->move_count;
        uint64_t first_set_count = search->first_set_count;
        impi_rank_search_end(search);
        impi_rank_search_begin(search, cluster, search->grid, &boxes);
        search->first_set_count = first_set_count;
    }
    return IMP_STATUS_OK;
}
