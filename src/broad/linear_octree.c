// All pairs of overlapping boxes through a linear octree, after Lucchesi, Egbert & Harris, "A Parallel Linear
// Octree Collision Detection Algorithm": boxes get octal codes, codes are sorted, and a box meets only what
// is close to it in the sorted list. Departures from the paper, and why:
//
// - A box has one code, that of the cell its centre is in, instead of one for every cell it touches. Nothing
// is
//   found twice, so no set of pairs is kept to remove duplicates, and the number of codes is known
//   beforehand.
// - What a box reaches beyond its cell is covered by bounds: sixteen consecutive boxes form a block with
// bounds
//   of its own, sixteen blocks a node above, and so on. This replaces the search for common paths; sixteen
//   is what vector registers hold.
// - Cells are walked in Hilbert order instead of Morton order, still a pre-order walk of the octree. Blocks
// of
//   it are compact, which halves the number of blocks that overlap.
// - Boxes are kept apart by size, so that a few large ones don't blow up the bounds of many small ones.
// - Codes have as many levels as the number of boxes asks for, not as many as the smallest one; a cell that
//   still holds many boxes is sorted anew by codes of its own (linear_octree_order.c).
// - There is no master that merges: results of all threads are sorted together, which also makes the output
//   the same for any number of them.
//
// Cost: O(n) for keys and sort (their digits are bounded), O(n log n) for the walk from the root, plus work
// in proportion to the boxes that come close to each other, which for boxes of similar size is the output.
#include "broad/linear_octree.h"

#include "base/cpu.h"
#include "base/tasks.h"
#include "broad/linear_octree_variants.h"

#include <math.h>
#include <stdatomic.h>

#define BLOCKS_PER_TASK 512 // a multiple of 16 * 16, so that tasks fill whole nodes of level 2
#define GROUPS_PER_TASK 4

// ---- layout

static size_t nodes_above(size_t count)
{
    return (count + IMPI_LANES - 1) / IMPI_LANES;
}

size_t impi_octree_levels_size(size_t lane_count)
{
    size_t count = lane_count / IMPI_LANES, total = count;
    do {
        count = nodes_above(count);
        total += count;
    } while (count > 1);
    return total * sizeof(impi_Lanes);
}

void impi_octree_lay_out(impi_Octree *octree, size_t lane_count, void *storage)
{
    impi_Lanes *next = storage;
    size_t count = lane_count / IMPI_LANES;
    octree->lane_count = lane_count;
    octree->split_group = 0;
    octree->pairs_before_split = false;
    octree->level_count = 0;
    do {
        octree->levels[octree->level_count] = next;
        octree->node_counts[octree->level_count++] = count;
        next += count;
        count = nodes_above(count);
    } while (octree->level_count < 2 || octree->node_counts[octree->level_count - 1] > 1);
}

void impi_octree_use(impi_Octree *octree, size_t lane_count)
{
    size_t count = lane_count / IMPI_LANES;
    octree->lane_count = lane_count;
    octree->level_count = 0;
    do {
        octree->node_counts[octree->level_count++] = count;
        count = nodes_above(count);
    } while (octree->level_count < 2 || octree->node_counts[octree->level_count - 1] > 1);
}

// ---- filling

static void set_lane(impi_Lanes *lanes, size_t lane, const float min[3], const float max[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        lanes->min[axis][lane] = min[axis];
        lanes->max[axis][lane] = max[axis];
    }
}

// Lanes without a box have no influence, being NaN.
static void bound_node(const impi_Octree *octree, unsigned level, size_t node)
{
    const impi_Lanes *lanes = &octree->levels[level][node];
    float min[3], max[3];
    for (int axis = 0; axis < 3; ++axis) {
        min[axis] = INFINITY;
        max[axis] = -INFINITY;
        for (int i = 0; i < IMPI_LANES; ++i) {
            min[axis] = lanes->min[axis][i] < min[axis] ? lanes->min[axis][i] : min[axis];
            max[axis] = lanes->max[axis][i] > max[axis] ? lanes->max[axis][i] : max[axis];
        }
    }
    set_lane(&octree->levels[level + 1][node / IMPI_LANES], node % IMPI_LANES, min, max);
}

// The last node of a level may have lanes that stand for nothing.
static void empty_last_lanes(const impi_Octree *octree, unsigned level)
{
    static const float nothing[3] = {NAN, NAN, NAN};
    size_t used = octree->node_counts[level - 1], room = octree->node_counts[level] * IMPI_LANES;
    for (size_t lane = used; lane < room; ++lane)
        set_lane(&octree->levels[level][lane / IMPI_LANES], lane % IMPI_LANES, nothing, nothing);
}

typedef struct FillJob {
    const impi_SearchWork *work;
    const impi_BoxRows *rows;
    const impi_Octree *octree;
    size_t first_block;
    atomic_bool exact;
} FillJob;

static void fill_task(size_t begin, size_t end, size_t block, void *argument)
{
    (void)block;
    FillJob *job = argument;
    begin += job->first_block;
    end += job->first_block;
    if (!impi_search_step(job->work, end - begin))
        return;
    if (!job->work->kernel->fill_blocks(job->rows, job->octree, begin, end))
        atomic_store_explicit(&job->exact, false, memory_order_relaxed);
    if (job->octree->level_count > 2)
        for (size_t node = begin / IMPI_LANES; node < nodes_above(end); ++node)
            bound_node(job->octree, 1, node);
}

void impi_octree_fill(const impi_SearchWork *work, const impi_BoxRows *rows, impi_Octree *octree, bool *exact)
{
    impi_octree_fill_from(work, rows, octree, 0, exact);
}

void impi_octree_fill_from(const impi_SearchWork *work, const impi_BoxRows *rows, impi_Octree *octree,
                           size_t first_block, bool *exact)
{
    size_t block_count = octree->node_counts[0] - first_block;
    FillJob job = {work, rows, octree, first_block, true};
    impi_search_begin_work(work, "boxes into blocks", block_count);
    for (unsigned level = 1; level < octree->level_count; ++level)
        empty_last_lanes(octree, level);
    impi_parallel_for(work->executor, block_count, BLOCKS_PER_TASK, fill_task, &job);
    for (size_t node = 0; octree->level_count > 2 && node < first_block / IMPI_LANES; ++node)
        bound_node(octree, 1, node);
    for (unsigned level = 2; level + 1 < octree->level_count; ++level)
        for (size_t node = 0; node < octree->node_counts[level]; ++node)
            bound_node(octree, level, node);
    *exact = atomic_load(&job.exact);
}

// ---- search

typedef struct SearchJob {
    const impi_SearchWork *work;
    const impi_Octree *octree;
    const impi_PairTaker *taker;
    atomic_uint_fast64_t pairs, block_pairs;
} SearchJob;

static void begin_buffer(impi_PairBuffer *buffer, const impi_SearchWork *work, const impi_PairTaker *taker)
{
    buffer->work = work;
    buffer->is_ended = !impi_search_goes_on(work); // then blocks may not be filled
    buffer->taker = *taker;
    buffer->counts = (impi_SearchCounts){0, 0};
    buffer->counts_blocks_only = false;
    buffer->count = 0;
}

static void search_task(size_t begin, size_t end, size_t block, void *argument)
{
    (void)block;
    SearchJob *job = argument;
    impi_PairBuffer buffer;
    begin_buffer(&buffer, job->work, job->taker);
    for (size_t group = begin; group < end && !buffer.is_ended; ++group) {
        job->work->kernel->find_pairs(job->octree, group, &buffer);
        buffer.is_ended |= !impi_search_step(job->work, 1) || impi_pairs_are_enough(job->taker);
    }
    if (buffer.count > 0)
        buffer.taker.found(buffer.pairs, buffer.count, buffer.taker.argument);
    atomic_fetch_add_explicit(&job->pairs, buffer.counts.pairs, memory_order_relaxed);
    atomic_fetch_add_explicit(&job->block_pairs, buffer.counts.block_pairs, memory_order_relaxed);
}

impi_SearchCounts impi_octree_search(const impi_SearchWork *work, const impi_Octree *octree,
                                     const impi_PairTaker *taker)
{
    SearchJob job = {work, octree, taker, 0, 0};
    size_t group_count = impi_octree_walk_count(octree);
    impi_search_begin_work(work, "searching for pairs", group_count);
    impi_parallel_for(work->executor, group_count, GROUPS_PER_TASK, search_task, &job);
    return (impi_SearchCounts){atomic_load(&job.pairs), atomic_load(&job.block_pairs)};
}

// ---- estimate

typedef struct CountJob {
    const impi_SearchWork *work;
    const impi_Octree *octree;
    size_t step;
    uint64_t *counts;
} CountJob;

static void count_task(size_t begin, size_t end, size_t block, void *argument)
{
    (void)block;
    const CountJob *job = argument;
    impi_PairBuffer buffer;
    begin_buffer(&buffer, job->work, &(impi_PairTaker){NULL, NULL, 0, NULL});
    buffer.counts_blocks_only = true;
    for (size_t i = begin; i < end && !buffer.is_ended; ++i) {
        buffer.counts.block_pairs = 0;
        job->work->kernel->find_pairs(job->octree, i * job->step, &buffer);
        job->counts[i] = buffer.counts.block_pairs;
        buffer.is_ended |= !impi_search_step(job->work, 1);
    }
}

void impi_octree_count_block_pairs(const impi_SearchWork *work, const impi_Octree *octree, size_t step,
                                   uint64_t *counts)
{
    CountJob job = {work, octree, step, counts};
    size_t count = (impi_octree_walk_count(octree) + step - 1) / step;
    impi_search_begin_work(work, "estimating work", count);
    impi_parallel_for(work->executor, count, GROUPS_PER_TASK, count_task, &job);
}

// ---- choice of instruction set

size_t impi_octree_kernels(const impi_OctreeKernel *kernels[3])
{
    size_t count = 0;
    kernels[count++] = &impi_octree_kernel_portable;
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx2())
        kernels[count++] = &impi_octree_kernel_avx2;
    if (impi_cpu_has_avx512())
        kernels[count++] = &impi_octree_kernel_avx512;
#endif
    return count;
}

const impi_OctreeKernel *impi_octree_kernel(void)
{
    const impi_OctreeKernel *kernels[3];
    size_t count = impi_octree_kernels(kernels);
    return kernels[count - 1];
}
