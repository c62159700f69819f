/// A small cube of voxels as bits, from which the lower end of an octree is made. A byte has the eight voxels
/// of a block of two along each axis, as a node has its children; blocks lie in Morton order, so that the
/// blocks of each larger cell follow each other.
#ifndef IMPINGE_SHAPE_OCTREE_TILE_H
#define IMPINGE_SHAPE_OCTREE_TILE_H

#include "shape/octree_draft.h"

#define IMPI_TILE_BITS       5 // a tile has 2^5 voxels along an axis, or all that there are
#define IMPI_TILE_BLOCKS     ((size_t)1 << 3 * (IMPI_TILE_BITS - 1))
#define IMPI_TILE_ROW_BLOCKS (1u << (IMPI_TILE_BITS - 1))

typedef struct impi_OctreeTile {
    impi_OctreeCell cell;
    uint32_t bits;     // log2 of its edge in voxels, at least 1
    uint32_t first[3]; // its first voxel
    _Alignas(8) uint8_t blocks[IMPI_TILE_BLOCKS];
} impi_OctreeTile;

/// The level of cells that are tiles.
static inline uint32_t impi_tile_level(const imp_OctreeGrid *grid)
{
    return grid->level > IMPI_TILE_BITS ? grid->level - IMPI_TILE_BITS : 0;
}

/// All white.
void impi_tile_init(impi_OctreeTile *tile, const imp_OctreeGrid *grid, const impi_OctreeCell *cell);

/// A cell of 2^bits voxels along each axis, with its place in the tile counted in cells of that size.
typedef struct impi_TileCell {
    uint32_t bits, at[3];
} impi_TileCell;

static inline impi_TileCell impi_tile_child(const impi_TileCell *cell, unsigned octant)
{
    return (impi_TileCell){cell->bits - 1,
                           {2 * cell->at[0] + (octant & 1), 2 * cell->at[1] + (octant >> 1 & 1),
                            2 * cell->at[2] + (octant >> 2)}};
}

/// Bits of a place along an axis, two bits apart.
static inline uint32_t impi_tile_spread(uint32_t at)
{
    static const uint16_t spread[IMPI_TILE_ROW_BLOCKS] = {0x000, 0x001, 0x008, 0x009, 0x040, 0x041,
                                                          0x048, 0x049, 0x200, 0x201, 0x208, 0x209,
                                                          0x240, 0x241, 0x248, 0x249};
    return spread[at];
}

/// Where cells lie among those of their size.
static inline uint32_t impi_tile_place(const uint32_t at[3])
{
    return impi_tile_spread(at[0]) | impi_tile_spread(at[1]) << 1 | impi_tile_spread(at[2]) << 2;
}

/// Cells of at least one block.
void impi_tile_fill(impi_OctreeTile *tile, const impi_TileCell *cell);
bool impi_tile_is_full(const impi_OctreeTile *tile, const impi_TileCell *cell);

/// A box of voxels of the whole octree, as far as the tile has them: from `min` up to but without `max`.
void impi_tile_fill_box(impi_OctreeTile *tile, const uint32_t min[3], const uint32_t max[3]);

/// Adds the nodes of the tile, and tells its colour.
imp_CellColour impi_tile_add_to(const impi_OctreeTile *tile, impi_OctreeDraft *draft);

#endif
