// White cells that share a wall are united into sets, and those at the boundary of the cube with what is
// outside. Walls are found going down on both sides at once: each wall between two cells that are not divided
// is seen once, so that the cost is linear in the number of cells.
#include "shape/octree_seal.h"

#include "base/disjoint_sets.h"
#include "shape/octree_draft.h"

typedef struct Sealing {
    imp_Context *context;
    const imp_Octree *octree;
    uint32_t *sets; // of each octant of each node, and of what is outside
    uint32_t outside;
} Sealing;

// One side of a wall.
typedef struct Side {
    imp_CellColour colour;
    const impi_OctreeNode *node; // of a gray cell
    uint32_t set;                // of a white one
} Side;

static Side child_side(const Sealing *sealing, const impi_OctreeNode *node, unsigned octant)
{
    return (Side){.colour = impi_octree_child_colour(node, octant),
                  .node = impi_octree_child(sealing->octree, node, octant),
                  .set = (uint32_t)(node - sealing->octree->nodes) * 8 + octant};
}

// The octants on one side of a cell along an axis, i of four.
static unsigned octant_at_wall(int axis, unsigned is_high, unsigned i)
{
    unsigned low_bits = i & ((1u << axis) - 1), high_bits = i >> axis;
    return low_bits | is_high << axis | high_bits << (axis + 1);
}

static void unite_across(Sealing *sealing, int axis, Side low, Side high)
{
    if (low.colour == IMP_CELL_BLACK || high.colour == IMP_CELL_BLACK)
        return;
    if (low.colour == IMP_CELL_WHITE && high.colour == IMP_CELL_WHITE) {
        impi_sets_unite(sealing->sets, low.set, high.set);
        return;
    }
    for (unsigned i = 0; i < 4; ++i) {
        Side below = low, above = high;
        if (low.colour == IMP_CELL_GRAY)
            below = child_side(sealing, low.node, octant_at_wall(axis, 1, i));
        if (high.colour == IMP_CELL_GRAY)
            above = child_side(sealing, high.node, octant_at_wall(axis, 0, i));
        unite_across(sealing, axis, below, above);
    }
}

static void unite_with_outside(Sealing *sealing, int axis, unsigned is_high, Side side)
{
    if (side.colour == IMP_CELL_WHITE)
        impi_sets_unite(sealing->sets, side.set, sealing->outside);
    for (unsigned i = 0; i < 4 && side.colour == IMP_CELL_GRAY; ++i)
        unite_with_outside(sealing, axis, is_high,
                           child_side(sealing, side.node, octant_at_wall(axis, is_high, i)));
}

static void unite_children(Sealing *sealing, const impi_OctreeNode *node)
{
    for (int axis = 0; axis < 3; ++axis)
        for (unsigned i = 0; i < 4; ++i)
            unite_across(sealing, axis, child_side(sealing, node, octant_at_wall(axis, 0, i)),
                         child_side(sealing, node, octant_at_wall(axis, 1, i)));
}

static imp_CellColour seal_children(Sealing *sealing, impi_OctreeDraft *draft, uint32_t level,
                                    const impi_OctreeNode *node)
{
    uint32_t first = impi_octree_draft_first(draft, level);
    uint8_t gray = 0, black = node->black;
    for (unsigned octant = 0; octant < 8; ++octant) {
        Side side = child_side(sealing, node, octant);
        imp_CellColour colour = side.colour;
        if (colour == IMP_CELL_WHITE &&
            impi_set_of(sealing->sets, side.set) != impi_set_of(sealing->sets, sealing->outside))
            colour = IMP_CELL_BLACK;
        if (colour == IMP_CELL_GRAY)
            colour = seal_children(sealing, draft, level + 1, side.node);
        gray |= (uint8_t)((colour == IMP_CELL_GRAY) << octant);
        black |= (uint8_t)((colour == IMP_CELL_BLACK) << octant);
    }
    return impi_octree_draft_close(draft, level, first, gray, black);
}

static imp_Status unite_all(Sealing *sealing)
{
    const imp_Octree *octree = sealing->octree;
    imp_Context *context = sealing->context;
    impi_watch_work(&context->watch, "joining what is outside", octree->node_count);
    for (size_t i = 0; i < octree->node_count; ++i) {
        if (!impi_watch_item(&context->watch, i))
            return impi_watch_status(context);
        unite_children(sealing, &octree->nodes[i]);
    }
    Side root = {octree->root, octree->nodes, 0};
    for (int axis = 0; axis < 3; ++axis)
        for (unsigned is_high = 0; is_high < 2; ++is_high)
            unite_with_outside(sealing, axis, is_high, root);
    return IMP_STATUS_OK;
}

imp_Status impi_octree_seal(imp_Context *context, const imp_Octree *octree, imp_Octree **sealed)
{
    Sealing sealing = {.context = context, .octree = octree};
    if (octree->node_count >= UINT32_MAX / 8)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                         "an octree of %zu gray cells is too large to be sealed", octree->node_count);
    size_t count = 8 * octree->node_count + 1;
    sealing.outside = (uint32_t)(count - 1);
    sealing.sets = impi_arena_allocate_array(&context->scratch, count, sizeof *sealing.sets);
    if (!sealing.sets)
        return impi_fail_out_of_memory(context);
    impi_sets_begin(sealing.sets, 0, count);
    impi_OctreeDraft draft;
    impi_octree_draft_begin(&draft, context, octree->grid.level, true);
    imp_CellColour root = octree->root;
    imp_Status status = root == IMP_CELL_GRAY ? unite_all(&sealing) : IMP_STATUS_OK;
    if (status == IMP_STATUS_OK && root == IMP_CELL_GRAY)
        root = seal_children(&sealing, &draft, 0, octree->nodes);
    if (status == IMP_STATUS_OK)
        status = impi_octree_draft_finish(context, &draft, &octree->grid, root,
                                          (impi_OctreeFlags){.is_cut = octree->is_cut}, sealed);
    impi_octree_draft_free(&draft);
    return status;
}
