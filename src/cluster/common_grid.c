// Any sample makes a correct grid; a good one makes cells that hold about as many boxes each.
#include "cluster/common_grid.h"

#include "broad/pair_store.h"

#include <math.h>
#include <stdlib.h>

// Boxes of all ranks that are looked at, and at least of each.
#define SAMPLE_COUNT       1024
#define LEAST_SAMPLE_COUNT 8

// What ranks have: bit 0 floats, bit 1 doubles.
enum { HAS_FLOATS = 1, HAS_DOUBLES = 2 };

static imp_Status agree_on_counts(impi_Cluster *cluster, const imp_BoxArray *own, impi_CommonGrid *grid,
                                  uint64_t *first_id)
{
    uint64_t has = !own->count ? 0 : own->boxes ? HAS_DOUBLES : HAS_FLOATS;
    uint64_t sums[3] = {own->count, has & HAS_FLOATS, (has & HAS_DOUBLES) >> 1};
    *first_id = impi_cluster_prefix_sum(cluster, own->count);
    impi_cluster_all_reduce(cluster, sums, 3, IMPI_REDUCE_SUM);
    if (sums[0] >= UINT32_MAX)
        return impi_fail(cluster->context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                         "%llu boxes are more than 2^32 - 2", (unsigned long long)sums[0]);
    if (sums[1] && sums[2])
        return impi_fail(cluster->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "some ranks have their boxes in floats and others in doubles");
    grid->box_count = sums[0];
    grid->index_bits = impi_index_bits((size_t)sums[0]);
    grid->has_floats = sums[2] == 0;
    grid->row_size = 6 * (grid->has_floats ? sizeof(float) : sizeof(double));
    return IMP_STATUS_OK;
}

// ---- sample

static size_t sample_size(uint32_t rank_count)
{
    size_t size = SAMPLE_COUNT / rank_count;
    return size > LEAST_SAMPLE_COUNT ? size : LEAST_SAMPLE_COUNT;
}

// Rows behind the last box hold none.
static void take_sample(const imp_BoxArray *own, const impi_CommonGrid *grid, size_t size, char *rows)
{
    static const double no_box[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
    static const float no_float_box[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
    const void *none = grid->has_floats ? (const void *)no_float_box : (const void *)no_box;
    const char *own_rows = own->boxes ? (const char *)own->boxes : (const char *)own->float_boxes;
    for (size_t i = 0; i < size; ++i) {
        size_t box = own->count <= size ? i : (size_t)((double)i * ((double)own->count / (double)size));
        memcpy(rows + i * grid->row_size, box < own->count ? own_rows + box * grid->row_size : none,
               grid->row_size);
    }
}

static void choose_by_sample(impi_CommonGrid *grid, const void *rows, size_t count)
{
    impi_BoxRows sample = {
        grid->has_floats ? rows : NULL, grid->has_floats ? NULL : rows, count, {0, 0, 0}, 1};
    impi_box_rows_choose_map(&sample);
    memcpy(grid->origin, sample.origin, sizeof grid->origin);
    grid->scale = sample.scale;
    impi_key_window_choose(&sample, grid->box_count, &grid->window);
    impi_hilbert_steps_init(&grid->hilbert);
}

// ---- this rank's boxes

static void number_boxes(const imp_BoxArray *own, uint64_t first_id, impi_RankBoxes *boxes)
{
    boxes->count = own->count;
    boxes->rows = own->boxes ? (const void *)own->boxes : (const void *)own->float_boxes;
    boxes->room = NULL;
    for (size_t i = 0; i < own->count; ++i)
        boxes->ids[i] = (uint32_t)(first_id + i);
}

imp_Status impi_common_grid_choose(impi_Cluster *cluster, const imp_BoxArray *own, impi_CommonGrid *grid,
                                   impi_RankBoxes *boxes)
{
    uint32_t rank_count = cluster->exchange->rank_count;
    size_t size = sample_size(rank_count);
    uint64_t first_id;
    imp_Status status = agree_on_counts(cluster, own, grid, &first_id);
    if (status != IMP_STATUS_OK)
        return status;
    char *own_rows = impi_cluster_allocate(cluster, size, grid->row_size);
    char *rows = impi_cluster_allocate(cluster, size * rank_count, grid->row_size);
    boxes->ids = impi_cluster_allocate(cluster, own->count, sizeof *boxes->ids);
    status = impi_cluster_agree(cluster);
    if (status != IMP_STATUS_OK)
        return status;
    take_sample(own, grid, size, own_rows);
    impi_cluster_all_gather(cluster, own_rows, size * grid->row_size, rows);
    choose_by_sample(grid, rows, size * rank_count);
    number_boxes(own, first_id, boxes);
    return IMP_STATUS_OK;
}

impi_BoxRows impi_common_grid_rows(const impi_CommonGrid *grid, const void *rows, size_t count)
{
    return (impi_BoxRows){grid->has_floats ? rows : NULL,
                          grid->has_floats ? NULL : rows,
                          count,
                          {grid->origin[0], grid->origin[1], grid->origin[2]},
                          grid->scale};
}
