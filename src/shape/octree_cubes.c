#include "shape/octree_cubes.h"

#include "shape/octree_cells.h"
#include "shape/octree_compact.h"

#include <string.h>

size_t impi_octree_count_black_cells(const imp_Octree *octree)
{
    size_t count = octree->root == IMP_CELL_BLACK;
    for (size_t i = 0; i < octree->node_count; ++i)
        count += (size_t)__builtin_popcount(octree->nodes[i].black);
    return count;
}

typedef struct Listing {
    const imp_Octree *octree;
    impi_CubeList *list;
} Listing;

static bool add_cell(void *user, const impi_OctreeCell *cell)
{
    Listing *listing = user;
    const imp_OctreeGrid *grid = &listing->octree->grid;
    listing->list->cubes[listing->list->count++] =
        (imp_OctreeCube){impi_octree_first_voxel(grid, cell, 0), impi_octree_first_voxel(grid, cell, 1),
                         impi_octree_first_voxel(grid, cell, 2), 1u << (grid->level - cell->level)};
    return true;
}

static imp_Status list_cells(imp_Context *context, const imp_Octree *octree, impi_CubeList *list)
{
    size_t count = impi_octree_count_black_cells(octree);
    *list = (impi_CubeList){impi_arena_allocate_array(&context->scratch, count, sizeof *list->cubes), 0};
    if (!list->cubes)
        return impi_fail_out_of_memory(context);
    Listing listing = {octree, list};
    impi_octree_visit(octree, IMP_CELL_BLACK, add_cell, &listing);
    return IMP_STATUS_OK;
}

imp_Status impi_octree_list_cubes(imp_Context *context, const imp_Octree *octree,
                                  const imp_OctreeCubesDef *def, impi_CubeList *list)
{
    imp_Status status = list_cells(context, octree, list);
    return status == IMP_STATUS_OK && def->compact ? impi_octree_compact(context, def->starts, list) : status;
}

imp_Status impi_octree_get_cubes(imp_Context *context, const imp_Octree *octree,
                                 const imp_OctreeCubesDef *def, imp_OctreeCube *cubes, size_t capacity,
                                 size_t *count)
{
    impi_CubeList list;
    imp_Status status = impi_octree_list_cubes(context, octree, def, &list);
    if (status != IMP_STATUS_OK)
        return status;
    *count = list.count;
    if (list.count > capacity)
        return impi_fail(context, IMP_STATUS_BUFFER_SHORT, IMP_NOWHERE, "%zu cubes do not fit into %zu",
                         list.count, capacity);
    if (list.count > 0)
        memcpy(cubes, list.cubes, list.count * sizeof *cubes);
    return IMP_STATUS_OK;
}
