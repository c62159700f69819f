// A cell of the result lies across up to eight cells of its size of the source, and its children across those
// cells' children:
//
//     source   |-------|-------|        the patch of a cell: two cells of the source along each axis,
//     cell        |-------|             and how far behind the first one it begins (its rest)
//     child       |---|                 across the children 0 (rest: as before) and 1 of the first one
//
// Cost: 8 times the gray cells of the source and of the result, which has many where large cells of the
// source do not lie on its own.
#include "shape/octree_shift.h"

#include "shape/octree_draft.h"
#include "shape/octree_view.h"

// A cell of the source, or a larger one, of 2^above times its size, with the source as its first part and
// white elsewhere.
typedef struct Part {
    impi_OctreeView view;
    uint32_t above;
} Part;

#define WHITE_PART ((Part){IMPI_WHITE_VIEW, 0})

typedef struct Patch {
    Part parts[8];    // as octants are; the second along an axis counts where the rest is not 0
    uint32_t rest[3]; // in voxels, below the size of the cell
} Patch;

typedef struct Shift {
    impi_Watch *watch;
    impi_OctreeDraft draft;
    size_t cell_count;
    bool has_ended; // out of memory, or told to end
} Shift;

static imp_CellColour part_colour(const Part *part)
{
    return part->above > 0 && part->view.colour != IMP_CELL_WHITE ? IMP_CELL_GRAY : part->view.colour;
}

static Part child_of_part(const Part *part, unsigned octant)
{
    if (part->above == 0)
        return (Part){impi_octree_view_child(&part->view, octant), 0};
    return octant == 0 ? (Part){part->view, part->above - 1} : WHITE_PART;
}

// The source's cell at a place, counted in cells of 2^size_log voxels.
static Part part_at(const imp_Octree *source, const int32_t at[3], uint32_t size_log)
{
    uint32_t level = source->grid.level;
    Part part = {impi_octree_view(source), size_log > level ? size_log - level : 0};
    for (int axis = 0; axis < 3; ++axis)
        if (at[axis] < 0 || at[axis] >= (size_log < level ? (int32_t)1 << (level - size_log) : 1))
            return WHITE_PART;
    for (; level > size_log; --level) {
        uint32_t bit = level - size_log - 1;
        unsigned octant = ((uint32_t)at[0] >> bit & 1) | ((uint32_t)at[1] >> bit & 1) << 1 |
                          ((uint32_t)at[2] >> bit & 1) << 2;
        part = child_of_part(&part, octant);
    }
    return part;
}

static bool counts(const Patch *patch, unsigned i)
{
    for (int axis = 0; axis < 3; ++axis)
        if ((i >> axis & 1) && patch->rest[axis] == 0)
            return false;
    return true;
}

// Gray where parts differ, or are.
static imp_CellColour colour_of(const Patch *patch)
{
    imp_CellColour colour = part_colour(&patch->parts[0]);
    for (unsigned i = 1; i < 8; ++i)
        if (counts(patch, i) && part_colour(&patch->parts[i]) != colour)
            return IMP_CELL_GRAY;
    return colour;
}

// `half` is the size of children.
static void take_child(const Patch *patch, unsigned octant, uint32_t half, Patch *child)
{
    uint32_t begin[3];
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t at = patch->rest[axis] + (octant >> axis & 1) * half;
        begin[axis] = at / half; // 0 to 2, of the children of both parts
        child->rest[axis] = at % half;
    }
    for (unsigned i = 0; i < 8; ++i) {
        unsigned part = 0, within = 0;
        for (unsigned axis = 0; axis < 3; ++axis) {
            uint32_t place = begin[axis] + (i >> axis & 1);
            part |= (place >> 1) << axis;
            within |= (place & 1) << axis;
        }
        child->parts[i] = child_of_part(&patch->parts[part], within);
    }
}

static imp_CellColour shift_cell(Shift *shift, const Patch *patch, uint32_t level)
{
    imp_CellColour colour = colour_of(patch);
    if (colour != IMP_CELL_GRAY || shift->has_ended)
        return colour;
    uint32_t first = impi_octree_draft_first(&shift->draft, level);
    unsigned gray = 0, black = 0;
    for (unsigned octant = 0; octant < 8; ++octant) {
        Patch child;
        take_child(patch, octant, 1u << (shift->draft.level - level - 1), &child);
        imp_CellColour part = shift_cell(shift, &child, level + 1);
        gray |= (unsigned)(part == IMP_CELL_GRAY) << octant;
        black |= (unsigned)(part == IMP_CELL_BLACK) << octant;
    }
    colour = impi_octree_draft_close(&shift->draft, level, first, (uint8_t)gray, (uint8_t)black);
    shift->has_ended |= shift->draft.is_out_of_memory;
    shift->has_ended |= !impi_watch_item(shift->watch, shift->cell_count++);
    return colour;
}

static void lay_root(const imp_Octree *source, const int32_t from[3], uint32_t level, Patch *root)
{
    int32_t base[3], size = (int32_t)1 << level;
    for (int axis = 0; axis < 3; ++axis) {
        root->rest[axis] = (uint32_t)((from[axis] % size + size) % size);
        base[axis] = (from[axis] - (int32_t)root->rest[axis]) / size;
    }
    for (unsigned i = 0; i < 8; ++i) {
        int32_t at[3];
        for (unsigned axis = 0; axis < 3; ++axis)
            at[axis] = base[axis] + (int32_t)(i >> axis & 1);
        root->parts[i] = part_at(source, at, level);
    }
}

imp_Status impi_octree_shift(imp_Context *context, const imp_Octree *source, const imp_OctreeGrid *grid,
                             const int32_t from[3], imp_Octree **octree)
{
    Shift shift = {.watch = &context->watch};
    Patch root;
    lay_root(source, from, grid->level, &root);
    impi_watch_work(&context->watch, "shifting an octree", 1 + 2 * (uint64_t)source->node_count);
    impi_octree_draft_begin(&shift.draft, context, grid->level, true);
    imp_CellColour colour = shift_cell(&shift, &root, 0);
    imp_Status status = impi_watch_status(context);
    if (status == IMP_STATUS_OK)
        status = impi_octree_draft_finish(context, &shift.draft, grid, colour,
                                          (impi_OctreeFlags){.is_cut = source->is_cut}, octree);
    impi_octree_draft_free(&shift.draft);
    return status;
}
