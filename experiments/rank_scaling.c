// How impinge's ranks would do on many machines, by the model of rank_model.h.
//
// A million boxes are really spread over up to forty ranks. A million boxes for each of forty or a thousand
// ranks are more than a machine holds; what those would take is put together from smaller runs of the same
// scene, in which boxes are as dense:
//
//   few        16 ranks with a million boxes each
//   small      the wanted number of ranks with 5,000 and with 20,000 boxes each
//   few small  16 ranks with as many
//
//   work        few + a + b x boxes, where a and b are the line through what the mean rank of `small` took
//               more than that of `few small`; the mean, because with few boxes the slowest is so by chance
//   messages    small + (few - few small); bytes of collective calls likewise
//   mail bytes  few x small / few small
//
// A thousand ranks would hold a million outlines of each other (src/cluster/halo.c), six gigabytes: so they,
// in turn, are a line through 200 and 400 ranks.
#include "rank_scaling.h"

#include "bench/ranks_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const RankScalingSizes full_sizes = {.box_count = 1000000,
                                            .rank_counts = {1, 2, 4, 10, 20, 40},
                                            .large_share = 1000000,
                                            .small_shares = {5000, 20000},
                                            .few_ranks = 16,
                                            .half_ranks = 200,
                                            .most_ranks = 400,
                                            .target_ranks = {40, 1000},
                                            .repeat_count = 5};
static const RankScalingSizes quick_sizes = {.box_count = 20000,
                                             .rank_counts = {1, 2, 3, 4, 5, 6},
                                             .large_share = 2000,
                                             .small_shares = {200, 800},
                                             .few_ranks = 2,
                                             .half_ranks = 4,
                                             .most_ranks = 8,
                                             .target_ranks = {4, 16},
                                             .repeat_count = 1};

// ---- one process

// All boxes of a scene, and their pairs; to be freed.
typedef struct Truth {
    float *rows;
    imp_IndexPair *pairs;
    uint64_t pair_count;
    double time_ns; // median
} Truth;

static bool find_serially(ExperimentRun *run, RankSceneKind kind, size_t box_count, Truth *truth)
{
    double samples[5];
    size_t sample_count = sizeof samples / sizeof *samples;
    *truth = (Truth){.rows = malloc(box_count * 6 * sizeof *truth->rows)};
    imp_BoxArray boxes = {truth->rows, NULL, box_count};
    if (truth->rows)
        rank_scene_make(kind, box_count, 0, box_count, truth->rows);
    bool is_fine =
        truth->rows && imp_pairs_find(run->context, &boxes, NULL, 0, &truth->pair_count) == IMP_STATUS_OK;
    size_t capacity = (size_t)truth->pair_count + 1;
    truth->pairs = is_fine ? malloc(capacity * sizeof *truth->pairs) : NULL;
    is_fine = truth->pairs && imp_pairs_find(run->context, &boxes, truth->pairs, capacity,
                                             &truth->pair_count) == IMP_STATUS_OK; // warms up
    for (size_t i = 0; is_fine && i < sample_count; ++i) {
        double start = experiment_processor_ns();
        is_fine =
            imp_pairs_find(run->context, &boxes, truth->pairs, capacity, &truth->pair_count) == IMP_STATUS_OK;
        samples[i] = experiment_processor_ns() - start;
    }
    if (is_fine)
        truth->time_ns = experiment_median(samples, sample_count);
    else
        experiment_fail(run, "one process did not find the pairs of %zu boxes", box_count);
    return is_fine;
}

static void free_truth(Truth *truth)
{
    free(truth->rows);
    free(truth->pairs);
}

// ---- ranks

static bool measure_row(ExperimentRun *run, uint32_t rank_count, size_t repeat_count, RankPairsJob *job,
                        RankScalingRow *row)
{
    RankProgram program = rank_pairs_program(job);
    experiment_note("  %s: %zu boxes on %u ranks", rank_scene_names[job->kind], job->box_count, rank_count);
    bool is_fine = rank_costs_measure(rank_count, &program, repeat_count, &row->costs);
    row->summary = job->summary;
    if (!is_fine)
        experiment_fail(run, "no memory or threads for %u ranks", rank_count);
    else if (job->summary.is_wrong || job->summary.pair_count != job->summary.total)
        experiment_fail(run, "%u ranks find other pairs than one process", rank_count);
    return !run->has_failed;
}

static bool measure_scene(ExperimentRun *run, RankSceneKind kind, RankScalingResults *results)
{
    const RankScalingSizes *sizes = results->sizes;
    Truth truth;
    bool is_fine = find_serially(run, kind, sizes->box_count, &truth);
    results->serial_ns[kind] = truth.time_ns;
    for (size_t i = 0; is_fine && i < RANK_SCALING_COUNTS; ++i) {
        RankPairsJob job = {.box_count = sizes->box_count,
                            .kind = kind,
                            .expected = truth.pairs,
                            .expected_count = truth.pair_count};
        is_fine = measure_row(run, sizes->rank_counts[i], sizes->repeat_count, &job, &results->rows[kind][i]);
    }
    free_truth(&truth);
    return is_fine;
}

// ---- more than a machine holds

static bool measure_share(ExperimentRun *run, uint32_t rank_count, size_t share, size_t repeat_count,
                          RankScalingRow *row)
{
    RankPairsJob job = {.box_count = share * rank_count, .kind = RANK_SCENE_UNIFORM};
    return measure_row(run, rank_count, repeat_count, &job, row);
}

// The line through two numbers of ranks, but nothing gets less with more ranks.
static double extend(double half, double most, double position)
{
    return fmax(most, half + (most - half) * position);
}

static RankCosts extend_costs(const RankCosts *half, const RankCosts *most, double position)
{
    RankCosts costs = *most;
    for (size_t part = 0; part < METERED_PARTS; ++part) {
        costs.mean_work_ns[part] = extend(half->mean_work_ns[part], most->mean_work_ns[part], position);
        costs.messages[part] = extend(half->messages[part], most->messages[part], position);
        costs.shared_bytes[part] = extend(half->shared_bytes[part], most->shared_bytes[part], position);
        costs.mail_bytes[part] = extend(half->mail_bytes[part], most->mail_bytes[part], position);
    }
    return costs;
}

static bool measure_small(ExperimentRun *run, const RankScalingSizes *sizes, uint32_t rank_count,
                          size_t share, RankScalingRow *row)
{
    RankScalingRow half, most;
    size_t repeats = sizes->repeat_count < 3 ? sizes->repeat_count : 3;
    if (rank_count <= sizes->most_ranks)
        return measure_share(run, rank_count, share, repeats, row);
    if (!measure_share(run, sizes->half_ranks, share, repeats, &half) ||
        !measure_share(run, sizes->most_ranks, share, repeats, &most))
        return false;
    double position = (double)(rank_count - sizes->half_ranks) / (sizes->most_ranks - sizes->half_ranks);
    *row = most;
    row->costs = extend_costs(&half.costs, &most.costs, position);
    return true;
}

static double ratio(double more, double less)
{
    return less > 0 ? more / less : 1;
}

static RankCosts put_together(const RankScalingSizes *sizes, const RankCosts *few, const RankCosts small[2],
                              const RankCosts few_small[2])
{
    RankCosts costs = *few;
    double less = (double)sizes->small_shares[0], more = (double)sizes->small_shares[1];
    for (size_t part = 0; part < METERED_PARTS; ++part) {
        double extra_less = small[0].mean_work_ns[part] - few_small[0].mean_work_ns[part];
        double extra_more = small[1].mean_work_ns[part] - few_small[1].mean_work_ns[part];
        double per_box = fmax(0, (extra_more - extra_less) / (more - less));
        double fixed = fmax(0, extra_more - per_box * more);
        costs.work_ns[part] += fixed + per_box * (double)sizes->large_share;
        costs.messages[part] += small[1].messages[part] - few_small[1].messages[part];
        costs.shared_bytes[part] += small[1].shared_bytes[part] - few_small[1].shared_bytes[part];
        costs.mail_bytes[part] *= ratio(small[1].mail_bytes[part], few_small[1].mail_bytes[part]);
    }
    return costs;
}

static bool measure_targets(ExperimentRun *run, RankScalingResults *results)
{
    const RankScalingSizes *sizes = results->sizes;
    RankScalingRow row;
    RankCosts small[2], few_small[2];
    Truth truth;
    bool is_fine = find_serially(run, RANK_SCENE_UNIFORM, sizes->large_share, &truth);
    results->serial_share_ns = truth.time_ns;
    free_truth(&truth);
    is_fine = is_fine &&
              measure_share(run, sizes->few_ranks, sizes->large_share, sizes->repeat_count, &results->few);
    for (size_t i = 0; is_fine && i < 2; ++i) {
        is_fine = measure_share(run, sizes->few_ranks, sizes->small_shares[i], sizes->repeat_count, &row);
        few_small[i] = row.costs;
    }
    for (size_t t = 0; is_fine && t < RANK_SCALING_TARGETS; ++t) {
        for (size_t i = 0; is_fine && i < 2; ++i) {
            is_fine = measure_small(run, sizes, sizes->target_ranks[t], sizes->small_shares[i], &row);
            small[i] = row.costs;
        }
        if (!is_fine)
            break;
        uint32_t ran =
            sizes->target_ranks[t] < sizes->most_ranks ? sizes->target_ranks[t] : sizes->most_ranks;
        results->targets[t] = put_together(sizes, &results->few.costs, small, few_small);
        results->target_halo[t] = (double)row.summary.halo_count / (double)row.summary.own_count;
        results->target_surplus[t] = rank_pairs_block_surplus(&row.summary, ran);
    }
    return is_fine;
}

// ---- the wall clock

// What the program on two ranks prints, without its line end.
static bool ask_ranks_program(const char *const *arguments, char *line, size_t size)
{
    FILE *file = tmpfile();
    line[0] = 0;
    bool is_fine = file && ranks_program_run(arguments, fileno(file));
    if (is_fine) {
        rewind(file);
        is_fine = fgets(line, (int)size, file) != NULL;
    }
    if (file)
        fclose(file);
    return is_fine;
}

static bool measure_wall(ExperimentRun *run, RankScalingResults *results)
{
    static const char *const messages[] = {"messages", NULL}, *const pairs[] = {"pairs", "--only",
                                                                                "impinge-ranks", NULL};
    char line[256];
    double wall_ms;
    results->missing = run->quick ? "a quick run starts no other programs" : ranks_program_missing();
    if (results->missing)
        return true;
    experiment_note("  two ranks as processes of MPI");
    results->measured.name = "between processes of this machine";
    if (!ask_ranks_program(messages, line, sizeof line) ||
        sscanf(line, "%lf %lf", &results->measured.alpha_ns, &results->measured.beta_ns) != 2 ||
        !ask_ranks_program(pairs, line, sizeof line) ||
        sscanf(line, "%*[^,],%*[^,],%*[^,],%*d,%lf", &wall_ms) != 1) {
        experiment_fail(run, "mpirun failed");
        return false;
    }
    results->wall_ns = wall_ms * 1e6;
    results->wall_model_ns = rank_costs_ns(&results->rows[RANK_SCENE_UNIFORM][1].costs, &results->measured);
    return true;
}

static RankScalingResults outcome;

static bool measure(ExperimentRun *run)
{
    outcome.sizes = run->quick ? &quick_sizes : &full_sizes;
    for (int kind = 0; kind < RANK_SCENE_KINDS; ++kind)
        if (!measure_scene(run, (RankSceneKind)kind, &outcome))
            return false;
    return measure_targets(run, &outcome) && measure_wall(run, &outcome);
}

static void report(ExperimentRun *run)
{
    rank_scaling_report(run, &outcome);
}

const Experiment experiment_rank_scaling = {
    .name = "rank-scaling",
    .title = "All pairs on many machines: what a model says of impinge's ranks",
    .summary =
        "One million boxes on up to forty ranks, and one million for each of up to a thousand: work is "
        "measured, what travels is counted, and both are added up for two networks.",
    .measure = measure,
    .report = report,
};
