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

static imp_Status compact(imp_Context *context, const imp_Octree *octree, uint32_t starts,
                          impi_CubeList *list)
{
    imp_Status status = list_cells(context, octree, list);
    return status == IMP_STATUS_OK ? impi_octree_compact(context, starts, list) : status;
}

// ---- what is kept

static void free_compacted(const imp_Allocator *allocator, impi_CompactedCubes *kept)
{
    if (kept)
        impi_release(allocator, kept, sizeof *kept + kept->count * sizeof *kept->cubes);
}

void impi_octree_free_compacted(imp_Octree *octree)
{
    free_compacted(&octree->shape.allocator, atomic_load(&octree->compacted));
}

static imp_Status make_compacted(imp_Context *context, const imp_Octree *octree, impi_CompactedCubes **made)
{
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    impi_CubeList list;
    imp_Status status = compact(context, octree, 0, &list);
    impi_CompactedCubes *kept = NULL;
    if (status == IMP_STATUS_OK) {
        kept = impi_allocate(&octree->shape.allocator, sizeof *kept + list.count * sizeof *list.cubes);
        status = kept ? IMP_STATUS_OK : impi_fail_out_of_memory(context);
    }
    if (kept) {
        kept->count = list.count;
        if (list.count > 0)
            memcpy(kept->cubes, list.cubes, list.count * sizeof *list.cubes);
    }
    *made = kept;
    impi_arena_rewind(&context->scratch, mark);
    return status;
}

static imp_Status find_compacted(imp_Context *context, const imp_Octree *octree, impi_CubeList *list)
{
    imp_Octree *owner = (imp_Octree *)octree; // this is a cache
    impi_CompactedCubes *known = atomic_load_explicit(&owner->compacted, memory_order_acquire);
    if (!known) {
        impi_CompactedCubes *made = NULL;
        imp_Status status = make_compacted(context, octree, &made);
        if (status != IMP_STATUS_OK)
            return status;
        if (atomic_compare_exchange_strong(&owner->compacted, &known, made))
            known = made;
        else
            free_compacted(&octree->shape.allocator, made); // another thread was first
    }
    *list = (impi_CubeList){known->cubes, known->count};
    return IMP_STATUS_OK;
}

imp_Status impi_octree_list_cubes(imp_Context *context, const imp_Octree *octree,
                                  const imp_OctreeCubesDef *def, impi_CubeList *list)
{
    if (!def->compact)
        return list_cells(context, octree, list);
    return def->starts == 0 ? find_compacted(context, octree, list)
                            : compact(context, octree, def->starts, list);
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
