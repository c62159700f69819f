// A key is the cell that the centre of a box is in, numbered along a Hilbert curve, with the number of the
// box below it: so no two are the same, and boxes that all lie in one place are divided, too. Sizes have no
// say: ranks own space.
#include "cluster/box_split.h"

#include "base/tasks.h"
#include "cluster/key_cuts.h"
#include "cluster/mailing.h"

#define BOXES_PER_TASK 8192

// ---- keys of the grid

typedef struct KeysJob {
    impi_KeyJob kernel_job;
    const impi_OctreeKernel *kernel;
    uint32_t *keys;
    atomic_uint_fast32_t any_bits;
} KeysJob;

static void keys_task(size_t begin, size_t end, size_t block, void *argument)
{
    (void)block;
    KeysJob *job = argument;
    const uint64_t *packed = job->kernel_job.packed;
    impi_KeySummary summary = job->kernel->make_keys(&job->kernel_job, begin, end);
    atomic_fetch_or_explicit(&job->any_bits, summary.any_bits, memory_order_relaxed);
    for (size_t i = begin; i < end; ++i)
        job->keys[i] = (uint32_t)(packed[i] >> 32);
}

static void keep_bad_box(impi_Cluster *cluster, const impi_BoxRows *rows, const uint32_t *ids)
{
    size_t bad = 0;
    while (impi_box_rows_is_box(rows, bad))
        ++bad;
    imp_Status status = impi_fail(cluster->context, IMP_STATUS_BAD_NUMBER, ids[bad],
                                  "box %u is not finite, or its min exceeds its max", (unsigned)ids[bad]);
    impi_cluster_keep(cluster, status, ids[bad]);
}

void impi_boxes_make_keys(impi_Cluster *cluster, const impi_CommonGrid *grid, impi_RankBoxes *boxes)
{
    boxes->keys = impi_cluster_allocate(cluster, boxes->count, sizeof *boxes->keys);
    impi_ArenaMark mark = impi_arena_mark(&cluster->context->scratch);
    uint64_t *packed = impi_cluster_allocate(cluster, boxes->count, sizeof *packed);
    if (!boxes->keys || !packed)
        return;
    impi_BoxRows rows = impi_common_grid_rows(grid, boxes->rows, boxes->count);
    KeysJob job = {
        {&rows, &grid->window, &grid->hilbert, NULL, packed}, impi_octree_kernel(), boxes->keys, 0};
    impi_parallel_for(&cluster->context->executor, boxes->count, BOXES_PER_TASK, keys_task, &job);
    if (atomic_load(&job.any_bits) >> 3 * grid->window.level & IMPI_CLASS_NO_BOX)
        keep_bad_box(cluster, &rows, boxes->ids);
    impi_arena_rewind(&cluster->context->scratch, mark);
}

// ---- where to cut

static uint64_t total_weight(impi_Cluster *cluster, const impi_CommonGrid *grid, const uint32_t *weights,
                             size_t count)
{
    uint64_t total = 0;
    if (!weights)
        return grid->box_count;
    for (size_t i = 0; i < count; ++i)
        total += weights[i];
    impi_cluster_all_reduce(cluster, &total, 1, IMPI_REDUCE_SUM);
    return total;
}

static imp_Status find_cuts(impi_Cluster *cluster, const impi_CommonGrid *grid, const impi_SpreadKeys *keys,
                            uint64_t *cuts)
{
    uint32_t rank_count = cluster->exchange->rank_count;
    uint64_t total = total_weight(cluster, grid, keys->weights, keys->count);
    for (uint32_t i = 1; i < rank_count; ++i)
        cuts[i - 1] = impi_even_share(total, i, rank_count);
    return impi_key_cuts_find(cluster, keys, cuts, rank_count - 1, cuts);
}

// ---- travel

static imp_Status send_boxes(impi_Cluster *cluster, const impi_CommonGrid *grid, const impi_RankBoxes *from,
                             const impi_Mailing *mailing, const impi_Routes *routes, impi_RankBoxes *to)
{
    imp_Status status = impi_cluster_post(cluster, routes);
    if (status != IMP_STATUS_OK)
        return status;
    void *rows = impi_cluster_allocate(cluster, from->count, grid->row_size);
    uint32_t *ids = impi_cluster_allocate(cluster, from->count, sizeof *ids);
    uint32_t *keys = impi_cluster_allocate(cluster, from->count, sizeof *keys);
    to->count = impi_routes_received(cluster, routes);
    to->room = impi_cluster_allocate(cluster, impi_boxes_room(to->count), grid->row_size);
    to->ids = impi_cluster_allocate(cluster, impi_boxes_room(to->count), sizeof *to->ids);
    to->rows = to->room;
    to->keys = impi_cluster_allocate(cluster, to->count, sizeof *to->keys);
    status = impi_cluster_agree(cluster);
    if (status != IMP_STATUS_OK)
        return status;
    impi_mailing_pack(cluster, mailing, grid->row_size, from->rows, rows, to->room);
    impi_mailing_pack(cluster, mailing, sizeof *ids, from->ids, ids, to->ids);
    impi_mailing_pack(cluster, mailing, sizeof *keys, from->keys, keys, to->keys);
    impi_cluster_deliver(cluster, grid->row_size, rows, to->room, routes);
    impi_cluster_deliver(cluster, sizeof *ids, ids, to->ids, routes);
    impi_cluster_deliver(cluster, sizeof *keys, keys, to->keys, routes);
    return IMP_STATUS_OK;
}

// Without the class that is on top of it.
static void make_cut_keys(const impi_CommonGrid *grid, const impi_RankBoxes *boxes, uint64_t *cut_keys)
{
    uint32_t cells = ((uint32_t)1 << 3 * grid->window.level) - 1;
    for (size_t i = 0; i < boxes->count; ++i)
        cut_keys[i] = (uint64_t)(boxes->keys[i] & cells) << grid->index_bits | boxes->ids[i];
}

imp_Status impi_boxes_split(impi_Cluster *cluster, const impi_CommonGrid *grid, const impi_RankBoxes *from,
                            const uint32_t *weights, impi_RankBoxes *to)
{
    impi_Mailing mailing;
    uint64_t *keys = impi_cluster_allocate(cluster, from->count, sizeof *keys);
    uint64_t *cuts = impi_cluster_allocate(cluster, cluster->exchange->rank_count, sizeof *cuts);
    impi_Routes routes = impi_cluster_routes(cluster);
    imp_Status status = impi_cluster_agree(cluster);
    if (status != IMP_STATUS_OK)
        return status;
    make_cut_keys(grid, from, keys);
    impi_SpreadKeys spread = {keys, weights, from->count, 3 * grid->window.level + grid->index_bits};
    status = find_cuts(cluster, grid, &spread, cuts);
    if (status != IMP_STATUS_OK)
        return status;
    impi_mailing_make(cluster, keys, from->count, spread.bit_count, cuts, &routes, &mailing);
    return send_boxes(cluster, grid, from, &mailing, &routes, to);
}
