// After Lucchesi, Egbert & Harris, "A Parallel Linear Octree Collision Detection Algorithm", for many
// machines. Departures from the paper, and why:
//
// - There is no master. Slaves there send their sorted octal codes to one machine, which merges them: more
//   than a quarter of the time on forty processors. Here space is divided: boxes travel once, each rank
//   searches its own part with the octree of one machine, and each pair travels once to its place in the
//   output.
// - What overlaps across ranks is found through boxes that travel to a neighbour (halo.h), not through codes
//   that stand side by side in one list.
// - Ranks own equal numbers of boxes; where work lies unevenly they divide space anew by the work that was
//   estimated, which is a count and not a time, so that it is the same each time.
#include "cluster/rank_pairs.h"

#include "base/scratch_call.h"
#include "broad/pair_search.h"
#include "cluster/box_split.h"
#include "cluster/halo.h"
#include "cluster/pair_order.h"
#include "cluster/rank_search.h"
#include "cluster/work_balance.h"

// ---- what is given

static imp_Status check_own(imp_Context *context, const imp_BoxArray *own, const imp_RankDef *def)
{
    impi_BoxSets sets = {own, NULL};
    imp_Status status = impi_box_sets_check(context, &sets);
    return status == IMP_STATUS_OK ? IMPI_CHECK_RESERVED(context, def) : status;
}

// ---- one call

static imp_Status finish(impi_RankSearch *search, bool count_only, imp_RankPairs *result)
{
    impi_Cluster *cluster = search->cluster;
    impi_cluster_enter(cluster, IMP_RANK_SEARCH);
    uint64_t found = impi_rank_search_run(search, count_only);
    if (cluster->stats)
        cluster->stats->pair_count += found;
    impi_cluster_enter(cluster, IMP_RANK_ORDER);
    imp_Status status = impi_cluster_agree(cluster);
    if (status != IMP_STATUS_OK)
        return status;
    if (!count_only)
        return impi_pairs_order(cluster, &search->work, &search->store, result);
    impi_cluster_all_reduce(cluster, &found, 1, IMPI_REDUCE_SUM);
    *result = (imp_RankPairs){.total = found};
    return IMP_STATUS_OK;
}

static imp_Status find_pairs(impi_Cluster *cluster, const imp_BoxArray *own, const imp_RankDef *def,
                             impi_RankSearch *search, imp_RankPairs *result)
{
    impi_CommonGrid *grid = impi_cluster_allocate(cluster, 1, sizeof *grid);
    impi_RankBoxes given = {0}, boxes = {0};
    imp_Status status = impi_cluster_agree(cluster);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_common_grid_choose(cluster, own, grid, &given);
    if (status != IMP_STATUS_OK)
        return status;
    impi_cluster_enter(cluster, IMP_RANK_SPLIT);
    impi_boxes_make_keys(cluster, grid, &given);
    status = impi_boxes_split(cluster, grid, &given, NULL, &boxes);
    if (status != IMP_STATUS_OK)
        return status;
    impi_cluster_enter(cluster, IMP_RANK_SEARCH);
    impi_rank_search_begin(search, cluster, grid, &boxes);
    search->first_set_count = def->first_set_count;
    impi_cluster_enter(cluster, IMP_RANK_BALANCE);
    status = impi_work_balance(search);
    if (status != IMP_STATUS_OK)
        return status;
    impi_cluster_enter(cluster, IMP_RANK_HALO);
    status = impi_halo_exchange(search);
    return status == IMP_STATUS_OK ? finish(search, def->count_only, result) : status;
}

imp_Status impi_rank_pairs_find(const impi_Exchange *exchange, imp_Context *context, const imp_BoxArray *own,
                                const imp_RankDef *def, imp_RankPairs *result)
{
    static const imp_RankDef no_def;
    impi_Cluster cluster;
    impi_RankSearch search = {0};
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    def = def ? def : &no_def;
    impi_cluster_begin(&cluster, exchange, context, def->stats);
    impi_cluster_keep(&cluster, check_own(context, own, def), exchange->rank);
    imp_Status status = impi_cluster_agree(&cluster);
    if (status == IMP_STATUS_OK)
        status = find_pairs(&cluster, own, def, &search, result);
    if (search.cluster)
        impi_rank_search_end(&search);
    impi_cluster_end(&cluster);
    return impi_scratch_call_keep(context, guard, status);
}
