// Lucchesi, Egbert & Harris once more: Figure 5, Tables 1 and 2 and the parts of 5.3, with master and slaves
// that send each other messages, beside impinge's ranks on the same exchange. The experiment lucchesi-fig5
// shares memory instead, and counts no messages.
#include "lucchesi_ranks.h"

#include "base/memory.h"
#include "lucchesi_messages.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PROCESSORS (LUCCHESI_PROCESSOR_COUNT - 1)

static const LucchesiSizes full_sizes = {{100000, 200000, 500000, 1000000, 1500000, 2000000}, 6, {3, 5}, 3};
static const LucchesiSizes quick_sizes = {{500, 1000, 2000}, 3, {1, 2}, 1};

// ---- the paper's program for the model

typedef struct PaperJob {
    LucchesiJob job;
    const double *boxes;
    const imp_IndexPair *expected;
    uint64_t expected_count;
    uint64_t code_count; // found out
    bool is_wrong;
} PaperJob;

typedef struct PaperRank {
    const PaperJob *job;
    uint32_t rank;
    LucchesiRankTimes times;
    LucchesiFound result;
} PaperRank;

static void *open_rank(uint32_t number, uint32_t rank_count, void *argument)
{
    (void)rank_count;
    PaperRank *rank = calloc(1, sizeof *rank);
    if (rank) {
        rank->job = argument;
        rank->rank = number;
    }
    return rank;
}

static void free_pairs(PaperRank *rank)
{
    impi_array_free(&impi_default_allocator, &rank->result.found.pairs,
                    sizeof *rank->result.found.pairs.data);
}

static bool run_rank(void *state, MeteredExchange *metered)
{
    PaperRank *rank = state;
    free_pairs(rank);
    rank->times = (LucchesiRankTimes){0};
    metered_exchange_watch(metered, rank->times.part_ns, rank->times.call_ns, LUCCHESI_PART_COUNT);
    return lucchesi_messages_find(&metered->exchange, &impi_default_allocator, &rank->job->job,
                                  rank->rank == 0 ? rank->job->boxes : NULL, &rank->times, &rank->result);
}

static bool same_pairs(const imp_IndexPair *a, const imp_IndexPair *b, size_t count)
{
    return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

static bool look_at_rank(void *state, void *argument)
{
    const PaperRank *rank = state;
    PaperJob *job = argument;
    if (rank->rank != 0)
        return true;
    job->code_count = rank->result.code_count;
    job->is_wrong = rank->result.found.pairs.count != job->expected_count ||
                    !same_pairs(rank->result.found.pairs.data, job->expected, job->expected_count);
    return true;
}

static void close_rank(void *state)
{
    free_pairs(state);
    free(state);
}

// ---- measuring

static bool measure_paper(ExperimentRun *run, PaperJob *job, uint32_t rank_count, size_t repetitions,
                          RankCosts *costs)
{
    RankProgram program = {open_rank, run_rank, look_at_rank, close_rank, job};
    if (!rank_costs_measure(rank_count, &program, repetitions, costs))
        experiment_fail(run, "no memory or threads for %u processors", rank_count);
    else if (job->is_wrong)
        experiment_fail(run, "master and slaves on %u processors find other pairs among %zu objects",
                        rank_count, job->job.box_count);
    return !run->has_failed;
}

static bool measure_ours(ExperimentRun *run, RankPairsJob job, uint32_t rank_count, size_t repetitions,
                         RankCosts *costs)
{
    RankProgram program = rank_pairs_program(&job);
    if (!rank_costs_measure(rank_count, &program, repetitions, costs))
        experiment_fail(run, "no memory or threads for %u ranks", rank_count);
    else if (job.summary.is_wrong || job.summary.pair_count != job.summary.total)
        experiment_fail(run, "%u ranks find other pairs among %zu objects", rank_count, job.box_count);
    return !run->has_failed;
}

// Pairs by one process, to be freed, and how long it takes once its memory is there.
static imp_IndexPair *find_serially(ExperimentRun *run, const double *boxes, size_t repetitions,
                                    LucchesiRanksRow *row)
{
    double samples[8];
    uint64_t count = 0;
    imp_BoxArray array = {.boxes = boxes, .count = row->object_count};
    bool is_fine = imp_pairs_find(run->context, &array, NULL, 0, &count) == IMP_STATUS_OK;
    size_t capacity = (size_t)count + 1;
    imp_IndexPair *pairs = is_fine ? malloc(capacity * sizeof *pairs) : NULL;
    for (size_t i = 0; pairs && is_fine && i <= repetitions; ++i) {
        double start = experiment_processor_ns();
        is_fine = imp_pairs_find(run->context, &array, pairs, capacity, &count) == IMP_STATUS_OK;
        samples[i > 0 ? i - 1 : 0] = experiment_processor_ns() - start;
    }
    if (!pairs || !is_fine)
        experiment_fail(run, "one process did not find the pairs of %zu objects", row->object_count);
    row->pair_count = (size_t)count;
    row->serial_ns = experiment_median(samples, repetitions);
    return pairs;
}

static void measure_processors(ExperimentRun *run, PaperJob *paper, const RankPairsJob *ours,
                               size_t repetitions, LucchesiRanksRow *row)
{
    for (size_t p = 0; p < LUCCHESI_PROCESSOR_COUNT; ++p)
        if (!measure_paper(run, paper, lucchesi_processors[p], repetitions, &row->paper[p]) ||
            !measure_ours(run, *ours, lucchesi_processors[p], repetitions, &row->ours[p]))
            return;
    row->code_count = paper->code_count;
    paper->job.merge = LUCCHESI_MERGE_HEAP;
    measure_paper(run, paper, lucchesi_processors[MOST_PROCESSORS], repetitions, &row->heap);
}

static void measure_size(ExperimentRun *run, size_t repetitions, LucchesiRanksRow *row)
{
    experiment_note("  %zu objects", row->object_count);
    double *boxes = lucchesi_make_cubes(run, row->object_count);
    imp_IndexPair *pairs = boxes ? find_serially(run, boxes, repetitions, row) : NULL;
    if (!run->has_failed) {
        PaperJob paper = {.job = {.box_count = row->object_count, .merge = LUCCHESI_MERGE_HEADS},
                          .boxes = boxes,
                          .expected = pairs,
                          .expected_count = row->pair_count};
        RankPairsJob ours = {.box_count = row->object_count,
                             .boxes = boxes,
                             .expected = pairs,
                             .expected_count = row->pair_count};
        lucchesi_choose_root(boxes, row->object_count, &paper.job.root);
        measure_processors(run, &paper, &ours, repetitions, row);
    }
    free(pairs);
    free(boxes);
}

static LucchesiRanksResults outcome;

static bool measure(ExperimentRun *run)
{
    outcome.sizes = run->quick ? &quick_sizes : &full_sizes;
    for (size_t s = 0; s < outcome.sizes->size_count && !run->has_failed; ++s) {
        outcome.rows[s].object_count = outcome.sizes->counts[s];
        measure_size(run, outcome.sizes->repetitions, &outcome.rows[s]);
    }
    return !run->has_failed;
}

static void report(ExperimentRun *run)
{
    lucchesi_ranks_report(run, &outcome);
}

const Experiment experiment_lucchesi_ranks = {
    .name = "lucchesi-ranks",
    .title = "Master and slaves on messages: Lucchesi's Figure 5, Tables 1 and 2, beside impinge's ranks",
    .summary = "The paper's program, with all that it sends counted, and impinge's ranks without a master, "
               "by the same "
               "model of machines and networks.",
    .measure = measure,
    .report = report,
};
