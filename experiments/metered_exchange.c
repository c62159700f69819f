#include "metered_exchange.h"

#include "base/clock.h"
#include "base/memory.h"

#include <string.h>

// ---- phases

// The part whose calls have taken time since the last phase ended is that of the call between.
static void find_part_of_call(MeteredExchange *metered)
{
    MeteredPhase *last = metered->phases.count > 0 ? &metered->phases.data[metered->phases.count - 1] : NULL;
    for (size_t part = 0; part < metered->part_count; ++part) {
        if (last && metered->call_ns[part] > metered->last_call_ns[part])
            last->part = (uint32_t)part;
        metered->last_call_ns[part] = metered->call_ns[part];
    }
}

// Processor time since the last call, divided among the parts as their own clocks have gone on.
static void divide_work(MeteredExchange *metered, MeteredPhase *phase)
{
    double work_ns = (double)(impi_thread_clock_ns() - metered->since_ns), sum = 0;
    for (size_t part = 0; part < metered->part_count; ++part) {
        phase->work_ns[part] = (double)(metered->part_ns[part] - metered->last_part_ns[part]);
        metered->last_part_ns[part] = metered->part_ns[part];
        sum += phase->work_ns[part];
    }
    for (size_t part = 0; part < metered->part_count; ++part)
        phase->work_ns[part] *= sum > 0 ? work_ns / sum : 0;
    if (!(sum > 0))
        phase->work_ns[0] = work_ns;
}

static void end_phase(MeteredExchange *metered, MeteredPhase phase)
{
    find_part_of_call(metered);
    divide_work(metered, &phase);
    MeteredPhases *phases = &metered->phases;
    if (impi_array_reserve(&impi_default_allocator, phases, sizeof *phases->data, phases->count + 1))
        phases->data[phases->count++] = phase;
    else
        metered->out_of_memory = true;
}

static void begin_phase(MeteredExchange *metered)
{
    metered->since_ns = impi_thread_clock_ns();
}

static uint64_t doubling_rounds(const MeteredExchange *metered)
{
    uint64_t rounds = 0;
    while (((uint64_t)1 << rounds) < metered->exchange.rank_count)
        ++rounds;
    return rounds;
}

// ---- calls

static void metered_all_reduce(void *user, uint64_t *values, size_t count, impi_Reduction reduction)
{
    MeteredExchange *metered = user;
    uint64_t rounds = doubling_rounds(metered);
    end_phase(metered,
              (MeteredPhase){.messages = rounds, .shared_bytes = rounds ? 2 * count * sizeof *values : 0});
    metered->inner->calls->all_reduce(metered->inner->user, values, count, reduction);
    begin_phase(metered);
}

static void metered_all_gather(void *user, const void *own, size_t size, void *all)
{
    MeteredExchange *metered = user;
    end_phase(metered, (MeteredPhase){.messages = doubling_rounds(metered),
                                      .shared_bytes = size * (metered->exchange.rank_count - 1)});
    metered->inner->calls->all_gather(metered->inner->user, own, size, all);
    begin_phase(metered);
}

static uint64_t metered_prefix_sum(void *user, uint64_t value)
{
    MeteredExchange *metered = user;
    uint64_t rounds = doubling_rounds(metered);
    end_phase(metered, (MeteredPhase){.messages = rounds, .shared_bytes = rounds * sizeof value});
    uint64_t sum = metered->inner->calls->prefix_sum(metered->inner->user, value);
    begin_phase(metered);
    return sum;
}

static void metered_all_to_all(void *user, const uint64_t *sent, uint64_t *received)
{
    MeteredExchange *metered = user;
    uint64_t rounds = doubling_rounds(metered);
    end_phase(metered, (MeteredPhase){.messages = rounds,
                                      .shared_bytes =
                                          rounds * ((metered->exchange.rank_count + 1) / 2) * sizeof *sent});
    metered->inner->calls->all_to_all(metered->inner->user, sent, received);
    begin_phase(metered);
}

static size_t rows_of_others(const MeteredExchange *metered, const size_t *starts)
{
    uint32_t own = metered->exchange.rank;
    return starts[metered->exchange.rank_count] - (starts[own + 1] - starts[own]);
}

static void metered_deliver(void *user, size_t row_size, impi_Mail sent, impi_MailBox received)
{
    MeteredExchange *metered = user;
    uint32_t own = metered->exchange.rank;
    size_t out = rows_of_others(metered, sent.starts), in = rows_of_others(metered, received.starts);
    MeteredPhase phase = {.mail_bytes = (out > in ? out : in) * row_size};
    for (uint32_t rank = 0; rank < metered->exchange.rank_count; ++rank)
        phase.messages += rank != own && sent.starts[rank + 1] > sent.starts[rank];
    end_phase(metered, phase);
    metered->inner->calls->deliver(metered->inner->user, row_size, sent, received);
    begin_phase(metered);
}

static const impi_ExchangeCalls metered_calls = {metered_all_reduce, metered_all_gather, metered_prefix_sum,
                                                 metered_all_to_all, metered_deliver};

// ---- begin and end

void metered_exchange_begin(MeteredExchange *metered, const impi_Exchange *inner)
{
    *metered = (MeteredExchange){.exchange = {inner->rank, inner->rank_count, &metered_calls, metered},
                                 .inner = inner};
    begin_phase(metered);
}

void metered_exchange_watch(MeteredExchange *metered, const uint64_t *part_ns, const uint64_t *call_ns,
                            size_t part_count)
{
    metered->part_ns = part_ns;
    metered->call_ns = call_ns;
    metered->part_count = part_count;
    memcpy(metered->last_part_ns, part_ns, part_count * sizeof *part_ns);
    memcpy(metered->last_call_ns, call_ns, part_count * sizeof *call_ns);
}

void metered_exchange_end(MeteredExchange *metered)
{
    end_phase(metered, (MeteredPhase){0});
}

void metered_exchange_free(MeteredExchange *metered)
{
    impi_array_free(&impi_default_allocator, &metered->phases, sizeof *metered->phases.data);
}
