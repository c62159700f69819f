// Ranks that fail fail together; work lies evenly; a thousand ranks find what one process finds; cuts of keys
// are where they should be.
#include "cluster/rank_pairs.h"
#include "base/memory.h"
#include "cluster/key_cuts.h"
#include "cluster/local_exchange.h"
#include "failing_allocator.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RANKS 1000

// ---- ranks with boxes of their own

typedef struct Job {
    const float *rows; // of all ranks
    size_t starts[MAX_RANKS + 1];
    uint32_t rank_count;
    uint32_t failing_rank; // its n-th allocation fails
    uint64_t fail_at;      // 0: none
    uint32_t double_rank;  // that says its boxes are doubles; MAX_RANKS: none
    imp_RankDef def;
    imp_Status statuses[MAX_RANKS];
    imp_Error errors[MAX_RANKS];
    imp_RankPairs results[MAX_RANKS];
    imp_RankStats stats[MAX_RANKS];
    imp_IndexPair *pairs; // of all ranks, where they are wanted
    bool has_failed;      // an allocation
    bool is_clean;        // nothing is left of the failing rank
} Job;

static void run_rank(impi_Exchange *exchange, void *argument)
{
    Job *job = argument;
    uint32_t rank = exchange->rank;
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_Context *context;
    if (imp_context_create(&(imp_ContextDef){.allocator = failing_allocator_hooks(&memory)}, &context) !=
        IMP_STATUS_OK)
        abort();
    if (rank == job->failing_rank)
        failing_allocator_arm(&memory, job->fail_at);
    imp_BoxArray own = {job->rows + 6 * job->starts[rank], NULL, job->starts[rank + 1] - job->starts[rank]};
    double zeros[6] = {0};
    if (rank == job->double_rank)
        own = (imp_BoxArray){NULL, zeros, 1};
    imp_RankDef def = job->def;
    def.stats = &job->stats[rank];
    job->statuses[rank] = impi_rank_pairs_find(exchange, context, &own, &def, &job->results[rank]);
    job->errors[rank] = *imp_context_get_error(context);
    if (job->pairs && job->statuses[rank] == IMP_STATUS_OK && job->results[rank].count > 0)
        memcpy(job->pairs + job->results[rank].first, job->results[rank].pairs,
               job->results[rank].count * sizeof *job->pairs);
    if (rank == job->failing_rank)
        job->has_failed = failing_allocator_has_failed(&memory);
    imp_context_destroy(context);
    if (rank == job->failing_rank)
        job->is_clean = failing_allocator_is_clean(&memory);
}

static float *random_cubes(size_t count, float world)
{
    float *rows = malloc((count * 6 + 1) * sizeof *rows);
    for (size_t i = 0; rows && i < count; ++i)
        for (size_t k = 0; k < 3; ++k) {
            rows[6 * i + k] = (float)test_random_unit() * world;
            rows[6 * i + 3 + k] = rows[6 * i + k] + 1;
        }
    return rows;
}

static void begin_even_job(Job *job, const float *rows, size_t count, uint32_t rank_count)
{
    memset(job, 0, sizeof *job);
    job->rows = rows;
    job->rank_count = rank_count;
    job->double_rank = MAX_RANKS;
    for (uint32_t rank = 0; rank <= rank_count; ++rank)
        job->starts[rank] = count * rank / rank_count;
}

// All ranks have the same status and the same message.
static bool check_all_fail(const Job *job, imp_Status status, const char *message)
{
    bool fine = true;
    for (uint32_t rank = 0; rank < job->rank_count; ++rank)
        fine &= CHECK_INT(job->statuses[rank], status) && CHECK_TEXT(job->errors[rank].message, message);
    return fine;
}

TEST(the_first_bad_box_of_all_ranks_is_told)
{
    enum { COUNT = 400 };
    float *rows = random_cubes(COUNT, 10);
    if (!CHECK(rows))
        return;
    static Job job; // large
    begin_even_job(&job, rows, COUNT, 4);
    rows[6 * 350 + 4] = NAN;
    rows[6 * 222] = INFINITY;
    rows[6 * 399 + 3] = -1000;
    CHECK(impi_local_ranks_run(4, IMPI_LOCAL_TOGETHER, run_rank, &job));
    check_all_fail(&job, IMP_STATUS_BAD_NUMBER, "box 222 is not finite, or its min exceeds its max");
    for (uint32_t rank = 0; rank < 4; ++rank)
        CHECK_INT((int64_t)job.errors[rank].index, 222);
    free(rows);
}

TEST(ranks_with_floats_and_doubles_are_refused)
{
    float *rows = random_cubes(30, 10);
    if (!CHECK(rows))
        return;
    static Job job; // large
    begin_even_job(&job, rows, 30, 3);
    job.double_rank = 1;
    CHECK(impi_local_ranks_run(3, IMPI_LOCAL_TOGETHER, run_rank, &job));
    check_all_fail(&job, IMP_STATUS_BAD_ARGUMENT,
                   "some ranks have their boxes in floats and others in doubles");
    free(rows);
}

TEST(reserved_fields_are_refused_on_all_ranks)
{
    float *rows = random_cubes(30, 10);
    if (!CHECK(rows))
        return;
    static Job job; // large
    begin_even_job(&job, rows, 30, 3);
    job.def.reserved[1] = 1;
    CHECK(impi_local_ranks_run(3, IMPI_LOCAL_TOGETHER, run_rank, &job));
    for (uint32_t rank = 0; rank < 3; ++rank)
        CHECK_INT(job.statuses[rank], IMP_STATUS_BAD_ARGUMENT);
    free(rows);
}

// Each rank runs out of memory at each of its allocations: all of them say so, and nothing is left.
TEST(out_of_memory_on_one_rank_is_out_of_memory_on_all)
{
    enum { COUNT = 6000, RANKS = 3 };
    float *rows = random_cubes(COUNT, 24);
    uint64_t failures = 0;
    if (!CHECK(rows))
        return;
    for (uint32_t rank = 0; rank < RANKS; ++rank) {
        bool fails = true;
        for (uint64_t n = 1; fails && test_failed_checks() == 0; ++n) {
            static Job job; // large
            begin_even_job(&job, rows, COUNT, RANKS);
            job.failing_rank = rank;
            job.fail_at = n;
            CHECK(impi_local_ranks_run(RANKS, IMPI_LOCAL_TOGETHER, run_rank, &job));
            CHECK(job.is_clean);
            fails = job.has_failed;
            failures += fails;
            for (uint32_t other = 0; other < RANKS; ++other)
                CHECK_INT(job.statuses[other], fails ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
        }
    }
    CHECK(failures >= 3 * RANKS);
    free(rows);
}

// ---- work

// Half of the boxes lie in a corner, where each overlaps a hundred others.
static float *crowded_cubes(size_t count)
{
    float *rows = random_cubes(count, 60);
    for (size_t i = 0; rows && i < count; i += 2)
        for (size_t k = 0; k < 3; ++k) {
            rows[6 * i + k] /= 8;
            rows[6 * i + 3 + k] = rows[6 * i + k] + 1;
        }
    return rows;
}

// In nanoseconds or so, as work_balance.c reckons.
static double work_of(const imp_RankStats *stats)
{
    return 30 * (double)stats->box_count + 18 * (double)stats->block_pairs;
}

TEST(work_lies_evenly_where_boxes_do_not)
{
    enum { COUNT = 100000, RANKS = 8 };
    float *rows = crowded_cubes(COUNT);
    imp_Context *context;
    const imp_IndexPair *want;
    size_t want_count;
    if (!CHECK(rows))
        return;
    static Job job; // large
    begin_even_job(&job, rows, COUNT, RANKS);
    if (CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK) &&
        CHECK_INT(
            imp_pairs_list(context, &(imp_BoxArray){.float_boxes = rows, .count = COUNT}, &want, &want_count),
            IMP_STATUS_OK)) {
        job.pairs = malloc(want_count * sizeof *job.pairs);
        CHECK(impi_local_ranks_run(RANKS, IMPI_LOCAL_TOGETHER, run_rank, &job));
        double most = 0, sum = 0;
        for (uint32_t rank = 0; rank < RANKS; ++rank) {
            CHECK_INT(job.statuses[rank], IMP_STATUS_OK);
            most = fmax(most, work_of(&job.stats[rank]));
            sum += work_of(&job.stats[rank]);
        }
        CHECK(job.stats[0].move_count > 0);
        CHECK(most < 1.25 * sum / RANKS);
        CHECK_INT((int64_t)job.results[0].total, (int64_t)want_count);
        CHECK(memcmp(job.pairs, want, want_count * sizeof *want) == 0);
        free(job.pairs);
    }
    imp_context_destroy(context);
    free(rows);
}

// ---- very many ranks

typedef struct Crowd {
    const char *name;
    size_t count;
    float world; // that cubes of side 1 lie in; 0: all in one place
    bool has_floor;
} Crowd;

static float *make_crowd(const Crowd *crowd)
{
    float *rows = random_cubes(crowd->count, crowd->world);
    for (size_t k = 0; rows && crowd->has_floor && k < 3; ++k) {
        rows[k] = -1;
        rows[k + 3] = crowd->world + 2;
    }
    return rows;
}

TEST(very_many_ranks_find_what_one_process_finds)
{
    static const Crowd crowds[] = {{"cubes", 30000, 60, false},
                                   {"one over all of them", 30000, 80, true},
                                   {"all in one place", 600, 0, false},
                                   {"fewer than ranks", 50, 3, false},
                                   {"none", 0, 1, false}};
    uint64_t wanted = test_count(120); // a thousand take a minute
    uint32_t rank_count = wanted < MAX_RANKS ? (uint32_t)wanted : MAX_RANKS;
    imp_Context *context;
    Job *job = malloc(sizeof *job);
    if (!CHECK(job) || !CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK))
        return;
    for (size_t i = 0; i < sizeof crowds / sizeof *crowds; ++i) {
        const imp_IndexPair *want;
        size_t want_count;
        float *rows = make_crowd(&crowds[i]);
        imp_BoxArray boxes = {.float_boxes = rows, .count = crowds[i].count};
        if (CHECK(rows) && CHECK_INT(imp_pairs_list(context, &boxes, &want, &want_count), IMP_STATUS_OK)) {
            begin_even_job(job, rows, crowds[i].count, rank_count);
            job->pairs = calloc(want_count + 1, sizeof *job->pairs);
            CHECK(impi_local_ranks_run(rank_count, IMPI_LOCAL_TOGETHER, run_rank, job));
            bool fine = CHECK_INT((int64_t)job->results[0].total, (int64_t)want_count) &&
                        CHECK(want_count == 0 || memcmp(job->pairs, want, want_count * sizeof *want) == 0);
            if (!fine)
                printf("boxes: %s\n", crowds[i].name);
            free(job->pairs);
        }
        free(rows);
    }
    imp_context_destroy(context);
    free(job);
}

// ---- cuts

#define MAX_CUTTING_RANKS 12

typedef struct CutJob {
    unsigned bit_count;
    bool is_weighted;
    size_t key_count, cut_count;
    uint64_t keys[2000];
    uint32_t weights[2000];
    uint64_t targets[40], cuts[MAX_CUTTING_RANKS][40];
} CutJob;

static void find_cuts(impi_Exchange *exchange, void *argument)
{
    CutJob *job = argument;
    imp_Context *context;
    impi_Cluster cluster;
    size_t begin = job->key_count * exchange->rank / exchange->rank_count,
           end = job->key_count * (exchange->rank + 1) / exchange->rank_count;
    if (imp_context_create(NULL, &context) != IMP_STATUS_OK)
        abort();
    impi_cluster_begin(&cluster, exchange, context, NULL);
    impi_SpreadKeys keys = {job->keys + begin, job->is_weighted ? job->weights + begin : NULL, end - begin,
                            job->bit_count};
    CHECK_INT(impi_key_cuts_find(&cluster, &keys, job->targets, job->cut_count, job->cuts[exchange->rank]),
              IMP_STATUS_OK);
    imp_context_destroy(context);
}

static uint64_t weight_below(const CutJob *job, uint64_t cut, uint64_t *next)
{
    uint64_t weight = 0, least = UINT64_MAX;
    *next = 0;
    for (size_t i = 0; i < job->key_count; ++i) {
        if (job->keys[i] < cut) {
            weight += job->is_weighted ? job->weights[i] : 1;
        } else if (job->keys[i] <= least) {
            least = job->keys[i];
            *next = job->is_weighted ? job->weights[i] : 1;
        }
    }
    return weight;
}

static int compare_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Different keys of few or many bits, in clumps as well.
static void draw_cut_job(CutJob *job)
{
    uint64_t total = 0, key = 0;
    job->bit_count = 12 + test_random_below(53);
    job->is_weighted = test_random_below(2);
    job->key_count = test_random_below(2000);
    uint64_t room = (job->bit_count < 64 ? (uint64_t)1 << job->bit_count : UINT64_MAX) / 2000;
    for (size_t i = 0; i < job->key_count; ++i) {
        key += 1 + (test_random_below(3) ? 0 : test_random() % room);
        job->keys[i] = key;
        job->weights[i] = 1 + test_random_below(100);
        total += job->is_weighted ? job->weights[i] : 1;
    }
    for (size_t i = job->key_count; i-- > 1;) {
        size_t k = test_random_below((uint32_t)i + 1);
        uint64_t other = job->keys[k];
        job->keys[k] = job->keys[i];
        job->keys[i] = other;
    }
    job->cut_count = test_random_below(41);
    for (size_t i = 0; i < job->cut_count; ++i)
        job->targets[i] = test_random() % (total + 2);
    qsort(job->targets, job->cut_count, sizeof *job->targets, compare_numbers);
}

TEST(cuts_have_below_them_what_was_asked_for)
{
    CutJob *job = malloc(sizeof *job);
    uint64_t count = test_count(200), cuts = 0;
    bool fine = CHECK(job);
    for (uint64_t n = 0; fine && n < count; ++n) {
        draw_cut_job(job);
        uint32_t ranks = 1 + test_random_below(MAX_CUTTING_RANKS);
        fine = CHECK(impi_local_ranks_run(ranks, IMPI_LOCAL_TOGETHER, find_cuts, job));
        for (size_t i = 0; fine && i < job->cut_count; ++i) {
            uint64_t next, weight = weight_below(job, job->cuts[0][i], &next);
            fine = CHECK(weight <= job->targets[i]) && CHECK(next == 0 || weight + next > job->targets[i]) &&
                   CHECK(i == 0 || job->cuts[0][i - 1] <= job->cuts[0][i]);
            for (uint32_t rank = 1; rank < ranks; ++rank)
                fine &= CHECK(job->cuts[rank][i] == job->cuts[0][i]);
            ++cuts;
        }
    }
    CHECK(cuts > 5 * count);
    free(job);
}
