/// Growing an octree from the root down: items (faces of a mesh, cubes that were moved) are handed from each
/// cell to those of its children that they meet, until the cell has none or is a voxel. On all threads, with
/// the same result for any number of them.
#ifndef IMPINGE_SHAPE_OCTREE_GROW_H
#define IMPINGE_SHAPE_OCTREE_GROW_H

#include "shape/octree_draft.h"

/// Called from any thread; none of them may change what `user` points to, but for atomics.
typedef struct impi_OctreeGrowth {
    imp_OctreeGrid grid;
    bool is_condensed;
    bool keeps_lists; // the items of black voxels become their lists of faces
    const char *work; // for who watches
    const uint32_t *items;
    size_t item_count;
    void *user;
    /// masks[i]: the octants of `cell` that items[i] meets, which meets the cell itself. `*black` are octants
    /// that are black as a whole because some item fills them.
    void (*distribute)(void *user, const impi_OctreeCell *cell, const uint32_t *items, size_t count,
                       uint8_t *masks, uint8_t *black);
    /// The colour of a cell that no item meets; null: white.
    bool (*is_black_without_items)(void *user, const impi_OctreeCell *cell);
    /// The colour of a voxel that items meet; null: black.
    bool (*is_black_voxel)(void *user, const impi_OctreeCell *cell, const uint32_t *items, size_t count);
    /// Cells of `tile_level` that items meet are left to this, when it is not null: it adds what is below
    /// them to `draft`, and tells their colour. `*goes_on` becomes false when the watch says so.
    imp_CellColour (*grow_tile)(void *user, const impi_OctreeCell *cell, const uint32_t *items, size_t count,
                                impi_OctreeDraft *draft, bool *goes_on);
    uint32_t tile_level; // below that of voxels
} impi_OctreeGrowth;

/// Uses the context's scratch arena. IMP_STATUS_OUT_OF_MEMORY, IMP_STATUS_TOO_LARGE, what a watch says, or
/// OK.
imp_Status impi_octree_grow(imp_Context *context, const impi_OctreeGrowth *growth, bool is_cut,
                            imp_Octree **octree);

#endif
