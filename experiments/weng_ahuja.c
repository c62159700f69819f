// Weng & Ahuja, Three-dimensional object representation and array of octrees (1987), in the words of Smith &
// Kitamura 1994: each black cube of the source is moved and walks the target octree from its root. A target
// cube that it does not meet stays as it is; one that it does meet gets eight children, which are looked at
// in turn, down to voxels; on the way back eight black children become one black cube again (condensing).
// Target cubes above voxels are compared with the box around the moved cube's circumscribed sphere, which
// never tells that a target cube is black as a whole: that comes out of condensing alone.
//
// Departs from it in that no verdict is rounded: boxes around spheres are a little larger than they are, and
// where doubles do not tell whether a center lies in a moved cube, integers do. So it gives the voxels of
// imp_octree_move.
#include "weng_ahuja.h"

#include "base/array.h"
#include "base/memory.h"
#include "geom/cube_cube.h"
#include "geom/cube_steps.h"
#include "geom/pose.h"
#include "shape/octree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHILDREN         8
#define GROUPS_PER_CHUNK 512
#define HALF_SQRT_3      0.8660254037844387
#define MAX_KEPT_LEVEL   7       // of targets whose cells are kept in another frame; finer ones are too many
#define RELATIVE_ERROR   0x1p-40 // far above what a few roundings come to

typedef struct Node {
    imp_CellColour colour;
    struct Node *children; // eight of a gray node; of one on the list of free groups, the next group
} Node;

typedef struct Chunk {
    struct Chunk *next;
    Node nodes[GROUPS_PER_CHUNK][CHILDREN];
} Chunk;

// A target cell in the frame of the source, which it is brought to once (2.4.2).
typedef struct KeptCell {
    bool is_made;
    impi_StepsCube steps;
} KeptCell;

struct WengAhuja {
    WengAhujaDef def;
    WengAhujaStats stats;
    Node root, *free_groups;
    Chunk *chunks;
    // Of the target along each axis: corners of voxels, and their centers as they come out in doubles.
    double *corners[3], *centers[3];
    double error; // of coordinates of either grid
    impi_CubeMotion motion;
    KeptCell *kept; // of all cells above voxels, level by level; for WENG_AHUJA_STEPS
};

// A source cube that walks.
typedef struct Walker {
    impi_SourceBox box;
    double low[3], high[3]; // around its circumscribed sphere, or, moved without a turn, around itself
    impi_StepsCube steps;   // for WENG_AHUJA_STEPS
    impi_CubeShadow shadow; // for both exact tests
    double low_rest[3], high_rest[3]; // of sums that were rounded to `low` and `high`
} Walker;

// ---- memory

WengAhuja *weng_ahuja_create(void)
{
    return calloc(1, sizeof(WengAhuja));
}

static void free_axes(WengAhuja *target)
{
    for (int axis = 0; axis < 3; ++axis) {
        free(target->corners[axis]);
        free(target->centers[axis]);
        target->corners[axis] = target->centers[axis] = NULL;
    }
}

void weng_ahuja_destroy(WengAhuja *target)
{
    if (!target)
        return;
    while (target->chunks) {
        Chunk *chunk = target->chunks;
        target->chunks = chunk->next;
        free(chunk);
    }
    free_axes(target);
    free(target->kept);
    free(target);
}

static void free_children(WengAhuja *target, Node *node)
{
    node->children->children = target->free_groups;
    target->free_groups = node->children;
    node->children = NULL;
}

static void free_subtree(WengAhuja *target, Node *node)
{
    if (!node->children)
        return;
    for (int octant = 0; octant < CHILDREN; ++octant)
        free_subtree(target, &node->children[octant]);
    free_children(target, node);
}

static bool grow_groups(WengAhuja *target)
{
    Chunk *chunk = malloc(sizeof *chunk);
    if (!chunk)
        return false;
    chunk->next = target->chunks;
    target->chunks = chunk;
    for (size_t i = 0; i < GROUPS_PER_CHUNK; ++i) {
        chunk->nodes[i]->children = target->free_groups;
        target->free_groups = chunk->nodes[i];
    }
    return true;
}

// Eight white ones.
static bool divide(WengAhuja *target, Node *node)
{
    if (!target->free_groups && !grow_groups(target))
        return false;
    node->colour = IMP_CELL_GRAY;
    node->children = target->free_groups;
    target->free_groups = node->children->children;
    memset(node->children, 0, CHILDREN * sizeof *node->children);
    return true;
}

// ---- tests

static uint32_t first_voxel(const WengAhuja *target, const impi_OctreeCell *cell, int axis)
{
    return impi_octree_first_voxel(&target->def.target_grid, cell, axis);
}

static uint32_t voxels_wide(const WengAhuja *target, const impi_OctreeCell *cell)
{
    return 1u << (target->def.target_grid.level - cell->level);
}

// The cube of the centers of a target's voxels, which is a point for a voxel.
static impi_TargetBox center_box(const WengAhuja *target, const impi_OctreeCell *cell)
{
    impi_TargetBox box;
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t first = first_voxel(target, cell, axis), last = first + voxels_wide(target, cell) - 1;
        const double *corners = target->corners[axis];
        memcpy(box.min[axis], &corners[first], sizeof box.min[axis]);
        memcpy(box.max[axis], &corners[last], sizeof box.max[axis]);
    }
    return box;
}

static impi_CubeRelation compare_sphere(const WengAhuja *target, const Walker *walker,
                                        const impi_OctreeCell *cell)
{
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t first = first_voxel(target, cell, axis), last = first + voxels_wide(target, cell) - 1;
        if (target->centers[axis][first] > walker->high[axis] ||
            target->centers[axis][last] < walker->low[axis])
            return IMPI_CUBES_APART;
    }
    return IMPI_CUBES_PARTIAL;
}

// The cube of the centers of a target's voxels, in the frame of the motion.
typedef struct Place {
    double center[3], half[3];
} Place;

static Place place_of(const WengAhuja *target, const impi_OctreeCell *cell)
{
    const impi_CubeFrame *frame = &target->motion.frame;
    Place place;
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t first = first_voxel(target, cell, axis), last = first + voxels_wide(target, cell) - 1;
        double low = target->centers[axis][first], high = target->centers[axis][last];
        place.center[axis] = impi_cube_frame_local(frame, frame->target_base[axis], 0.5 * low + 0.5 * high);
        place.half[axis] = impi_cube_frame_local(frame, 0, 0.5 * high - 0.5 * low);
    }
    return place;
}

static impi_CubeRelation compare_exactly(const WengAhuja *target, const Walker *walker,
                                         const impi_OctreeCell *cell, const Place *place)
{
    impi_TargetBox box = center_box(target, cell);
    impi_CubeShadow shadow;
    bool is_exact;
    impi_cube_target_shadow(&target->motion, place->center, place->half, &shadow);
    impi_CubePair pair = {&walker->box, &box, &walker->shadow, &shadow};
    return impi_cube_relation(&target->motion, &pair, IMPI_CUBES_CLOSED, &is_exact);
}

// How many cells there are above a level.
static size_t cells_above(uint32_t level)
{
    return (((size_t)1 << 3 * level) - 1) / 7;
}

static void make_steps(const WengAhuja *target, const impi_OctreeCell *cell, impi_StepsCube *steps)
{
    Place place = place_of(target, cell);
    impi_steps_target(&target->motion, place.center, place.half[0], steps);
}

static impi_CubeRelation compare_by_steps(const WengAhuja *target, const Walker *walker,
                                          const impi_OctreeCell *cell)
{
    KeptCell own, *kept = &own;
    own.is_made = false;
    if (target->kept) {
        size_t n = (size_t)1 << cell->level;
        kept = &target->kept[cells_above(cell->level) + (cell->at[0] * n + cell->at[1]) * n + cell->at[2]];
    }
    if (!kept->is_made)
        make_steps(target, cell, &kept->steps);
    kept->is_made = true;
    impi_StepsVerdict verdict = impi_cube_steps(&target->motion, &walker->steps, &kept->steps);
    if (verdict != IMPI_STEPS_UNCERTAIN)
        return (impi_CubeRelation)verdict;
    Place place = place_of(target, cell);
    return compare_exactly(target, walker, cell, &place);
}

// The sign of (sum + rest) - x, where `sum` is what a sum that is off by `rest` was rounded to.
static int side_of(double sum, double rest, double x)
{
    if (sum != x)
        return sum > x ? 1 : -1;
    return (rest > 0) - (rest < 0);
}

static impi_CubeRelation compare_planes(const WengAhuja *target, const Walker *walker,
                                        const impi_OctreeCell *cell)
{
    bool is_inside = true;
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t first = first_voxel(target, cell, axis);
        double low = target->corners[axis][first];
        double high = target->corners[axis][first + voxels_wide(target, cell)];
        if (side_of(walker->high[axis], walker->high_rest[axis], low) <= 0 ||
            side_of(walker->low[axis], walker->low_rest[axis], high) >= 0)
            return IMPI_CUBES_APART;
        is_inside &= side_of(walker->low[axis], walker->low_rest[axis], low) <= 0 &&
                     side_of(walker->high[axis], walker->high_rest[axis], high) >= 0;
    }
    return is_inside ? IMPI_CUBES_COMPLETE : IMPI_CUBES_PARTIAL;
}

// Is the center of a voxel in the moved cube? It is moved back, by the transposed matrix, and compared where
// the cube came from.
static bool holds_center(const WengAhuja *target, const Walker *walker, const impi_OctreeCell *cell)
{
    const imp_Transform *t = &target->def.transform;
    const double *move = &t->translation.x;
    double offset[3];
    bool is_sure = true;
    for (int axis = 0; axis < 3; ++axis)
        offset[axis] = target->centers[axis][cell->at[axis]] - move[axis];
    for (int axis = 0; axis < 3; ++axis) {
        double back =
            t->rows[0][axis] * offset[0] + t->rows[1][axis] * offset[1] + t->rows[2][axis] * offset[2];
        double above = back - walker->box.min[axis], below = walker->box.max[axis] - back;
        if (above < -target->error || below < -target->error)
            return false;
        is_sure &= above > target->error && below > target->error;
    }
    impi_TargetBox point = center_box(target, cell);
    return is_sure || impi_cube_cube(t, &walker->box, &point, IMPI_CUBES_CLOSED) != IMPI_CUBES_APART;
}

static bool blackens_voxel(WengAhuja *target, const Walker *walker, const impi_OctreeCell *cell)
{
    ++target->stats.voxel_tests;
    return target->def.test == WENG_AHUJA_PLANES ? compare_planes(target, walker, cell) != IMPI_CUBES_APART
                                                 : holds_center(target, walker, cell);
}

static impi_CubeRelation compare(WengAhuja *target, const Walker *walker, const impi_OctreeCell *cell)
{
    ++target->stats.cube_tests;
    switch (target->def.test) {
    case WENG_AHUJA_STEPS:
        return compare_by_steps(target, walker, cell);
    case WENG_AHUJA_EXACT: {
        Place place = place_of(target, cell);
        return compare_exactly(target, walker, cell, &place);
    }
    case WENG_AHUJA_PLANES:
        return compare_planes(target, walker, cell);
    default:
        return compare_sphere(target, walker, cell);
    }
}

// ---- walking

static void condense(WengAhuja *target, Node *node)
{
    unsigned counts[3] = {0, 0, 0}; // by colour
    for (int octant = 0; octant < CHILDREN; ++octant)
        ++counts[node->children[octant].colour];
    if (counts[IMP_CELL_BLACK] < CHILDREN && counts[IMP_CELL_WHITE] < CHILDREN)
        return;
    node->colour = node->children->colour;
    free_children(target, node);
}

// Recursion is as deep as the target's level.
static bool walk(WengAhuja *target, const Walker *walker, Node *node, const impi_OctreeCell *cell)
{
    if (node->colour == IMP_CELL_BLACK)
        return true;
    if (cell->level == target->def.target_grid.level) {
        if (blackens_voxel(target, walker, cell))
            node->colour = IMP_CELL_BLACK;
        return true;
    }
    impi_CubeRelation relation = compare(target, walker, cell);
    if (relation == IMPI_CUBES_APART)
        return true;
    if (relation == IMPI_CUBES_COMPLETE) {
        free_subtree(target, node);
        node->colour = IMP_CELL_BLACK;
        return true;
    }
    if (!node->children && !divide(target, node))
        return false;
    for (unsigned octant = 0; octant < CHILDREN; ++octant) {
        impi_OctreeCell child = impi_octree_child_cell(cell, octant);
        if (!walk(target, walker, &node->children[octant], &child))
            return false;
    }
    condense(target, node);
    return true;
}

// ---- motion

static double largest_coordinate(const imp_OctreeGrid *grid)
{
    double largest = 0;
    for (int axis = 0; axis < 3; ++axis)
        largest = fmax(largest, fmax(fabs(impi_grid_corner(grid, axis, 0)),
                                     fabs(impi_grid_corner(grid, axis, 1u << grid->level))));
    return largest;
}

// Coordinates that are rounded a few times on their way into the frame are off by less than the slop there.
static void make_motion(WengAhuja *target)
{
    const WengAhujaDef *def = &target->def;
    impi_CubeFrame frame = {.step = IMPI_NO_STEP, .slop = RELATIVE_ERROR, .reach = 2};
    for (int axis = 0; axis < 3; ++axis) {
        frame.source_base[axis] = impi_grid_corner(&def->source_grid, axis, 0);
        frame.target_base[axis] = impi_grid_corner(&def->target_grid, axis, 0);
    }
    frame.exponent = impi_cube_frame_exponent(target->error / RELATIVE_ERROR);
    impi_cube_motion_init(&target->motion, &def->transform, &frame);
}

static bool make_axes(WengAhuja *target)
{
    const imp_OctreeGrid *grid = &target->def.target_grid;
    uint32_t end = 1u << grid->level;
    free_axes(target);
    for (int axis = 0; axis < 3; ++axis) {
        double *corners = target->corners[axis] = malloc((end + 1) * sizeof *corners);
        double *centers = target->centers[axis] = malloc(end * sizeof *centers);
        if (!corners || !centers)
            return false;
        for (uint32_t i = 0; i <= end; ++i)
            corners[i] = impi_grid_corner(grid, axis, i);
        for (uint32_t i = 0; i < end; ++i)
            centers[i] = 0.5 * corners[i] + 0.5 * corners[i + 1];
    }
    return true;
}

// a + b, and what is lost when it is rounded (Knuth).
static double sum_with_rest(double a, double b, double *rest)
{
    double sum = a + b, of_b = sum - a;
    *rest = (a - (sum - of_b)) + (b - of_b);
    return sum;
}

static void make_walker(const WengAhuja *target, const imp_OctreeCube *cube, Walker *walker)
{
    const WengAhujaDef *def = &target->def;
    const uint32_t at[3] = {cube->x, cube->y, cube->z};
    const double *move = &def->transform.translation.x;
    double center[3];
    for (int axis = 0; axis < 3; ++axis) {
        walker->box.min[axis] = impi_grid_corner(&def->source_grid, axis, at[axis]);
        walker->box.max[axis] = impi_grid_corner(&def->source_grid, axis, at[axis] + cube->edge);
        center[axis] = 0.5 * walker->box.min[axis] + 0.5 * walker->box.max[axis];
    }
    imp_Vec3 moved = impi_transform_apply(&def->transform, (imp_Vec3){center[0], center[1], center[2]});
    const impi_CubeFrame *frame = &target->motion.frame;
    double local[3], half[3];
    for (int axis = 0; axis < 3; ++axis) {
        local[axis] = impi_cube_frame_local(frame, frame->source_base[axis], center[axis]);
        half[axis] =
            impi_cube_frame_local(frame, 0, 0.5 * walker->box.max[axis] - 0.5 * walker->box.min[axis]);
    }
    if (def->test == WENG_AHUJA_EXACT || def->test == WENG_AHUJA_STEPS)
        impi_cube_source_shadow(&target->motion, local, half, &walker->shadow);
    if (def->test == WENG_AHUJA_STEPS)
        impi_steps_source(&target->motion, local, half[0], &walker->steps);
    double radius = HALF_SQRT_3 * cube->edge * def->source_grid.voxel + target->error;
    for (int axis = 0; axis < 3; ++axis) {
        walker->low[axis] = (&moved.x)[axis] - radius;
        walker->high[axis] = (&moved.x)[axis] + radius;
        if (def->test != WENG_AHUJA_PLANES)
            continue;
        walker->low[axis] = sum_with_rest(walker->box.min[axis], move[axis], &walker->low_rest[axis]);
        walker->high[axis] = sum_with_rest(walker->box.max[axis], move[axis], &walker->high_rest[axis]);
    }
}

bool weng_ahuja_move(WengAhuja *target, const WengAhujaDef *def)
{
    const imp_Vec3 *move = &def->transform.translation;
    free_subtree(target, &target->root);
    target->root.colour = IMP_CELL_WHITE;
    target->def = *def;
    target->stats = (WengAhujaStats){0, 0};
    target->error =
        RELATIVE_ERROR * (largest_coordinate(&def->source_grid) + largest_coordinate(&def->target_grid) +
                          fabs(move->x) + fabs(move->y) + fabs(move->z));
    if (!make_axes(target))
        return false;
    make_motion(target);
    free(target->kept);
    target->kept = NULL;
    if (def->test == WENG_AHUJA_STEPS && def->target_grid.level <= MAX_KEPT_LEVEL)
        target->kept = calloc(cells_above(def->target_grid.level), sizeof *target->kept); // null is fine
    for (size_t i = 0; i < def->cube_count; ++i) {
        Walker walker;
        impi_OctreeCell root = IMPI_ROOT_CELL;
        make_walker(target, &def->cubes[i], &walker);
        if (!walk(target, &walker, &target->root, &root))
            return false;
    }
    return true;
}

// ---- what came out

WengAhujaStats weng_ahuja_stats(const WengAhuja *target)
{
    return target->stats;
}

static void write_voxels(const WengAhuja *target, const Node *node, const impi_OctreeCell *cell,
                         uint8_t *voxels)
{
    for (unsigned octant = 0; octant < CHILDREN && node->children; ++octant) {
        impi_OctreeCell child = impi_octree_child_cell(cell, octant);
        write_voxels(target, &node->children[octant], &child, voxels);
    }
    if (node->colour != IMP_CELL_BLACK)
        return;
    uint32_t width = voxels_wide(target, cell);
    size_t n = (size_t)1 << target->def.target_grid.level;
    size_t x = first_voxel(target, cell, 0), y = first_voxel(target, cell, 1);
    size_t z = first_voxel(target, cell, 2);
    for (size_t i = x; i < x + width; ++i)
        for (size_t k = y; k < y + width; ++k)
            memset(voxels + (i * n + k) * n + z, 1, width);
}

void weng_ahuja_voxels(const WengAhuja *target, uint8_t *voxels)
{
    size_t n = (size_t)1 << target->def.target_grid.level;
    impi_OctreeCell root = IMPI_ROOT_CELL;
    memset(voxels, 0, n * n * n);
    write_voxels(target, &target->root, &root, voxels);
}
