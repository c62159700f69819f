// Every call is: say where your data is, wait for all, read what is for you, wait for all. So nothing is
// copied twice, and a rank goes on only when nobody reads its data any more.
#include "cluster/local_exchange.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// What a rank shows the others during a call.
typedef struct Shown {
    const void *data;
    const size_t *starts;
    uint64_t *values; // to be reduced
} Shown;

typedef struct Hall {
    uint32_t rank_count;
    impi_LocalTurns turns;
    impi_RankFn work;
    void *argument;
    Shown *shown; // of each rank

    // The barrier, and the turn.
    pthread_mutex_t mutex;
    pthread_cond_t all_met, turn_left;
    uint32_t arrived;
    uint64_t meetings; // how often all have met
    bool is_taken;     // somebody has the turn
    bool is_cancelled; // before work begins: not all threads could be started
} Hall;

typedef struct LocalRank {
    impi_Exchange exchange;
    Hall *hall;
    pthread_t thread;
} LocalRank;

// ---- waiting for each other

static void take_turn(Hall *hall)
{
    while (hall->turns == IMPI_LOCAL_IN_TURN && hall->is_taken)
        pthread_cond_wait(&hall->turn_left, &hall->mutex);
    hall->is_taken = true;
}

static void leave_turn(Hall *hall)
{
    hall->is_taken = false;
    pthread_cond_signal(&hall->turn_left);
}

static void meet(Hall *hall)
{
    pthread_mutex_lock(&hall->mutex);
    leave_turn(hall);
    uint64_t meeting = hall->meetings;
    if (++hall->arrived == hall->rank_count) {
        hall->arrived = 0;
        ++hall->meetings;
        pthread_cond_broadcast(&hall->all_met);
    }
    while (hall->meetings == meeting)
        pthread_cond_wait(&hall->all_met, &hall->mutex);
    take_turn(hall);
    pthread_mutex_unlock(&hall->mutex);
}

static void show(const LocalRank *rank, Shown shown)
{
    rank->hall->shown[rank->exchange.rank] = shown;
    meet(rank->hall);
}

// ---- calls

static uint64_t reduce(uint64_t a, uint64_t b, impi_Reduction reduction)
{
    switch (reduction) {
    case IMPI_REDUCE_MIN:
        return a < b ? a : b;
    case IMPI_REDUCE_MAX:
        return a > b ? a : b;
    default:
        return a + b;
    }
}

// Ranks share the values between them: each reduces a stretch in place in the first rank's array, from which
// all copy.
static void local_all_reduce(void *user, uint64_t *values, size_t count, impi_Reduction reduction)
{
    LocalRank *rank = user;
    const Hall *hall = rank->hall;
    size_t begin = count * rank->exchange.rank / hall->rank_count,
           end = count * (rank->exchange.rank + (size_t)1) / hall->rank_count;
    show(rank, (Shown){NULL, NULL, values});
    uint64_t *first = hall->shown[0].values;
    for (uint32_t other = 1; other < hall->rank_count; ++other) {
        const uint64_t *others = hall->shown[other].values;
        for (size_t i = begin; i < end; ++i)
            first[i] = reduce(first[i], others[i], reduction);
    }
    meet(rank->hall);
    if (values != first && count > 0)
        memcpy(values, first, count * sizeof *values);
    meet(rank->hall);
}

static void local_all_gather(void *user, const void *own, size_t size, void *all)
{
    LocalRank *rank = user;
    show(rank, (Shown){own, NULL, NULL});
    for (uint32_t other = 0; other < rank->hall->rank_count && size > 0; ++other)
        memcpy((char *)all + other * size, rank->hall->shown[other].data, size);
    meet(rank->hall);
}

static uint64_t local_prefix_sum(void *user, uint64_t value)
{
    LocalRank *rank = user;
    uint64_t sum = 0;
    show(rank, (Shown){&value, NULL, NULL});
    for (uint32_t other = 0; other < rank->exchange.rank; ++other)
        sum += *(const uint64_t *)rank->hall->shown[other].data;
    meet(rank->hall);
    return sum;
}

static void local_all_to_all(void *user, const uint64_t *sent, uint64_t *received)
{
    LocalRank *rank = user;
    show(rank, (Shown){sent, NULL, NULL});
    for (uint32_t other = 0; other < rank->hall->rank_count; ++other)
        received[other] = ((const uint64_t *)rank->hall->shown[other].data)[rank->exchange.rank];
    meet(rank->hall);
}

static void local_deliver(void *user, size_t row_size, impi_Mail sent, impi_MailBox received)
{
    LocalRank *rank = user;
    uint32_t own = rank->exchange.rank;
    show(rank, (Shown){sent.rows, sent.starts, NULL});
    for (uint32_t other = 0; other < rank->hall->rank_count; ++other) {
        const Shown *from = &rank->hall->shown[other];
        size_t count = received.starts[other + 1] - received.starts[other];
        if (count > 0 && other != own)
            memcpy((char *)received.rows + row_size * received.starts[other],
                   (const char *)from->data + row_size * from->starts[own], row_size * count);
    }
    meet(rank->hall);
}

static const impi_ExchangeCalls local_calls = {local_all_reduce, local_all_gather, local_prefix_sum,
                                               local_all_to_all, local_deliver};

// ---- threads

static void *run_rank(void *argument)
{
    LocalRank *rank = argument;
    Hall *hall = rank->hall;
    // Whoever starts the ranks holds the mutex until all are there.
    pthread_mutex_lock(&hall->mutex);
    bool runs = !hall->is_cancelled;
    if (runs)
        take_turn(hall);
    pthread_mutex_unlock(&hall->mutex);
    if (!runs)
        return NULL;
    hall->work(&rank->exchange, hall->argument);
    pthread_mutex_lock(&hall->mutex);
    leave_turn(hall);
    pthread_mutex_unlock(&hall->mutex);
    return NULL;
}

static bool run_ranks(Hall *hall, LocalRank *ranks)
{
    uint32_t started = 0;
    pthread_mutex_lock(&hall->mutex);
    for (; started < hall->rank_count; ++started) {
        LocalRank *rank = &ranks[started];
        *rank = (LocalRank){{started, hall->rank_count, &local_calls, rank}, hall, 0};
        if (pthread_create(&rank->thread, NULL, run_rank, rank) != 0)
            break;
    }
    hall->is_cancelled = started < hall->rank_count;
    pthread_mutex_unlock(&hall->mutex);
    for (uint32_t i = 0; i < started; ++i)
        pthread_join(ranks[i].thread, NULL);
    return !hall->is_cancelled;
}

bool impi_local_ranks_run(uint32_t rank_count, impi_LocalTurns turns, impi_RankFn work, void *argument)
{
    Hall hall = {.rank_count = rank_count, .turns = turns, .work = work, .argument = argument};
    LocalRank *ranks = calloc(rank_count, sizeof *ranks);
    hall.shown = calloc(rank_count, sizeof *hall.shown);
    bool done = false;
    if (ranks && hall.shown) {
        pthread_mutex_init(&hall.mutex, NULL);
        pthread_cond_init(&hall.all_met, NULL);
        pthread_cond_init(&hall.turn_left, NULL);
        done = run_ranks(&hall, ranks);
        pthread_cond_destroy(&hall.turn_left);
        pthread_cond_destroy(&hall.all_met);
        pthread_mutex_destroy(&hall.mutex);
    }
    free(hall.shown);
    free(ranks);
    return done;
}
