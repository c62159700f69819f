#include "shape/octree_stack.h"

void impi_octree_stack_begin(impi_OctreeStack *stack, const imp_Context *context, uint32_t max_level)
{
    *stack = (impi_OctreeStack){.max_level = max_level};
    impi_octree_draft_begin(&stack->draft, context, max_level, false);
    stack->draft.keeps_gray = true;
}

void impi_octree_stack_free(impi_OctreeStack *stack)
{
    stack->draft.level = stack->max_level;
    impi_octree_draft_free(&stack->draft);
}

// A cell is known: so may be those that it is the last child of.
static void close_cells(impi_OctreeStack *stack, imp_CellColour colour)
{
    while (stack->depth > 0) {
        impi_OpenCell *cell = &stack->open[stack->depth - 1];
        cell->gray |= (uint8_t)((colour == IMP_CELL_GRAY) << cell->octant);
        cell->black |= (uint8_t)((colour == IMP_CELL_BLACK) << cell->octant);
        if (++cell->octant < 8)
            return;
        colour = impi_octree_draft_close(&stack->draft, --stack->depth, cell->first, cell->gray, cell->black);
    }
    stack->root = colour;
    stack->is_complete = true;
}

bool impi_octree_stack_put(impi_OctreeStack *stack, imp_CellColour colour)
{
    if (colour == IMP_CELL_GRAY && stack->depth == stack->max_level)
        return false;
    stack->deepest = stack->depth > stack->deepest ? stack->depth : stack->deepest;
    if (colour != IMP_CELL_GRAY) {
        close_cells(stack, colour);
        return true;
    }
    uint32_t first = impi_octree_draft_first(&stack->draft, stack->depth);
    stack->open[stack->depth++] = (impi_OpenCell){.first = first};
    return true;
}

imp_Status impi_octree_stack_finish(imp_Context *context, impi_OctreeStack *stack, const imp_OctreeGrid *grid,
                                    bool is_cut, imp_Octree **octree)
{
    // Gray cells are above the deepest cells: what a draft of the grid's level lacks or has more is empty.
    stack->draft.level = grid->level;
    return impi_octree_draft_finish(context, &stack->draft, grid, stack->root,
                                    (impi_OctreeFlags){.is_cut = is_cut}, octree);
}
