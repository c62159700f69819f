// Octrees as arrays of voxels: cells are made from voxels up, and eight alike are one.
#include "shape/octree_draft.h"
#include "shape/octree_text.h"

#include <string.h>

static imp_Status check_count(imp_Context *context, const imp_OctreeGrid *grid, size_t count)
{
    size_t expected = grid->level <= 20 ? (size_t)1 << 3 * grid->level : 0;
    if (count == expected)
        return IMP_STATUS_OK;
    return impi_fail(context, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE,
                     "%zu voxels, but an octree of level %u has %zu", count, (unsigned)grid->level, expected);
}

typedef struct Array {
    imp_Context *context;
    uint32_t level;
    const uint8_t *voxels;
    bool has_ended;
} Array;

static size_t voxel_place(uint32_t level, const uint32_t at[3])
{
    return ((size_t)at[0] << 2 * level) + ((size_t)at[1] << level) + at[2];
}

static imp_CellColour read_cell(Array *array, impi_OctreeDraft *draft, const impi_OctreeCell *cell)
{
    if (cell->level == array->level)
        return array->voxels[voxel_place(array->level, cell->at)] ? IMP_CELL_BLACK : IMP_CELL_WHITE;
    uint32_t first = impi_octree_draft_first(draft, cell->level);
    uint8_t gray = 0, black = 0;
    if (cell->level + 4 == array->level && !impi_watch_step(&array->context->watch, 1))
        array->has_ended = true;
    for (unsigned octant = 0; octant < 8 && !array->has_ended; ++octant) {
        impi_OctreeCell child = impi_octree_child_cell(cell, octant);
        imp_CellColour colour = read_cell(array, draft, &child);
        gray |= (uint8_t)((colour == IMP_CELL_GRAY) << octant);
        black |= (uint8_t)((colour == IMP_CELL_BLACK) << octant);
    }
    array->has_ended |= draft->is_out_of_memory;
    return impi_octree_draft_close(draft, cell->level, first, gray, black);
}

imp_Status impi_octree_create_from_voxels(imp_Context *context, const imp_OctreeGrid *grid,
                                          const uint8_t *voxels, size_t count, imp_Octree **octree)
{
    imp_Status status = impi_grid_check(context, grid);
    if (status == IMP_STATUS_OK)
        status = check_count(context, grid, count);
    if (status != IMP_STATUS_OK)
        return status;
    Array array = {context, grid->level, voxels, false};
    impi_OctreeDraft draft;
    impi_OctreeCell root = IMPI_ROOT_CELL;
    impi_octree_draft_begin(&draft, context, grid->level, true);
    impi_watch_work(&context->watch, "joining voxels",
                    grid->level > 4 ? (uint64_t)1 << 3 * (grid->level - 4) : 1);
    imp_CellColour colour = read_cell(&array, &draft, &root);
    status = draft.is_out_of_memory ? impi_fail_out_of_memory(context) : impi_watch_status(context);
    if (status == IMP_STATUS_OK)
        status = impi_octree_draft_finish(context, &draft, grid, colour, (impi_OctreeFlags){0}, octree);
    impi_octree_draft_free(&draft);
    return status;
}

// ---- back

static void write_cell(const imp_Octree *octree, const impi_OctreeCell *cell, imp_CellColour colour,
                       const impi_OctreeNode *node, uint8_t *voxels)
{
    for (unsigned octant = 0; octant < 8 && colour == IMP_CELL_GRAY; ++octant) {
        impi_OctreeCell child = impi_octree_child_cell(cell, octant);
        write_cell(octree, &child, impi_octree_child_colour(node, octant),
                   impi_octree_child(octree, node, octant), voxels);
    }
    if (colour == IMP_CELL_GRAY)
        return;
    uint32_t level = octree->grid.level, width = 1u << (level - cell->level), first[3];
    for (int axis = 0; axis < 3; ++axis)
        first[axis] = impi_octree_first_voxel(&octree->grid, cell, axis);
    for (uint32_t x = 0; x < width; ++x)
        for (uint32_t y = 0; y < width; ++y)
            memset(voxels + voxel_place(level, (uint32_t[3]){first[0] + x, first[1] + y, first[2]}),
                   colour == IMP_CELL_BLACK, width);
}

imp_Status impi_octree_get_voxels(imp_Context *context, const imp_Octree *octree, uint8_t *voxels,
                                  size_t count)
{
    imp_Status status = check_count(context, &octree->grid, count);
    impi_OctreeCell root = IMPI_ROOT_CELL;
    if (status == IMP_STATUS_OK)
        write_cell(octree, &root, octree->root, octree->nodes, voxels);
    return status;
}
