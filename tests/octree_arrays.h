/// Octrees beside arrays of their voxels: what every function that looks at one has to say follows from the
/// array, cell by cell.
#ifndef IMPINGE_TESTS_OCTREE_ARRAYS_H
#define IMPINGE_TESTS_OCTREE_ARRAYS_H

#include "harness.h"

#include <impinge/octree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline size_t voxel_count_of(uint32_t level)
{
    return (size_t)1 << 3 * level;
}

/// Of the child in an octant (x + 2 y + 4 z) of cell `i` of level `l`.
static inline size_t child_index(uint32_t l, size_t i, unsigned octant)
{
    size_t n = (size_t)1 << l, x = 2 * (i / n / n) + (octant & 1), y = 2 * (i / n % n) + (octant >> 1 & 1),
           z = 2 * (i % n) + (octant >> 2);
    return (x * 2 * n + y) * 2 * n + z;
}

/// The colours of all cells, level by level; the last level is that of voxels.
typedef struct CellArrays {
    uint32_t level;
    uint8_t *colours[IMP_MAX_OCTREE_LEVEL + 1]; // of cells at (x * n + y) * n + z
} CellArrays;

/// Cells are black where all voxels are, white where none is, otherwise gray; in trees that are not
/// condensed, all cells with black voxels are gray.
static inline CellArrays cell_arrays_make(const uint8_t *black, uint32_t level, bool is_condensed)
{
    CellArrays cells = {.level = level};
    for (uint32_t l = level + 1; l-- > 0;) {
        cells.colours[l] = malloc(voxel_count_of(l));
        for (size_t i = 0; i < voxel_count_of(l); ++i) {
            int counts[3] = {0};
            for (unsigned octant = 0; octant < 8 && l < level; ++octant)
                ++counts[cells.colours[l + 1][child_index(l, i, octant)]];
            if (l == level)
                cells.colours[l][i] = black[i] ? IMP_CELL_BLACK : IMP_CELL_WHITE;
            else
                cells.colours[l][i] = counts[IMP_CELL_WHITE] == 8                   ? IMP_CELL_WHITE
                                      : counts[IMP_CELL_BLACK] == 8 && is_condensed ? IMP_CELL_BLACK
                                                                                    : IMP_CELL_GRAY;
        }
    }
    return cells;
}

/// The colours of a text without white space and G, which is right; a cell that is no node has the colour of
/// the one that it is in. Returns where the text goes on after cell `i` of level `l`.
static inline const char *cell_arrays_read(CellArrays *cells, uint32_t l, size_t i, const char *text)
{
    bool is_gray = *text == '(';
    cells->colours[l][i] = is_gray ? IMP_CELL_GRAY : *text == 'B' ? IMP_CELL_BLACK : IMP_CELL_WHITE;
    const char *next = text + 1;
    for (unsigned octant = 0; octant < 8 && l < cells->level; ++octant) {
        const char *end = cell_arrays_read(cells, l + 1, child_index(l, i, octant), is_gray ? next : text);
        next = is_gray ? end : next;
    }
    return next;
}

/// The text of a tree of these cells.
static inline size_t cell_arrays_write(const CellArrays *cells, uint32_t l, size_t i, char *text)
{
    uint8_t colour = cells->colours[l][i];
    size_t length = 1;
    *text = colour == IMP_CELL_GRAY ? '(' : colour == IMP_CELL_BLACK ? 'B' : 'W';
    for (unsigned octant = 0; octant < 8 && colour == IMP_CELL_GRAY; ++octant)
        length += cell_arrays_write(cells, l + 1, child_index(l, i, octant), text + length);
    return length;
}

static inline void cell_arrays_free(CellArrays *cells)
{
    for (uint32_t l = 0; l <= cells->level; ++l)
        free(cells->colours[l]);
}

static inline bool check_colours(const imp_Octree *octree, const CellArrays *cells)
{
    int wrong = 0;
    imp_CellColour colour = IMP_CELL_WHITE;
    for (uint32_t l = 0; l <= cells->level; ++l) {
        uint32_t n = 1u << l;
        for (uint32_t i = 0; i < n * n * n; ++i) {
            imp_Status status = imp_octree_get_colour(octree, l, i / n / n, i / n % n, i % n, &colour);
            wrong += status != IMP_STATUS_OK || colour != cells->colours[l][i];
        }
        CHECK_INT(imp_octree_get_colour(octree, l, n, 0, 0, &colour), IMP_STATUS_BAD_INDEX);
        CHECK_INT(imp_octree_get_colour(octree, l, 0, 0, n, &colour), IMP_STATUS_BAD_INDEX);
    }
    CHECK_INT(imp_octree_get_colour(octree, cells->level + 1, 0, 0, 0, &colour), IMP_STATUS_BAD_INDEX);
    return CHECK_INT(wrong, 0);
}

/// A cell is in the tree if its parent is gray.
static inline bool is_in_tree(const CellArrays *cells, uint32_t l, size_t i)
{
    size_t n = (size_t)1 << l, half = n / 2;
    return l == 0 || cells->colours[l - 1][((i / n / n / 2) * half + i / n % n / 2) * half + i % n / 2] ==
                         IMP_CELL_GRAY;
}

/// No gray cell has eight children of one colour that is not gray.
static inline bool are_condensed(const CellArrays *cells)
{
    for (uint32_t l = 0; l < cells->level; ++l)
        for (size_t i = 0; i < voxel_count_of(l); ++i) {
            int counts[3] = {0};
            for (unsigned octant = 0; octant < 8; ++octant)
                ++counts[cells->colours[l + 1][child_index(l, i, octant)]];
            if (cells->colours[l][i] == IMP_CELL_GRAY &&
                (counts[IMP_CELL_BLACK] == 8 || counts[IMP_CELL_WHITE] == 8))
                return false;
        }
    return true;
}

static inline bool check_info(const imp_Octree *octree, const CellArrays *cells, const imp_OctreeGrid *grid)
{
    imp_OctreeInfo info;
    int before = test_failed_checks();
    uint64_t voxels = 0;
    uint32_t level = cells->level, n = 1u << level, low[3] = {n, n, n}, high[3] = {0};
    if (!CHECK_INT(imp_octree_get_info(octree, &info), IMP_STATUS_OK))
        return false;
    CHECK_INT(info.is_condensed, are_condensed(cells));
    for (uint32_t l = 0; l <= IMP_MAX_OCTREE_LEVEL; ++l) {
        uint64_t counts[3] = {0};
        for (size_t i = 0; l <= level && i < voxel_count_of(l); ++i)
            if (is_in_tree(cells, l, i))
                ++counts[cells->colours[l][i]];
        CHECK_INT(info.white_count[l], counts[IMP_CELL_WHITE]);
        CHECK_INT(info.black_count[l], counts[IMP_CELL_BLACK]);
        CHECK_INT(info.gray_count[l], counts[IMP_CELL_GRAY]);
    }
    for (uint32_t i = 0; i < voxel_count_of(level); ++i) {
        uint32_t at[3] = {i / n / n, i / n % n, i % n};
        if (cells->colours[level][i] != IMP_CELL_BLACK)
            continue;
        ++voxels;
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = at[axis] < low[axis] ? at[axis] : low[axis];
            high[axis] = at[axis] + 1 > high[axis] ? at[axis] + 1 : high[axis];
        }
    }
    CHECK_INT(info.black_voxel_count, voxels);
    for (int axis = 0; axis < 3; ++axis) {
        CHECK_INT(info.bounds.min[axis], voxels ? low[axis] : 0);
        CHECK_INT(info.bounds.max[axis], high[axis]);
    }
    double v = grid->voxel, volume = (double)voxels * v * v * v;
    if (isfinite(volume) && volume > 1e-290)
        CHECK(fabs(info.volume - volume) <= 1e-14 * volume);
    CHECK_DOUBLE(info.grid.voxel, grid->voxel);
    CHECK_DOUBLE(info.grid.origin.x, grid->origin.x);
    CHECK_DOUBLE(info.grid.origin.y, grid->origin.y);
    CHECK_DOUBLE(info.grid.origin.z, grid->origin.z);
    CHECK_INT(info.grid.level, level);
    return test_failed_checks() == before;
}

/// Its text, to be freed; ends with a zero.
static inline char *df_text_of(imp_Context *context, const imp_Octree *octree, size_t *length)
{
    CHECK_INT(imp_octree_get_df(context, octree, NULL, 0, length), IMP_STATUS_BUFFER_SHORT);
    char *text = calloc(*length + 1, 1);
    CHECK_INT(imp_octree_get_df(context, octree, text, *length, length), IMP_STATUS_OK);
    return text;
}

/// All that can be looked at.
static inline bool check_cells(imp_Context *context, const imp_Octree *octree, const imp_OctreeGrid *grid,
                               const CellArrays *cells)
{
    size_t count = voxel_count_of(grid->level), length, want_length;
    uint8_t *voxels = malloc(count), *blacks = cells->colours[grid->level]; // IMP_CELL_BLACK is 1
    char *text = df_text_of(context, octree, &length), *want = malloc(2 * count);
    want_length = cell_arrays_write(cells, 0, 0, want);
    bool is_right = check_info(octree, cells, grid) && check_colours(octree, cells) &&
                    CHECK_INT(imp_octree_get_voxels(context, octree, voxels, count), IMP_STATUS_OK) &&
                    CHECK(memcmp(voxels, blacks, count) == 0) &&
                    CHECK(length == want_length && memcmp(text, want, length) == 0);
    free(voxels);
    free(text);
    free(want);
    return is_right;
}

static inline bool check_octree(imp_Context *context, const imp_Octree *octree, const imp_OctreeGrid *grid,
                                const uint8_t *black, bool is_condensed)
{
    CellArrays cells = cell_arrays_make(black, grid->level, is_condensed);
    bool is_right = check_cells(context, octree, grid, &cells);
    cell_arrays_free(&cells);
    return is_right;
}

#endif
