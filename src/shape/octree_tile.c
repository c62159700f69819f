#include "shape/octree_tile.h"

#include <string.h>

void impi_tile_init(impi_OctreeTile *tile, const imp_OctreeGrid *grid, const impi_OctreeCell *cell)
{
    tile->cell = *cell;
    tile->bits = grid->level - cell->level;
    for (int axis = 0; axis < 3; ++axis)
        tile->first[axis] = impi_octree_first_voxel(grid, cell, axis);
    memset(tile->blocks, 0, (size_t)1 << 3 * (tile->bits - 1));
}

static size_t block_count(uint32_t bits)
{
    return (size_t)1 << 3 * (bits - 1);
}

void impi_tile_fill(impi_OctreeTile *tile, const impi_TileCell *cell)
{
    size_t count = block_count(cell->bits);
    memset(tile->blocks + impi_tile_place(cell->at) * count, 0xFF, count);
}

// Do all of some blocks have this value? Eight at a time, which lie at a multiple of 8.
static bool are_all(const uint8_t *blocks, size_t count, uint8_t value)
{
    if (count < 8)
        return blocks[0] == value;
    uint64_t wanted = value * 0x0101010101010101u;
    for (size_t i = 0; i < count; i += 8) {
        uint64_t eight;
        memcpy(&eight, blocks + i, sizeof eight);
        if (eight != wanted)
            return false;
    }
    return true;
}

bool impi_tile_is_full(const impi_OctreeTile *tile, const impi_TileCell *cell)
{
    size_t count = block_count(cell->bits);
    return are_all(tile->blocks + impi_tile_place(cell->at) * count, count, 0xFF);
}

// A span of voxels along an axis as blocks, of which the first and the last one may be covered by half.
typedef struct BlockSpan {
    uint32_t begin, end;
    uint8_t first_mask, last_mask;
} BlockSpan;

static uint8_t mask_in(const BlockSpan *span, uint32_t block)
{
    return (uint8_t)((block == span->begin ? span->first_mask : 0xFF) &
                     (block + 1 == span->end ? span->last_mask : 0xFF));
}

void impi_tile_fill_box(impi_OctreeTile *tile, const uint32_t min[3], const uint32_t max[3])
{
    static const uint8_t lower[3] = {0x55, 0x33, 0x0F};
    BlockSpan spans[3];
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t first = tile->first[axis], edge = 1u << tile->bits;
        uint32_t from = min[axis] > first ? min[axis] - first : 0;
        uint32_t to = max[axis] > first ? max[axis] - first : 0;
        to = to < edge ? to : edge;
        if (from >= to)
            return;
        spans[axis] = (BlockSpan){from / 2, (to + 1) / 2, (uint8_t)(from % 2 ? ~lower[axis] : 0xFF),
                                  to % 2 ? lower[axis] : 0xFF};
    }
    for (uint32_t z = spans[2].begin; z < spans[2].end; ++z) {
        uint32_t layer = impi_tile_spread(z) << 2;
        uint8_t layer_mask = mask_in(&spans[2], z);
        for (uint32_t y = spans[1].begin; y < spans[1].end; ++y) {
            uint8_t *row = tile->blocks + (layer | impi_tile_spread(y) << 1);
            uint8_t row_mask = layer_mask & mask_in(&spans[1], y);
            for (uint32_t x = spans[0].begin; x < spans[0].end; ++x)
                row[impi_tile_spread(x)] |= row_mask & mask_in(&spans[0], x);
        }
    }
}

// Recursion is as deep as the tile.
static imp_CellColour add_cell(const uint8_t *blocks, uint32_t bits, uint32_t level, impi_OctreeDraft *draft)
{
    uint32_t first = impi_octree_draft_first(draft, level);
    if (bits == 1)
        return impi_octree_draft_close(draft, level, first, 0, blocks[0]);
    size_t count = block_count(bits);
    if (are_all(blocks, count, blocks[0]) && (blocks[0] == 0 || blocks[0] == 0xFF))
        return blocks[0] ? IMP_CELL_BLACK : IMP_CELL_WHITE;
    uint8_t gray = 0, black = 0;
    for (unsigned octant = 0; octant < 8; ++octant) {
        imp_CellColour colour = add_cell(blocks + octant * (count / 8), bits - 1, level + 1, draft);
        gray |= (uint8_t)((colour == IMP_CELL_GRAY) << octant);
        black |= (uint8_t)((colour == IMP_CELL_BLACK) << octant);
    }
    return impi_octree_draft_close(draft, level, first, gray, black);
}

imp_CellColour impi_tile_add_to(const impi_OctreeTile *tile, impi_OctreeDraft *draft)
{
    return add_cell(tile->blocks, tile->bits, tile->cell.level, draft);
}
