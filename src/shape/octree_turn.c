// Octrees moved in any way.
//
// Departs from Smith & Kitamura 2.4.3, where lists of cubes are handed down to single voxels: lists end at
// tiles of 32 voxels along an axis, whose bits the cubes set one after the other. A cube looks at the blocks
// of voxels around it, eight octants of a block at once, and passes over those that are black already. What
// lies well inside of the moved octree is set before, cube or no cube (octree_spread.c). What doubles leave
// open is kept until all cubes had their turn, because most such voxels are black by then.
//
// Cost: some six blocks for a cube of one voxel, 15 directions each.
#include "geom/cube_lanes.h"
#include "shape/octree_move.h"
#include "shape/octree_spread.h"

#include <math.h>
#include <string.h>

#define CUBES_PER_BLOCK 4096 // that shadows are made for at once
#define CUBES_PER_LOOK  256  // between two looks at the watch
#define MOST_ROW_BLOCKS 4    // that a cube begins with along an axis
#define DOUBTS          512
#define LEAST_FILL_BITS 3 // of cells that are looked at for lying inside of the octree

typedef double Directions[IMPI_CUBE_DIRECTIONS];

typedef struct Turn {
    impi_OctreeMotion *motion;
    impi_OctreeSpread spread;
    impi_CubeLanes lanes;
    impi_CubeAskFn *ask_voxels;
    impi_CubeBlocks blocks[IMPI_TILE_BITS + 1]; // by log2 of their edge in voxels, from 1
    Directions half;                            // of a cube of one voxel
    Directions edges[3], offset;                // of one along the source's axes; where the base goes
    Directions *middles;                        // of all cubes
    impi_VoxelSpan *spans;
    bool has_inside; // there are larger cubes, so that something may lie well inside
} Turn;

// Positions of blocks of one size along all directions, a part for each axis.
typedef struct BlockRows {
    Directions parts[3][IMPI_TILE_ROW_BLOCKS];
} BlockRows;

// Voxels of a block of which it is not known whether a cube meets them.
typedef struct Doubt {
    uint32_t cube;
    uint16_t at[3];
    uint8_t octants;
} Doubt;

typedef struct TileWork {
    Turn *turn;
    impi_OctreeTile *tile;
    BlockRows rows[IMPI_TILE_BITS + 1];
    Doubt doubts[DOUBTS];
    size_t doubt_count;
    uint64_t cube_tests;
    // The cube whose turn it is.
    uint32_t cube;
    Directions half;
    Directions reach[IMPI_TILE_BITS + 1];
} TileWork;

// ---- cubes

static uint32_t clamp_voxel(double x, uint32_t limit)
{
    return x > 0 ? (x < limit ? (uint32_t)x : limit) : 0;
}

// Where no number comes out of it, in frames where voxels vanish, all voxels.
static void find_span(const impi_OctreeMotion *motion, const double *middle, const double half[3],
                      impi_VoxelSpan *span)
{
    uint32_t limit = 1u << motion->grid.level;
    for (int axis = 0; axis < 3; ++axis) {
        double reach = half[axis] + 2 * motion->motion.largest_error;
        double low = (middle[axis] - reach) / motion->target_voxel - 0x1p-30;
        double high = (middle[axis] + reach) / motion->target_voxel + 0x1p-30;
        span->min[axis] = clamp_voxel(low, limit);
        span->max[axis] = high < limit ? (high < 0 ? 0 : (uint32_t)high + 1) : limit;
    }
}

static void find_middles(size_t begin, size_t end, size_t block, void *argument)
{
    (void)block;
    Turn *turn = argument;
    const double *ex = turn->edges[0], *ey = turn->edges[1], *ez = turn->edges[2];
    for (size_t i = begin; i < end; ++i) {
        const imp_OctreeCube *cube = &turn->motion->cubes.cubes[i];
        const double to_middle = 0.5 * cube->edge;
        const double x = cube->x + to_middle, y = cube->y + to_middle, z = cube->z + to_middle;
        double *restrict middle = turn->middles[i];
        for (int k = 0; k < IMPI_CUBE_DIRECTIONS; ++k)
            middle[k] = ((ex[k] * x + ey[k] * y) + ez[k] * z) + turn->offset[k];
        const double half[3] = {turn->half[0] * cube->edge, turn->half[1] * cube->edge,
                                turn->half[2] * cube->edge};
        find_span(turn->motion, middle, half, &turn->spans[i]);
    }
}

static bool prepare(Turn *turn)
{
    impi_OctreeMotion *motion = turn->motion;
    imp_Context *context = motion->context;
    const impi_CubeMotion *m = &motion->motion;
    const size_t count = motion->cubes.count;
    turn->middles = impi_arena_allocate_array(&context->scratch, count, sizeof *turn->middles);
    turn->spans = impi_arena_allocate_array(&context->scratch, count, sizeof *turn->spans);
    if (!turn->middles || !turn->spans)
        return false;
    for (int k = 0; k < m->count; ++k) {
        for (int axis = 0; axis < 3; ++axis)
            turn->edges[axis][k] = m->source[k][axis] * motion->source_voxel;
        turn->half[k] = m->source_size[k] * (0.5 * motion->source_voxel);
        turn->offset[k] = m->offset[k];
    }
    impi_parallel_for(&context->executor, count, CUBES_PER_BLOCK, find_middles, turn);
    for (size_t i = 0; i < count && !turn->has_inside; ++i)
        turn->has_inside = motion->cubes.cubes[i].edge > 2;
    for (uint32_t bits = 1; bits <= IMPI_TILE_BITS && bits <= motion->grid.level; ++bits) {
        uint32_t octant = 1u << (bits - 1); // edge
        impi_CubeBlocks *blocks = &turn->blocks[bits];
        impi_cube_blocks_init(m, 0.5 * octant * motion->target_voxel, impi_octree_target_half(motion, octant),
                              impi_octree_motion_sense(motion), blocks);
    }
    turn->lanes = impi_cube_lanes();
    turn->ask_voxels = motion->rule == IMP_MOVE_CENTRE ? turn->lanes.hold : turn->lanes.meet;
    return true;
}

// ---- tiles

static void place_rows(TileWork *work)
{
    const impi_OctreeMotion *motion = work->turn->motion;
    const impi_CubeMotion *m = &motion->motion;
    for (uint32_t bits = 1; bits <= work->tile->bits; ++bits)
        for (int axis = 0; axis < 3; ++axis)
            for (uint32_t i = 0; i < 1u << (work->tile->bits - bits); ++i) {
                double *part = work->rows[bits].parts[axis][i], edge = 1u << bits;
                double x = (work->tile->first[axis] + (i + 0.5) * edge) * motion->target_voxel;
                for (int k = 0; k < IMPI_CUBE_DIRECTIONS; ++k)
                    part[k] = m->target[k][axis] * x;
            }
}

// Recursion is as deep as the tile.
static void fill_inside(TileWork *work, const impi_TileCell *cell)
{
    impi_OctreeTile *tile = work->tile;
    uint32_t first[3];
    for (int axis = 0; axis < 3; ++axis)
        first[axis] = tile->first[axis] + (cell->at[axis] << cell->bits);
    imp_CellColour colour = impi_octree_moved_colour(work->turn->motion, first, 1u << cell->bits);
    if (colour == IMP_CELL_BLACK)
        impi_tile_fill(tile, cell);
    if (colour != IMP_CELL_GRAY || cell->bits <= LEAST_FILL_BITS)
        return;
    for (unsigned octant = 0; octant < 8; ++octant) {
        impi_TileCell child = impi_tile_child(cell, octant);
        fill_inside(work, &child);
    }
}

static void settle_doubts(TileWork *work)
{
    impi_OctreeMotion *motion = work->turn->motion;
    for (size_t i = 0; i < work->doubt_count; ++i) {
        const Doubt *doubt = &work->doubts[i];
        const uint32_t at[3] = {doubt->at[0], doubt->at[1], doubt->at[2]};
        uint8_t *block = &work->tile->blocks[impi_tile_place(at)];
        for (unsigned octants = doubt->octants & ~*block; octants; octants &= octants - 1) {
            unsigned octant = (unsigned)__builtin_ctz(octants);
            impi_OctreeCell voxel = {motion->grid.level, {0, 0, 0}};
            for (int axis = 0; axis < 3; ++axis)
                voxel.at[axis] = work->tile->first[axis] + 2 * at[axis] + (octant >> axis & 1);
            if (impi_octree_rule_holds(motion, &motion->cubes.cubes[doubt->cube], &voxel))
                *block |= (uint8_t)(1u << octant);
        }
    }
    work->doubt_count = 0;
}

static impi_CubeQuestion question_about(const TileWork *work, const impi_TileCell *cell)
{
    const BlockRows *rows = &work->rows[cell->bits];
    return (impi_CubeQuestion){rows->parts[0][cell->at[0]],
                               rows->parts[1][cell->at[1]],
                               rows->parts[2][cell->at[2]],
                               work->turn->middles[work->cube],
                               work->half,
                               work->reach[cell->bits]};
}

static void colour_voxels(TileWork *work, const impi_TileCell *cell)
{
    uint8_t *block = &work->tile->blocks[impi_tile_place(cell->at)];
    if (*block == 0xFF)
        return;
    impi_CubeQuestion question = question_about(work, cell);
    impi_CubeOctants octants = work->turn->ask_voxels(&work->turn->blocks[1], &question);
    work->cube_tests += IMPI_CUBE_LANES;
    *block |= octants.sure;
    uint8_t doubtful = octants.possible & (uint8_t) ~*block;
    if (!doubtful)
        return;
    work->doubts[work->doubt_count++] =
        (Doubt){work->cube, {(uint16_t)cell->at[0], (uint16_t)cell->at[1], (uint16_t)cell->at[2]}, doubtful};
    if (work->doubt_count == DOUBTS)
        settle_doubts(work);
}

// Recursion is as deep as the tile.
static void colour_cell(TileWork *work, const impi_TileCell *cell)
{
    if (cell->bits == 1) {
        colour_voxels(work, cell);
        return;
    }
    if (impi_tile_is_full(work->tile, cell))
        return;
    impi_CubeQuestion question = question_about(work, cell);
    impi_CubeOctants octants = work->turn->lanes.fill(&work->turn->blocks[cell->bits], &question);
    work->cube_tests += IMPI_CUBE_LANES;
    for (unsigned met = octants.possible; met; met &= met - 1) {
        unsigned octant = (unsigned)__builtin_ctz(met);
        impi_TileCell child = impi_tile_child(cell, octant);
        if (octants.sure >> octant & 1)
            impi_tile_fill(work->tile, &child);
        else
            colour_cell(work, &child);
    }
}

// The cube's voxels within the tile, from `begin` up to but without `end`.
static void clip_span(const TileWork *work, uint32_t begin[3], uint32_t end[3])
{
    const impi_VoxelSpan *span = &work->turn->spans[work->cube];
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t first = work->tile->first[axis], edge = 1u << work->tile->bits;
        begin[axis] = span->min[axis] > first ? span->min[axis] - first : 0;
        end[axis] = span->max[axis] - first < edge ? span->max[axis] - first : edge;
    }
}

static void colour_by_cube(TileWork *work)
{
    const Turn *turn = work->turn;
    uint32_t begin[3], end[3], bits = 1;
    clip_span(work, begin, end);
    for (int axis = 0; axis < 3; ++axis)
        while (((end[axis] - 1) >> bits) - (begin[axis] >> bits) >= MOST_ROW_BLOCKS)
            ++bits;
    double edge = turn->motion->cubes.cubes[work->cube].edge;
    for (int k = 0; k < IMPI_CUBE_DIRECTIONS; ++k)
        work->half[k] = turn->half[k] * edge;
    for (uint32_t b = 1; b <= bits; ++b)
        for (int k = 0; k < IMPI_CUBE_DIRECTIONS; ++k)
            work->reach[b][k] = work->half[k] + turn->blocks[b].half[k];
    impi_TileCell cell = {bits, {0, 0, 0}};
    for (cell.at[2] = begin[2] >> bits; cell.at[2] << bits < end[2]; ++cell.at[2])
        for (cell.at[1] = begin[1] >> bits; cell.at[1] << bits < end[1]; ++cell.at[1])
            for (cell.at[0] = begin[0] >> bits; cell.at[0] << bits < end[0]; ++cell.at[0])
                colour_cell(work, &cell);
}

static bool colour_tile(void *user, impi_OctreeTile *tile, const uint32_t *cubes, size_t count)
{
    Turn *turn = user;
    TileWork work = {.turn = turn, .tile = tile};
    place_rows(&work);
    if (turn->has_inside && tile->bits >= LEAST_FILL_BITS)
        fill_inside(&work, &(impi_TileCell){tile->bits, {0, 0, 0}});
    bool goes_on = true;
    for (size_t i = 0; i < count && goes_on; ++i) {
        work.cube = cubes[i];
        colour_by_cube(&work);
        if (i % CUBES_PER_LOOK == CUBES_PER_LOOK - 1)
            goes_on = impi_watch_goes_on(&turn->motion->context->watch);
    }
    settle_doubts(&work);
    atomic_fetch_add_explicit(&turn->motion->cube_tests, work.cube_tests, memory_order_relaxed);
    return goes_on;
}

imp_Status impi_octree_turn(impi_OctreeMotion *motion, imp_Octree **result)
{
    Turn turn = {.motion = motion};
    if (!prepare(&turn))
        return impi_fail_out_of_memory(motion->context);
    turn.spread = (impi_OctreeSpread){motion, turn.spans, &turn, colour_tile};
    return impi_octree_spread(&turn.spread, result);
}
