// Lucchesi, Egbert & Harris: Figure 5, Tables 1 and 2, and the parts of the run time (5.3), by the paper's
// own method and by ours, side by side.
//
// The paper had twenty machines of two processors. Few machines have forty, so besides the wall clock for as
// many slaves as there are cores, the time on k processors is put together from processor times of the parts:
// what the slowest machine's slaves take to encode, sort and merge, then the master. That is what k
// processors would need if the network cost nothing and they did not share caches and memory.
#include "lucchesi_report.h"

#include "base/clock.h"
#include "scenes/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_REPETITIONS 5
#define SEED            20
#define MOST_PROCESSORS (LUCCHESI_PROCESSOR_COUNT - 1)

static const LucchesiSizes full_sizes = {{100000, 200000, 500000, 1000000, 1500000, 2000000}, 6, {3, 5}, 3};
static const LucchesiSizes quick_sizes = {{500, 1000, 2000}, 3, {1, 2}, 1};

// ---- objects

typedef enum SceneKind {
    SCENE_CUBES,
    SCENE_MIXED,
    SCENE_GRID,
    SCENE_SAME,
    SCENE_POINTS,
    SCENE_KINDS
} SceneKind;

static double random_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * scene_random_unit(state);
}

// The figure's objects: cubes of side 0.5 to 1.5 in a world of edge 2 n^(1/3), an eighth of which they fill.
// The other kinds are for comparison with brute force: sizes over a thousandfold range; a grid of cubes that
// touch at faces, edges and corners; one cube many times; points, some the same.
static void make_box(SceneKind kind, size_t count, uint64_t *state, double box[6])
{
    double world = 2 * cbrt((double)count), side = random_between(state, 0.5, 1.5);
    if (kind == SCENE_MIXED)
        side = world * pow(10, random_between(state, -3.5, -0.5));
    else if (kind == SCENE_GRID || kind == SCENE_SAME)
        side = 1;
    else if (kind == SCENE_POINTS)
        side = 0;
    for (int axis = 0; axis < 3; ++axis) {
        box[axis] = kind == SCENE_SAME ? 3.25 : random_between(state, 0, world);
        if (kind == SCENE_GRID || kind == SCENE_POINTS)
            box[axis] = floor(box[axis] / 2);
        box[axis + 3] = box[axis] + side;
    }
}

static double *make_boxes(ExperimentRun *run, SceneKind kind, size_t count)
{
    uint64_t state = SEED + count;
    double *boxes = malloc(count * 6 * sizeof *boxes);
    if (!boxes)
        experiment_fail(run, "out of memory for %zu boxes", count);
    for (size_t i = 0; boxes && i < count; ++i)
        make_box(kind, count, &state, boxes + 6 * i);
    return boxes;
}

double *lucchesi_make_cubes(ExperimentRun *run, size_t count)
{
    return make_boxes(run, SCENE_CUBES, count);
}

// ---- both methods give the same pairs

static bool same_pairs(const imp_IndexPair *a, const imp_IndexPair *b, size_t count)
{
    return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

static size_t find_by_brute_force(const double *boxes, size_t count, imp_IndexPair *pairs)
{
    size_t found = 0;
    for (size_t a = 0; a < count; ++a)
        for (size_t b = a + 1; b < count; ++b) {
            bool touch = true;
            for (size_t axis = 0; axis < 3; ++axis)
                touch = touch && boxes[6 * a + axis] <= boxes[6 * b + axis + 3] &&
                        boxes[6 * b + axis] <= boxes[6 * a + axis + 3];
            if (touch)
                pairs[found++] = (imp_IndexPair){(uint32_t)a, (uint32_t)b};
        }
    return found;
}

static void compare_with_brute_force(ExperimentRun *run, SceneKind kind, size_t count)
{
    static const uint32_t slave_counts[] = {1, 2, 5, 5, 40, 40}; // merged by heap and heads in turn
    size_t capacity = count * (count - 1) / 2;
    double *boxes = make_boxes(run, kind, count);
    imp_IndexPair *expected = malloc(capacity * sizeof *expected), *ours = malloc(capacity * sizeof *ours);
    if (!boxes || !expected || !ours) {
        experiment_fail(run, "out of memory");
        goto cleanup;
    }
    size_t pair_count = find_by_brute_force(boxes, count, expected);
    uint64_t our_count = 0;
    imp_BoxArray array = {.boxes = boxes, .count = count};
    if (imp_pairs_find(run->context, &array, ours, capacity, &our_count) != IMP_STATUS_OK ||
        our_count != pair_count || !same_pairs(ours, expected, pair_count))
        experiment_fail(run, "impinge is wrong on scene %d of %zu boxes", (int)kind, count);
    for (size_t i = 0; i < sizeof slave_counts / sizeof *slave_counts; ++i) {
        LucchesiResult result;
        LucchesiMerge merge = i % 2 ? LUCCHESI_MERGE_HEADS : LUCCHESI_MERGE_HEAP;
        if (!lucchesi_find_pairs(run->context, boxes, count, slave_counts[i], merge, &result) ||
            result.pair_count != pair_count || !same_pairs(result.pairs, expected, pair_count))
            experiment_fail(run, "the paper's method is wrong on scene %d of %zu boxes, %u slaves", (int)kind,
                            count, slave_counts[i]);
        free(result.pairs);
    }
cleanup:
    free(boxes);
    free(expected);
    free(ours);
}

// ---- measuring

typedef struct Samples {
    double part_ns[LUCCHESI_PROCESSOR_COUNT][LUCCHESI_PART_COUNT][MAX_REPETITIONS];
    double measured_ns[LUCCHESI_PROCESSOR_COUNT][MAX_REPETITIONS];
    double modelled_ns[LUCCHESI_PROCESSOR_COUNT][MAX_REPETITIONS];
    double heap_merge_ns[MAX_REPETITIONS];
    double ours_ns[LUCCHESI_MAX_THREADS][MAX_REPETITIONS];
} Samples;

static imp_Context *create_context(ExperimentRun *run, uint32_t thread_count)
{
    imp_Context *context = NULL;
    if (imp_context_create(&(imp_ContextDef){.thread_count = thread_count}, &context) != IMP_STATUS_OK)
        experiment_fail(run, "no context of %u threads", thread_count);
    return context;
}

// One run of the paper's method. Its pairs must be those of the runs before, and stay in `*pairs`.
static bool run_paper(ExperimentRun *run, const double *boxes, uint32_t slaves, LucchesiMerge merge,
                      LucchesiMeasured *measured, imp_IndexPair **pairs, LucchesiTimes *times)
{
    LucchesiResult result;
    imp_Context *context = create_context(run, slaves < run->cores ? slaves : run->cores);
    bool done =
        context && lucchesi_find_pairs(context, boxes, measured->object_count, slaves, merge, &result);
    imp_context_destroy(context);
    if (!done) {
        experiment_fail(run, "the paper's method ran out of memory");
        return false;
    }
    if (*pairs &&
        (result.pair_count != measured->pair_count || !same_pairs(result.pairs, *pairs, result.pair_count)))
        experiment_fail(run, "%u slaves find other pairs", slaves);
    free(*pairs);
    *pairs = result.pairs;
    measured->pair_count = result.pair_count;
    measured->code_count = result.code_count;
    measured->candidate_count = result.candidate_count;
    *times = result.times;
    return true;
}

static void measure_paper(ExperimentRun *run, const double *boxes, LucchesiMeasured *measured,
                          size_t repetition, Samples *samples, imp_IndexPair **pairs)
{
    LucchesiTimes times;
    for (size_t p = 0; p < LUCCHESI_PROCESSOR_COUNT; ++p) {
        if (!run_paper(run, boxes, lucchesi_processors[p], LUCCHESI_MERGE_HEADS, measured, pairs, &times))
            return;
        for (int part = 0; part < LUCCHESI_PART_COUNT; ++part)
            samples->part_ns[p][part][repetition] = times.part_ns[part];
        samples->measured_ns[p][repetition] = times.measured_ns;
        samples->modelled_ns[p][repetition] = times.modelled_ns;
    }
    if (run_paper(run, boxes, lucchesi_processors[MOST_PROCESSORS], LUCCHESI_MERGE_HEAP, measured, pairs,
                  &times))
        samples->heap_merge_ns[repetition] = times.part_ns[LUCCHESI_MASTER_MERGE];
}

// Processor time does not depend on what else the machine does; with several threads only the wall clock
// tells.
static double clock_ns(uint32_t threads)
{
    struct timespec time;
    if (threads > 1)
        return (double)impi_clock_ns();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void measure_ours(ExperimentRun *run, const double *boxes, const LucchesiMeasured *measured,
                         uint32_t threads, const imp_IndexPair *expected, double *time_ns)
{
    uint64_t count = 0;
    imp_Context *context = create_context(run, threads);
    imp_IndexPair *pairs = malloc((measured->pair_count + 1) * sizeof *pairs);
    imp_BoxArray array = {.boxes = boxes, .count = measured->object_count};
    if (context && pairs) {
        double start = clock_ns(threads);
        imp_Status status = imp_pairs_find(context, &array, pairs, measured->pair_count + 1, &count);
        *time_ns = clock_ns(threads) - start;
        if (status != IMP_STATUS_OK || count != measured->pair_count ||
            !same_pairs(pairs, expected, measured->pair_count))
            experiment_fail(run, "the two methods find different pairs among %zu objects",
                            measured->object_count);
    } else {
        experiment_fail(run, "out of memory");
    }
    free(pairs);
    imp_context_destroy(context);
}

static void take_medians(const LucchesiResults *results, Samples *samples, LucchesiMeasured *measured)
{
    size_t count = results->sizes->repetitions;
    measured->most_efficiency_low = INFINITY;
    for (size_t r = 0; r < count; ++r) { // before medians reorder the samples
        double efficiency = 100 * samples->modelled_ns[0][r] / samples->modelled_ns[MOST_PROCESSORS][r] /
                            lucchesi_processors[MOST_PROCESSORS];
        measured->most_efficiency_low = fmin(measured->most_efficiency_low, efficiency);
        measured->most_efficiency_high = fmax(measured->most_efficiency_high, efficiency);
    }
    for (size_t p = 0; p < LUCCHESI_PROCESSOR_COUNT; ++p) {
        LucchesiTimes *times = &measured->paper[p];
        for (int part = 0; part < LUCCHESI_PART_COUNT; ++part)
            times->part_ns[part] = experiment_median(samples->part_ns[p][part], count);
        times->measured_ns = experiment_median(samples->measured_ns[p], count);
        times->modelled_ns = experiment_median(samples->modelled_ns[p], count);
    }
    measured->heap_merge_ns = experiment_median(samples->heap_merge_ns, count);
    for (uint32_t i = 0; i < results->thread_count; ++i)
        measured->ours_ns[i] = experiment_median(samples->ours_ns[i], count);
}

static void measure_size(ExperimentRun *run, const LucchesiResults *results, LucchesiMeasured *measured)
{
    Samples samples = {0};
    experiment_note("  %zu objects", measured->object_count);
    double *boxes = make_boxes(run, SCENE_CUBES, measured->object_count);
    for (size_t r = 0; boxes && r < results->sizes->repetitions; ++r) {
        imp_IndexPair *pairs = NULL;
        measure_paper(run, boxes, measured, r, &samples, &pairs);
        for (uint32_t i = 0; pairs && i < results->thread_count; ++i)
            measure_ours(run, boxes, measured, i + 1, pairs, &samples.ours_ns[i][r]);
        free(pairs);
    }
    free(boxes);
    take_medians(results, &samples, measured);
}

static LucchesiResults outcome;

static bool measure(ExperimentRun *run)
{
    outcome.sizes = run->quick ? &quick_sizes : &full_sizes;
    outcome.thread_count = run->cores < LUCCHESI_MAX_THREADS ? run->cores : LUCCHESI_MAX_THREADS;
    for (int kind = 0; kind < SCENE_KINDS; ++kind)
        for (size_t count = 2; count <= 500; count = 3 * count + 1)
            compare_with_brute_force(run, (SceneKind)kind, count);
    for (size_t s = 0; s < outcome.sizes->size_count && !run->has_failed; ++s) {
        outcome.measured[s].object_count = outcome.sizes->counts[s];
        measure_size(run, &outcome, &outcome.measured[s]);
    }
    return !run->has_failed;
}

static void report(ExperimentRun *run)
{
    lucchesi_report(run, &outcome);
}

const Experiment experiment_lucchesi_fig5 = {
    .name = "lucchesi-fig5",
    .title = "All pairs by a linear octree: Lucchesi's Figure 5, Tables 1 and 2",
    .summary = "How the time to find all pairs among up to two million objects grows, and what more "
               "processors bring: "
               "the paper's method beside impinge.",
    .measure = measure,
    .report = report,
};
