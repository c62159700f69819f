// Lucchesi, Egbert & Harris: Figure 5, Tables 1 and 2, and the parts of the run time (5.3), by the paper's
// own method and by ours, side by side.
//
// The paper had twenty machines of two processors. Few machines have forty, so besides the wall clock for as
// many slaves as there are cores, the time on k processors is put together from processor times of the parts:
// the slowest machine's slaves, sort and merge, then the master. That is what k processors would need if
// network and memory cost nothing.
#include "experiment.h"
#include "lucchesi_octree.h"

#include "base/clock.h"
#include "base/memory.h"
#include "scenes/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIZES       8
#define MAX_REPETITIONS 5
#define MAX_CORES       8
#define NS_PER_MS       1e6
#define NS_PER_S        1e9
#define SEED            20
#define PROCESSOR_COUNT 6
#define MOST_PROCESSORS 5 // index of the last one below
#define TWO_PROCESSORS  1

// Those of Tables 1 and 2.
static const uint32_t processors[PROCESSOR_COUNT] = {1, 2, 10, 20, 30, 40};

static const struct {
    double seconds[PROCESSOR_COUNT];
} paper_tables[2] = {
    {{29.537415, 15.596299, 3.615147, 2.177746, 1.682112, 1.480608}},
    {{59.706876, 31.332310, 7.215860, 4.298207, 3.331193, 2.889864}},
};

typedef struct Sizes {
    size_t counts[MAX_SIZES];
    size_t size_count;
    size_t table_sizes[2]; // indices of the sizes that Tables 1 and 2 are about
    size_t repetitions;
} Sizes;

static const Sizes full_sizes = {{100000, 200000, 500000, 1000000, 1500000, 2000000}, 6, {3, 5}, 3};
static const Sizes quick_sizes = {{500, 1000, 2000}, 3, {1, 2}, 1};

// Medians for one size.
typedef struct Measured {
    size_t object_count;
    LucchesiTimes paper[PROCESSOR_COUNT];
    double ours_ns[MAX_CORES]; // on 1, 2, ... threads
    uint64_t code_count, candidate_count;
    size_t pair_count;
} Measured;

typedef struct Results {
    const Sizes *sizes;
    uint32_t core_count; // as many as are used
    Measured measured[MAX_SIZES];
} Results;

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
    static const uint32_t slave_counts[] = {1, 2, 5, 40};
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
        if (!lucchesi_find_pairs(run->context, boxes, count, slave_counts[i], &result) ||
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
    double part_ns[PROCESSOR_COUNT][LUCCHESI_PART_COUNT][MAX_REPETITIONS];
    double measured_ns[PROCESSOR_COUNT][MAX_REPETITIONS], modelled_ns[PROCESSOR_COUNT][MAX_REPETITIONS];
    double ours_ns[MAX_CORES][MAX_REPETITIONS];
} Samples;

static imp_Context *create_context(ExperimentRun *run, uint32_t thread_count)
{
    imp_Context *context = NULL;
    if (imp_context_create(&(imp_ContextDef){.thread_count = thread_count}, &context) != IMP_STATUS_OK)
        experiment_fail(run, "no context of %u threads", thread_count);
    return context;
}

static void measure_paper(ExperimentRun *run, const double *boxes, Measured *measured, size_t repetition,
                          Samples *samples, imp_IndexPair **pairs)
{
    for (size_t p = 0; p < PROCESSOR_COUNT; ++p) {
        LucchesiResult result;
        imp_Context *context = create_context(run, processors[p] < run->cores ? processors[p] : run->cores);
        if (!context ||
            !lucchesi_find_pairs(context, boxes, measured->object_count, processors[p], &result)) {
            experiment_fail(run, "the paper's method ran out of memory");
            imp_context_destroy(context);
            return;
        }
        for (int part = 0; part < LUCCHESI_PART_COUNT; ++part)
            samples->part_ns[p][part][repetition] = result.times.part_ns[part];
        samples->measured_ns[p][repetition] = result.times.measured_ns;
        samples->modelled_ns[p][repetition] = result.times.modelled_ns;
        if (*pairs && (result.pair_count != measured->pair_count ||
                       !same_pairs(result.pairs, *pairs, result.pair_count)))
            experiment_fail(run, "%u slaves find other pairs", processors[p]);
        free(*pairs);
        *pairs = result.pairs;
        measured->pair_count = result.pair_count;
        measured->code_count = result.code_count;
        measured->candidate_count = result.candidate_count;
        imp_context_destroy(context);
    }
}

static void measure_ours(ExperimentRun *run, const double *boxes, const Measured *measured, uint32_t threads,
                         const imp_IndexPair *expected, double *time_ns)
{
    uint64_t count = 0;
    imp_Context *context = create_context(run, threads);
    imp_IndexPair *pairs = malloc((measured->pair_count + 1) * sizeof *pairs);
    imp_BoxArray array = {.boxes = boxes, .count = measured->object_count};
    if (context && pairs) {
        // Once to warm up its memory, as in a program that detects frame after frame.
        imp_Status status = imp_pairs_find(context, &array, pairs, measured->pair_count + 1, &count);
        uint64_t start = impi_clock_ns();
        if (status == IMP_STATUS_OK)
            status = imp_pairs_find(context, &array, pairs, measured->pair_count + 1, &count);
        *time_ns = (double)(impi_clock_ns() - start);
        if (status != IMP_STATUS_OK || count != measured->pair_count ||
            !same_pairs(pairs, expected, measured->pair_count))
            experiment_fail(run, "the two methods find different pairs among %zu objects",
                            measured->object_count);
    }
    free(pairs);
    imp_context_destroy(context);
}

static void take_medians(const Results *results, Samples *samples, Measured *measured)
{
    size_t count = results->sizes->repetitions;
    for (size_t p = 0; p < PROCESSOR_COUNT; ++p) {
        LucchesiTimes *times = &measured->paper[p];
        for (int part = 0; part < LUCCHESI_PART_COUNT; ++part)
            times->part_ns[part] = experiment_median(samples->part_ns[p][part], count);
        times->measured_ns = experiment_median(samples->measured_ns[p], count);
        times->modelled_ns = experiment_median(samples->modelled_ns[p], count);
    }
    for (uint32_t i = 0; i < results->core_count; ++i)
        measured->ours_ns[i] = experiment_median(samples->ours_ns[i], count);
}

static void measure_size(ExperimentRun *run, const Results *results, Measured *measured)
{
    Samples samples = {0};
    experiment_note("  %zu objects", measured->object_count);
    double *boxes = make_boxes(run, SCENE_CUBES, measured->object_count);
    for (size_t r = 0; boxes && r < results->sizes->repetitions; ++r) {
        imp_IndexPair *pairs = NULL;
        measure_paper(run, boxes, measured, r, &samples, &pairs);
        for (uint32_t i = 0; pairs && i < results->core_count; ++i)
            measure_ours(run, boxes, measured, i + 1, pairs, &samples.ours_ns[i][r]);
        free(pairs);
    }
    free(boxes);
    take_medians(results, &samples, measured);
}

// ---- files

static void save_times(ExperimentRun *run, const Results *results)
{
    impi_Text csv;
    impi_text_init(&csv, &impi_default_allocator);
    impi_text_put(&csv, "objects,system,processors,measured_ms,modelled_ms,pairs\n");
    for (size_t s = 0; s < results->sizes->size_count; ++s) {
        const Measured *m = &results->measured[s];
        for (size_t p = 0; p < PROCESSOR_COUNT; ++p) {
            impi_text_printf(&csv, "%zu,paper,%u,", m->object_count, processors[p]);
            if (processors[p] <= run->cores)
                impi_text_printf(&csv, "%.3f", m->paper[p].measured_ns / NS_PER_MS);
            impi_text_printf(&csv, ",%.3f,%zu\n", m->paper[p].modelled_ns / NS_PER_MS, m->pair_count);
        }
        for (uint32_t i = 0; i < results->core_count; ++i)
            impi_text_printf(&csv, "%zu,impinge,%u,%.3f,,%zu\n", m->object_count, i + 1,
                             m->ours_ns[i] / NS_PER_MS, m->pair_count);
    }
    experiment_save(run, "lucchesi-fig5.csv", &csv);
    impi_text_free(&csv);
}

static void save_parts(ExperimentRun *run, const Results *results)
{
    impi_Text csv;
    impi_text_init(&csv, &impi_default_allocator);
    impi_text_put(&csv, "objects,processors,encode_ms,sort_ms,machine_merge_ms,master_merge_ms,walk_ms,"
                        "distinct_ms,codes,candidates\n");
    for (size_t s = 0; s < results->sizes->size_count; ++s)
        for (size_t p = 0; p < PROCESSOR_COUNT; ++p) {
            const Measured *m = &results->measured[s];
            impi_text_printf(&csv, "%zu,%u", m->object_count, processors[p]);
            for (int part = 0; part < LUCCHESI_PART_COUNT; ++part)
                impi_text_printf(&csv, ",%.3f", m->paper[p].part_ns[part] / NS_PER_MS);
            impi_text_printf(&csv, ",%llu,%llu\n", (unsigned long long)m->code_count,
                             (unsigned long long)m->candidate_count);
        }
    experiment_save(run, "lucchesi-fig5-parts.csv", &csv);
    impi_text_free(&csv);
}

static void plot_times(ExperimentRun *run, const Results *results)
{
    impi_Text script;
    impi_text_init(&script, &impi_default_allocator);
    for (size_t p = 0; p < PROCESSOR_COUNT; ++p) {
        impi_text_printf(&script, "$paper%u << END\n", processors[p]);
        for (size_t s = 0; s < results->sizes->size_count; ++s)
            impi_text_printf(&script, "%zu %.6f\n", results->measured[s].object_count,
                             results->measured[s].paper[p].modelled_ns / NS_PER_S);
        impi_text_put(&script, "END\n");
    }
    for (uint32_t i = 0; i < results->core_count; ++i) {
        impi_text_printf(&script, "$ours%u << END\n", i + 1);
        for (size_t s = 0; s < results->sizes->size_count; ++s)
            impi_text_printf(&script, "%zu %.6f\n", results->measured[s].object_count,
                             results->measured[s].ours_ns[i] / NS_PER_S);
        impi_text_put(&script, "END\n");
    }
    impi_text_put(&script, "set xlabel 'objects'\nset ylabel 'seconds'\nset logscale y\n"
                           "set format x '%.1s %c'\nplot ");
    for (size_t p = 0; p < PROCESSOR_COUNT; ++p)
        impi_text_printf(&script, "$paper%u with linespoints title \"paper's method, %u\", ", processors[p],
                         processors[p]);
    for (uint32_t i = 0; i < results->core_count; ++i)
        impi_text_printf(&script, "$ours%u with linespoints lw 2 dt 2 title 'impinge, %u'%s", i + 1, i + 1,
                         i + 1 < results->core_count ? ", " : "\n");
    experiment_plot(run, "lucchesi-fig5", "Run time against number of objects, by number of processors",
                    &script);
    impi_text_free(&script);
}

// ---- the page

static double speed_up(const Measured *m, size_t p)
{
    return m->paper[0].modelled_ns / m->paper[p].modelled_ns;
}

static double efficiency(const Measured *m, size_t p)
{
    return 100 * speed_up(m, p) / processors[p];
}

// As the wall clock says, for as many processors as there are cores.
static double measured_efficiency(const Measured *m, size_t p)
{
    return 100 * m->paper[0].measured_ns / m->paper[p].measured_ns / processors[p];
}

static void put_parameters(ExperimentRun *run, const Results *results)
{
    const Measured *last = &results->measured[results->sizes->size_count - 1];
    impi_text_printf(
        &run->page,
        "Lucchesi, Egbert & Harris measure their linear octree on 100,000 to 2,000,000 objects and 1 to 40 "
        "processors (20 machines of 2). Here the same method runs beside the one of impinge; both find the "
        "same "
        "pairs, and the same as brute force on small scenes of five kinds.\n\n"
        "## Parameters\n\n"
        "| parameter | paper | here |\n|---|---|---|\n"
        "| objects | bounding cubes; size and distribution not given | cubes of side 0.5 to 1.5, evenly "
        "distributed in a cube of edge 2 n^(1/3) |\n"
        "| octants of an object | several, how many is not given | the smallest ones not smaller than the "
        "object, at "
        "most %d levels deep: %.2f on average |\n"
        "| processors | 40, in machines of 2 | %u cores. Up to that many the wall clock is measured. Beyond, "
        "slaves run one after the other and the time is put together from their processor times: slowest "
        "machine, "
        "then master (*modelled*: network and memory cost nothing) |\n"
        "| merging | k lists, how is not given | the smallest of all heads at each step; the two lists of a "
        "machine "
        "first |\n"
        "| pairs found | not given | %.2f per object; %.1f shared octants for each of them |\n"
        "| repeated pairs | left open | sorted and dropped at the end; not part of the paper's times |\n"
        "| medians of | not given | %zu runs |\n\n",
        LUCCHESI_MAX_LEVEL, (double)last->code_count / (double)last->object_count, run->cores,
        (double)last->pair_count / (double)last->object_count,
        (double)last->candidate_count / (double)last->pair_count, results->sizes->repetitions);
}

static void put_table(ExperimentRun *run, const Results *results, int table)
{
    const Measured *m = &results->measured[results->sizes->table_sizes[table]];
    impi_text_printf(
        &run->page,
        "## Table %d: %zu objects\n\n"
        "| processors | paper, s | speed-up | efficiency | here, s, measured | modelled | speed-up | "
        "efficiency |\n|---|---|---|---|---|---|---|---|\n",
        table + 1, m->object_count);
    for (size_t p = 0; p < PROCESSOR_COUNT; ++p) {
        const double *paper = paper_tables[table].seconds;
        impi_text_printf(&run->page, "| %u | %.2f | %.2f | %.1f %% | ", processors[p], paper[p],
                         paper[0] / paper[p], 100 * paper[0] / paper[p] / processors[p]);
        if (processors[p] <= run->cores)
            impi_text_printf(&run->page, "%.3f", m->paper[p].measured_ns / NS_PER_S);
        else
            impi_text_put(&run->page, "–");
        impi_text_printf(&run->page, " | %.3f | %.2f | %.1f %% |\n", m->paper[p].modelled_ns / NS_PER_S,
                         speed_up(m, p), efficiency(m, p));
    }
    impi_text_put(&run->page, "\n");
}

static void put_parts(ExperimentRun *run, const Results *results)
{
    static const struct {
        LucchesiPart part;
        const char *name, *paper;
    } rows[] = {
        {LUCCHESI_ENCODE, "slave: octal codes of objects", "1,307.6"},
        {LUCCHESI_SORT, "slave: qsort", "89.0"},
        {LUCCHESI_MACHINE_MERGE, "networked slave: merge", "38.6"},
        {LUCCHESI_MASTER_MERGE, "master: merge", "791.5"},
        {LUCCHESI_WALK, "master: common paths, boxes compared", "–"},
        {LUCCHESI_DISTINCT, "master: repeated pairs dropped", "–"},
    };
    const Measured *m = &results->measured[results->sizes->size_count - 1];
    impi_text_printf(
        &run->page,
        "## Parts of the run time (5.3)\n\n%zu objects. The paper does not say for how many; its sum "
        "fits 2,000,000 only.\n\n"
        "| part | paper, 40 slaves, ms | here, 40 slaves, ms | here, 1 slave, ms |\n"
        "|---|---|---|---|\n",
        m->object_count);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        impi_text_printf(&run->page, "| %s | %s | %.1f | %.1f |\n", rows[i].name, rows[i].paper,
                         m->paper[MOST_PROCESSORS].part_ns[rows[i].part] / NS_PER_MS,
                         m->paper[0].part_ns[rows[i].part] / NS_PER_MS);
    impi_text_put(&run->page, "\n");
}

static void put_comparison(ExperimentRun *run, const Results *results)
{
    impi_text_put(&run->page,
                  "## Beside impinge\n\nThe whole answer on one thread: sorted pairs, each once.\n\n"
                  "| objects | pairs | paper's method, ms | impinge, ms | times faster |");
    for (uint32_t i = 1; i < results->core_count; ++i)
        impi_text_printf(&run->page, " impinge on %u, ms |", i + 1);
    impi_text_put(&run->page, "\n|---|---|---|---|---|");
    for (uint32_t i = 1; i < results->core_count; ++i)
        impi_text_put(&run->page, "---|");
    for (size_t s = 0; s < results->sizes->size_count; ++s) {
        const Measured *m = &results->measured[s];
        double paper_ns = m->paper[0].measured_ns + m->paper[0].part_ns[LUCCHESI_DISTINCT];
        impi_text_printf(&run->page, "\n| %zu | %zu | %.1f | %.1f | %.1f |", m->object_count, m->pair_count,
                         paper_ns / NS_PER_MS, m->ours_ns[0] / NS_PER_MS, paper_ns / m->ours_ns[0]);
        for (uint32_t i = 1; i < results->core_count; ++i)
            impi_text_printf(&run->page, " %.1f |", m->ours_ns[i] / NS_PER_MS);
    }
    impi_text_put(&run->page, "\n\n");
}

// ---- claims

// Root mean square of the relative errors of the best fit time = c * cost(n).
static double fit_error(const Results *results, bool with_logarithm)
{
    double ratios[MAX_SIZES], mean = 0, squares = 0;
    size_t count = results->sizes->size_count;
    for (size_t s = 0; s < count; ++s) {
        double n = (double)results->measured[s].object_count;
        ratios[s] = results->measured[s].paper[0].modelled_ns / (with_logarithm ? n * log(n) : n);
        mean += ratios[s] / (double)count;
    }
    for (size_t s = 0; s < count; ++s)
        squares += (ratios[s] / mean - 1) * (ratios[s] / mean - 1) / (double)count;
    return 100 * sqrt(squares);
}

static void claim_growth(ExperimentRun *run, const Results *results)
{
    const Measured *first = &results->measured[0], *last = &results->measured[results->sizes->size_count - 1];
    double sizes = log((double)last->object_count / (double)first->object_count);
    double exponent = log(last->paper[0].modelled_ns / first->paper[0].modelled_ns) / sizes;
    double expected = 1 + log(log((double)last->object_count) / log((double)first->object_count)) / sizes;
    double linear = fit_error(results, false), n_log_n = fit_error(results, true);
    experiment_claim(
        run, "L1", "run time grows as (n log n)/k", "looks linear",
        exponent > 0.9 && exponent < 1.25 ? VERDICT_HOLDS : VERDICT_FAILS,
        "On one processor time grows as n^%.3f; n log n would be n^%.3f over this range. Errors of the "
        "fits: n log n %.1f %%, n %.1f %%, so %s. Division by k: see L3.",
        exponent, expected, n_log_n, linear,
        fabs(n_log_n - linear) < 2 ? "they can't be told apart, as in the paper"
        : n_log_n < linear         ? "n log n fits better"
                                   : "n fits better, as in the paper");
}

static void claim_parts(ExperimentRun *run, const Results *results)
{
    const Measured *last = &results->measured[results->sizes->size_count - 1];
    const double *parts = last->paper[MOST_PROCESSORS].part_ns;
    double ratio = parts[LUCCHESI_ENCODE] / parts[LUCCHESI_SORT];
    double share = 100 * parts[LUCCHESI_MASTER_MERGE] / last->paper[MOST_PROCESSORS].modelled_ns;
    double walk_share = 100 * parts[LUCCHESI_WALK] / last->paper[MOST_PROCESSORS].modelled_ns;
    experiment_claim(
        run, "L2", "finding the octants dominates the slaves' work", "14.7 times the sort",
        ratio > 5   ? VERDICT_HOLDS
        : ratio > 1 ? VERDICT_PARTLY
                    : VERDICT_FAILS,
        "Octants take %.2f times as long as the sort here. Without calls and allocations per octant the "
        "search is cheap, and qsort calls a function for each comparison; the rest of L1's reason "
        "(a linear part hides the logarithm) falls with it where the ratio is near 1.",
        ratio);
    experiment_claim(
        run, "L5", "the master's merge is the serial bottleneck", "0.79 s of 2.89 s",
        parts[LUCCHESI_MASTER_MERGE] > parts[LUCCHESI_WALK] ? VERDICT_HOLDS : VERDICT_PARTLY,
        "With 40 slaves the merge is %.0f %% of the run time (paper: 27 %%). The walk, which the paper "
        "does not time and which is serial too, is %.0f %%; here it compares boxes as well.",
        share, walk_share);
}

static void claim_efficiency(ExperimentRun *run, const Results *results)
{
    const Measured *one = &results->measured[results->sizes->table_sizes[0]];
    const Measured *two = &results->measured[results->sizes->table_sizes[1]];
    double at_two =
        run->cores >= 2 ? measured_efficiency(one, TWO_PROCESSORS) : efficiency(one, TWO_PROCESSORS);
    double at_most = efficiency(one, MOST_PROCESSORS), later = efficiency(two, MOST_PROCESSORS);
    experiment_claim(
        run, "L3", "efficiency on 2 and 40 processors", "94.7 and 49.9 %",
        at_two > 85 && at_most > 40   ? VERDICT_HOLDS
        : at_two > 60 || at_most > 40 ? VERDICT_PARTLY
                                      : VERDICT_FAILS,
        "%.1f %% on 2 (%s), %.1f %% on 40 (modelled). What the slaves do has become cheap beside the "
        "master's serial merge and walk, so less is gained by more slaves.",
        at_two, run->cores >= 2 ? "wall clock" : "modelled", at_most);
    experiment_claim(run, "L4", "efficiency is kept when work grows with processors", "49.9 to 51.7 % at 40",
                     later > at_most - 1 ? VERDICT_HOLDS : VERDICT_FAILS,
                     "%.1f %% for %zu objects, %.1f %% for %zu, at 40 (modelled).", at_most,
                     one->object_count, later, two->object_count);
}

static void claim_times(ExperimentRun *run, const Results *results)
{
    const Measured *m = &results->measured[results->sizes->table_sizes[0]];
    double serial = m->paper[0].measured_ns / NS_PER_S;
    double parallel = m->paper[MOST_PROCESSORS].modelled_ns / NS_PER_S;
    experiment_claim(
        run, "L6", "one million objects, serially and on 40 processors", "29.5 s and 1.48 s",
        VERDICT_UNTESTED,
        "It takes their machines, objects and network. Here the same method takes %.2f s on one "
        "processor and %.2f s on 40 (modelled) for %zu objects; impinge takes %.3f s on one thread.",
        serial, parallel, m->object_count, m->ours_ns[0] / NS_PER_S);
}

static void run_fig5(ExperimentRun *run)
{
    static Results results;
    results.sizes = run->quick ? &quick_sizes : &full_sizes;
    results.core_count = run->cores < MAX_CORES ? run->cores : MAX_CORES;
    for (int kind = 0; kind < SCENE_KINDS; ++kind)
        for (size_t count = 2; count <= 500; count = 3 * count + 1)
            compare_with_brute_force(run, (SceneKind)kind, count);
    for (size_t s = 0; s < results.sizes->size_count && !run->has_failed; ++s) {
        results.measured[s].object_count = results.sizes->counts[s];
        measure_size(run, &results, &results.measured[s]);
    }
    if (run->has_failed)
        return;
    save_times(run, &results);
    save_parts(run, &results);
    put_parameters(run, &results);
    impi_text_put(&run->page, "## Figure 5\n\n");
    plot_times(run, &results);
    impi_text_put(&run->page, "Modelled times of the paper's method, measured ones of impinge; "
                              "[all figures](lucchesi-fig5.csv).\n\n");
    put_table(run, &results, 0);
    put_table(run, &results, 1);
    put_parts(run, &results);
    put_comparison(run, &results);
    claim_growth(run, &results);
    claim_parts(run, &results);
    claim_efficiency(run, &results);
    claim_times(run, &results);
    experiment_put_claims(run);
}

const Experiment experiment_lucchesi_fig5 = {
    .name = "lucchesi-fig5",
    .title = "All pairs by a linear octree: Lucchesi's Figure 5, Tables 1 and 2",
    .summary = "How the time to find all pairs among up to two million objects grows, and what more "
               "processors bring: "
               "the paper's method beside impinge.",
    .run = run_fig5,
};
