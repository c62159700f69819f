#include "lucchesi_ranks.h"

#include "base/memory.h"

#include <math.h>

#define NS_PER_MS       1e6
#define TWO_PROCESSORS  1 // indices of lucchesi_processors
#define HALF_OF_MOST    3
#define MOST_PROCESSORS 5

// One method on one number of objects.
typedef struct Method {
    const RankCosts *costs; // by processors
    double serial_ns;
    bool is_paper;
} Method;

// The paper leaves open how repeated pairs are dropped: that is no part of its times.
static double time_over(const Method *method, size_t p, const Network *network)
{
    const RankCosts *costs = &method->costs[p];
    double all_ns = rank_costs_ns(costs, network);
    return method->is_paper ? all_ns - rank_costs_part_ns(costs, LUCCHESI_DISTINCT, network) : all_ns;
}

static double time_ns(const Method *method, size_t p)
{
    return time_over(method, p, &network_infiniband);
}

static Method paper_method(const LucchesiRanksRow *row)
{
    Method method = {.costs = row->paper, .is_paper = true};
    method.serial_ns = time_ns(&method, 0);
    return method;
}

static Method our_method(const LucchesiRanksRow *row)
{
    return (Method){.costs = row->ours, .serial_ns = row->serial_ns};
}

static double efficiency(const Method *method, size_t p, const Network *network)
{
    return 100 * method->serial_ns / time_over(method, p, network) / lucchesi_processors[p];
}

static const LucchesiRanksRow *table_row(const LucchesiRanksResults *results, int table)
{
    return &results->rows[results->sizes->table_sizes[table]];
}

static const LucchesiRanksRow *last_row(const LucchesiRanksResults *results)
{
    return &results->rows[results->sizes->size_count - 1];
}

// ---- files

static void save_times(ExperimentRun *run, const LucchesiRanksResults *results)
{
    impi_Text csv;
    impi_text_init(&csv, &impi_default_allocator);
    impi_text_put(&csv, "objects,system,processors,infiniband_ms,ethernet_ms,pairs\n");
    for (size_t s = 0; s < results->sizes->size_count; ++s) {
        const LucchesiRanksRow *row = &results->rows[s];
        for (size_t p = 0; p < LUCCHESI_PROCESSOR_COUNT; ++p) {
            Method both[2] = {paper_method(row), our_method(row)};
            for (int i = 0; i < 2; ++i)
                impi_text_printf(&csv, "%zu,%s,%u,%.4f,%.4f,%zu\n", row->object_count,
                                 i ? "impinge" : "paper", lucchesi_processors[p],
                                 time_ns(&both[i], p) / NS_PER_MS,
                                 time_over(&both[i], p, &network_ethernet) / NS_PER_MS, row->pair_count);
        }
    }
    experiment_save(run, "lucchesi-ranks.csv", &csv);
    impi_text_free(&csv);
}

static void plot_times(ExperimentRun *run, const LucchesiRanksResults *results)
{
    impi_Text script;
    impi_text_init(&script, &impi_default_allocator);
    for (size_t p = 0; p < LUCCHESI_PROCESSOR_COUNT; ++p)
        for (int ours = 0; ours < 2; ++ours) {
            impi_text_printf(&script, "$%s%u << END\n", ours ? "ours" : "paper", lucchesi_processors[p]);
            for (size_t s = 0; s < results->sizes->size_count; ++s) {
                const LucchesiRanksRow *row = &results->rows[s];
                Method method = ours ? our_method(row) : paper_method(row);
                impi_text_printf(&script, "%.1f %.6f\n", (double)row->object_count / 1000,
                                 time_ns(&method, p) / NS_PER_MS);
            }
            impi_text_put(&script, "END\n");
        }
    impi_text_put(&script,
                  "set xlabel 'objects, thousands'\nset ylabel 'milliseconds'\nset logscale y\nplot ");
    for (size_t p = 0; p < LUCCHESI_PROCESSOR_COUNT; ++p)
        impi_text_printf(
            &script,
            "$paper%u with linespoints title \"paper's method, %u\", $ours%u with linespoints lw 2 dt 2 "
            "title 'impinge, %u'%s",
            lucchesi_processors[p], lucchesi_processors[p], lucchesi_processors[p], lucchesi_processors[p],
            p + 1 < LUCCHESI_PROCESSOR_COUNT ? ", " : "\n");
    experiment_plot(run, "lucchesi-ranks", "Run time against number of objects, by number of processors",
                    &script);
    impi_text_free(&script);
}

// ---- the page

static void put_parameters(ExperimentRun *run, const LucchesiRanksResults *results)
{
    const LucchesiRanksRow *last = last_row(results);
    impi_text_printf(
        &run->page,
        "The paper's master and slaves as ranks that share nothing: the master sends each slave its "
        "objects, slaves send sorted lists of octal codes to the networked slave of their machine of "
        "two, that one sends what it has merged to the master, which merges all and walks along the "
        "list. The master is one of the slaves. impinge's ranks find the same pairs without a master. "
        "Both find what one process finds.\n\n"
        "**No figure was measured on so many machines**: ranks take turns on one core, work is processor "
        "time (median of %zu runs after a first one), what is sent is counted, and time = sum over "
        "phases of the slowest rank's work + alpha x messages + beta x bytes. InfiniBand: %.0f us, %.0f "
        "GB/s; 10 Gb Ethernet: %.0f us, %.2f GB/s. Objects are those of the page lucchesi-fig5, %.2f "
        "octants each. Repeated pairs are dropped by the master at the end, which is no part of the paper's "
        "times; `times faster` counts it, because impinge gives each pair once. impinge begins "
        "with the objects spread over the ranks in no order, and ends with the pairs spread over them, "
        "sorted; in the paper's program one rank has all objects, and all pairs.\n\n",
        results->sizes->repetitions, network_infiniband.alpha_ns / 1000, 1 / network_infiniband.beta_ns,
        network_ethernet.alpha_ns / 1000, 1 / network_ethernet.beta_ns,
        (double)last->code_count / (double)last->object_count);
}

static void put_table(ExperimentRun *run, const LucchesiRanksResults *results, int table)
{
    const LucchesiRanksRow *row = table_row(results, table);
    const double *seconds = lucchesi_paper_seconds[table];
    Method paper = paper_method(row), ours = our_method(row);
    impi_text_printf(
        &run->page,
        "## Table %d: %zu objects\n\n"
        "Efficiency against the paper's method on one processor, and against `imp_pairs_find` on one "
        "thread (%.1f ms).\n\n"
        "| processors | paper, s | efficiency | paper's method here, ms: InfiniBand | efficiency | "
        "Ethernet | efficiency | impinge, ms: InfiniBand | efficiency | Ethernet | efficiency | times "
        "faster |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        table + 1, row->object_count, row->serial_ns / NS_PER_MS);
    for (size_t p = 0; p < LUCCHESI_PROCESSOR_COUNT; ++p)
        impi_text_printf(
            &run->page,
            "| %u | %.2f | %.1f %% | %.1f | %.1f %% | %.1f | %.1f %% | %.2f | %.1f %% | "
            "%.2f | %.1f %% | %.0f |\n",
            lucchesi_processors[p], seconds[p], 100 * seconds[0] / seconds[p] / lucchesi_processors[p],
            time_ns(&paper, p) / NS_PER_MS, efficiency(&paper, p, &network_infiniband),
            time_over(&paper, p, &network_ethernet) / NS_PER_MS, efficiency(&paper, p, &network_ethernet),
            time_ns(&ours, p) / NS_PER_MS, efficiency(&ours, p, &network_infiniband),
            time_over(&ours, p, &network_ethernet) / NS_PER_MS, efficiency(&ours, p, &network_ethernet),
            rank_costs_ns(&row->paper[p], &network_infiniband) / time_ns(&ours, p));
    impi_text_put(&run->page, "\n");
}

static double sent_ms(const RankCosts *costs, size_t part, const Network *network)
{
    return (rank_costs_part_ns(costs, part, network) - costs->work_ns[part]) / NS_PER_MS;
}

static void put_paper_parts(ExperimentRun *run, const LucchesiRanksRow *row)
{
    static const struct {
        const char *name, *paper;
    } parts[LUCCHESI_PART_COUNT] = {
        {"objects to slaves; slave: octal codes of objects", "1,307.6"},
        {"slave: qsort; lists to networked slaves", "89.0"},
        {"networked slave: merge; lists to the master", "38.6"},
        {"master: merge", "791.5"},
        {"master: common paths, boxes compared", "–"},
        {"master: repeated pairs dropped", "–"},
    };
    const RankCosts *most = &row->paper[MOST_PROCESSORS];
    impi_text_printf(
        &run->page,
        "## Parts of the run time (5.3)\n\n"
        "%zu objects. The paper does not say for how many; its sum fits 2,000,000 only.\n\n"
        "| part | paper, %u slaves, ms | here, %u slaves: work, ms | messages over InfiniBand, ms | over "
        "Ethernet, ms | 1 slave, ms |\n"
        "|---|---|---|---|---|---|\n",
        row->object_count, lucchesi_processors[MOST_PROCESSORS], lucchesi_processors[MOST_PROCESSORS]);
    for (size_t part = 0; part < LUCCHESI_PART_COUNT; ++part)
        impi_text_printf(&run->page, "| %s | %s | %.1f | %.2f | %.2f | %.1f |\n", parts[part].name,
                         parts[part].paper, most->work_ns[part] / NS_PER_MS,
                         sent_ms(most, part, &network_infiniband), sent_ms(most, part, &network_ethernet),
                         row->paper[0].work_ns[part] / NS_PER_MS);
    impi_text_printf(&run->page, "| master: merge, if by a heap | – | %.1f | – | – | – |\n\n",
                     row->heap.work_ns[LUCCHESI_MASTER_MERGE] / NS_PER_MS);
}

static const char *const our_parts[IMP_RANK_PART_COUNT] = {"boxes are checked",
                                                           "space is divided, boxes travel",
                                                           "work is estimated",
                                                           "boxes of others",
                                                           "pairs are found",
                                                           "pairs travel and are sorted",
                                                           "files"};

static void put_our_parts(ExperimentRun *run, const LucchesiRanksRow *row)
{
    const RankCosts *most = &row->ours[MOST_PROCESSORS];
    impi_text_printf(
        &run->page,
        "The same of impinge, %u ranks:\n\n"
        "| part | work, ms | messages over InfiniBand, ms | over Ethernet, ms |\n|---|---|---|---|\n",
        lucchesi_processors[MOST_PROCESSORS]);
    for (size_t part = 0; part < IMP_RANK_WRITE; ++part)
        impi_text_printf(&run->page, "| %s | %.2f | %.2f | %.2f |\n", our_parts[part],
                         most->work_ns[part] / NS_PER_MS, sent_ms(most, part, &network_infiniband),
                         sent_ms(most, part, &network_ethernet));
    impi_text_put(&run->page, "\n");
}

// ---- claims

static Verdict verdict_of(bool first, bool second)
{
    return first && second ? VERDICT_HOLDS : first || second ? VERDICT_PARTLY : VERDICT_FAILS;
}

static double growth(const LucchesiRanksResults *results, Method (*method_of)(const LucchesiRanksRow *),
                     size_t p)
{
    const LucchesiRanksRow *first = &results->rows[0], *last = last_row(results);
    Method before = method_of(first), after = method_of(last);
    return log(time_ns(&after, p) / time_ns(&before, p)) /
           log((double)last->object_count / (double)first->object_count);
}

static void claim_growth(ExperimentRun *run, const LucchesiRanksResults *results, const char *id,
                         Method (*method_of)(const LucchesiRanksRow *))
{
    Method method = method_of(last_row(results));
    double exponent = growth(results, method_of, 0), at_most = growth(results, method_of, MOST_PROCESSORS);
    double divided = efficiency(&method, MOST_PROCESSORS, &network_infiniband);
    experiment_claim(
        run, id, "run time grows as (n log n)/k", "looks linear",
        verdict_of(exponent > 0.95 && exponent<1.2, divided> 40),
        "On one processor as n^%.2f, on %u as n^%.2f. %u processors are %.1f times faster than one.",
        exponent, lucchesi_processors[MOST_PROCESSORS], at_most, lucchesi_processors[MOST_PROCESSORS],
        divided / 100 * lucchesi_processors[MOST_PROCESSORS]);
}

static void claim_octants(ExperimentRun *run, const LucchesiRanksResults *results)
{
    const LucchesiRanksRow *row = last_row(results);
    const double *most = row->paper[MOST_PROCESSORS].work_ns, *ours = row->ours[MOST_PROCESSORS].work_ns;
    double ratio = most[LUCCHESI_ENCODE] / most[LUCCHESI_SORT];
    experiment_claim(run, "L2", "finding the octants dominates the slaves' work", "14.7 times the sort",
                     verdict_of(ratio > 1, ratio > 5), "%.1f times the sort.", ratio);
    experiment_claim(
        run, "L2, impinge", "finding the octants dominates the slaves' work", "14.7 times the sort",
        VERDICT_UNTESTED,
        "Its boxes have one key each, and no octants. Dividing space takes a rank %.2f ms, finding pairs "
        "%.2f ms, their order %.2f ms.",
        ours[IMP_RANK_SPLIT] / NS_PER_MS, ours[IMP_RANK_SEARCH] / NS_PER_MS,
        ours[IMP_RANK_ORDER] / NS_PER_MS);
}

static void claim_efficiency(ExperimentRun *run, const LucchesiRanksResults *results, const char *id,
                             Method (*method_of)(const LucchesiRanksRow *))
{
    Method method = method_of(table_row(results, 0));
    double two = efficiency(&method, TWO_PROCESSORS, &network_infiniband),
           most = efficiency(&method, MOST_PROCESSORS, &network_infiniband);
    experiment_claim(run, id, "efficiency on 2 and 40 processors", "94.7 and 49.9 %",
                     verdict_of(two > 85, most > 40),
                     "%.1f and %.1f %% with InfiniBand, %.1f and %.1f %% with 10 Gb Ethernet.", two, most,
                     efficiency(&method, TWO_PROCESSORS, &network_ethernet),
                     efficiency(&method, MOST_PROCESSORS, &network_ethernet));
}

static void claim_scaling(ExperimentRun *run, const LucchesiRanksResults *results, const char *id,
                          Method (*method_of)(const LucchesiRanksRow *))
{
    Method less = method_of(table_row(results, 0)), more = method_of(table_row(results, 1));
    double before = efficiency(&less, MOST_PROCESSORS, &network_infiniband),
           after = efficiency(&more, MOST_PROCESSORS, &network_infiniband),
           half = efficiency(&less, HALF_OF_MOST, &network_infiniband);
    experiment_claim(
        run, id, "efficiency is kept when work grows with processors",
        "at 40: 49.9 %, 51.7 % with twice the objects", verdict_of(after > before - 2, after > half - 2),
        "At 40: %.1f %%, %.1f %% with twice the objects. But when processors double as well, from 20 to "
        "40, it goes from %.1f to %.1f %%.",
        before, after, half, after);
}

static void claim_bottleneck(ExperimentRun *run, const LucchesiRanksResults *results)
{
    const LucchesiRanksRow *row = last_row(results);
    Method paper = paper_method(row), ours = our_method(row);
    const double *work = row->paper[MOST_PROCESSORS].work_ns;
    double merge = work[LUCCHESI_MASTER_MERGE], walk = work[LUCCHESI_WALK],
           heap = row->heap.work_ns[LUCCHESI_MASTER_MERGE];
    size_t longest = 0;
    for (size_t part = 1; part < IMP_RANK_WRITE; ++part)
        if (rank_costs_part_ns(&row->ours[MOST_PROCESSORS], part, &network_infiniband) >
            rank_costs_part_ns(&row->ours[MOST_PROCESSORS], longest, &network_infiniband))
            longest = part;
    experiment_claim(
        run, "L5", "the master's merge is the serial bottleneck", "0.79 s of 2.89 s",
        verdict_of(merge > walk, heap > walk),
        "With 40 slaves %.1f of %.1f ms, %.1f ms if by a heap; the walk, which is serial too, takes "
        "%.1f ms, and all lists take %.1f ms to come.",
        merge / NS_PER_MS, time_ns(&paper, MOST_PROCESSORS) / NS_PER_MS, heap / NS_PER_MS, walk / NS_PER_MS,
        sent_ms(&row->paper[MOST_PROCESSORS], LUCCHESI_MACHINE_MERGE, &network_infiniband));
    experiment_claim(
        run, "L5, impinge", "the master's merge is the serial bottleneck", "0.79 s of 2.89 s", VERDICT_FAILS,
        "There is no master, and nothing that one rank does for all. The longest part on 40: %s, %.2f of "
        "%.2f ms.",
        our_parts[longest],
        rank_costs_part_ns(&row->ours[MOST_PROCESSORS], longest, &network_infiniband) / NS_PER_MS,
        time_ns(&ours, MOST_PROCESSORS) / NS_PER_MS);
}

static void claim_times(ExperimentRun *run, const LucchesiRanksResults *results)
{
    const LucchesiRanksRow *row = table_row(results, 0);
    Method paper = paper_method(row), ours = our_method(row);
    experiment_claim(
        run, "L6", "one million objects, serially and on 40 processors", "29.5 s and 1.48 s",
        VERDICT_UNTESTED,
        "It would take their machines, network and objects. Here, for %zu objects: the paper's method "
        "%.1f and %.1f ms, impinge %.1f (one process) and %.2f ms.",
        row->object_count, time_ns(&paper, 0) / NS_PER_MS, time_ns(&paper, MOST_PROCESSORS) / NS_PER_MS,
        row->serial_ns / NS_PER_MS, time_ns(&ours, MOST_PROCESSORS) / NS_PER_MS);
}

void lucchesi_ranks_report(ExperimentRun *run, const LucchesiRanksResults *results)
{
    save_times(run, results);
    put_parameters(run, results);
    impi_text_put(&run->page, "## Figure 5\n\n");
    plot_times(run, results);
    impi_text_put(&run->page, "With InfiniBand. [All times](lucchesi-ranks.csv).\n\n");
    put_table(run, results, 0);
    put_table(run, results, 1);
    put_paper_parts(run, last_row(results));
    put_our_parts(run, last_row(results));
    claim_growth(run, results, "L1", paper_method);
    claim_growth(run, results, "L1, impinge", our_method);
    claim_octants(run, results);
    claim_efficiency(run, results, "L3", paper_method);
    claim_efficiency(run, results, "L3, impinge", our_method);
    claim_scaling(run, results, "L4", paper_method);
    claim_scaling(run, results, "L4, impinge", our_method);
    claim_bottleneck(run, results);
    claim_times(run, results);
}
