// The order of the boxes: keys, sort, and again inside cells that hold too many.
#include "base/tasks.h"
#include "broad/key_sort.h"
#include "broad/linear_octree.h"
#include "broad/linear_octree_variants.h"
#include "geom/scalar.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define BOXES_PER_TASK 8192

// The window is chosen by this many boxes, spread over the array. Boxes outside it still get keys, only less
// sharp ones, so that a few far away don't spoil the resolution for all.
#define WINDOW_SAMPLE 1024

// Levels are chosen such that there are about this many cells to a box where there are boxes.
#define CELLS_PER_BOX 2
#define MAX_LEVEL     9 // 3 bits each, and IMPI_CLASS_BITS, make 30

// A cell with more boxes than this is sorted by itself.
#define CROWD 64

// Each depth is worth up to nine levels, and a float has 24 bits and an exponent: ten depths are as many as
// can tell boxes apart; the bound is there for inputs made to peel off one box at a time.
#define MAX_DEPTH 10

typedef struct Ordering {
    const impi_SearchWork *work;
    const impi_BoxRows *rows;
    const impi_HilbertSteps *hilbert;
    uint64_t *packed, *spare;
    uint32_t *order;
} Ordering;

// ---- window

// Centres of some of the boxes, in search coordinates, and their extent.
typedef struct Sample {
    size_t count;
    float centers[WINDOW_SAMPLE][3];
    float low[3], high[3];
} Sample;

static float search_center(const impi_BoxRows *rows, size_t box, int axis)
{
    size_t low = 6 * box + (size_t)axis;
    if (rows->float_rows)
        return rows->float_rows[low] * 0.5f + rows->float_rows[low + 3] * 0.5f;
    double origin = rows->origin[axis], half_scale = rows->scale * 0.5;
    return (float)((rows->double_rows[low] - origin) * half_scale +
                   (rows->double_rows[low + 3] - origin) * half_scale);
}

static void take_sample(const impi_BoxRows *rows, const uint32_t *ids, size_t count, Sample *sample)
{
    sample->count = 0;
    size_t wanted = count < WINDOW_SAMPLE ? count : WINDOW_SAMPLE;
    for (size_t i = 0; i < wanted; ++i) {
        size_t item = wanted == count ? i : (size_t)((double)i * ((double)count / (double)wanted));
        size_t box = ids ? ids[item] : item;
        float x = search_center(rows, box, 0), y = search_center(rows, box, 1),
              z = search_center(rows, box, 2);
        if (!isfinite(x) || !isfinite(y) || !isfinite(z)) // beyond float, or no box
            continue;
        memcpy(sample->centers[sample->count++], (float[3]){x, y, z}, 3 * sizeof(float));
    }
    for (int axis = 0; axis < 3; ++axis) {
        float low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < sample->count; ++i) {
            float center = sample->centers[i][axis];
            low = center < low ? center : low;
            high = center > high ? center : high;
        }
        sample->low[axis] = low;
        sample->high[axis] = high;
    }
}

#define COARSE_CELLS 16 // along the longest side

// How much of the window is populated, from 0 to 1: coarse cells that hold a sample, in proportion to how
// many would if the samples were spread evenly.
static double populated_share(const Sample *sample, const double sides[3], double longest)
{
    uint64_t seen[COARSE_CELLS * COARSE_CELLS * COARSE_CELLS / 64] = {0};
    float cells_per_unit = (float)(COARSE_CELLS / longest);
    size_t cells_seen = 0;
    for (size_t i = 0; i < sample->count; ++i) {
        uint32_t cell = 0;
        for (int axis = 0; axis < 3; ++axis) {
            float at = (sample->centers[i][axis] - sample->low[axis]) * cells_per_unit;
            cell = cell * COARSE_CELLS + (at < COARSE_CELLS ? (uint32_t)at : COARSE_CELLS - 1);
        }
        uint64_t bit = (uint64_t)1 << cell % 64;
        cells_seen += !(seen[cell / 64] & bit);
        seen[cell / 64] |= bit;
    }
    double cells = 1;
    for (int axis = 0; axis < 3; ++axis)
        cells *= impi_larger(sides[axis] / longest * COARSE_CELLS, 1);
    return (double)cells_seen / (cells * (1 - exp(-(double)sample->count / cells)));
}

// A window with cells for `box_count` boxes, of which `count` are at hand. False when all boxes sampled have
// the same centre, so that keys tell sizes at best.
static bool choose_window(const impi_BoxRows *rows, const uint32_t *ids, size_t count, uint64_t box_count,
                          impi_KeyWindow *window)
{
    Sample sample;
    double longest = 0, sides[3] = {0, 0, 0};
    take_sample(rows, ids, count, &sample);
    *window = (impi_KeyWindow){{0, 0, 0}, 0, 1, {0, 0, 0}};
    for (int axis = 0; sample.count > 0 && axis < 3; ++axis) {
        window->low[axis] = sample.low[axis];
        sides[axis] = (double)sample.high[axis] - (double)sample.low[axis];
        longest = impi_larger(longest, sides[axis]);
    }
    if (longest == 0)
        return false;
    double share = count > CROWD ? populated_share(&sample, sides, longest) : 1;
    for (window->level = 1; window->level < MAX_LEVEL; ++window->level) {
        double along = (double)(1u << window->level) / longest, cells = share;
        for (int axis = 0; axis < 3; ++axis)
            cells *= impi_larger(sides[axis] * along, 1);
        if (cells >= CELLS_PER_BOX * (double)box_count)
            break;
    }
    window->cells_per_unit = (float)((double)(1u << window->level) / longest);
    for (int i = 0; i < IMPI_SIZE_CLASSES - 1; ++i)
        window->class_sizes[i] = (float)(longest / (double)(8 << 3 * i));
    return true;
}

void impi_key_window_choose(const impi_BoxRows *sample, uint64_t box_count, impi_KeyWindow *window)
{
    choose_window(sample, NULL, sample->count, box_count, window);
}

// ---- keys

typedef struct KeysTask {
    const impi_SearchWork *work;
    impi_KeyJob job;
    atomic_uint_fast32_t any_bits, all_bits;
} KeysTask;

static void keys_task(size_t begin, size_t end, size_t block, void *argument)
{
    (void)block;
    KeysTask *task = argument;
    if (!impi_search_step(task->work, end - begin))
        return;
    impi_KeySummary summary = task->work->kernel->make_keys(&task->job, begin, end);
    atomic_fetch_or_explicit(&task->any_bits, summary.any_bits, memory_order_relaxed);
    atomic_fetch_and_explicit(&task->all_bits, summary.all_bits, memory_order_relaxed);
}

static impi_KeySummary make_keys(const Ordering *ordering, const impi_KeyWindow *window, const uint32_t *ids,
                                 size_t first, size_t count)
{
    KeysTask task = {
        ordering->work,
        {ordering->rows, window, ordering->hilbert, ids, ordering->packed + first},
        0,
        UINT32_MAX,
    };
    impi_parallel_for(ordering->work->executor, count, BOXES_PER_TASK, keys_task, &task);
    return (impi_KeySummary){(uint32_t)atomic_load(&task.any_bits), (uint32_t)atomic_load(&task.all_bits)};
}

// ---- sort

static uint32_t key_of(uint64_t packed)
{
    return (uint32_t)(packed >> 32);
}

static bool order_range(const Ordering *ordering, size_t first, size_t count, unsigned depth);

// Runs of equal keys longer than a crowd. Every one of at least 3/2 CROWD is met by a probe.
static bool order_crowds(const Ordering *ordering, const uint64_t *sorted, size_t first, size_t count,
                         unsigned depth)
{
    size_t next = 0; // everything before is dealt with
    for (size_t probe = 0; probe + CROWD <= count; probe += CROWD / 2) {
        uint32_t key = key_of(sorted[probe]);
        if (probe < next || key_of(sorted[probe + CROWD - 1]) != key)
            continue;
        size_t begin = probe, end = probe + CROWD;
        while (begin > next && key_of(sorted[begin - 1]) == key)
            --begin;
        while (end < count && key_of(sorted[end]) == key)
            ++end;
        // Keys before `end` are not looked at again, so the range may use their storage.
        if (!order_range(ordering, first + begin, end - begin, depth + 1))
            return false;
        next = end;
    }
    return true;
}

typedef struct UnpackJob {
    const uint64_t *sorted;
    uint32_t *order;
} UnpackJob;

static void unpack_task(size_t begin, size_t end, size_t block, void *argument)
{
    (void)block;
    UnpackJob *job = argument;
    for (size_t i = begin; i < end; ++i)
        job->order[i] = (uint32_t)job->sorted[i];
}

// Sort `packed` from `first` on and write the boxes to the order. Null when out of memory or ended.
static const uint64_t *sort_range(const Ordering *ordering, impi_KeySummary summary, size_t first,
                                  size_t count)
{
    uint32_t varying = summary.any_bits ^ summary.all_bits;
    unsigned high_bit = varying ? 64u - (unsigned)__builtin_clz(varying) : 32;
    const impi_SearchWork *work = ordering->work;
    if (!impi_search_goes_on(work)) // keys may be missing
        return NULL;
    impi_ArenaMark mark = impi_arena_mark(work->scratch);
    const uint64_t *sorted =
        impi_keys_sort(work, ordering->packed + first, ordering->spare + first, count, 32, high_bit);
    impi_arena_rewind(work->scratch, mark);
    UnpackJob unpack = {sorted, ordering->order + first};
    if (sorted)
        impi_parallel_for(work->executor, count, BOXES_PER_TASK, unpack_task, &unpack);
    return sorted;
}

// Sort order[first .. first + count), boxes that had the same key so far.
static bool order_range(const Ordering *ordering, size_t first, size_t count, unsigned depth)
{
    impi_KeyWindow window;
    const uint32_t *ids = ordering->order + first;
    if (depth > MAX_DEPTH || !choose_window(ordering->rows, ids, count, count, &window))
        return true;
    impi_KeySummary summary = make_keys(ordering, &window, ids, first, count);
    const uint64_t *sorted = sort_range(ordering, summary, first, count);
    return sorted && order_crowds(ordering, sorted, first, count, depth);
}

static size_t first_without_box(const impi_BoxRows *rows)
{
    size_t index = 0;
    while (impi_box_rows_is_box(rows, index))
        ++index;
    return index;
}

// Where each class begins among sorted keys.
static void find_classes(const uint64_t *sorted, size_t count, unsigned level, size_t *class_starts)
{
    for (uint32_t class = 0; class <= IMPI_SIZE_CLASSES; ++class) {
        size_t begin = 0, end = count;
        while (begin < end) {
            size_t middle = begin + (end - begin) / 2;
            if (key_of(sorted[middle]) >> 3 * level < class)
                begin = middle + 1;
            else
                end = middle;
        }
        class_starts[class] = begin;
    }
}

static bool order_all(const Ordering *ordering, size_t *first_bad)
{
    impi_KeyWindow window;
    size_t count = ordering->rows->count;
    choose_window(ordering->rows, NULL, count, count, &window);
    impi_search_begin_work(ordering->work, "sorting boxes", 2 * count);
    impi_KeySummary summary = make_keys(ordering, &window, NULL, 0, count);
    if (!impi_search_goes_on(ordering->work))
        return false;
    bool has_bad = summary.any_bits >> 3 * window.level & IMPI_CLASS_NO_BOX;
    if (first_bad) {
        *first_bad = has_bad ? first_without_box(ordering->rows) : SIZE_MAX;
        if (has_bad)
            return true;
    }
    const uint64_t *sorted = sort_range(ordering, summary, 0, count);
    return sorted && order_crowds(ordering, sorted, 0, count, 0);
}

static bool order_given(const Ordering *ordering, const impi_GivenKeys *given)
{
    impi_KeySummary summary = {0, UINT32_MAX};
    size_t count = ordering->rows->count;
    impi_search_begin_work(ordering->work, "sorting boxes", count);
    for (size_t i = 0; i < count; ++i) {
        uint32_t key = given->keys[i];
        summary.any_bits |= key;
        summary.all_bits &= key;
        ordering->packed[i] = (uint64_t)key << 32 | i;
    }
    const uint64_t *sorted = sort_range(ordering, summary, 0, count);
    if (sorted) // crowds overwrite their keys
        find_classes(sorted, count, given->window->level, given->class_starts);
    return sorted && order_crowds(ordering, sorted, 0, count, 0);
}

void impi_hilbert_steps_init(impi_HilbertSteps *hilbert)
{
    impi_HilbertTable table;
    impi_hilbert_table_init(&table);
    for (size_t state = 0; state < IMPI_HILBERT_STATES; ++state)
        for (size_t digits = 0; digits < 64; ++digits)
            hilbert->steps[state * 64 + digits] = table.steps[state][digits];
}

// With keys that are given, or without.
static bool sort_boxes(const impi_SearchWork *work, const impi_BoxRows *rows, const impi_GivenKeys *given,
                       uint32_t *order, size_t *first_bad)
{
    impi_HilbertSteps hilbert;
    impi_ArenaMark mark = impi_arena_mark(work->scratch);
    uint64_t *packed = impi_arena_allocate_array(work->scratch, rows->count, 2 * sizeof *packed);
    if (!packed)
        return false;
    impi_hilbert_steps_init(&hilbert);
    Ordering ordering = {work, rows, &hilbert, packed, packed + rows->count, order};
    bool done = given ? order_given(&ordering, given) : order_all(&ordering, first_bad);
    impi_arena_rewind(work->scratch, mark);
    for (size_t lane = rows->count; lane % IMPI_LANES != 0; ++lane)
        order[lane] = IMPI_NO_BOX;
    return done;
}

bool impi_octree_sort(const impi_SearchWork *work, const impi_BoxRows *rows, uint32_t *order,
                      size_t *first_bad)
{
    return sort_boxes(work, rows, NULL, order, first_bad);
}

bool impi_octree_sort_given(const impi_SearchWork *work, const impi_BoxRows *rows,
                            const impi_GivenKeys *given, uint32_t *order)
{
    return sort_boxes(work, rows, given, order, NULL);
}
