#include "shape/octree.h"

#include "base/watch.h"
#include "geom/predicates.h"
#include "shape/octree_cells.h"
#include "shape/octree_cubes.h"

#include <string.h>

void impi_octree_destroy(imp_Octree *octree)
{
    const imp_Allocator allocator = octree->shape.allocator;
    impi_release(&allocator, octree->nodes, octree->node_count * sizeof *octree->nodes);
    impi_release(&allocator, octree->list_starts,
                 (octree->black_list_count + 1) * sizeof *octree->list_starts);
    impi_release(&allocator, octree->list_faces, octree->list_face_count * sizeof *octree->list_faces);
    impi_octree_free_compacted(octree);
    impi_release(&allocator, octree, sizeof *octree);
}

imp_CellColour impi_octree_find(const imp_Octree *octree, const impi_OctreeCell *cell,
                                const impi_OctreeNode **above, unsigned *octant)
{
    imp_CellColour colour = octree->root;
    const impi_OctreeNode *node = octree->nodes;
    *above = NULL;
    for (uint32_t level = 1; level <= cell->level && colour == IMP_CELL_GRAY; ++level) {
        uint32_t shift = cell->level - level;
        if (*above)
            node = impi_octree_child(octree, node, *octant);
        *octant =
            (cell->at[0] >> shift & 1) | (cell->at[1] >> shift & 1) << 1 | (cell->at[2] >> shift & 1) << 2;
        *above = node;
        colour = impi_octree_child_colour(node, *octant);
    }
    return colour;
}

// ---- what is in one

static void count_cells(const imp_Octree *octree, imp_OctreeInfo *info)
{
    uint64_t *const counts[] = {info->white_count, info->black_count, info->gray_count};
    counts[octree->root][0] = 1;
    info->is_condensed = true;
    for (uint32_t level = 0; level < octree->grid.level; ++level) {
        for (size_t i = octree->level_first[level]; i < octree->level_first[level + 1]; ++i) {
            const impi_OctreeNode *node = &octree->nodes[i];
            unsigned gray = (unsigned)__builtin_popcount(node->gray);
            unsigned black = (unsigned)__builtin_popcount(node->black);
            info->gray_count[level + 1] += gray;
            info->black_count[level + 1] += black;
            info->white_count[level + 1] += 8 - gray - black;
            info->is_condensed &= gray > 0 || (black > 0 && black < 8);
        }
    }
    for (uint32_t level = 0; level <= octree->grid.level; ++level)
        info->black_voxel_count += info->black_count[level] << 3 * (octree->grid.level - level);
}

static bool add_to_bounds(void *user, const impi_OctreeCell *cell)
{
    imp_OctreeInfo *info = user;
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t first = impi_octree_first_voxel(&info->grid, cell, axis);
        uint32_t end = first + (1u << (info->grid.level - cell->level));
        bool is_lower = info->bounds.max[axis] == 0 || first < info->bounds.min[axis];
        info->bounds.min[axis] = is_lower ? first : info->bounds.min[axis];
        info->bounds.max[axis] = end > info->bounds.max[axis] ? end : info->bounds.max[axis];
    }
    return true;
}

void impi_octree_get_info(const imp_Octree *octree, imp_OctreeInfo *info)
{
    *info = (imp_OctreeInfo){.grid = octree->grid,
                             .is_cut = octree->is_cut,
                             .has_faces = octree->list_starts != NULL,
                             .face_count = octree->list_face_count};
    count_cells(octree, info);
    double edge = octree->grid.voxel;
    info->volume = (double)info->black_voxel_count * edge * edge * edge;
    impi_octree_visit(octree, IMP_CELL_BLACK, add_to_bounds, info);
}

void impi_octree_get_faces(const imp_Octree *octree, const uint32_t at[3], const uint32_t **faces,
                           size_t *count)
{
    const impi_OctreeNode *above;
    unsigned octant;
    impi_OctreeCell cell = {octree->grid.level, {at[0], at[1], at[2]}};
    *faces = NULL;
    *count = 0;
    if (!octree->list_starts || impi_octree_find(octree, &cell, &above, &octant) != IMP_CELL_BLACK)
        return;
    unsigned before = above->black & ((1u << octant) - 1);
    size_t voxel = above->first + (uint32_t)__builtin_popcount(before);
    *faces = octree->list_faces + octree->list_starts[voxel];
    *count = octree->list_starts[voxel + 1] - octree->list_starts[voxel];
}

// ---- walks

typedef struct Visit {
    const imp_Octree *octree;
    imp_CellColour colour;
    impi_OctreeCellFn visit;
    void *user;
} Visit;

static bool visit_children(const Visit *visit, const impi_OctreeNode *node, const impi_OctreeCell *cell)
{
    bool goes_on = true;
    const unsigned wanted = visit->colour == IMP_CELL_BLACK  ? node->black
                            : visit->colour == IMP_CELL_GRAY ? node->gray
                                                             : 0xFF & ~((unsigned)node->gray | node->black);
    for (unsigned left = wanted | node->gray; left && goes_on; left &= left - 1) {
        unsigned octant = (unsigned)__builtin_ctz(left);
        impi_OctreeCell child = impi_octree_child_cell(cell, octant);
        if (wanted >> octant & 1)
            goes_on = visit->visit(visit->user, &child);
        if ((node->gray >> octant & 1) && goes_on)
            goes_on = visit_children(visit, impi_octree_child(visit->octree, node, octant), &child);
    }
    return goes_on;
}

bool impi_octree_visit(const imp_Octree *octree, imp_CellColour colour, impi_OctreeCellFn visit, void *user)
{
    const Visit walk = {octree, colour, visit, user};
    impi_OctreeCell root = IMPI_ROOT_CELL;
    bool goes_on = octree->root != colour || visit(user, &root);
    if (octree->root == IMP_CELL_GRAY && goes_on)
        goes_on = visit_children(&walk, octree->nodes, &root);
    return goes_on;
}

// ---- points

// The voxels along an axis whose closed span holds x: one, two neighbours, or none.
static unsigned find_voxels(const imp_OctreeGrid *grid, int axis, double x, uint32_t voxels[2])
{
    uint32_t low = 0, high = 1u << grid->level;
    if (x < impi_grid_corner(grid, axis, 0) || x > impi_grid_corner(grid, axis, high))
        return 0;
    while (high - low > 1) { // corner low <= x, and x < corner high unless that is the last
        uint32_t middle = low + (high - low) / 2;
        if (impi_grid_corner(grid, axis, middle) <= x)
            low = middle;
        else
            high = middle;
    }
    unsigned count = 0;
    if (low > 0 && x == impi_grid_corner(grid, axis, low))
        voxels[count++] = low - 1;
    voxels[count++] = low;
    return count;
}

static imp_CellColour locate(const imp_Octree *octree, const imp_Vec3 *point)
{
    uint32_t x[2], y[2], z[2];
    unsigned nx = find_voxels(&octree->grid, 0, point->x, x), ny = find_voxels(&octree->grid, 1, point->y, y),
             nz = find_voxels(&octree->grid, 2, point->z, z);
    for (unsigned i = 0; i < nx * ny * nz; ++i) {
        impi_OctreeCell voxel = {octree->grid.level, {x[i % nx], y[i / nx % ny], z[i / nx / ny]}};
        const impi_OctreeNode *above;
        unsigned octant;
        if (impi_octree_find(octree, &voxel, &above, &octant) == IMP_CELL_BLACK)
            return IMP_CELL_BLACK;
    }
    return IMP_CELL_WHITE;
}

imp_Status impi_octree_locate_points(imp_Context *context, const imp_Octree *octree, const imp_Vec3 *points,
                                     size_t count, imp_CellColour *colours)
{
    for (size_t i = 0; i < count; ++i)
        if (!impi_vec3_is_finite(&points[i]))
            return impi_fail(context, IMP_STATUS_BAD_NUMBER, i, "point %zu is not finite", i);
    for (size_t i = 0; i < count; ++i)
        colours[i] = locate(octree, &points[i]);
    return IMP_STATUS_OK;
}
