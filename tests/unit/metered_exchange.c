// The exchange that counts: calls give what those of the other exchange give, and are counted as its header
// says.
#include "experiments/metered_exchange.h"
#include "cluster/local_exchange.h"
#include "harness.h"

#include <string.h>

#define RANKS 5 // three rounds

typedef struct Seen {
    MeteredExchange metered[RANKS];
    uint64_t sum[RANKS], before[RANKS], counts[RANKS][RANKS];
    uint32_t gathered[RANKS][RANKS], rows[RANKS][RANKS];
} Seen;

// Rank r has a row for itself, which stays, and one for each rank above it.
static void deliver_upwards(const impi_Exchange *exchange, uint32_t *received)
{
    uint32_t rank = exchange->rank, sent[RANKS];
    size_t sent_starts[RANKS + 1] = {0}, received_starts[RANKS + 1] = {0};
    for (uint32_t other = 0; other < RANKS; ++other) {
        sent[other] = 100 * rank + other;
        sent_starts[other + 1] = sent_starts[other] + (other >= rank);
        received_starts[other + 1] = received_starts[other] + (other <= rank);
    }
    exchange->calls->deliver(exchange->user, sizeof *sent, (impi_Mail){sent + rank, sent_starts},
                             (impi_MailBox){received, received_starts});
}

static void call_all(impi_Exchange *inner, void *argument)
{
    Seen *seen = argument;
    uint32_t rank = inner->rank;
    MeteredExchange *metered = &seen->metered[rank];
    uint64_t part_ns[2] = {0, 0}, call_ns[2] = {0, 0}, values[3] = {rank, 0, 1}, sent[RANKS];
    metered_exchange_begin(metered, inner);
    metered_exchange_watch(metered, part_ns, call_ns, 2);
    const impi_Exchange *exchange = &metered->exchange;
    part_ns[0] += 3;
    exchange->calls->all_reduce(exchange->user, values, 3, IMPI_REDUCE_SUM);
    ++call_ns[1];
    seen->sum[rank] = values[0];
    exchange->calls->all_gather(exchange->user, &rank, sizeof rank, seen->gathered[rank]);
    ++call_ns[0];
    part_ns[0] += 1;
    part_ns[1] += 3; // a phase that goes from one part into the next
    seen->before[rank] = exchange->calls->prefix_sum(exchange->user, rank);
    ++call_ns[1];
    for (uint32_t other = 0; other < RANKS; ++other)
        sent[other] = 10 * rank + other;
    exchange->calls->all_to_all(exchange->user, sent, seen->counts[rank]);
    ++call_ns[0];
    deliver_upwards(exchange, seen->rows[rank]);
    metered_exchange_end(metered);
}

static void check_counts(const MeteredExchange *metered, uint32_t rank)
{
    static const uint64_t messages[] = {3, 3, 3, 3};
    static const uint64_t shared[] = {2 * 3 * 8, 4 * (RANKS - 1), 3 * 8, 3 * 3 * 8};
    const MeteredPhase *phases = metered->phases.data;
    if (!CHECK(!metered->out_of_memory) || !CHECK_INT((int64_t)metered->phases.count, 6))
        return;
    for (size_t i = 0; i < 4; ++i) {
        CHECK_INT((int64_t)phases[i].messages, (int64_t)messages[i]);
        CHECK_INT((int64_t)phases[i].shared_bytes, (int64_t)shared[i]);
        CHECK_INT((int64_t)phases[i].mail_bytes, 0);
        CHECK_INT(phases[i].part, i % 2 == 0);
    }
    uint32_t out = RANKS - 1 - rank, in = rank;
    CHECK_INT((int64_t)phases[4].messages, out);
    CHECK_INT((int64_t)phases[4].mail_bytes, 4 * (out > in ? out : in));
    // Of the phase that went on, a quarter is the first part's.
    CHECK(phases[2].work_ns[0] > 0);
    CHECK(phases[2].work_ns[1] > 2.9 * phases[2].work_ns[0] &&
          phases[2].work_ns[1] < 3.1 * phases[2].work_ns[0]);
    CHECK(phases[1].work_ns[1] == 0);
    CHECK(phases[5].messages == 0 && phases[5].work_ns[1] >= 0);
}

TEST(calls_are_counted_and_give_what_they_give)
{
    Seen seen;
    memset(&seen, 0, sizeof seen);
    if (!CHECK(impi_local_ranks_run(RANKS, IMPI_LOCAL_TOGETHER, call_all, &seen)))
        return;
    for (uint32_t rank = 0; rank < RANKS; ++rank) {
        CHECK_INT((int64_t)seen.sum[rank], 10);
        CHECK_INT((int64_t)seen.before[rank], rank * (rank - 1) / 2);
        for (uint32_t other = 0; other < RANKS; ++other) {
            CHECK_INT(seen.gathered[rank][other], other);
            CHECK_INT((int64_t)seen.counts[rank][other], 10 * other + rank);
            if (other < rank)
                CHECK_INT(seen.rows[rank][other], 100 * other + rank);
        }
        check_counts(&seen.metered[rank], rank);
        metered_exchange_free(&seen.metered[rank]);
    }
}
