/// The inside of imp_Octree: how its cells lie in memory, and how they are walked.
///
/// Only gray cells have nodes. They lie level by level, and within a level in the order in which a walk from
/// octant to octant meets them (Morton order), so that the gray children of a cell follow each other:
///
///     level 0     root
///                 gray: octants 1, 6; black: 0, 2
///                  |
///     level 1     child 1   child 6        at first + 0, first + 1
///
/// The children of a node that are neither gray nor black are white.
#ifndef IMPINGE_SHAPE_OCTREE_H
#define IMPINGE_SHAPE_OCTREE_H

#include "shape/shape.h"

#include <impinge/octree.h>

typedef struct impi_OctreeNode {
    /// Of its gray children. A node above voxels has none, and of an octree with lists of faces it says here
    /// which of all black voxels is the first below it.
    uint32_t first;
    uint8_t gray, black; // bit i: the child in octant i, x in bit 0, y in bit 1, z in bit 2
} impi_OctreeNode;

struct imp_Octree {
    impi_Shape shape; // bounds are those of the cube
    imp_OctreeGrid grid;
    bool is_cut;
    imp_CellColour root; // gray: nodes[0] is the root's
    impi_OctreeNode *nodes;
    size_t node_count;
    size_t
        level_first[IMP_MAX_OCTREE_LEVEL + 1]; // nodes of level l begin here and end where those of l + 1 do
    uint32_t
        *list_starts; // of each black voxel, in the order of walks, and the end of the last; null: no lists
    uint32_t *list_faces;
    size_t black_list_count, list_face_count;
    _Atomic(struct impi_CompactedCubes *) compacted; // made on first use (shape/octree_cubes.h)
};

/// A cell by its level and place, counted in cells of that level.
typedef struct impi_OctreeCell {
    uint32_t level, at[3];
} impi_OctreeCell;

#define IMPI_ROOT_CELL ((impi_OctreeCell){0, {0, 0, 0}})

static inline impi_OctreeCell impi_octree_child_cell(const impi_OctreeCell *cell, unsigned octant)
{
    return (impi_OctreeCell){cell->level + 1,
                             {2 * cell->at[0] + (octant & 1), 2 * cell->at[1] + (octant >> 1 & 1),
                              2 * cell->at[2] + (octant >> 2 & 1)}};
}

/// The first voxel of a cell along an axis; as many follow as cells of its level are wide.
static inline uint32_t impi_octree_first_voxel(const imp_OctreeGrid *grid, const impi_OctreeCell *cell,
                                               int axis)
{
    return cell->at[axis] << (grid->level - cell->level);
}

/// Corner i along an axis, 0 to 2^level.
static inline double impi_grid_corner(const imp_OctreeGrid *grid, int axis, uint32_t i)
{
    double origin = axis == 0 ? grid->origin.x : axis == 1 ? grid->origin.y : grid->origin.z;
    return origin + (double)i * grid->voxel;
}

static inline imp_CellColour impi_octree_child_colour(const impi_OctreeNode *node, unsigned octant)
{
    return node->gray >> octant & 1    ? IMP_CELL_GRAY
           : node->black >> octant & 1 ? IMP_CELL_BLACK
                                       : IMP_CELL_WHITE;
}

/// The node of a gray child; null for one that is not gray.
static inline const impi_OctreeNode *impi_octree_child(const imp_Octree *octree, const impi_OctreeNode *node,
                                                       unsigned octant)
{
    unsigned before = node->gray & ((1u << octant) - 1);
    if (!(node->gray >> octant & 1))
        return NULL;
    return &octree->nodes[node->first + (uint32_t)__builtin_popcount(before)];
}

/// Is it one that octrees can have? Otherwise with the status and error of imp_octree_create.
imp_Status impi_grid_check(imp_Context *context, const imp_OctreeGrid *grid);

bool impi_grid_equal(const imp_OctreeGrid *a, const imp_OctreeGrid *b);

/// See imp_octree_grid_around; without a context, so that there is no message.
imp_Status impi_grid_around(const imp_Mesh *mesh, uint32_t level, imp_OctreeGrid *grid);

/// When the last reference goes.
void impi_octree_destroy(imp_Octree *octree);

#endif
