/// An octree from its cells, which come one after the other in depth-first order.
#ifndef IMPINGE_SHAPE_OCTREE_STACK_H
#define IMPINGE_SHAPE_OCTREE_STACK_H

#include "shape/octree_draft.h"

/// A gray cell whose children are coming.
typedef struct impi_OpenCell {
    uint32_t first;
    uint8_t gray, black;
    uint8_t octant; // of the next child
} impi_OpenCell;

typedef struct impi_OctreeStack {
    impi_OctreeDraft draft;
    uint32_t max_level; // where cells can't be gray
    uint32_t deepest;   // level of a cell so far
    uint32_t depth;     // how many cells are open: the level of the next cell
    impi_OpenCell open[IMP_MAX_OCTREE_LEVEL];
    imp_CellColour root;
    bool is_complete;
} impi_OctreeStack;

/// Cells stay as they are, but for eight white ones below a gray one. `max_level` is 1 to
/// IMP_MAX_OCTREE_LEVEL.
void impi_octree_stack_begin(impi_OctreeStack *stack, const imp_Context *context, uint32_t max_level);
void impi_octree_stack_free(impi_OctreeStack *stack);

/// The next cell, while the octree is not complete. False when it is gray and at the deepest level that there
/// is. Out of memory is told by the draft.
bool impi_octree_stack_put(impi_OctreeStack *stack, imp_CellColour colour);

/// Once it is complete: the octree on a grid, whose level is at least that of the deepest cell. Statuses as
/// of impi_octree_draft_finish.
imp_Status impi_octree_stack_finish(imp_Context *context, impi_OctreeStack *stack, const imp_OctreeGrid *grid,
                                    bool is_cut, imp_Octree **octree);

#endif
