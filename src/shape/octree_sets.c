// Both octrees are walked together, down to where the colours of two cells decide. Cost: the gray cells that
// both have in common, and what the result has.
#include "shape/octree_sets.h"

#include "shape/octree_draft.h"
#include "shape/octree_view.h"

typedef struct Combination {
    imp_OctreeOperation operation;
    impi_Watch *watch;
    impi_OctreeDraft draft;
    size_t cell_count; // gray cells so far
    bool has_ended;    // out of memory, or told to end
} Combination;

static imp_CellColour unite(imp_CellColour a, imp_CellColour b)
{
    if (a == IMP_CELL_BLACK || b == IMP_CELL_BLACK)
        return IMP_CELL_BLACK;
    return a == IMP_CELL_WHITE && b == IMP_CELL_WHITE ? IMP_CELL_WHITE : IMP_CELL_GRAY;
}

static imp_CellColour invert(imp_CellColour colour)
{
    return colour == IMP_CELL_GRAY    ? IMP_CELL_GRAY
           : colour == IMP_CELL_BLACK ? IMP_CELL_WHITE
                                      : IMP_CELL_BLACK;
}

// Gray: their children decide.
static imp_CellColour decide(imp_OctreeOperation operation, imp_CellColour a, imp_CellColour b)
{
    switch (operation) {
    case IMP_OCTREE_UNION:
        return unite(a, b);
    case IMP_OCTREE_INTERSECTION:
        return invert(unite(invert(a), invert(b)));
    case IMP_OCTREE_DIFFERENCE:
        return invert(unite(invert(a), b));
    }
    return IMP_CELL_WHITE;
}

static imp_CellColour combine_cells(Combination *combination, const impi_OctreeView *a,
                                    const impi_OctreeView *b, uint32_t level)
{
    imp_CellColour colour = decide(combination->operation, a->colour, b->colour);
    if (colour != IMP_CELL_GRAY || combination->has_ended)
        return colour;
    impi_OctreeDraft *draft = &combination->draft;
    uint32_t first = impi_octree_draft_first(draft, level);
    unsigned gray = 0, black = 0;
    for (unsigned octant = 0; octant < 8; ++octant) {
        impi_OctreeView child_a = impi_octree_view_child(a, octant),
                        child_b = impi_octree_view_child(b, octant);
        imp_CellColour child = combine_cells(combination, &child_a, &child_b, level + 1);
        gray |= (unsigned)(child == IMP_CELL_GRAY) << octant;
        black |= (unsigned)(child == IMP_CELL_BLACK) << octant;
    }
    colour = impi_octree_draft_close(draft, level, first, (uint8_t)gray, (uint8_t)black);
    combination->has_ended |= draft->is_out_of_memory;
    combination->has_ended |= !impi_watch_item(combination->watch, combination->cell_count++);
    return colour;
}

static imp_Status combine(imp_Context *context, imp_OctreeOperation operation, const impi_OctreeView *a,
                          const impi_OctreeView *b, const imp_OctreeGrid *grid, bool is_cut,
                          imp_Octree **result)
{
    Combination combination = {.operation = operation, .watch = &context->watch};
    uint64_t step_count =
        1 + (a->octree ? a->octree->node_count : 0) + (b->octree ? (uint64_t)b->octree->node_count : 0);
    impi_watch_work(&context->watch, "combining octrees", step_count);
    impi_octree_draft_begin(&combination.draft, context, grid->level, true);
    imp_CellColour root = combine_cells(&combination, a, b, 0);
    imp_Status status = impi_watch_status(context);
    if (status == IMP_STATUS_OK)
        status = impi_octree_draft_finish(context, &combination.draft, grid, root,
                                          (impi_OctreeFlags){.is_cut = is_cut}, result);
    impi_octree_draft_free(&combination.draft);
    return status;
}

imp_Status impi_octree_combine(imp_Context *context, imp_OctreeOperation operation, const imp_Octree *a,
                               const imp_Octree *b, imp_Octree **result)
{
    if ((unsigned)operation > IMP_OCTREE_DIFFERENCE)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "unknown operation %d of octrees",
                         (int)operation);
    if (!impi_grid_equal(&a->grid, &b->grid))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "the octrees have different grids: from %.17g, %.17g, %.17g on, voxels of %.17g at "
                         "level %u, and from %.17g, %.17g, %.17g on, %.17g at level %u",
                         a->grid.origin.x, a->grid.origin.y, a->grid.origin.z, a->grid.voxel,
                         (unsigned)a->grid.level, b->grid.origin.x, b->grid.origin.y, b->grid.origin.z,
                         b->grid.voxel, (unsigned)b->grid.level);
    impi_OctreeView view_a = impi_octree_view(a), view_b = impi_octree_view(b);
    return combine(context, operation, &view_a, &view_b, &a->grid, a->is_cut || b->is_cut, result);
}

imp_Status impi_octree_complement(imp_Context *context, const imp_Octree *octree, imp_Octree **result)
{
    impi_OctreeView view = impi_octree_view(octree);
    return combine(context, IMP_OCTREE_DIFFERENCE, &IMPI_BLACK_VIEW, &view, &octree->grid, octree->is_cut,
                   result);
}

static bool are_cells_equal(const impi_OctreeView *a, const impi_OctreeView *b)
{
    bool equal = true;
    if (a->colour != IMP_CELL_GRAY && b->colour != IMP_CELL_GRAY)
        return a->colour == b->colour;
    for (unsigned octant = 0; octant < 8 && equal; ++octant) {
        impi_OctreeView child_a = impi_octree_view_child(a, octant),
                        child_b = impi_octree_view_child(b, octant);
        equal = are_cells_equal(&child_a, &child_b);
    }
    return equal;
}

bool impi_octree_equal(const imp_Octree *a, const imp_Octree *b)
{
    impi_OctreeView view_a = impi_octree_view(a), view_b = impi_octree_view(b);
    return impi_grid_equal(&a->grid, &b->grid) && are_cells_equal(&view_a, &view_b);
}
