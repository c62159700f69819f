// Octrees that are moved without leaving the axes: translations, and turns of a cube whose matrix is exact.
//
// Smith & Kitamura 2.5: each axis is subdivided by itself, and which voxels a cube meets is looked up there.
// A corner of the source falls between the same voxels for all cubes that have it, so each corner is looked
// for once. Coordinates are then sums of two doubles, which are compared exactly.
//
// Departs from the paper in what is done with it: a cube is a box of voxels, which are coloured tile by tile.
#include "geom/half_sum.h"
#include "shape/octree_move.h"
#include "shape/octree_spread.h"

#include <string.h>

#define UNKNOWN        UINT32_MAX
#define CUBES_PER_LOOK 4096

// An axis of the target: which one of the source goes there, and where its corners fall.
typedef struct UprightAxis {
    int source;
    double sign;             // 1 or -1
    uint32_t *begins, *ends; // of each corner of the source: UNKNOWN until it is looked for
} UprightAxis;

typedef struct Upright {
    impi_OctreeMotion *motion;
    impi_OctreeSpread spread;
    UprightAxis axes[3];
    impi_VoxelSpan *spans;
} Upright;

bool impi_octree_stays_upright(const imp_Transform *transform)
{
    for (int row = 0; row < 3; ++row) {
        int ones = 0, zeros = 0;
        for (int column = 0; column < 3; ++column) {
            double entry = transform->rows[row][column];
            ones += entry == 1 || entry == -1;
            zeros += entry == 0;
        }
        if (ones != 1 || zeros != 2)
            return false;
    }
    return true;
}

static double translation_along(const impi_OctreeMotion *motion, int axis)
{
    const imp_Vec3 *t = &motion->motion.transform.translation;
    return axis == 0 ? t->x : axis == 1 ? t->y : t->z;
}

// The sign of a corner's new place less the upper end (or the center, by that rule) of a voxel.
static int compare_upper(const impi_OctreeMotion *motion, int axis, double corner, uint32_t voxel)
{
    double translation = translation_along(motion, axis);
    double upper = impi_grid_corner(&motion->grid, axis, voxel + 1);
    if (motion->rule == IMP_MOVE_CENTRE)
        return impi_compare_half_sum(corner, translation, impi_grid_corner(&motion->grid, axis, voxel),
                                     upper);
    return impi_compare_half_sum(corner, translation, upper - motion->slack, upper - motion->slack);
}

static int compare_lower(const impi_OctreeMotion *motion, int axis, double corner, uint32_t voxel)
{
    if (motion->rule == IMP_MOVE_CENTRE)
        return compare_upper(motion, axis, corner, voxel);
    double lower = impi_grid_corner(&motion->grid, axis, voxel) + motion->slack;
    return impi_compare_half_sum(corner, translation_along(motion, axis), lower, lower);
}

// The first voxel that a span meets which begins at a corner.
static uint32_t find_begin(const impi_OctreeMotion *motion, int axis, double corner)
{
    const int most = motion->rule == IMP_MOVE_OVERLAP ? -1 : 0;
    uint32_t low = 0, high = 1u << motion->grid.level;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_upper(motion, axis, corner, middle) <= most)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// The first voxel beyond a span that ends at a corner.
static uint32_t find_end(const impi_OctreeMotion *motion, int axis, double corner)
{
    const int most = motion->rule == IMP_MOVE_OVERLAP ? 0 : -1;
    uint32_t low = 0, high = 1u << motion->grid.level;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_lower(motion, axis, corner, middle) <= most)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void find_span(Upright *upright, const imp_OctreeCube *cube, impi_VoxelSpan *span)
{
    const uint32_t at[3] = {cube->x, cube->y, cube->z};
    for (int axis = 0; axis < 3; ++axis) {
        UprightAxis *a = &upright->axes[axis];
        uint32_t low = at[a->source], high = low + cube->edge;
        uint32_t first = a->sign > 0 ? low : high, last = a->sign > 0 ? high : low;
        const imp_OctreeGrid *grid = &upright->motion->octree->grid;
        if (a->begins[first] == UNKNOWN)
            a->begins[first] =
                find_begin(upright->motion, axis, a->sign * impi_grid_corner(grid, a->source, first));
        if (a->ends[last] == UNKNOWN)
            a->ends[last] =
                find_end(upright->motion, axis, a->sign * impi_grid_corner(grid, a->source, last));
        span->min[axis] = a->begins[first];
        span->max[axis] = a->ends[last];
    }
}

static bool prepare(Upright *upright)
{
    impi_OctreeMotion *motion = upright->motion;
    impi_Arena *arena = &motion->context->scratch;
    const size_t corner_count = ((size_t)1 << motion->octree->grid.level) + 1;
    upright->spans = impi_arena_allocate_array(arena, motion->cubes.count, sizeof *upright->spans);
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t *places = impi_arena_allocate_array(arena, 2 * corner_count, sizeof *places);
        if (!places || !upright->spans)
            return false;
        memset(places, 0xFF, 2 * corner_count * sizeof *places);
        const double *row = motion->motion.transform.rows[axis];
        int source = row[0] != 0 ? 0 : row[1] != 0 ? 1 : 2;
        upright->axes[axis] = (UprightAxis){source, row[source], places, places + corner_count};
    }
    for (size_t i = 0; i < motion->cubes.count; ++i)
        find_span(upright, &motion->cubes.cubes[i], &upright->spans[i]);
    return true;
}

static bool colour_tile(void *user, impi_OctreeTile *tile, const uint32_t *cubes, size_t count)
{
    Upright *upright = user;
    bool goes_on = true;
    for (size_t i = 0; i < count && goes_on; ++i) {
        const impi_VoxelSpan *span = &upright->spans[cubes[i]];
        impi_tile_fill_box(tile, span->min, span->max);
        if (i % CUBES_PER_LOOK == CUBES_PER_LOOK - 1)
            goes_on = impi_watch_goes_on(&upright->motion->context->watch);
    }
    atomic_fetch_add_explicit(&upright->motion->cube_tests, count, memory_order_relaxed);
    return goes_on;
}

imp_Status impi_octree_move_upright(impi_OctreeMotion *motion, imp_Octree **result)
{
    Upright upright = {.motion = motion};
    if (!prepare(&upright))
        return impi_fail_out_of_memory(motion->context);
    upright.spread = (impi_OctreeSpread){motion, upright.spans, &upright, colour_tile};
    return impi_octree_spread(&upright.spread, result);
}
