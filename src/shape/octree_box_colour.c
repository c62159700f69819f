#include "shape/octree_box_colour.h"

enum { HAS_WHITE = 1, HAS_BLACK = 2, HAS_BOTH = 3 };

// Octants of a cell, of which the voxels from `middle` on are the upper ones, that a box meets which meets
// the cell.
static unsigned met_octants(const impi_SignedBox *box, const int32_t middle[3])
{
    static const unsigned lower[3] = {0x55, 0x33, 0x0F};
    unsigned octants = 0xFF;
    for (int axis = 0; axis < 3; ++axis) {
        unsigned met = (box->min[axis] < middle[axis] ? lower[axis] : 0) |
                       (box->max[axis] > middle[axis] ? 0xFF & ~lower[axis] : 0);
        octants &= met;
    }
    return octants;
}

// Colours below a gray node, whose cell begins at `at` and has an edge of 2 `half`. Recursion is as deep as
// the octree.
static unsigned find_colours(const imp_Octree *octree, const impi_OctreeNode *node, const int32_t at[3],
                             int32_t half, const impi_SignedBox *box)
{
    const int32_t middle[3] = {at[0] + half, at[1] + half, at[2] + half};
    unsigned octants = met_octants(box, middle);
    unsigned colours = ((octants & node->black) ? HAS_BLACK : 0) |
                       ((octants & ~(node->black | (unsigned)node->gray)) ? HAS_WHITE : 0);
    for (unsigned gray = octants & node->gray; gray && colours != HAS_BOTH; gray &= gray - 1) {
        unsigned octant = (unsigned)__builtin_ctz(gray);
        const int32_t child[3] = {octant & 1 ? middle[0] : at[0], octant & 2 ? middle[1] : at[1],
                                  octant & 4 ? middle[2] : at[2]};
        colours |= find_colours(octree, impi_octree_child(octree, node, octant), child, half / 2, box);
    }
    return colours;
}

imp_CellColour impi_octree_box_colour(const imp_Octree *octree, const impi_SignedBox *box)
{
    const int32_t edge = (int32_t)1 << octree->grid.level, origin[3] = {0, 0, 0};
    unsigned colours = 0;
    bool meets = true;
    for (int axis = 0; axis < 3; ++axis) {
        colours |= box->min[axis] < 0 || box->max[axis] > edge ? HAS_WHITE : 0;
        meets &= box->min[axis] < edge && box->max[axis] > 0;
    }
    if (!meets)
        return IMP_CELL_WHITE;
    if (octree->root == IMP_CELL_GRAY)
        colours |= find_colours(octree, octree->nodes, origin, edge / 2, box);
    else
        colours |= octree->root == IMP_CELL_BLACK ? HAS_BLACK : HAS_WHITE;
    return colours == HAS_BOTH ? IMP_CELL_GRAY : colours == HAS_BLACK ? IMP_CELL_BLACK : IMP_CELL_WHITE;
}
