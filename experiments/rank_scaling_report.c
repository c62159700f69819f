#include "rank_scaling.h"

#include "base/memory.h"

#define NS_PER_MS 1e6
#define KIB       1024.0
#define BYTES_MIB (1024.0 * 1024.0)

static const char *const part_names[IMP_RANK_PART_COUNT] = {"read",   "split", "balance", "halo",
                                                            "search", "order", "write"};

static double sum_of(const double values[METERED_PARTS])
{
    double sum = 0;
    for (size_t part = 0; part < METERED_PARTS; ++part)
        sum += values[part];
    return sum;
}

// In per cent: of `serial_ns`, `rank_count` ranks could take that much less.
static double efficiency(double serial_ns, const RankCosts *costs, uint32_t rank_count,
                         const Network *network)
{
    return 100 * serial_ns / rank_costs_ns(costs, network) / rank_count;
}

static double row_efficiency(const RankScalingResults *results, RankSceneKind kind, size_t row,
                             const Network *network)
{
    return efficiency(results->serial_ns[kind], &results->rows[kind][row].costs,
                      results->sizes->rank_counts[row], network);
}

// Every rank has as many boxes as one process alone.
static double share_efficiency(const RankScalingResults *results, const RankCosts *costs,
                               const Network *network)
{
    return 100 * results->serial_share_ns / rank_costs_ns(costs, network);
}

// ---- files

static void save_parts(ExperimentRun *run, const RankScalingResults *results)
{
    impi_Text csv;
    impi_text_init(&csv, &impi_default_allocator);
    impi_text_put(&csv, "scene,ranks,part,work_ms,messages,shared_bytes,mail_bytes\n");
    for (int kind = 0; kind < RANK_SCENE_KINDS; ++kind)
        for (size_t i = 0; i < RANK_SCALING_COUNTS; ++i)
            for (size_t part = 0; part < IMP_RANK_PART_COUNT; ++part) {
                const RankCosts *costs = &results->rows[kind][i].costs;
                impi_text_printf(&csv, "%s,%u,%s,%.4f,%.0f,%.0f,%.0f\n", rank_scene_names[kind],
                                 results->sizes->rank_counts[i], part_names[part],
                                 costs->work_ns[part] / NS_PER_MS, costs->messages[part],
                                 costs->shared_bytes[part], costs->mail_bytes[part]);
            }
    experiment_save(run, "rank-scaling-parts.csv", &csv);
    impi_text_free(&csv);
}

static void plot_times(ExperimentRun *run, const RankScalingResults *results)
{
    static const Network *const networks[] = {&network_infiniband, &network_ethernet};
    impi_Text script;
    impi_text_init(&script, &impi_default_allocator);
    for (int n = 0; n < 2; ++n) {
        impi_text_printf(&script, "$network%d << END\n", n);
        for (size_t i = 0; i < RANK_SCALING_COUNTS; ++i)
            impi_text_printf(&script, "%u %.5f\n", results->sizes->rank_counts[i],
                             rank_costs_ns(&results->rows[RANK_SCENE_UNIFORM][i].costs, networks[n]) /
                                 NS_PER_MS);
        impi_text_put(&script, "END\n");
    }
    impi_text_printf(&script,
                     "set xlabel 'ranks'\nset ylabel 'milliseconds'\nset logscale xy\n"
                     "plot $network0 with linespoints title 'InfiniBand', $network1 with linespoints "
                     "title '10 Gb Ethernet', %.5f / x title 'one process, divided'\n",
                     results->serial_ns[RANK_SCENE_UNIFORM] / NS_PER_MS);
    experiment_plot(run, "rank-scaling", "Time to find all pairs of one million boxes, by number of ranks",
                    &script);
    impi_text_free(&script);
}

// ---- the page

static void put_parameters(ExperimentRun *run, const RankScalingResults *results)
{
    impi_text_printf(
        &run->page,
        "Nothing here was measured on many machines. Ranks run in one process, one at a time; the work "
        "of each between two calls of the exchange is processor time on one core, the median of %zu runs "
        "after a first one; what each sends is counted. Then\n\n"
        "    time = sum over phases (slowest rank's work + alpha x most messages + beta x most bytes of "
        "a rank)\n\n"
        "with all ranks waiting for each other after each phase, nothing sent while somebody works, and "
        "no two messages in each other's way. Among k ranks an all-reduce, an all-gather, a prefix sum "
        "and an exchange of counts are log2 k messages each; rows are a message to each rank that gets "
        "some.\n\n"
        "| network | alpha, us | beta, GB/s |\n|---|---|---|\n| %s | %.0f | %.2f |\n| %s | %.0f | %.2f |\n",
        results->sizes->repeat_count, network_infiniband.name, network_infiniband.alpha_ns / 1000,
        1 / network_infiniband.beta_ns, network_ethernet.name, network_ethernet.alpha_ns / 1000,
        1 / network_ethernet.beta_ns);
    if (!results->missing)
        impi_text_printf(&run->page, "| %s (measured) | %.2f | %.2f |\n", results->measured.name,
                         results->measured.alpha_ns / 1000, 1 / results->measured.beta_ns);
    impi_text_put(
        &run->page,
        "\n"
        "Boxes lie in no order at the beginning: nearly all travel. Scenes: `uniform` is cubes of side 1 "
        "in a world of edge 2 n^(1/3); `clusters` and `mixed` are those of the benchmark `broad`, as "
        "dense. Efficiency and speed-up are against `imp_pairs_find` on one thread, whose answer all "
        "ranks together gave, bit by bit.\n\n");
}

static void put_scene(ExperimentRun *run, const RankScalingResults *results, RankSceneKind kind)
{
    impi_text_printf(
        &run->page,
        "### %s\n\n"
        "One process: %.2f ms. Heaviest rank over the mean: in boxes, in blocks compared, in time of "
        "work.\n\n"
        "| ranks | work, ms | messages | MiB | InfiniBand, ms | speed-up | efficiency | Ethernet, ms | "
        "efficiency | halo | heaviest: boxes | blocks | work | divided anew |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        rank_scene_names[kind], results->serial_ns[kind] / NS_PER_MS);
    for (size_t i = 0; i < RANK_SCALING_COUNTS; ++i) {
        const RankScalingRow *row = &results->rows[kind][i];
        const RankCosts *costs = &row->costs;
        uint32_t rank_count = results->sizes->rank_counts[i];
        impi_text_printf(&run->page,
                         "| %u | %.2f | %.0f | %.2f | %.2f | %.2f | %.1f %% | %.2f | %.1f %% | %.1f %% | "
                         "%.2f | %.2f | %.2f | %llu |\n",
                         rank_count, sum_of(costs->work_ns) / NS_PER_MS, sum_of(costs->messages),
                         (sum_of(costs->shared_bytes) + sum_of(costs->mail_bytes)) / BYTES_MIB,
                         rank_costs_ns(costs, &network_infiniband) / NS_PER_MS,
                         results->serial_ns[kind] / rank_costs_ns(costs, &network_infiniband),
                         row_efficiency(results, kind, i, &network_infiniband),
                         rank_costs_ns(costs, &network_ethernet) / NS_PER_MS,
                         row_efficiency(results, kind, i, &network_ethernet),
                         100 * (double)row->summary.halo_count / (double)row->summary.own_count,
                         rank_pairs_box_surplus(&row->summary, rank_count),
                         rank_pairs_block_surplus(&row->summary, rank_count),
                         costs->heaviest_work_ns / sum_of(costs->mean_work_ns),
                         (unsigned long long)row->summary.move_count);
    }
    impi_text_put(&run->page, "\n");
}

static void put_parts(ExperimentRun *run, const RankCosts *costs, uint32_t rank_count)
{
    impi_text_printf(
        &run->page,
        "| part, %u ranks | work, ms | messages | KiB, collective | KiB, rows | InfiniBand, ms | "
        "Ethernet, ms |\n"
        "|---|---|---|---|---|---|---|\n",
        rank_count);
    for (size_t part = 0; part < IMP_RANK_WRITE; ++part)
        impi_text_printf(&run->page, "| %s | %.3f | %.0f | %.1f | %.1f | %.3f | %.3f |\n", part_names[part],
                         costs->work_ns[part] / NS_PER_MS, costs->messages[part],
                         costs->shared_bytes[part] / KIB, costs->mail_bytes[part] / KIB,
                         rank_costs_part_ns(costs, part, &network_infiniband) / NS_PER_MS,
                         rank_costs_part_ns(costs, part, &network_ethernet) / NS_PER_MS);
    impi_text_put(&run->page, "\n");
}

static void put_shares(ExperimentRun *run, const RankScalingResults *results)
{
    const RankScalingSizes *sizes = results->sizes;
    impi_text_printf(
        &run->page,
        "## %zu boxes for each rank\n\n"
        "`uniform`. One process with as many boxes as a rank: %.2f ms. %u ranks really had "
        "that many. **More of them are extrapolated**, part by part, from runs with %zu and "
        "%zu boxes for each rank of the wanted number of ranks and of %u: work is that of "
        "the %u full ranks, and the line through what the mean rank of the small runs took more with more "
        "ranks; messages, and bytes of collective calls, are more by as many as in the "
        "small runs, bytes of rows more by as many times. More than %u ranks are, in the "
        "small runs, the line through %u and %u ranks.\n\n"
        "| ranks | boxes | work, ms | messages | MiB | InfiniBand, ms | efficiency | "
        "Ethernet, ms | efficiency |\n"
        "|---|---|---|---|---|---|---|---|---|\n",
        sizes->large_share, results->serial_share_ns / NS_PER_MS, sizes->few_ranks, sizes->small_shares[0],
        sizes->small_shares[1], sizes->few_ranks, sizes->few_ranks, sizes->most_ranks, sizes->half_ranks,
        sizes->most_ranks);
    for (size_t t = 0; t <= RANK_SCALING_TARGETS; ++t) {
        const RankCosts *costs = t == 0 ? &results->few.costs : &results->targets[t - 1];
        uint32_t rank_count = t == 0 ? sizes->few_ranks : sizes->target_ranks[t - 1];
        impi_text_printf(
            &run->page, "| %u%s | %.3g | %.2f | %.0f | %.2f | %.2f | %.1f %% | %.2f | %.1f %% |\n",
            rank_count, t == 0 ? "" : " (extrapolated)", (double)rank_count * (double)sizes->large_share,
            sum_of(costs->work_ns) / NS_PER_MS, sum_of(costs->messages),
            (sum_of(costs->shared_bytes) + sum_of(costs->mail_bytes)) / BYTES_MIB,
            rank_costs_ns(costs, &network_infiniband) / NS_PER_MS,
            share_efficiency(results, costs, &network_infiniband),
            rank_costs_ns(costs, &network_ethernet) / NS_PER_MS,
            share_efficiency(results, costs, &network_ethernet));
    }
    impi_text_put(&run->page, "\n");
    put_parts(run, &results->few.costs, sizes->few_ranks);
    for (size_t t = 0; t < RANK_SCALING_TARGETS; ++t)
        put_parts(run, &results->targets[t], sizes->target_ranks[t]);
    impi_text_printf(
        &run->page,
        "Halo, boxes of others for each own one: %.2f %% on the %u full ranks; %.2f %% and %.2f %% on "
        "the wanted numbers of ranks (no more than %u) with %zu boxes each, which it is less of with "
        "more boxes. Heaviest rank there, in blocks compared: %.2f and %.2f times the mean.\n\n",
        100 * (double)results->few.summary.halo_count / (double)results->few.summary.own_count,
        sizes->few_ranks, 100 * results->target_halo[0], 100 * results->target_halo[1], sizes->most_ranks,
        sizes->small_shares[1], results->target_surplus[0], results->target_surplus[1]);
}

static void put_wall(ExperimentRun *run, const RankScalingResults *results)
{
    impi_text_put(&run->page, "## Beside the wall clock\n\n");
    if (results->missing)
        impi_text_printf(&run->page, "Not done: %s.\n\n", results->missing);
    else
        impi_text_printf(
            &run->page,
            "Two processes of MPI on this machine (%u cores) take %.2f ms for one million boxes, "
            "`uniform`, by the clock; the model, with messages as they are between these processes, says "
            "%.2f ms. The scene has other random numbers, and is as dense.\n\n",
            run->cores, results->wall_ns / NS_PER_MS, results->wall_model_ns / NS_PER_MS);
}

// ---- goals

typedef struct Goal {
    const char *what;
    uint32_t rank_count;
    const char *unit;
    bool is_least; // else the figure is to be no more
    double goal, figure;
} Goal;

static double block_surplus(const RankScalingResults *results, RankSceneKind kind)
{
    size_t last = RANK_SCALING_COUNTS - 1;
    return rank_pairs_block_surplus(&results->rows[kind][last].summary, results->sizes->rank_counts[last]);
}

static void put_goals(ExperimentRun *run, const RankScalingResults *results)
{
    const RankScalingSizes *sizes = results->sizes;
    const Network *network = &network_infiniband;
    const RankCosts *targets = results->targets;
    size_t last = RANK_SCALING_COUNTS - 1;
    uint32_t two = sizes->rank_counts[1], most = sizes->rank_counts[last];
    const RankCosts *most_costs = &results->rows[RANK_SCENE_UNIFORM][last].costs;
    const Goal goals[] = {
        {"efficiency", two, "%", true, 80, row_efficiency(results, RANK_SCENE_UNIFORM, 1, network)},
        {"efficiency", most, "%", true, 49.9, row_efficiency(results, RANK_SCENE_UNIFORM, last, network)},
        {"time", most, "ms", false, 3, rank_costs_ns(most_costs, network) / NS_PER_MS},
        {"efficiency, full ranks, extrapolated", sizes->target_ranks[0], "%", true, 75,
         share_efficiency(results, &targets[0], network)},
        {"efficiency, full ranks, extrapolated", sizes->target_ranks[1], "%", true, 65,
         share_efficiency(results, &targets[1], network)},
        {"time, full ranks, extrapolated", sizes->target_ranks[1], "ms", false, 100,
         rank_costs_ns(&targets[1], network) / NS_PER_MS},
        {"heaviest rank over the mean, blocks compared, `clusters`", most, "times", false, 1.25,
         block_surplus(results, RANK_SCENE_CLUSTERS)},
        {"heaviest rank over the mean, blocks compared, `mixed`", most, "times", false, 1.25,
         block_surplus(results, RANK_SCENE_MIXED)},
        {"memory for each own box, less pairs, full ranks", sizes->few_ranks, "bytes", false, 250,
         results->few.summary.most_bytes_per_box},
    };
    impi_text_put(&run->page, "## Goals\n\nBy the model, with InfiniBand.\n\n"
                              "| figure | ranks | goal | here | |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof goals / sizeof *goals; ++i) {
        const Goal *goal = &goals[i];
        bool is_met = goal->is_least ? goal->figure >= goal->goal : goal->figure <= goal->goal;
        impi_text_printf(&run->page, "| %s | %u | at %s %g %s | %.3g %s | %s |\n", goal->what,
                         goal->rank_count, goal->is_least ? "least" : "most", goal->goal, goal->unit,
                         goal->figure, goal->unit, is_met ? "met" : "**not met**");
    }
    impi_text_put(&run->page,
                  "\n"
                  "Memory is the most that the context's allocator had given at once, halo included; the "
                  "caller's own rows are not.\n\n");
}

void rank_scaling_report(ExperimentRun *run, const RankScalingResults *results)
{
    save_parts(run, results);
    put_parameters(run, results);
    put_goals(run, results);
    impi_text_printf(&run->page, "## %zu boxes\n\n", results->sizes->box_count);
    plot_times(run, results);
    for (int kind = 0; kind < RANK_SCENE_KINDS; ++kind)
        put_scene(run, results, (RankSceneKind)kind);
    for (size_t i = 1; i < RANK_SCALING_COUNTS; i += RANK_SCALING_COUNTS - 2)
        put_parts(run, &results->rows[RANK_SCENE_UNIFORM][i].costs, results->sizes->rank_counts[i]);
    impi_text_put(&run->page, "`uniform`; [all parts](rank-scaling-parts.csv).\n\n");
    put_shares(run, results);
    put_wall(run, results);
}
