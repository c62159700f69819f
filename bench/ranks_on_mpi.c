// What mpirun starts on two ranks for the area `ranks`, and for experiments: see ranks_program.h.
//
// The first rank tells the other one what comes next. While it measures one process alone, the other rank
// sleeps: a rank that waits in a call of MPI keeps a core busy.
#include "base/clock.h"
#include "bench.h"
#include "broad_scene.h"
#include "mpi/mpi_exchange.h"

#include <impinge/mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SCENE        "uniform-1m"
#define BOX_COUNT    1000000
#define SYSTEM_COUNT 3
#define MAX_ROUNDS   31
#define QUICK_ROUNDS 5
#define ORDER_TAG    1
#define PAIRS_TAG    2
#define SLEEP_NS     200000

enum { ORDER_FIND, ORDER_SEND_PAIRS, ORDER_END };

static void die(const char *what)
{
    fprintf(stderr, "impinge-bench-ranks: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static imp_Context *open_context(uint32_t thread_count)
{
    imp_Context *context;
    if (imp_context_create(&(imp_ContextDef){.thread_count = thread_count}, &context) != IMP_STATUS_OK)
        die("no context");
    return context;
}

// ---- pairs

// This rank's half of the boxes, and what it found.
typedef struct Half {
    imp_Context *context;
    imp_BoxArray boxes;
    imp_RankPairs found;
    imp_RankStats stats;
} Half;

static void find_together(Half *half)
{
    half->stats = (imp_RankStats){0};
    imp_RankDef def = {.stats = &half->stats};
    if (imp_mpi_pairs_find(MPI_COMM_WORLD, half->context, &half->boxes, &def, &half->found) != IMP_STATUS_OK)
        die(imp_context_get_error(half->context)->message);
}

// From when both have begun until both have ended.
static uint64_t time_together(Half *half)
{
    MPI_Barrier(MPI_COMM_WORLD);
    uint64_t start = impi_clock_ns();
    find_together(half);
    MPI_Barrier(MPI_COMM_WORLD);
    return impi_clock_ns() - start;
}

static void give_order(int order)
{
    MPI_Send(&order, 1, MPI_INT, 1, ORDER_TAG, MPI_COMM_WORLD);
}

static int wait_for_order(void)
{
    int has_come = 0, order;
    for (;;) {
        MPI_Iprobe(0, ORDER_TAG, MPI_COMM_WORLD, &has_come, MPI_STATUS_IGNORE);
        if (has_come)
            break;
        nanosleep(&(struct timespec){0, SLEEP_NS}, NULL);
    }
    MPI_Recv(&order, 1, MPI_INT, 0, ORDER_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return order;
}

static void follow_orders(Half *half)
{
    for (;;) {
        int order = wait_for_order();
        if (order == ORDER_END)
            return;
        if (order == ORDER_FIND)
            time_together(half);
        else
            MPI_Send(half->found.pairs, (int)(half->found.count * sizeof *half->found.pairs), MPI_BYTE, 0,
                     PAIRS_TAG, MPI_COMM_WORLD);
    }
}

// Both stretches are the list that one process finds.
static void check_pairs(const Half *half, const imp_IndexPair *want, size_t count)
{
    const imp_RankPairs *own = &half->found;
    size_t left = own->count <= count ? count - own->count : 0;
    imp_IndexPair *others = malloc((left + 1) * sizeof *others);
    if (!others)
        die("out of memory");
    bench_check(own->total == count && own->first == 0 && own->count + left == count &&
                    memcmp(own->pairs, want, own->count * sizeof *want) == 0,
                "the first rank has other pairs");
    give_order(ORDER_SEND_PAIRS);
    MPI_Recv(others, (int)(left * sizeof *others), MPI_BYTE, 1, PAIRS_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    bench_check(memcmp(others, want + own->count, left * sizeof *want) == 0,
                "the second rank has other pairs");
    free(others);
}

typedef struct Contest {
    imp_BoxArray boxes;    // all
    imp_Context *alone[2]; // of one thread and of two
    Half *half;
    size_t pair_count;
} Contest;

static uint64_t time_alone(const Contest *contest, imp_Context *context, const imp_IndexPair **pairs,
                           size_t *count)
{
    uint64_t start = impi_clock_ns();
    if (imp_pairs_list(context, &contest->boxes, pairs, count) != IMP_STATUS_OK)
        die(imp_context_get_error(context)->message);
    return impi_clock_ns() - start;
}

static uint64_t run_system(const Contest *contest, size_t system)
{
    const imp_IndexPair *pairs;
    size_t count;
    if (system < 2)
        return time_alone(contest, contest->alone[system], &pairs, &count);
    give_order(ORDER_FIND);
    return time_together(contest->half);
}

static void measure(Contest *contest, const BenchOptions *options)
{
    static const BenchLine lines[SYSTEM_COUNT] = {{.system = "impinge", .threads = 1},
                                                  {.system = "impinge", .threads = 2},
                                                  {.system = "impinge-ranks", .threads = 2}};
    static uint64_t times[SYSTEM_COUNT][MAX_ROUNDS];
    const imp_IndexPair *pairs;
    int rounds = options->quick ? QUICK_ROUNDS : MAX_ROUNDS;
    for (size_t i = 0; i < SYSTEM_COUNT; ++i) // warms scratch memory up
        run_system(contest, i);
    time_alone(contest, contest->alone[0], &pairs, &contest->pair_count);
    check_pairs(contest->half, pairs, contest->pair_count);
    for (int round = 0; round < rounds; ++round)
        for (size_t i = 0; i < SYSTEM_COUNT; ++i)
            if (bench_wants_system(options, lines[i].system))
                times[i][round] = run_system(contest, i);
    for (size_t i = 0; i < SYSTEM_COUNT; ++i) {
        if (!bench_wants_system(options, lines[i].system))
            continue;
        BenchSpread spread = bench_spread(times[i], (size_t)rounds);
        bench_print(&(BenchLine){SCENE,
                                 "scratch",
                                 lines[i].system,
                                 lines[i].threads,
                                 {spread.median / 1e6, spread.low / 1e6, spread.high / 1e6},
                                 "ms",
                                 contest->pair_count,
                                 "yes",
                                 rounds});
    }
}

static void measure_pairs(const BenchOptions *options, int rank)
{
    BroadScene scene;
    if (!broad_scene_make(&scene, SCENE, BOX_COUNT, 1))
        die("out of memory");
    size_t middle = scene.count / 2;
    Half half = {.context = open_context(1),
                 .boxes = {rank ? scene.frames[0] + 6 * middle : scene.frames[0], NULL,
                           rank ? scene.count - middle : middle}};
    if (rank == 0) {
        Contest contest = {.boxes = {scene.frames[0], NULL, scene.count},
                           .alone = {open_context(1), open_context(2)},
                           .half = &half};
        measure(&contest, options);
        give_order(ORDER_END);
        imp_context_destroy(contest.alone[0]);
        imp_context_destroy(contest.alone[1]);
    } else {
        follow_orders(&half);
    }
    imp_context_destroy(half.context);
    broad_scene_free(&scene);
}

// ---- messages

#define LONG_MESSAGE ((size_t)16 << 20)
#define SHORT_ROUNDS 2000
#define LONG_ROUNDS  20
#define REPEATS      7

// One way, from rank to rank through the exchange: there and back, as often as told.
static double time_message(const impi_Exchange *exchange, char *rows, size_t size, int rounds)
{
    uint64_t times[REPEATS];
    size_t nothing[3] = {0, 0, 0}, to_first[3] = {0, size, size}, to_second[3] = {0, 0, size};
    char *sent = rows, *received = rows + size;
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        MPI_Barrier(MPI_COMM_WORLD);
        uint64_t start = impi_clock_ns();
        for (int i = 0; i < rounds; ++i) {
            bool is_first = exchange->rank == 0;
            exchange->calls->deliver(exchange->user, 1, (impi_Mail){sent, is_first ? to_second : nothing},
                                     (impi_MailBox){received, is_first ? nothing : to_first});
            exchange->calls->deliver(exchange->user, 1, (impi_Mail){sent, is_first ? nothing : to_first},
                                     (impi_MailBox){received, is_first ? to_second : nothing});
        }
        times[repeat] = impi_clock_ns() - start;
    }
    return bench_spread(times, REPEATS).median / (2 * rounds);
}

static void measure_messages(int rank)
{
    impi_MpiExchange mpi;
    char *rows = calloc(2, LONG_MESSAGE);
    if (!rows || !impi_mpi_exchange_begin(MPI_COMM_WORLD, &mpi))
        die("out of memory");
    memset(rows, 1, 2 * LONG_MESSAGE);
    double short_ns = time_message(&mpi.exchange, rows, 1, SHORT_ROUNDS);
    double long_ns = time_message(&mpi.exchange, rows, LONG_MESSAGE, LONG_ROUNDS);
    if (rank == 0)
        printf("%.1f %.5f\n", short_ns, (long_ns - short_ns) / (double)LONG_MESSAGE);
    impi_mpi_exchange_end(&mpi);
    free(rows);
}

// ---- the command line, which bench/ranks.c writes

int main(int argc, char **argv)
{
    BenchOptions options = {.systems = "impinge,impinge-ranks"};
    int rank, rank_count;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
    for (int i = 2; i < argc; ++i) {
        options.quick |= strcmp(argv[i], "--quick") == 0;
        if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            options.only = argv[i + 1];
    }
    if (argc < 2 || rank_count != 2)
        die("run it on two ranks; see bench/ranks_program.h");
    if (strcmp(argv[1], "messages") == 0)
        measure_messages(rank);
    else
        measure_pairs(&options, rank);
    MPI_Finalize();
    return 0;
}
