// Smith & Kitamura 1994, section 2.5. An axis is halved again and again around each source cube, down to
// voxels, and what is found of each part is kept: apart from the cube, in part or wholly in it. A target cube
// is then apart from a source cube if one of its three intervals is, and in it if all three are.
//
// The target octree is written as depth-first text while it is walked (2.4.3): a cell whose children turn out
// to be all black, or all white, takes back what they have written.
//
// Positions are sums of two doubles, each with what rounding took off it, so that no comparison is off.
#include "smith_translation.h"

#include "base/memory.h"
#include "shape/octree.h"

#include <stdlib.h>

// In this order: a cube's relation is the least of its intervals'.
typedef enum Relation { APART, IN_PART, INSIDE } Relation;

void smith_translation_free(SmithTranslation *t)
{
    const imp_Allocator *allocator = &impi_default_allocator;
    for (int axis = 0; axis < 3; ++axis) {
        impi_array_free(allocator, &t->lows[axis], sizeof(double));
        impi_array_free(allocator, &t->highs[axis], sizeof(double));
        impi_array_free(allocator, &t->low_rests[axis], sizeof(double));
        impi_array_free(allocator, &t->high_rests[axis], sizeof(double));
        impi_array_free(allocator, &t->corners[axis], sizeof(double));
        impi_array_free(allocator, &t->relations[axis], sizeof(uint8_t));
    }
    impi_array_free(allocator, &t->text, sizeof(char));
    impi_array_free(allocator, &t->items, sizeof(uint32_t));
}

// ---- intervals

// The sign of (sum + rest) - x, where `sum` is what a sum that is off by `rest` was rounded to.
static int side_of(double sum, double rest, double x)
{
    if (sum != x)
        return sum > x ? 1 : -1;
    return (rest > 0) - (rest < 0);
}

// A part of an axis and a cube: does it have more than a plane of it?
static Relation compare_interval(SmithTranslation *t, int axis, size_t cube, uint32_t first, uint32_t end)
{
    double low = t->corners[axis].data[first], high = t->corners[axis].data[end];
    ++t->plane_tests;
    if (side_of(t->highs[axis].data[cube], t->high_rests[axis].data[cube], low) <= 0 ||
        side_of(t->lows[axis].data[cube], t->low_rests[axis].data[cube], high) >= 0)
        return APART;
    bool is_inside = side_of(t->lows[axis].data[cube], t->low_rests[axis].data[cube], low) <= 0 &&
                     side_of(t->highs[axis].data[cube], t->high_rests[axis].data[cube], high) >= 0;
    return is_inside ? INSIDE : IN_PART;
}

// Parts of an axis are numbered as the nodes of a heap are: 1 is all of it, 2 i and 2 i + 1 are halves of i.
static uint32_t parts_of_axis(const SmithTranslation *t)
{
    return 2u << t->def.target_grid.level;
}

// What is apart from the cube, or in it, is so in all of its parts.
static void spread_relation(uint8_t *relations, uint32_t part, uint32_t part_count, Relation relation)
{
    for (uint32_t count = 1; part < part_count; part *= 2, count *= 2)
        for (uint32_t i = 0; i < count; ++i)
            relations[part + i] = (uint8_t)relation;
}

static void halve_axis(SmithTranslation *t, int axis, size_t cube, uint32_t part, uint32_t first,
                       uint32_t end)
{
    uint32_t part_count = parts_of_axis(t);
    uint8_t *relations = t->relations[axis].data + cube * part_count;
    Relation relation = compare_interval(t, axis, cube, first, end);
    if (relation != IN_PART) {
        spread_relation(relations, part, part_count, relation);
        return;
    }
    relations[part] = IN_PART;
    if (end - first == 1)
        return;
    uint32_t middle = first + (end - first) / 2;
    halve_axis(t, axis, cube, 2 * part, first, middle);
    halve_axis(t, axis, cube, 2 * part + 1, middle, end);
}

// a + b, and what is lost when it is rounded (Knuth).
static double sum_with_rest(double a, double b, double *rest)
{
    double sum = a + b, of_b = sum - a;
    *rest = (a - (sum - of_b)) + (b - of_b);
    return sum;
}

static void place_cube(SmithTranslation *t, size_t i)
{
    const imp_OctreeCube *cube = &t->def.cubes[i];
    const uint32_t at[3] = {cube->x, cube->y, cube->z};
    for (int axis = 0; axis < 3; ++axis) {
        double move = (&t->def.move.x)[axis];
        double low = impi_grid_corner(&t->def.source_grid, axis, at[axis]);
        double high = impi_grid_corner(&t->def.source_grid, axis, at[axis] + cube->edge);
        t->lows[axis].data[i] = sum_with_rest(low, move, &t->low_rests[axis].data[i]);
        t->highs[axis].data[i] = sum_with_rest(high, move, &t->high_rests[axis].data[i]);
    }
}

// ---- the walk

static Relation compare_cube(SmithTranslation *t, size_t cube, const impi_OctreeCell *cell)
{
    Relation relation = INSIDE;
    uint32_t shift = t->def.target_grid.level - cell->level, part_count = parts_of_axis(t);
    ++t->cube_tests;
    for (int axis = 0; axis < 3 && relation != APART; ++axis) {
        uint32_t at = cell->at[axis];
        Relation here = t->def.test == SMITH_TRANSLATION_PLANES
                            ? compare_interval(t, axis, cube, at << shift, (at + 1) << shift)
                            : t->relations[axis].data[cube * part_count + (1u << cell->level) + at];
        relation = here < relation ? here : relation;
    }
    return relation;
}

// The cell's cubes are `count` of the stack from `first` on. Writes the cell; 0 when out of memory. Recursion
// is as deep as the level.
static char write_cell(SmithTranslation *t, const impi_OctreeCell *cell, size_t first, size_t count)
{
    const imp_Allocator *allocator = &impi_default_allocator;
    size_t top = t->items.count, start = t->text.count;
    bool is_voxel = cell->level == t->def.target_grid.level;
    char colour = 'W';
    if (!impi_array_reserve(allocator, &t->items, sizeof(uint32_t), top + count) ||
        !impi_array_reserve(allocator, &t->text, sizeof(char), start + 1))
        return 0;
    for (size_t i = first; i < first + count && colour != 'B'; ++i) {
        Relation relation = compare_cube(t, t->items.data[i], cell);
        if (relation == APART)
            continue;
        colour = relation == INSIDE || is_voxel ? 'B' : '(';
        t->items.data[t->items.count++] = t->items.data[i];
    }
    t->text.data[t->text.count++] = colour;
    unsigned blacks = 0, whites = 0;
    size_t met = t->items.count - top;
    for (unsigned octant = 0; octant < 8 && colour == '('; ++octant) {
        impi_OctreeCell child = impi_octree_child_cell(cell, octant);
        char written = write_cell(t, &child, top, met);
        if (written == 0)
            return 0;
        blacks += written == 'B';
        whites += written == 'W';
    }
    t->items.count = top;
    if (blacks < 8 && whites < 8)
        return colour;
    t->text.count = start + 1;
    return t->text.data[start] = blacks ? 'B' : 'W';
}

// ---- all together

static bool make_room(SmithTranslation *t)
{
    const imp_Allocator *allocator = &impi_default_allocator;
    size_t count = t->def.cube_count, corners = ((size_t)1 << t->def.target_grid.level) + 1;
    size_t relations = t->def.test == SMITH_TRANSLATION_AXES ? count * parts_of_axis(t) : 0;
    bool done = impi_array_reserve(allocator, &t->items, sizeof(uint32_t), count);
    for (int axis = 0; axis < 3; ++axis)
        done = done && impi_array_reserve(allocator, &t->lows[axis], sizeof(double), count) &&
               impi_array_reserve(allocator, &t->highs[axis], sizeof(double), count) &&
               impi_array_reserve(allocator, &t->low_rests[axis], sizeof(double), count) &&
               impi_array_reserve(allocator, &t->high_rests[axis], sizeof(double), count) &&
               impi_array_reserve(allocator, &t->corners[axis], sizeof(double), corners) &&
               impi_array_reserve(allocator, &t->relations[axis], sizeof(uint8_t), relations);
    return done;
}

bool smith_translation_move(SmithTranslation *t, const SmithTranslationDef *def)
{
    t->def = *def;
    t->text.count = t->items.count = 0;
    t->plane_tests = t->cube_tests = 0;
    uint32_t end = 1u << def->target_grid.level;
    if (!make_room(t))
        return false;
    for (int axis = 0; axis < 3; ++axis)
        for (uint32_t i = 0; i <= end; ++i)
            t->corners[axis].data[i] = impi_grid_corner(&def->target_grid, axis, i);
    for (size_t i = 0; i < def->cube_count; ++i) {
        place_cube(t, i);
        for (int axis = 0; axis < 3 && def->test == SMITH_TRANSLATION_AXES; ++axis)
            halve_axis(t, axis, i, 1, 0, end);
        t->items.data[t->items.count++] = (uint32_t)i;
    }
    impi_OctreeCell root = IMPI_ROOT_CELL;
    return write_cell(t, &root, 0, def->cube_count) != 0;
}
