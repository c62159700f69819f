#include "broad/octree_visit.h"

// As the octree was filled with it (box_rows.h).
static impi_SearchBox search_box(const impi_BoxRows *rows, size_t row)
{
    impi_SearchBox box;
    for (size_t axis = 0; axis < 3; ++axis) {
        if (rows->float_rows) {
            box.min[axis] = rows->float_rows[6 * row + axis];
            box.max[axis] = rows->float_rows[6 * row + 3 + axis];
        } else {
            const double *numbers = rows->double_rows + 6 * row + axis;
            box.min[axis] = (float)((numbers[0] - rows->origin[axis]) * rows->scale);
            box.max[axis] = (float)((numbers[3] - rows->origin[axis]) * rows->scale);
        }
    }
    return box;
}

static uint32_t overlap_mask(const impi_Lanes *lanes, const impi_SearchBox *box)
{
    uint8_t hits[IMPI_LANES];
    uint32_t mask = 0;
    for (int i = 0; i < IMPI_LANES; ++i) {
        int hit = 1;
        for (int axis = 0; axis < 3; ++axis)
            hit &= (lanes->min[axis][i] <= box->max[axis]) & (box->min[axis] <= lanes->max[axis][i]);
        hits[i] = (uint8_t)hit;
    }
    for (uint32_t i = 0; i < IMPI_LANES; ++i)
        mask |= (uint32_t)hits[i] << i;
    return mask;
}

void impi_octree_find_lanes(const impi_Octree *octree, const impi_SearchBox *box, impi_BlockHitFn hit,
                            void *argument)
{
    size_t nodes[IMPI_OCTREE_MAX_LEVELS] = {0};
    uint32_t lanes[IMPI_OCTREE_MAX_LEVELS];
    unsigned level = octree->level_count - 1, top = level;
    lanes[level] = overlap_mask(&octree->levels[level][0], box);
    while (level <= top) {
        if (lanes[level] == 0) {
            ++level;
            continue;
        }
        size_t child = nodes[level] * IMPI_LANES + (size_t)__builtin_ctz(lanes[level]);
        lanes[level] &= lanes[level] - 1;
        uint32_t below = overlap_mask(&octree->levels[level - 1][child], box);
        if (level > 1) {
            nodes[--level] = child;
            lanes[level] = below;
        } else if (below) {
            hit(child, below, argument);
        }
    }
}

typedef struct Found {
    const uint32_t *order;
    uint32_t *numbers;
    size_t count;
} Found;

static void list_hits(size_t block, uint32_t lanes, void *argument)
{
    Found *found = argument;
    for (; lanes; lanes &= lanes - 1)
        found->numbers[found->count++] = found->order[block * IMPI_LANES + (size_t)__builtin_ctz(lanes)];
}

size_t impi_octree_find_overlapping(const impi_Octree *octree, const impi_BoxRows *rows, size_t row,
                                    uint32_t *found)
{
    impi_SearchBox box = search_box(rows, row);
    Found list = {octree->order, found, 0};
    impi_octree_find_lanes(octree, &box, list_hits, &list);
    return list.count;
}
