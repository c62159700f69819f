#include "rank_model.h"

#include "cluster/local_exchange.h"
#include "experiment.h"

#include <math.h>
#include <stdlib.h>

const Network network_ethernet = {"10 Gb Ethernet", 20000, 1 / 1.17};
const Network network_infiniband = {"InfiniBand", 2000, 1 / 12.0};

#define MAX_REPEATS 9

// ---- running

typedef struct ModelRank {
    void *state;
    MeteredExchange runs[MAX_REPEATS];
    bool has_failed;
} ModelRank;

typedef struct Model {
    const RankProgram *program;
    size_t repeat_count;
    ModelRank *ranks;
} Model;

// The first run makes room.
static void run_as_rank(impi_Exchange *exchange, void *argument)
{
    Model *model = argument;
    ModelRank *rank = &model->ranks[exchange->rank];
    for (size_t i = 0; i <= model->repeat_count; ++i) {
        MeteredExchange *metered = &rank->runs[i > 0 ? i - 1 : 0];
        metered_exchange_free(metered);
        metered_exchange_begin(metered, exchange);
        rank->has_failed |= !model->program->run(rank->state, metered);
        metered_exchange_end(metered);
        rank->has_failed |= metered->out_of_memory;
    }
}

// ---- what it cost

// The median over the runs, of each part. Returns their sum.
static double median_work(const ModelRank *rank, size_t repeat_count, size_t phase,
                          double work_ns[METERED_PARTS])
{
    double samples[MAX_REPEATS], sum = 0;
    for (size_t part = 0; part < METERED_PARTS; ++part) {
        for (size_t i = 0; i < repeat_count; ++i)
            samples[i] = rank->runs[i].phases.data[phase].work_ns[part];
        work_ns[part] = experiment_median(samples, repeat_count);
        sum += work_ns[part];
    }
    return sum;
}

static void add_phase(const Model *model, uint32_t rank_count, size_t phase, double *rank_work_ns,
                      RankCosts *costs)
{
    double slowest[METERED_PARTS] = {0}, slowest_ns = -1, messages = 0, shared = 0, mail = 0;
    for (uint32_t r = 0; r < rank_count; ++r) {
        const ModelRank *rank = &model->ranks[r];
        const MeteredPhase *own = &rank->runs[0].phases.data[phase];
        double work[METERED_PARTS], sum = median_work(rank, model->repeat_count, phase, work);
        rank_work_ns[r] += sum;
        for (size_t part = 0; part < METERED_PARTS; ++part)
            costs->mean_work_ns[part] += work[part] / rank_count;
        for (size_t part = 0; sum > slowest_ns && part < METERED_PARTS; ++part)
            slowest[part] = work[part];
        slowest_ns = fmax(slowest_ns, sum);
        messages = fmax(messages, (double)own->messages);
        shared = fmax(shared, (double)own->shared_bytes);
        mail = fmax(mail, (double)own->mail_bytes);
    }
    uint32_t call_part = model->ranks[0].runs[0].phases.data[phase].part;
    for (size_t part = 0; part < METERED_PARTS; ++part)
        costs->work_ns[part] += slowest[part];
    costs->messages[call_part] += messages;
    costs->shared_bytes[call_part] += shared;
    costs->mail_bytes[call_part] += mail;
}

// All ranks do the same calls in all runs.
static bool have_same_phases(const Model *model, uint32_t rank_count)
{
    size_t count = model->ranks[0].runs[0].phases.count;
    for (uint32_t r = 0; r < rank_count; ++r)
        for (size_t i = 0; i < model->repeat_count; ++i)
            if (model->ranks[r].has_failed || model->ranks[r].runs[i].phases.count != count)
                return false;
    return true;
}

static bool sum_up(const Model *model, uint32_t rank_count, RankCosts *costs)
{
    double *rank_work_ns = calloc(rank_count, sizeof *rank_work_ns);
    if (!rank_work_ns || !have_same_phases(model, rank_count)) {
        free(rank_work_ns);
        return false;
    }
    *costs = (RankCosts){.phase_count = model->ranks[0].runs[0].phases.count};
    for (size_t phase = 0; phase < costs->phase_count; ++phase)
        add_phase(model, rank_count, phase, rank_work_ns, costs);
    for (uint32_t r = 0; r < rank_count; ++r)
        costs->heaviest_work_ns = fmax(costs->heaviest_work_ns, rank_work_ns[r]);
    free(rank_work_ns);
    return true;
}

// ---- the whole

bool rank_costs_measure(uint32_t rank_count, const RankProgram *program, size_t repeat_count,
                        RankCosts *costs)
{
    Model model = {program, repeat_count < MAX_REPEATS ? repeat_count : MAX_REPEATS,
                   calloc(rank_count, sizeof *model.ranks)};
    bool is_fine = model.ranks;
    for (uint32_t r = 0; is_fine && r < rank_count; ++r)
        is_fine = (model.ranks[r].state = program->open(r, rank_count, program->argument));
    is_fine = is_fine && impi_local_ranks_run(rank_count, IMPI_LOCAL_IN_TURN, run_as_rank, &model) &&
              sum_up(&model, rank_count, costs);
    for (uint32_t r = 0; model.ranks && r < rank_count; ++r) {
        ModelRank *rank = &model.ranks[r];
        is_fine = is_fine && program->look(rank->state, program->argument);
        for (size_t i = 0; i < MAX_REPEATS; ++i)
            metered_exchange_free(&rank->runs[i]);
        if (rank->state)
            program->close(rank->state);
    }
    free(model.ranks);
    return is_fine;
}

double rank_costs_part_ns(const RankCosts *costs, size_t part, const Network *network)
{
    return costs->work_ns[part] + network->alpha_ns * costs->messages[part] +
           network->beta_ns * (costs->shared_bytes[part] + costs->mail_bytes[part]);
}

double rank_costs_ns(const RankCosts *costs, const Network *network)
{
    double sum = 0;
    for (size_t part = 0; part < METERED_PARTS; ++part)
        sum += rank_costs_part_ns(costs, part, network);
    return sum;
}
