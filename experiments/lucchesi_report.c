#include "lucchesi_report.h"

#include "base/memory.h"

#include <math.h>

#define NS_PER_MS       1e6
#define NS_PER_S        1e9
#define NS_PER_US       1e3
#define TWO_PROCESSORS  1 // indices of lucchesi_processors
#define HALF_OF_MOST    3
#define MOST_PROCESSORS 5

const uint32_t lucchesi_processors[LUCCHESI_PROCESSOR_COUNT] = {1, 2, 10, 20, 30, 40};

const double lucchesi_paper_seconds[2][LUCCHESI_PROCESSOR_COUNT] = {
    {29.537415, 15.596299, 3.615147, 2.177746, 1.682112, 1.480608},
    {59.706876, 31.332310, 7.215860, 4.298207, 3.331193, 2.889864},
};

// Octants of 2,000,000 objects on 40 slaves, per object.
#define PAPER_ENCODE_US_PER_OBJECT (1307631.0 / (2000000.0 / 40))

// ---- files

static void save_times(ExperimentRun *run, const LucchesiResults *results)
{
    impi_Text csv;
    impi_text_init(&csv, &impi_default_allocator);
    impi_text_put(&csv, "objects,system,processors,measured_ms,modelled_ms,pairs\n");
    for (size_t s = 0; s < results->sizes->size_count; ++s) {
        const LucchesiMeasured *m = &results->measured[s];
        for (size_t p = 0; p < LUCCHESI_PROCESSOR_COUNT; ++p) {
            impi_text_printf(&csv, "%zu,paper,%u,", m->object_count, lucchesi_processors[p]);
            if (lucchesi_processors[p] <= run->cores)
                impi_text_printf(&csv, "%.3f", m->paper[p].measured_ns / NS_PER_MS);
            impi_text_printf(&csv, ",%.3f,%zu\n", m->paper[p].modelled_ns / NS_PER_MS, m->pair_count);
        }
        for (uint32_t i = 0; i < results->thread_count; ++i)
            impi_text_printf(&csv, "%zu,impinge,%u,%.3f,,%zu\n", m->object_count, i + 1,
                             m->ours_ns[i] / NS_PER_MS, m->pair_count);
    }
    experiment_save(run, "lucchesi-fig5.csv", &csv);
    impi_text_free(&csv);
}

static void save_parts(ExperimentRun *run, const LucchesiResults *results)
{
    impi_Text csv;
    impi_text_init(&csv, &impi_default_allocator);
    impi_text_put(&csv, "objects,processors,encode_ms,sort_ms,machine_merge_ms,master_merge_ms,walk_ms,"
                        "distinct_ms,codes,candidates\n");
    for (size_t s = 0; s < results->sizes->size_count; ++s)
        for (size_t p = 0; p < LUCCHESI_PROCESSOR_COUNT; ++p) {
            const LucchesiMeasured *m = &results->measured[s];
            impi_text_printf(&csv, "%zu,%u", m->object_count, lucchesi_processors[p]);
            for (int part = 0; part < LUCCHESI_PART_COUNT; ++part)
                impi_text_printf(&csv, ",%.3f", m->paper[p].part_ns[part] / NS_PER_MS);
            impi_text_printf(&csv, ",%llu,%llu\n", (unsigned long long)m->code_count,
                             (unsigned long long)m->candidate_count);
        }
    experiment_save(run, "lucchesi-fig5-parts.csv", &csv);
    impi_text_free(&csv);
}

static void plot_times(ExperimentRun *run, const LucchesiResults *results)
{
    impi_Text script;
    impi_text_init(&script, &impi_default_allocator);
    for (size_t p = 0; p < LUCCHESI_PROCESSOR_COUNT; ++p) {
        impi_text_printf(&script, "$paper%u << END\n", lucchesi_processors[p]);
        for (size_t s = 0; s < results->sizes->size_count; ++s)
            impi_text_printf(&script, "%.1f %.6f\n", (double)results->measured[s].object_count / 1000,
                             results->measured[s].paper[p].modelled_ns / NS_PER_S);
        impi_text_put(&script, "END\n");
    }
    for (uint32_t i = 0; i < results->thread_count; ++i) {
        impi_text_printf(&script, "$ours%u << END\n", i + 1);
        for (size_t s = 0; s < results->sizes->size_count; ++s)
            impi_text_printf(&script, "%.1f %.6f\n", (double)results->measured[s].object_count / 1000,
                             results->measured[s].ours_ns[i] / NS_PER_S);
        impi_text_put(&script, "END\n");
    }
    impi_text_put(&script, "set xlabel 'objects, thousands'\nset ylabel 'seconds'\nset logscale y\nplot ");
    for (size_t p = 0; p < LUCCHESI_PROCESSOR_COUNT; ++p)
        impi_text_printf(&script, "$paper%u with linespoints title \"paper's method, %u\", ",
                         lucchesi_processors[p], lucchesi_processors[p]);
    for (uint32_t i = 0; i < results->thread_count; ++i)
        impi_text_printf(&script, "$ours%u with linespoints lw 2 dt 2 title 'impinge, %u'%s", i + 1, i + 1,
                         i + 1 < results->thread_count ? ", " : "\n");
    experiment_plot(run, "lucchesi-fig5", "Run time against number of objects, by number of processors",
                    &script);
    impi_text_free(&script);
}

// ---- the page

static double speed_up(const LucchesiMeasured *m, size_t p)
{
    return m->paper[0].modelled_ns / m->paper[p].modelled_ns;
}

static double efficiency(const LucchesiMeasured *m, size_t p)
{
    return 100 * speed_up(m, p) / lucchesi_processors[p];
}

// As the wall clock says, for as many processors as there are cores.
static double measured_efficiency(const LucchesiMeasured *m, size_t p)
{
    return 100 * m->paper[0].measured_ns / m->paper[p].measured_ns / lucchesi_processors[p];
}

// With one slave the wall clock and the processor time agree unless other programs were running.
static bool was_busy(const LucchesiResults *results)
{
    const LucchesiMeasured *last = &results->measured[results->sizes->size_count - 1];
    return last->paper[0].measured_ns > 1.1 * last->paper[0].modelled_ns;
}

static void put_parameters(ExperimentRun *run, const LucchesiResults *results)
{
    const LucchesiMeasured *last = &results->measured[results->sizes->size_count - 1];
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
        "then master (*modelled*: as if the network cost nothing and nobody shared caches and memory) |\n"
        "| merging | k lists, how is not given | the smallest of all heads at each step; the two lists of a "
        "machine "
        "first |\n"
        "| pairs found | not given | %.2f per object; %.1f shared octants for each of them |\n"
        "| repeated pairs | left open | sorted and dropped at the end; not part of the paper's times |\n"
        "| medians of | not given | %zu runs |\n\n",
        LUCCHESI_MAX_LEVEL, (double)last->code_count / (double)last->object_count, run->cores,
        (double)last->pair_count / (double)last->object_count,
        (double)last->candidate_count / (double)last->pair_count, results->sizes->repetitions);
    if (was_busy(results))
        impi_text_put(&run->page,
                      "**Other programs were running meanwhile: times by the wall clock are too long. "
                      "Processor times, and what is modelled from them, suffer less.**\n\n");
}

static void put_table(ExperimentRun *run, const LucchesiResults *results, int table)
{
    const LucchesiMeasured *m = &results->measured[results->sizes->table_sizes[table]];
    impi_text_printf(
        &run->page,
        "## Table %d: %zu objects\n\n"
        "| processors | paper, s | speed-up | efficiency | here, s, measured | modelled | speed-up | "
        "efficiency |\n|---|---|---|---|---|---|---|---|\n",
        table + 1, m->object_count);
    for (size_t p = 0; p < LUCCHESI_PROCESSOR_COUNT; ++p) {
        const double *paper = lucchesi_paper_seconds[table];
        impi_text_printf(&run->page, "| %u | %.2f | %.2f | %.1f %% | ", lucchesi_processors[p], paper[p],
                         paper[0] / paper[p], 100 * paper[0] / paper[p] / lucchesi_processors[p]);
        if (lucchesi_processors[p] <= run->cores)
            impi_text_printf(&run->page, "%.3f", m->paper[p].measured_ns / NS_PER_S);
        else
            impi_text_put(&run->page, "–");
        impi_text_printf(&run->page, " | %.3f | %.2f | %.1f %% |\n", m->paper[p].modelled_ns / NS_PER_S,
                         speed_up(m, p), efficiency(m, p));
    }
    impi_text_put(&run->page, "\n");
}

static void put_parts(ExperimentRun *run, const LucchesiResults *results)
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
    const LucchesiMeasured *m = &results->measured[results->sizes->size_count - 1];
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
    impi_text_printf(&run->page, "| master: merge, if by a heap | – | %.1f | – |\n\n",
                     m->heap_merge_ns / NS_PER_MS);
}

static void put_comparison(ExperimentRun *run, const LucchesiResults *results)
{
    impi_text_put(
        &run->page,
        "## Beside impinge\n\nThe whole answer: sorted pairs, each once. Processor time on one thread, in "
        "memory that is used for the first time, by both; wall clock on more.\n\n"
        "| objects | pairs | paper's method, ms | impinge, ms | times faster |");
    for (uint32_t i = 1; i < results->thread_count; ++i)
        impi_text_printf(&run->page, " impinge on %u, ms |", i + 1);
    impi_text_put(&run->page, "\n|---|---|---|---|---|");
    for (uint32_t i = 1; i < results->thread_count; ++i)
        impi_text_put(&run->page, "---|");
    for (size_t s = 0; s < results->sizes->size_count; ++s) {
        const LucchesiMeasured *m = &results->measured[s];
        double paper_ns = m->paper[0].modelled_ns + m->paper[0].part_ns[LUCCHESI_DISTINCT];
        impi_text_printf(&run->page, "\n| %zu | %zu | %.1f | %.1f | %.1f |", m->object_count, m->pair_count,
                         paper_ns / NS_PER_MS, m->ours_ns[0] / NS_PER_MS, paper_ns / m->ours_ns[0]);
        for (uint32_t i = 1; i < results->thread_count; ++i)
            impi_text_printf(&run->page, " %.1f |", m->ours_ns[i] / NS_PER_MS);
    }
    impi_text_put(&run->page, "\n\n");
}

// ---- claims

// How far values stray from their mean: root mean square, in per cent of it.
static double spread(const double *values, size_t count)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < count; ++i)
        mean += values[i] / (double)count;
    for (size_t i = 0; i < count; ++i)
        squares += (values[i] / mean - 1) * (values[i] / mean - 1) / (double)count;
    return 100 * sqrt(squares);
}

static void claim_growth(ExperimentRun *run, const LucchesiResults *results)
{
    size_t count = results->sizes->size_count;
    const LucchesiMeasured *first = &results->measured[0], *last = &results->measured[count - 1];
    double linear[LUCCHESI_MAX_SIZES], n_log_n[LUCCHESI_MAX_SIZES], octants[LUCCHESI_MAX_SIZES];
    for (size_t s = 0; s < count; ++s) {
        double n = (double)results->measured[s].object_count;
        linear[s] = results->measured[s].paper[0].modelled_ns / n;
        n_log_n[s] = linear[s] / log(n);
        octants[s] = (double)results->measured[s].code_count / n;
    }
    double range = log((double)last->object_count / (double)first->object_count);
    double exponent = log(last->paper[0].modelled_ns / first->paper[0].modelled_ns) / range;
    double expected = 1 + log(log((double)last->object_count) / log((double)first->object_count)) / range;
    double linear_error = spread(linear, count), n_log_n_error = spread(n_log_n, count);
    bool grows = exponent > 0.95 && exponent<1.2, divides = efficiency(last, MOST_PROCESSORS)> 40;
    experiment_claim(
        run, "L1", "run time grows as (n log n)/k", "looks linear",
        grows && divides ? VERDICT_HOLDS
        : grows          ? VERDICT_PARTLY
                         : VERDICT_FAILS,
        "On one processor as n^%.2f; n log n would be n^%.2f over this range. n log n fits with errors of "
        "%.1f %%, n with %.1f %%; as octants per object vary by %.1f %% from size to size, %s. "
        "Not divided by k: see L3.",
        exponent, expected, n_log_n_error, linear_error, spread(octants, count),
        was_busy(results) || fabs(n_log_n_error - linear_error) < spread(octants, count)
            ? "and times with what else the machine does, the two can't be told apart"
        : n_log_n_error < linear_error ? "n log n fits better"
                                       : "n fits better");
}

static void claim_octants(ExperimentRun *run, const LucchesiResults *results)
{
    const LucchesiMeasured *last = &results->measured[results->sizes->size_count - 1];
    const double *most = last->paper[MOST_PROCESSORS].part_ns, *one = last->paper[0].part_ns;
    double ratio = most[LUCCHESI_ENCODE] / most[LUCCHESI_SORT];
    experiment_claim(
        run, "L2", "finding the octants dominates the slaves' work", "14.7 times the sort",
        ratio > 5   ? VERDICT_HOLDS
        : ratio > 1 ? VERDICT_PARTLY
                    : VERDICT_FAILS,
        "%.1f times the sort with 40 slaves, %.1f times with one. It takes %.2f µs per object here and, if "
        "their figure is for 2,000,000 objects, %.0f µs in the paper.",
        ratio, one[LUCCHESI_ENCODE] / one[LUCCHESI_SORT],
        one[LUCCHESI_ENCODE] / NS_PER_US / (double)last->object_count, PAPER_ENCODE_US_PER_OBJECT);
}

// With the most processors, if the master's merge took this long.
static double efficiency_with_merge(const LucchesiMeasured *m, double merge_ns)
{
    const LucchesiTimes *most = &m->paper[MOST_PROCESSORS];
    double time_ns = most->modelled_ns - most->part_ns[LUCCHESI_MASTER_MERGE] + merge_ns;
    return 100 * m->paper[0].modelled_ns / time_ns / lucchesi_processors[MOST_PROCESSORS];
}

static void claim_efficiency(ExperimentRun *run, const LucchesiResults *results)
{
    const LucchesiMeasured *m = &results->measured[results->sizes->table_sizes[0]];
    bool by_clock = run->cores >= 2 && !was_busy(results);
    double at_two = by_clock ? measured_efficiency(m, TWO_PROCESSORS) : efficiency(m, TWO_PROCESSORS);
    double at_most = efficiency(m, MOST_PROCESSORS);
    experiment_claim(
        run, "L3", "efficiency on 2 and 40 processors", "94.7 and 49.9 %",
        at_two > 85 && at_most > 40   ? VERDICT_HOLDS
        : at_two > 85 || at_most > 40 ? VERDICT_PARTLY
                                      : VERDICT_FAILS,
        "%.1f %% on 2 (%s), %.1f %% on 40 (modelled); on 40 it would be %.1f %% if the master merged by a "
        "heap and %.1f %% if merging cost nothing, because the walk is serial too. With objects and "
        "octants as chosen here the slaves have too little to do beside the master.",
        at_two, by_clock ? "wall clock" : "modelled", at_most, efficiency_with_merge(m, m->heap_merge_ns),
        efficiency_with_merge(m, 0));
}

static void claim_scaling(ExperimentRun *run, const LucchesiResults *results)
{
    const LucchesiMeasured *less = &results->measured[results->sizes->table_sizes[0]];
    const LucchesiMeasured *more = &results->measured[results->sizes->table_sizes[1]];
    double before = efficiency(less, HALF_OF_MOST), after = efficiency(more, MOST_PROCESSORS);
    bool kept_at_most = more->most_efficiency_high >= less->most_efficiency_low,
         kept_by_both = after > before - 2;
    experiment_claim(
        run, "L4", "efficiency is kept when work grows with processors",
        "at 40: 49.9 %, 51.7 % with twice the objects",
        kept_at_most && kept_by_both   ? VERDICT_HOLDS
        : kept_at_most || kept_by_both ? VERDICT_PARTLY
                                       : VERDICT_FAILS,
        "At 40: %.1f to %.1f %% in all runs, %.1f to %.1f %% with twice the objects (modelled). But when "
        "processors double as well, from 20 to 40, it goes from %.1f to %.1f %%, and in the paper's own "
        "tables from 67.8 to 51.7 %%.",
        less->most_efficiency_low, less->most_efficiency_high, more->most_efficiency_low,
        more->most_efficiency_high, before, after);
}

static void claim_bottleneck(ExperimentRun *run, const LucchesiResults *results)
{
    const LucchesiMeasured *last = &results->measured[results->sizes->size_count - 1];
    const LucchesiTimes *most = &last->paper[MOST_PROCESSORS];
    double merge_ns = most->part_ns[LUCCHESI_MASTER_MERGE], walk_ns = most->part_ns[LUCCHESI_WALK];
    bool by_heads = merge_ns > walk_ns, by_heap = last->heap_merge_ns > walk_ns;
    experiment_claim(
        run, "L5", "the master's merge is the serial bottleneck", "0.79 s of 2.89 s",
        by_heads && by_heap   ? VERDICT_HOLDS
        : by_heads || by_heap ? VERDICT_PARTLY
                              : VERDICT_FAILS,
        "With 40 slaves %.2f s of %.2f s, %.2f s if by a heap. The walk, which is serial too and which the "
        "paper does not time, takes %.2f s; here it compares boxes as well.",
        merge_ns / NS_PER_S, most->modelled_ns / NS_PER_S, last->heap_merge_ns / NS_PER_S,
        walk_ns / NS_PER_S);
}

static void claim_times(ExperimentRun *run, const LucchesiResults *results)
{
    const LucchesiMeasured *m = &results->measured[results->sizes->table_sizes[0]];
    experiment_claim(
        run, "L6", "one million objects, serially and on 40 processors", "29.5 s and 1.48 s",
        VERDICT_UNTESTED,
        "It would take their machines, network and objects. Here, for %zu objects, the same method takes "
        "%.2f s on one processor and %.2f s on 40 (modelled); impinge takes %.3f s on one.",
        m->object_count, m->paper[0].modelled_ns / NS_PER_S, m->paper[MOST_PROCESSORS].modelled_ns / NS_PER_S,
        m->ours_ns[0] / NS_PER_S);
}

void lucchesi_report(ExperimentRun *run, const LucchesiResults *results)
{
    save_times(run, results);
    save_parts(run, results);
    put_parameters(run, results);
    impi_text_put(&run->page, "## Figure 5\n\n");
    plot_times(run, results);
    impi_text_put(&run->page,
                  "The paper's method: modelled. impinge: processor time on one thread, wall clock on more. "
                  "[All times](lucchesi-fig5.csv), [parts of them](lucchesi-fig5-parts.csv).\n\n");
    put_table(run, results, 0);
    put_table(run, results, 1);
    put_parts(run, results);
    put_comparison(run, results);
    claim_growth(run, results);
    claim_octants(run, results);
    claim_efficiency(run, results);
    claim_scaling(run, results);
    claim_bottleneck(run, results);
    claim_times(run, results);
}
