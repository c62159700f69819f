/// What a program of ranks would take on as many machines: the ranks run in this process one at a time, so
/// that each is as fast as alone on a core, and what they send is counted.
///
///   time = sum over phases (slowest rank's work + alpha x most messages + beta x most bytes of a rank)
///
/// A phase is what ranks do between two calls of the exchange; after each they wait for each other. Work is
/// processor time, for each rank and phase the median of several runs after a first one. Ranks that take
/// turns find their data in no cache, which makes the model a little too slow for few boxes.
#ifndef IMPINGE_EXPERIMENTS_RANK_MODEL_H
#define IMPINGE_EXPERIMENTS_RANK_MODEL_H

#include "metered_exchange.h"

typedef struct Network {
    const char *name;
    double alpha_ns, beta_ns; // of a message, of a byte
} Network;

/// 10 Gb Ethernet: 20 us, 1.17 GB/s. InfiniBand: 2 us, 12 GB/s.
extern const Network network_ethernet, network_infiniband;

/// Sums over phases of the slowest rank's; by parts of the program.
typedef struct RankCosts {
    double work_ns[METERED_PARTS];
    double messages[METERED_PARTS], shared_bytes[METERED_PARTS], mail_bytes[METERED_PARTS];
    double mean_work_ns[METERED_PARTS]; // of all ranks
    double heaviest_work_ns;            // of a rank, all parts: what waiting for each other leaves out
    size_t phase_count;
} RankCosts;

typedef struct RankProgram {
    /// All ranks' before any runs; null fails.
    void *(*open)(uint32_t rank, uint32_t rank_count, void *argument);
    /// Calls metered_exchange_watch, then works with `metered->exchange`. False fails.
    bool (*run)(void *state, MeteredExchange *metered);
    /// After all ranks have run for the last time, in their order. False fails.
    bool (*look)(void *state, void *argument);
    void (*close)(void *state);
    void *argument;
} RankProgram;

/// False when memory or threads can't be had, or the program failed.
bool rank_costs_measure(uint32_t rank_count, const RankProgram *program, size_t repeat_count,
                        RankCosts *costs);

double rank_costs_part_ns(const RankCosts *costs, size_t part, const Network *network);
double rank_costs_ns(const RankCosts *costs, const Network *network);

#endif
