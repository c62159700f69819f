// Cells above tiles get cubes by the voxels that they may meet, which are integers. Where the source is black
// all around what a cell comes from, the cell is black: no single cube has to hold it. So the walls between
// cubes cost nothing, which are many times as large as the surface of a solid.
#include "shape/octree_spread.h"

#include "shape/octree_grow.h"

#include <math.h>

static int32_t voxel_below(double x, int32_t limit)
{
    return x > -1 ? (x < limit ? (int32_t)floor(x) : limit) : -1;
}

static int32_t voxel_above(double x, int32_t limit)
{
    return x < limit ? (x > -1 ? (int32_t)floor(x) + 1 : 0) : limit + 1;
}

// Positions are off by twice the error of directions at most, and divisions by far less than what is added.
imp_CellColour impi_octree_moved_colour(const impi_OctreeMotion *motion, const uint32_t first[3],
                                        uint32_t voxels)
{
    const impi_CubeMotion *m = &motion->motion;
    const int32_t limit = (int32_t)1 << motion->octree->grid.level;
    double offset[3], half = impi_octree_target_half(motion, voxels);
    impi_SignedBox box;
    for (int axis = 0; axis < 3; ++axis)
        offset[axis] = (first[axis] + 0.5 * voxels) * motion->target_voxel - m->base[axis];
    for (int axis = 0; axis < 3; ++axis) {
        const double *row = m->inverse[axis];
        double center = (row[0] * offset[0] + row[1] * offset[1]) + row[2] * offset[2];
        double reach = ((fabs(row[0]) + fabs(row[1])) + fabs(row[2])) * half + 2 * m->largest_error;
        box.min[axis] = voxel_below((center - reach) / motion->source_voxel - 0x1p-30, limit);
        box.max[axis] = voxel_above((center + reach) / motion->source_voxel + 0x1p-30, limit);
    }
    return impi_octree_box_colour(motion->octree, &box);
}

// Octants of a cell that the span of a cube meets, which meets the cell.
static uint8_t met_octants(const impi_VoxelSpan *span, const uint32_t middle[3])
{
    static const uint8_t lower[3] = {0x55, 0x33, 0x0F};
    unsigned octants = 0xFF;
    for (int axis = 0; axis < 3; ++axis)
        octants &= (span->min[axis] < middle[axis] ? lower[axis] : 0u) |
                   (span->max[axis] > middle[axis] ? 0xFFu & ~lower[axis] : 0u);
    return (uint8_t)octants;
}

static void distribute(void *user, const impi_OctreeCell *cell, const uint32_t *items, size_t count,
                       uint8_t *masks, uint8_t *black)
{
    const impi_OctreeSpread *spread = user;
    const imp_OctreeGrid *grid = &spread->motion->grid;
    const uint32_t half = 1u << (grid->level - cell->level - 1);
    uint32_t middle[3];
    uint8_t met = 0;
    for (int axis = 0; axis < 3; ++axis)
        middle[axis] = impi_octree_first_voxel(grid, cell, axis) + half;
    for (size_t i = 0; i < count; ++i)
        met |= masks[i] = met_octants(&spread->spans[items[i]], middle);
    for (unsigned octant = 0; octant < 8; ++octant) {
        if (!(met >> octant & 1))
            continue;
        const uint32_t first[3] = {octant & 1 ? middle[0] : middle[0] - half,
                                   octant & 2 ? middle[1] : middle[1] - half,
                                   octant & 4 ? middle[2] : middle[2] - half};
        if (impi_octree_moved_colour(spread->motion, first, half) == IMP_CELL_BLACK)
            *black |= (uint8_t)(1u << octant);
    }
}

static imp_CellColour grow_tile(void *user, const impi_OctreeCell *cell, const uint32_t *items, size_t count,
                                impi_OctreeDraft *draft, bool *goes_on)
{
    const impi_OctreeSpread *spread = user;
    impi_OctreeTile tile;
    impi_tile_init(&tile, &spread->motion->grid, cell);
    *goes_on = spread->colour_tile(spread->user, &tile, items, count);
    return impi_tile_add_to(&tile, draft);
}

imp_Status impi_octree_spread(impi_OctreeSpread *spread, imp_Octree **result)
{
    impi_OctreeMotion *motion = spread->motion;
    imp_Context *context = motion->context;
    uint32_t *items = impi_arena_allocate_array(&context->scratch, motion->cubes.count, sizeof *items);
    if (!items)
        return impi_fail_out_of_memory(context);
    size_t count = 0;
    for (size_t i = 0; i < motion->cubes.count; ++i) {
        const impi_VoxelSpan *span = &spread->spans[i];
        items[count] = (uint32_t)i;
        count += span->min[0] < span->max[0] && span->min[1] < span->max[1] && span->min[2] < span->max[2];
    }
    const impi_OctreeGrowth growth = {.grid = motion->grid,
                                      .is_condensed = true,
                                      .work = "moving an octree",
                                      .items = items,
                                      .item_count = count,
                                      .user = spread,
                                      .distribute = distribute,
                                      .grow_tile = grow_tile,
                                      .tile_level = impi_tile_level(&motion->grid)};
    return impi_octree_grow(context, &growth, motion->is_cut, result);
}
