#include "cluster/rank_search.h"

#include "cluster/box_split.h"

#include <assert.h>
#include <string.h>

#define GROUP_LANES (IMPI_LANES * IMPI_LANES)

static size_t round_up(size_t count, size_t multiple)
{
    return (count + multiple - 1) / multiple * multiple;
}

// ---- own boxes

static bool make_room(impi_RankSearch *search, size_t lane_room)
{
    search->lane_room = lane_room;
    search->octree.order = impi_cluster_allocate(search->cluster, lane_room, sizeof *search->octree.order);
    void *levels = impi_cluster_allocate(search->cluster, impi_octree_levels_size(lane_room), 1);
    if (!search->octree.order || !levels)
        return false;
    impi_octree_lay_out(&search->octree, lane_room, levels);
    return true;
}

static void order_own(impi_RankSearch *search)
{
    impi_BoxRows rows = impi_common_grid_rows(search->grid, search->boxes.rows, search->own_count);
    impi_GivenKeys given = {&search->grid->window, search->boxes.keys, search->class_starts};
    bool is_done = impi_octree_sort_given(&search->work, &rows, &given, search->octree.order);
    for (size_t i = search->own_count; i < search->own_lanes; ++i)
        search->octree.order[i] = IMPI_NO_BOX;
    impi_cluster_keep_undone(search->cluster, is_done);
    if (!is_done)
        return;
    impi_octree_use(&search->octree, search->own_lanes);
    impi_octree_fill(&search->work, &rows, &search->octree, &search->is_exact);
}

void impi_rank_search_begin(impi_RankSearch *search, impi_Cluster *cluster, const impi_CommonGrid *grid,
                            const impi_RankBoxes *boxes)
{
    imp_Context *context = cluster->context;
    *search = (impi_RankSearch){
        .grid = grid,
        .cluster = cluster,
        .work = {&context->executor, impi_octree_kernel(), &context->scratch, NULL, &context->watch},
        .boxes = *boxes,
        .own_count = boxes->count,
        .row_room = impi_boxes_room(boxes->count),
        .is_exact = true,
    };
    impi_pair_store_init(&search->store, &context->scratch, (size_t)grid->box_count);
    // Whole groups, so that a halo can follow.
    search->own_lanes = round_up(boxes->count, GROUP_LANES);
    if (boxes->count > 0 && make_room(search, round_up(search->row_room, GROUP_LANES)))
        order_own(search);
}

void impi_rank_search_end(impi_RankSearch *search)
{
    impi_pair_store_destroy(&search->store);
}

// ---- halo

static void move_rows(impi_RankSearch *search, size_t room)
{
    size_t row_size = search->grid->row_size;
    void *rows = impi_cluster_allocate(search->cluster, room, row_size);
    uint32_t *ids = impi_cluster_allocate(search->cluster, room, sizeof *ids);
    if (!rows || !ids)
        return;
    memcpy(rows, search->boxes.rows, search->own_count * row_size);
    memcpy(ids, search->boxes.ids, search->own_count * sizeof *ids);
    search->boxes.rows = rows;
    search->boxes.room = rows;
    search->boxes.ids = ids;
    search->row_room = room;
}

static void move_octree(impi_RankSearch *search, size_t lane_room)
{
    impi_Octree old = search->octree;
    if (!make_room(search, lane_room))
        return;
    memcpy(search->octree.order, old.order, search->own_lanes * sizeof *old.order);
    for (unsigned level = 0; level < 2; ++level)
        memcpy(search->octree.levels[level], old.levels[level],
               old.node_counts[level] * sizeof *old.levels[level]);
}

void impi_rank_search_make_room(impi_RankSearch *search, size_t halo_count)
{
    size_t needed = search->own_count + halo_count,
           lanes = search->own_lanes + round_up(halo_count, IMPI_LANES);
    assert(search->own_count > 0 || halo_count == 0);
    if (needed > search->row_room)
        move_rows(search, needed);
    if (lanes > search->lane_room)
        move_octree(search, lanes);
}

void impi_rank_search_add_halo(impi_RankSearch *search, size_t halo_count)
{
    impi_Octree *octree = &search->octree;
    size_t own_count = search->own_count;
    search->boxes.count = own_count + halo_count;
    if (halo_count == 0)
        return;
    const char *halo = (const char *)search->boxes.rows + own_count * search->grid->row_size;
    impi_BoxRows rows = impi_common_grid_rows(search->grid, halo, halo_count);
    uint32_t *order = octree->order + search->own_lanes;
    bool is_done = impi_octree_sort(&search->work, &rows, order, NULL);
    impi_cluster_keep_undone(search->cluster, is_done);
    if (!is_done)
        return;
    for (size_t i = 0; i < halo_count; ++i)
        order[i] += (uint32_t)own_count;
    rows = impi_common_grid_rows(search->grid, search->boxes.rows, search->boxes.count);
    impi_octree_use(octree, search->own_lanes + round_up(halo_count, IMPI_LANES));
    octree->split_group = search->own_lanes / GROUP_LANES;
    octree->pairs_before_split = true;
    bool is_exact;
    impi_octree_fill_from(&search->work, &rows, octree, search->own_lanes / IMPI_LANES, &is_exact);
    search->is_exact &= is_exact;
}

// ---- pairs

// Numbers among the boxes at hand become numbers among all boxes; what does not overlap in double precision,
// or is of one set, is dropped.
static void take_pairs(uint64_t *pairs, size_t count, void *argument)
{
    impi_RankSearch *search = argument;
    const uint32_t *ids = search->boxes.ids;
    const double *doubles = search->is_exact ? NULL : search->boxes.rows;
    unsigned local_bits = impi_index_bits(search->boxes.count), bits = search->grid->index_bits;
    uint64_t mask = ((uint64_t)1 << local_bits) - 1, first_set = search->first_set_count;
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
        size_t p = (size_t)(pairs[i] >> local_bits), q = (size_t)(pairs[i] & mask);
        uint64_t a = ids[p], b = ids[q], low = a < b ? a : b, high = a < b ? b : a;
        bool is_pair = !doubles || impi_double_rows_overlap(doubles, p, q);
        is_pair &= first_set == 0 || (low < first_set && high >= first_set);
        pairs[kept] = low << bits | high;
        kept += is_pair;
    }
    impi_pair_store_take(pairs, kept, &search->store);
}

uint64_t impi_rank_search_run(impi_RankSearch *search, bool count_only)
{
    bool counts_in_octree = count_only && search->is_exact && search->first_set_count == 0;
    impi_PairTaker taker = {counts_in_octree ? NULL : take_pairs, search,
                            impi_index_bits(search->boxes.count), NULL};
    if (search->own_count == 0)
        return 0;
    search->store.limit = count_only ? 0 : UINT64_MAX;
    impi_SearchCounts counts = impi_octree_search(&search->work, &search->octree, &taker);
    if (search->cluster->stats) {
        search->cluster->stats->block_pairs += counts.block_pairs;
        search->cluster->stats->box_count += search->own_count;
        search->cluster->stats->halo_count += search->boxes.count - search->own_count;
    }
    impi_cluster_keep_undone(search->cluster, !search->store.out_of_memory);
    return counts_in_octree ? counts.pairs : search->store.total;
}
