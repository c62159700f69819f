// The body of one impi_OctreeKernel; KERNEL_NAME is its name. What cost time here was unpredictable branches,
// not arithmetic: so the search runs in stages over short lists, each without a branch that depends on
// geometry.
#include "broad/box_lanes.h"
#include "broad/linear_octree_variants.h"

#include <float.h>
#include <string.h>

// ---- rows into lanes

static const float no_box_row[6] = {__builtin_nanf(""), __builtin_nanf(""), __builtin_nanf(""),
                                    __builtin_nanf(""), __builtin_nanf(""), __builtin_nanf("")};

// Sixteen rows of doubles, or fewer where a pointer is null, as the search sees them. False when a number is
// not the box's own.
static bool map_double_rows(const impi_BoxRows *rows, const double *const *from, float to[IMPI_LANES][6])
{
    bool same = rows->scale == 1 && rows->origin[0] == 0 && rows->origin[1] == 0 && rows->origin[2] == 0;
    for (int i = 0; i < IMPI_LANES; ++i) {
        if (!from[i]) {
            memcpy(to[i], no_box_row, sizeof no_box_row);
            continue;
        }
        for (int k = 0; k < 6; ++k) {
            to[i][k] = (float)((from[i][k] - rows->origin[k % 3]) * rows->scale);
            same &= impi_is_float(from[i][k]);
        }
    }
    return same;
}

typedef struct RowsTurned {
    Bounds bounds;
    bool exact;
} RowsTurned;

// Boxes ids[0 .. 16) into lanes; IMPI_NO_BOX gives an empty lane.
INLINE RowsTurned turn_boxes(const impi_BoxRows *rows, const uint32_t *ids, impi_Lanes *lanes)
{
    const float *sources[IMPI_LANES];
    if (rows->float_rows && ids[IMPI_LANES - 1] != IMPI_NO_BOX) {
        for (int i = 0; i < IMPI_LANES; ++i)
            sources[i] = rows->float_rows + 6 * (size_t)ids[i];
        return (RowsTurned){turn_rows(sources, lanes), true};
    }
    if (rows->float_rows) {
        for (int i = 0; i < IMPI_LANES; ++i)
            sources[i] = ids[i] == IMPI_NO_BOX ? no_box_row : rows->float_rows + 6 * (size_t)ids[i];
        return (RowsTurned){turn_rows(sources, lanes), true};
    }
    const double *double_sources[IMPI_LANES];
    float mapped[IMPI_LANES][6];
    for (int i = 0; i < IMPI_LANES; ++i) {
        double_sources[i] = ids[i] == IMPI_NO_BOX ? NULL : rows->double_rows + 6 * (size_t)ids[i];
        sources[i] = mapped[i];
    }
    bool exact = map_double_rows(rows, double_sources, mapped);
    return (RowsTurned){turn_rows(sources, lanes), exact};
}

// ---- keys

// Zero for boxes, one for lanes that hold none.
INLINE void find_bad_lanes(const impi_Lanes *lanes, uint32_t bad[IMPI_LANES])
{
    for (int i = 0; i < IMPI_LANES; ++i) {
        uint32_t good = 1;
        for (int axis = 0; axis < 3; ++axis) {
            float low = lanes->min[axis][i], high = lanes->max[axis][i];
            good &= (uint32_t)(low >= -FLT_MAX) & (uint32_t)(low <= high) & (uint32_t)(high <= FLT_MAX);
        }
        bad[i] = good ^ 1;
    }
}

// Doubles may be mapped to infinity, and an inverted box to one that is not: the rows themselves tell.
static void find_bad_double_rows(const impi_BoxRows *rows, const uint32_t *ids, uint32_t bad[IMPI_LANES])
{
    for (int i = 0; i < IMPI_LANES; ++i)
        bad[i] = ids[i] == IMPI_NO_BOX || !impi_box_rows_is_box(rows, ids[i]);
}

INLINE uint32_t cell_of(float low, float high, float window_low, float cells_per_unit, float last)
{
    float at = (low * 0.5f + high * 0.5f - window_low) * cells_per_unit;
    at = at > 0 ? at : 0; // NaN goes here too
    at = at < last ? at : last;
    return (uint32_t)(int32_t)at;
}

INLINE float larger(float a, float b)
{
    return a > b ? a : b;
}

// Octal digits of the cells, and size classes.
INLINE void place_lanes(const impi_KeyWindow *window, const impi_Lanes *lanes, uint32_t digits[IMPI_LANES],
                        uint32_t classes[IMPI_LANES])
{
    float last = (float)((1u << window->level) - 1), unit = window->cells_per_unit;
    for (int i = 0; i < IMPI_LANES; ++i) {
        uint32_t x = cell_of(lanes->min[0][i], lanes->max[0][i], window->low[0], unit, last);
        uint32_t y = cell_of(lanes->min[1][i], lanes->max[1][i], window->low[1], unit, last);
        uint32_t z = cell_of(lanes->min[2][i], lanes->max[2][i], window->low[2], unit, last);
        digits[i] = impi_octal_spread10(x) | impi_octal_spread10(y) << 1 | impi_octal_spread10(z) << 2;
        float size = larger(larger(lanes->max[0][i] - lanes->min[0][i], lanes->max[1][i] - lanes->min[1][i]),
                            lanes->max[2][i] - lanes->min[2][i]);
        classes[i] = (uint32_t)(size < window->class_sizes[0]) + (uint32_t)(size < window->class_sizes[1]) +
                     (uint32_t)(size < window->class_sizes[2]);
    }
}

// Two levels a step; with an odd number of levels the first step takes a leading zero digit, which belongs to
// the octant that holds the origin of the curve one level up: an order as good as any.
INLINE void hilbert_digits(const impi_HilbertSteps *hilbert, const uint32_t octal[IMPI_LANES], unsigned level,
                           uint32_t result[IMPI_LANES])
{
    for (int i = 0; i < IMPI_LANES; ++i) {
        uint32_t made = 0, step = 0;
        for (unsigned shift = (level + 1) / 2 * 6; shift > 0;) {
            shift -= 6;
            step = hilbert->steps[(step & ~63u) | (octal[i] >> shift & 63)];
            made = made << 6 | (step & 63);
        }
        result[i] = made;
    }
}

static impi_KeySummary make_keys(const impi_KeyJob *job, size_t begin, size_t end)
{
    impi_KeySummary summary = {0, UINT32_MAX};
    for (size_t first = begin; first < end; first += IMPI_LANES) {
        impi_Lanes lanes;
        uint32_t ids[IMPI_LANES], bad[IMPI_LANES], digits[IMPI_LANES], classes[IMPI_LANES];
        uint32_t positions[IMPI_LANES];
        size_t here = end - first < IMPI_LANES ? end - first : IMPI_LANES;
        for (size_t i = 0; i < IMPI_LANES; ++i) {
            size_t item = first + (i < here ? i : 0);
            ids[i] = job->ids ? job->ids[item] : (uint32_t)item;
        }
        turn_boxes(job->rows, ids, &lanes);
        if (job->rows->float_rows)
            find_bad_lanes(&lanes, bad);
        else
            find_bad_double_rows(job->rows, ids, bad);
        place_lanes(job->window, &lanes, digits, classes);
        hilbert_digits(job->hilbert, digits, job->window->level, positions);
        for (size_t i = 0; i < here; ++i) {
            uint32_t key = positions[i] | (bad[i] ? IMPI_CLASS_NO_BOX : classes[i]) << 3 * job->window->level;
            summary.any_bits |= key;
            summary.all_bits &= key;
            job->packed[first + i] = (uint64_t)key << 32 | ids[i];
        }
    }
    return summary;
}

// ---- filling

// How many boxes ahead rows are asked for: their order in memory has nothing to do with that of the keys.
#define PREFETCH_PLACES 32

static bool fill_blocks(const impi_BoxRows *rows, const impi_Octree *octree, size_t begin, size_t end)
{
    bool exact = true;
    const char *bytes = rows->float_rows ? (const char *)rows->float_rows : (const char *)rows->double_rows;
    size_t row_size = rows->float_rows ? 6 * sizeof(float) : 6 * sizeof(double);
    for (size_t block = begin; block < end; ++block) {
        const uint32_t *ids = octree->order + IMPI_LANES * block;
        if (IMPI_LANES * block + PREFETCH_PLACES + IMPI_LANES < octree->lane_count) {
            for (int i = 0; i < IMPI_LANES; ++i) {
                const char *row = bytes + row_size * ids[PREFETCH_PLACES + i];
                __builtin_prefetch(row);
                __builtin_prefetch(row + row_size - 1);
            }
        }
        RowsTurned turned = turn_boxes(rows, ids, &octree->levels[0][block]);
        impi_Lanes *above = &octree->levels[1][block / IMPI_LANES];
        for (int axis = 0; axis < 3; ++axis) {
            above->min[axis][block % IMPI_LANES] = turned.bounds.min[axis];
            above->max[axis][block % IMPI_LANES] = turned.bounds.max[axis];
        }
        exact &= turned.exact;
    }
    return exact;
}

// ---- search

#define MAX_BLOCK_PAIRS 512
#define STEP_PAIRS      64 // block pairs that go through the later stages at once
#define MAX_ITEMS       (STEP_PAIRS * IMPI_LANES)

// The lists between the stages. An item is a box that is to be compared with some lanes of a block: lane
// item % 16 of near_block[item / 16], with far_lanes[item / 16] of far_block[item / 16].
typedef struct Stages {
    const impi_Octree *octree;
    impi_PairBuffer *buffer;
    uint32_t block_pair_count, item_count, hit_count;
    uint32_t block_a[MAX_BLOCK_PAIRS + IMPI_LANES], block_b[MAX_BLOCK_PAIRS + IMPI_LANES];
    uint32_t near_block[STEP_PAIRS], far_block[STEP_PAIRS], far_lanes[STEP_PAIRS];
    uint32_t items[MAX_ITEMS + IMPI_LANES];
    uint32_t hit_item[MAX_ITEMS + IMPI_LANES], hit_lanes[MAX_ITEMS + IMPI_LANES];
} Stages;

INLINE OneBox node_bounds(const impi_Octree *octree, unsigned level, size_t node)
{
    return lane_box(&octree->levels[level + 1][node / IMPI_LANES], node % IMPI_LANES);
}

static void flush_pairs(impi_PairBuffer *buffer)
{
    if (buffer->count > 0)
        buffer->taker.found(buffer->pairs, buffer->count, buffer->taker.argument);
    buffer->count = 0;
}

// Most often there is one lane.
INLINE void emit_pairs(impi_PairBuffer *buffer, uint32_t box, const uint32_t *others, uint32_t lanes)
{
    do {
        uint32_t other = others[__builtin_ctz(lanes)];
        uint32_t low = box < other ? box : other, high = box < other ? other : box;
        buffer->pairs[buffer->count++] = (uint64_t)low << buffer->taker.index_bits | high;
        lanes &= lanes - 1;
    } while (lanes);
}

INLINE void prefetch_block(const impi_Lanes *block)
{
    for (size_t line = 0; line < sizeof *block; line += 64)
        __builtin_prefetch((const char *)block + line);
}

// Which lanes of either block reach the bounds of the other; then each lane of the block with fewer of them
// is an item.
static void make_items(Stages *stages, uint32_t begin, uint32_t end)
{
    const impi_Octree *octree = stages->octree;
    uint32_t count = 0;
    for (uint32_t k = begin; k < end; ++k) {
        uint32_t a = stages->block_a[k], b = stages->block_b[k];
        uint32_t lanes_a = overlap_mask(&octree->levels[0][a], node_bounds(octree, 0, b));
        uint32_t lanes_b = overlap_mask(&octree->levels[0][b], node_bounds(octree, 0, a));
        uint32_t swap = 0u - (uint32_t)(__builtin_popcount(lanes_a) > __builtin_popcount(lanes_b));
        uint32_t lanes_change = (lanes_a ^ lanes_b) & swap, blocks_change = (a ^ b) & swap;
        uint32_t pair = k - begin;
        stages->near_block[pair] = a ^ blocks_change;
        stages->far_block[pair] = b ^ blocks_change;
        stages->far_lanes[pair] = lanes_b ^ lanes_change;
        count += list_bits(stages->items + count, pair * IMPI_LANES, lanes_a ^ lanes_change);
    }
    stages->item_count = count;
}

static void test_items(Stages *stages)
{
    const impi_Lanes *blocks = stages->octree->levels[0];
    uint32_t count = 0;
    for (uint32_t k = 0; k < stages->item_count; ++k) {
        uint32_t item = stages->items[k], pair = item / IMPI_LANES;
        OneBox box = lane_box(&blocks[stages->near_block[pair]], item % IMPI_LANES);
        uint32_t lanes = overlap_mask(&blocks[stages->far_block[pair]], box) & stages->far_lanes[pair];
        stages->hit_item[count] = item;
        stages->hit_lanes[count] = lanes;
        count += lanes != 0;
    }
    stages->hit_count = count;
}

static void emit_hits(Stages *stages)
{
    impi_PairBuffer *buffer = stages->buffer;
    const uint32_t *order = stages->octree->order;
    for (uint32_t k = 0; k < stages->hit_count; ++k) {
        uint32_t pair = stages->hit_item[k] / IMPI_LANES, lanes = stages->hit_lanes[k];
        uint32_t box =
            order[(size_t)stages->near_block[pair] * IMPI_LANES + stages->hit_item[k] % IMPI_LANES];
        const uint32_t *others = order + (size_t)stages->far_block[pair] * IMPI_LANES;
        emit_pairs(buffer, box, others, lanes);
        if (buffer->count >= IMPI_PAIR_BUFFER)
            flush_pairs(buffer);
    }
}

static void count_hits(Stages *stages)
{
    uint64_t pairs = 0;
    for (uint32_t k = 0; k < stages->hit_count; ++k)
        pairs += (uint64_t)__builtin_popcount(stages->hit_lanes[k]);
    stages->buffer->counts.pairs += pairs;
}

static void run_stages(Stages *stages)
{
    uint32_t looked_at = stages->buffer->counts_blocks_only ? 0 : stages->block_pair_count;
    for (uint32_t begin = 0; begin < looked_at; begin += STEP_PAIRS) {
        uint32_t left = looked_at - begin;
        make_items(stages, begin, begin + (left < STEP_PAIRS ? left : STEP_PAIRS));
        test_items(stages);
        if (stages->buffer->taker.found)
            emit_hits(stages);
        else
            count_hits(stages);
    }
    stages->buffer->counts.block_pairs += stages->block_pair_count;
    stages->block_pair_count = 0;
    // Where very many boxes lie on each other, a single group takes long.
    stages->buffer->is_ended |=
        !impi_search_goes_on(stages->buffer->work) || impi_pairs_are_enough(&stages->buffer->taker);
}

// Pairs inside one block: distances 1 .. 8 between lanes, modulo 16, meet every pair once if for the last one
// only half of the lanes count. Coordinates stand twice in a row, so that a turned block is a plain load.
static void pair_within_block(Stages *stages, size_t block, const TwiceLanes *twice)
{
    const impi_Lanes *lanes = &stages->octree->levels[0][block];
    uint64_t hits[2] = {0, 0};
    for (unsigned distance = 1; distance <= IMPI_LANES / 2; ++distance) {
        uint64_t hit =
            turned_overlap_mask(lanes, twice, distance) & (distance < IMPI_LANES / 2 ? 0xFFFF : 0xFF);
        hits[(distance - 1) / 4] |= hit << (distance - 1) % 4 * IMPI_LANES;
    }
    impi_PairBuffer *buffer = stages->buffer;
    buffer->counts.pairs += (uint64_t)(__builtin_popcountll(hits[0]) + __builtin_popcountll(hits[1]));
    if (!buffer->taker.found)
        return;
    const uint32_t *order = stages->octree->order + block * IMPI_LANES;
    for (unsigned half = 0; half < 2; ++half) {
        for (uint64_t rest = hits[half]; rest; rest &= rest - 1) {
            unsigned bit = (unsigned)__builtin_ctzll(rest), lane = bit % IMPI_LANES;
            unsigned distance = half * 4 + bit / IMPI_LANES + 1;
            emit_pairs(buffer, order[lane], order + (lane + distance) % IMPI_LANES, 1);
        }
    }
    if (buffer->count >= IMPI_PAIR_BUFFER)
        flush_pairs(buffer);
}

// All copies are made before the first is read, so that no read waits for a write of its own.
static void pair_within_blocks(Stages *stages, size_t group)
{
    TwiceLanes twice[IMPI_LANES];
    // cppcheck-suppress ctuuninitvar
    size_t first = group * IMPI_LANES, left = stages->octree->node_counts[0] - first;
    size_t count = left < IMPI_LANES ? left : IMPI_LANES;
    for (size_t i = 0; i < count; ++i)
        repeat_lanes(&stages->octree->levels[0][first + i], &twice[i]);
    for (size_t i = 0; i < count; ++i)
        pair_within_block(stages, first + i, &twice[i]);
}

// Pairs of blocks between two nodes of level 1, or within one.
static void pair_groups(Stages *stages, size_t group, OneBox bounds, size_t other)
{
    const impi_Octree *octree = stages->octree;
    const impi_Lanes *blocks = &octree->levels[1][group], *others = &octree->levels[1][other];
    uint32_t other_lanes = overlap_mask(others, bounds), lanes = 0xFFFF;
    if (octree->level_count > 2)
        lanes = overlap_mask(blocks, node_bounds(octree, 1, other));
    for (uint32_t rest = other == group ? 0 : other_lanes; rest; rest &= rest - 1)
        prefetch_block(&octree->levels[0][other * IMPI_LANES + (size_t)__builtin_ctz(rest)]);
    for (; lanes; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes), count = stages->block_pair_count;
        uint32_t hit = overlap_mask(others, lane_box(blocks, lane)) & other_lanes;
        hit &= group == other ? 0xFFFEu << lane & 0xFFFF : 0xFFFF;
        store_sixteen(stages->block_a + count, (uint32_t)(group * IMPI_LANES + lane));
        count += list_bits(stages->block_b + count, (uint32_t)(other * IMPI_LANES), hit);
        stages->block_pair_count = count;
        if (count > MAX_BLOCK_PAIRS - IMPI_LANES)
            run_stages(stages);
    }
}

static OneBox group_bounds(const impi_Octree *octree, size_t group, impi_Lanes *everything)
{
    if (octree->level_count > 2)
        return node_bounds(octree, 1, group);
    for (int axis = 0; axis < 3; ++axis) {
        everything->min[axis][0] = -__builtin_inff();
        everything->max[axis][0] = __builtin_inff();
    }
    return lane_box(everything, 0);
}

// Walk down from the root to all nodes of level 1 that overlap `bounds` and do not come before `first`.
static void pair_with_later_groups(Stages *stages, size_t group, OneBox bounds, size_t first)
{
    const impi_Octree *octree = stages->octree;
    size_t nodes[IMPI_OCTREE_MAX_LEVELS] = {0};
    uint32_t lanes[IMPI_OCTREE_MAX_LEVELS];
    unsigned level = octree->level_count - 1, top = level;
    lanes[level] = overlap_mask(&octree->levels[level][0], bounds);
    while (level <= top && !stages->buffer->is_ended) {
        if (lanes[level] == 0) {
            ++level;
            continue;
        }
        size_t child = nodes[level] * IMPI_LANES + (size_t)__builtin_ctz(lanes[level]);
        lanes[level] &= lanes[level] - 1;
        if (child < first >> 4 * (level - 2))
            continue;
        if (level == 2) {
            pair_groups(stages, group, bounds, child);
        } else {
            nodes[--level] = child;
            lanes[level] = overlap_mask(&octree->levels[level][child], bounds);
        }
    }
}

static void find_pairs(const impi_Octree *octree, size_t group, impi_PairBuffer *buffer)
{
    Stages stages; // not cleared: lists are written before they are read, and are too long for it
    impi_Lanes everything;
    stages.octree = octree;
    stages.buffer = buffer;
    stages.block_pair_count = 0;
    OneBox bounds = group_bounds(octree, group, &everything);
    bool only_across = octree->split_group > 0 && !octree->pairs_before_split;
    if (!only_across && !buffer->counts_blocks_only)
        pair_within_blocks(&stages, group);
    if (only_across)
        pair_with_later_groups(&stages, group, bounds, octree->split_group);
    else if (octree->level_count > 2)
        pair_with_later_groups(&stages, group, bounds, group);
    else
        pair_groups(&stages, group, bounds, group);
    run_stages(&stages);
}

const impi_OctreeKernel KERNEL_NAME = {KERNEL_TEXT, make_keys, fill_blocks, find_pairs};
