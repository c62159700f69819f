/// An octree while it is made, from the leaves up: the order of nodes takes care of itself, and eight equal
/// children become one cell, unless the tree is to stay as it is.
///
/// A cell is made by noting impi_octree_draft_first, making its eight children in the order of octants, and
/// closing it with their colours.
#ifndef IMPINGE_SHAPE_OCTREE_DRAFT_H
#define IMPINGE_SHAPE_OCTREE_DRAFT_H

#include "base/array.h"
#include "shape/octree.h"

typedef struct impi_OctreeDraft {
    const imp_Allocator *allocator;
    uint32_t level;    // of voxels
    bool is_condensed; // eight black children become one cell; eight white ones do, too,
    bool keeps_gray;   // but not here: a tree that is read stays as it is. False after the beginning
    bool is_out_of_memory;
    IMPI_ARRAY(impi_OctreeNode)
    levels[IMP_MAX_OCTREE_LEVEL]; // nodes by level; `first` counts within the next
    // Lists of faces, when wanted: of each black voxel its count, and all faces.
    IMPI_ARRAY(uint32_t) list_counts;
    IMPI_ARRAY(uint32_t) list_faces;
} impi_OctreeDraft;

void impi_octree_draft_begin(impi_OctreeDraft *draft, const imp_Context *context, uint32_t level,
                             bool is_condensed);
void impi_octree_draft_free(impi_OctreeDraft *draft);

/// Before the children of a cell of `level` are made.
uint32_t impi_octree_draft_first(const impi_OctreeDraft *draft, uint32_t level);

/// The children of a cell are made: what colour is it? Where memory runs out (is_out_of_memory) any.
imp_CellColour impi_octree_draft_close(impi_OctreeDraft *draft, uint32_t level, uint32_t first, uint8_t gray,
                                       uint8_t black);

/// A black voxel has these faces.
void impi_octree_draft_add_list(impi_OctreeDraft *draft, const uint32_t *faces, size_t count);

/// What `part` has comes behind what `draft` has: for parts made at the same time, joined in their order.
/// False when there are too many nodes or faces to count with 32 bits, or no memory (is_out_of_memory).
bool impi_octree_draft_append(impi_OctreeDraft *draft, const impi_OctreeDraft *part);

typedef struct impi_OctreeFlags {
    bool is_cut, has_lists;
} impi_OctreeFlags;

/// The octree of a root of this colour, with one reference. The draft stays the caller's, to be freed.
/// IMP_STATUS_OUT_OF_MEMORY, IMP_STATUS_TOO_LARGE or OK.
imp_Status impi_octree_draft_finish(imp_Context *context, const impi_OctreeDraft *draft,
                                    const imp_OctreeGrid *grid, imp_CellColour root, impi_OctreeFlags flags,
                                    imp_Octree **octree);

#endif
