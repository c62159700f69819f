#include "broad/octree_visit.h"

typedef struct SearchBox {
    float min[3], max[3];
} SearchBox;

// As the octree was filled with it (box_rows.h).
static SearchBox search_box(const impi_BoxRows *rows, size_t row)
{
    SearchBox box;
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

static uint32_t overlap_mask(const impi_Lanes *lanes, const SearchBox *box)
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

size_t impi_octree_find_overlapping(const impi_Octree *octree, const impi_BoxRows *rows, size_t row,
                                    uint32_t *found)
{
    SearchBox box = search_box(rows, row);
    size_t nodes[IMPI_OCTREE_MAX_LEVELS] = {0}, count = 0;
    uint32_t lanes[IMPI_OCTREE_MAX_LEVELS];
    unsigned level = octree->level_count - 1, top = level;
    lanes[level] = overlap_mask(&octree->levels[level][0], &box);
    while (level <= top) {
        if (lanes[level] == 0) {
            ++level;
            continue;
        }
        size_t child = nodes[level] * IMPI_LANES + (size_t)__builtin_ctz(lanes[level]);
        lanes[level] &= lanes[level] - 1;
        if (level == 0) {
            found[count++] = octree->order[child];
        } else {
            nodes[--level] = child;
            lanes[level] = overlap_mask(&octree->levels[level][child], &box);
        }
    }
    return count;
}
