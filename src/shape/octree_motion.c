// Coordinates in the frame are numbers of voxels times their size, as if corners were not rounded. How far
// they may be off is the frame's slop; where corners are exact, there is none.
#include "shape/octree_motion.h"

#include "geom/cube_exact.h"
#include "geom/exact_integer.h"
#include "geom/scalar.h"

#include <math.h>

#define MANTISSA_BITS 53

static void place_base(const imp_OctreeGrid *grid, double base[3])
{
    base[0] = grid->origin.x;
    base[1] = grid->origin.y;
    base[2] = grid->origin.z;
}

// No coordinate of the grid's corners is larger, nor is the edge of the cube.
static double largest_coordinate(const imp_OctreeGrid *grid)
{
    double largest = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double first = impi_grid_corner(grid, axis, 0),
               last = impi_grid_corner(grid, axis, 1u << grid->level);
        largest = fmax(largest, fmax(fabs(first), fabs(last)));
    }
    return largest;
}

// Are corners exact, less or more the slack? Then all of them are integers in steps of the lowest bit of the
// numbers that they are made of.
static bool has_exact_corners(const imp_OctreeGrid *grid, double slack, int *lowest)
{
    impi_GridSpan span = IMPI_NO_SPAN;
    const double numbers[5] = {grid->origin.x, grid->origin.y, grid->origin.z, grid->voxel, slack};
    for (int i = 0; i < 5; ++i)
        impi_span_add(&span, impi_split_double(numbers[i]));
    impi_span_add(&span, impi_split_double(largest_coordinate(grid)));
    *lowest = span.low < *lowest ? span.low : *lowest;
    return span.high - span.low + 2 <= MANTISSA_BITS;
}

static void make_frame(const impi_OctreeMotion *motion, const imp_Vec3 *translation, impi_CubeFrame *frame)
{
    const imp_OctreeGrid *source = &motion->octree->grid, *target = &motion->grid;
    double largest = fmax(largest_coordinate(source), largest_coordinate(target));
    largest = fmax(largest, fmax(fmax(fabs(translation->x), fabs(translation->y)), fabs(translation->z)));
    place_base(source, frame->source_base);
    place_base(target, frame->target_base);
    frame->exponent = impi_cube_frame_exponent(largest) + 1; // edges of cubes are at most twice as long
    double source_edge = scalbn(source->voxel, (int)source->level - frame->exponent);
    double target_edge = scalbn(target->voxel, (int)target->level - frame->exponent);
    frame->reach = fmax(source_edge, target_edge);
    int lowest = INT32_MAX;
    bool is_source_exact = has_exact_corners(source, 0, &lowest);
    bool is_exact = has_exact_corners(target, motion->slack, &lowest) && is_source_exact;
    frame->step = is_exact ? lowest - 1 - frame->exponent : IMPI_NO_STEP;
    // Each corner is rounded twice, or three times with slack, at no more than twice the largest coordinate.
    frame->slop = is_exact ? 0
                           : 0x1p-50 * (scalbn(largest_coordinate(source), -frame->exponent) + source_edge +
                                        scalbn(largest_coordinate(target), -frame->exponent) + target_edge);
}

void impi_octree_motion_init(impi_OctreeMotion *motion, imp_Context *context, const imp_Octree *octree,
                             const imp_OctreeMoveDef *def, const imp_Transform *transform,
                             const imp_OctreeGrid *grid)
{
    impi_CubeFrame frame;
    *motion = (impi_OctreeMotion){
        .context = context, .octree = octree, .grid = *grid, .rule = def->rule, .is_cut = octree->is_cut};
    motion->slack = def->rule == IMP_MOVE_CENTRE ? 0 : def->slack * grid->voxel;
    make_frame(motion, &transform->translation, &frame);
    impi_cube_motion_init(&motion->motion, transform, &frame);
    motion->source_voxel = impi_times_power(octree->grid.voxel, -frame.exponent);
    motion->target_voxel = impi_times_power(grid->voxel, -frame.exponent);
    motion->local_slack = impi_times_power(motion->slack, -frame.exponent);
}

void impi_octree_source_box(const impi_OctreeMotion *motion, const imp_OctreeCube *cube, impi_SourceBox *box)
{
    const uint32_t at[3] = {cube->x, cube->y, cube->z};
    for (int axis = 0; axis < 3; ++axis) {
        box->min[axis] = impi_grid_corner(&motion->octree->grid, axis, at[axis]);
        box->max[axis] = impi_grid_corner(&motion->octree->grid, axis, at[axis] + cube->edge);
    }
}

void impi_octree_target_box(const impi_OctreeMotion *motion, const impi_OctreeCell *cell, impi_TargetBox *box)
{
    uint32_t voxels = 1u << (motion->grid.level - cell->level);
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t first = impi_octree_first_voxel(&motion->grid, cell, axis), end = first + voxels;
        if (motion->rule == IMP_MOVE_CENTRE) {
            for (uint32_t part = 0; part < 2; ++part) {
                box->min[axis][part] = impi_grid_corner(&motion->grid, axis, first + part);
                box->max[axis][part] = impi_grid_corner(&motion->grid, axis, end - 1 + part);
            }
        } else {
            box->min[axis][0] = impi_grid_corner(&motion->grid, axis, first) + motion->slack;
            box->max[axis][0] = impi_grid_corner(&motion->grid, axis, end) - motion->slack;
            box->min[axis][1] = box->min[axis][0];
            box->max[axis][1] = box->max[axis][0];
        }
    }
}

void impi_octree_source_place(const impi_OctreeMotion *motion, const imp_OctreeCube *cube, double center[3],
                              double half[3])
{
    const uint32_t at[3] = {cube->x, cube->y, cube->z};
    for (int axis = 0; axis < 3; ++axis) {
        half[axis] = 0.5 * cube->edge * motion->source_voxel;
        center[axis] = (at[axis] + 0.5 * cube->edge) * motion->source_voxel;
    }
}

double impi_octree_target_half(const impi_OctreeMotion *motion, uint32_t voxels)
{
    uint32_t left = motion->rule == IMP_MOVE_CENTRE ? voxels - 1 : voxels;
    return 0.5 * left * motion->target_voxel - motion->local_slack;
}

void impi_octree_target_place(const impi_OctreeMotion *motion, const impi_OctreeCell *cell, double center[3],
                              double half[3])
{
    uint32_t voxels = 1u << (motion->grid.level - cell->level);
    for (int axis = 0; axis < 3; ++axis) {
        half[axis] = impi_octree_target_half(motion, voxels);
        center[axis] =
            (impi_octree_first_voxel(&motion->grid, cell, axis) + 0.5 * voxels) * motion->target_voxel;
    }
}

bool impi_octree_rule_holds(impi_OctreeMotion *motion, const imp_OctreeCube *cube,
                            const impi_OctreeCell *voxel)
{
    impi_SourceBox source;
    impi_TargetBox target;
    impi_CubeShadow shadows[2];
    double center[3], half[3];
    impi_octree_source_box(motion, cube, &source);
    impi_octree_target_box(motion, voxel, &target);
    impi_octree_source_place(motion, cube, center, half);
    impi_cube_source_shadow(&motion->motion, center, half, &shadows[0]);
    impi_octree_target_place(motion, voxel, center, half);
    impi_cube_target_shadow(&motion->motion, center, half, &shadows[1]);
    impi_CubePair pair = {&source, &target, &shadows[0], &shadows[1]};
    bool is_exact;
    bool are_apart = impi_cube_are_apart(&motion->motion, &pair, impi_octree_motion_sense(motion), &is_exact);
    atomic_fetch_add_explicit(&motion->exact_tests, is_exact, memory_order_relaxed);
    return !are_apart;
}

// ---- what is cut

static bool reaches_beyond_exactly(const impi_OctreeMotion *motion, const imp_VoxelBox *voxels, int axis)
{
    impi_SourceBox source;
    impi_TargetBox target;
    for (int i = 0; i < 3; ++i) {
        source.min[i] = impi_grid_corner(&motion->octree->grid, i, voxels->min[i]);
        source.max[i] = impi_grid_corner(&motion->octree->grid, i, voxels->max[i]);
        for (int part = 0; part < 2; ++part) {
            target.min[i][part] = impi_grid_corner(&motion->grid, i, 0);
            target.max[i][part] = impi_grid_corner(&motion->grid, i, 1u << motion->grid.level);
        }
    }
    impi_ExactCubes cubes;
    impi_exact_cubes_init(&cubes, &motion->motion.transform, &source, &target);
    impi_CubeEnds ends = impi_exact_cube_ends(&cubes, axis);
    return ends.least > 0 || ends.largest < 0;
}

// The closed source, which is a box of voxels, against the whole target cube, without slack and whatever the
// rule. Directions 0 to 2 are axes.
static bool reaches_beyond(const impi_OctreeMotion *motion, const imp_VoxelBox *voxels)
{
    const impi_CubeMotion *m = &motion->motion;
    const double radius = 0.5 * motion->target_voxel * (double)(1u << motion->grid.level);
    double center[3], half[3];
    for (int i = 0; i < 3; ++i) {
        center[i] = 0.5 * ((double)voxels->min[i] + voxels->max[i]) * motion->source_voxel;
        half[i] = 0.5 * (double)(voxels->max[i] - voxels->min[i]) * motion->source_voxel;
    }
    for (int axis = 0; axis < 3; ++axis) {
        const double *edges = m->source[axis];
        double middle =
            ((edges[0] * center[0] + edges[1] * center[1]) + edges[2] * center[2]) + m->offset[axis];
        double reach = (fabs(edges[0]) * half[0] + fabs(edges[1]) * half[1]) + fabs(edges[2]) * half[2];
        double beyond = (fabs(middle - radius) + reach) - radius;
        bool is_known = beyond > m->error[axis] || beyond <= -m->error[axis];
        if (is_known ? beyond > 0 : reaches_beyond_exactly(motion, voxels, axis))
            return true;
    }
    return false;
}

static void add_cube(imp_VoxelBox *bounds, const imp_OctreeCube *cube)
{
    const uint32_t at[3] = {cube->x, cube->y, cube->z};
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t end = at[axis] + cube->edge;
        bounds->min[axis] = at[axis] < bounds->min[axis] ? at[axis] : bounds->min[axis];
        bounds->max[axis] = end > bounds->max[axis] ? end : bounds->max[axis];
    }
}

#define NO_VOXELS ((imp_VoxelBox){{UINT32_MAX, UINT32_MAX, UINT32_MAX}, {0, 0, 0}})

// Where the box around all cubes stays inside, all of them do.
void impi_octree_find_cut(impi_OctreeMotion *motion)
{
    imp_VoxelBox bounds = NO_VOXELS;
    for (size_t i = 0; i < motion->cubes.count; ++i)
        add_cube(&bounds, &motion->cubes.cubes[i]);
    if (motion->cubes.count == 0 || motion->is_cut || !reaches_beyond(motion, &bounds))
        return;
    for (size_t i = 0; i < motion->cubes.count && !motion->is_cut; ++i) {
        bounds = NO_VOXELS;
        add_cube(&bounds, &motion->cubes.cubes[i]);
        motion->is_cut = reaches_beyond(motion, &bounds);
    }
}
