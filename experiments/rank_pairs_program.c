#include "rank_pairs_program.h"

#include "base/memory.h"
#include "cluster/rank_pairs.h"

#include <stdlib.h>
#include <string.h>

// An allocator that counts. A context of one thread is used by one thread at a time.
typedef struct Meter {
    size_t held, most;
} Meter;

static void *metered_allocate(size_t size, void *user)
{
    Meter *meter = user;
    void *storage = impi_default_allocator.allocate(size, impi_default_allocator.user);
    if (storage)
        meter->held += size;
    meter->most = meter->held > meter->most ? meter->held : meter->most;
    return storage;
}

static void metered_release(void *storage, size_t size, void *user)
{
    Meter *meter = user;
    if (storage)
        meter->held -= size;
    impi_default_allocator.release(storage, size, impi_default_allocator.user);
}

typedef struct PairsRank {
    imp_Context *context;
    Meter meter;
    float *rows;
    imp_BoxArray boxes;
    imp_RankStats stats;
    imp_RankPairs found;
} PairsRank;

static void close_rank(void *state)
{
    PairsRank *rank = state;
    imp_context_destroy(rank->context);
    free(rank->rows);
    free(rank);
}

static void *open_rank(uint32_t number, uint32_t rank_count, void *argument)
{
    const RankPairsJob *job = argument;
    PairsRank *rank = calloc(1, sizeof *rank);
    size_t begin = job->box_count * number / rank_count, end = job->box_count * (number + 1) / rank_count;
    if (!rank)
        return NULL;
    imp_ContextDef def = {.allocator = {metered_allocate, metered_release, &rank->meter}};
    if (imp_context_create(&def, &rank->context) != IMP_STATUS_OK) {
        free(rank);
        return NULL;
    }
    rank->boxes.count = end - begin;
    if (job->boxes) {
        rank->boxes.boxes = job->boxes + 6 * begin;
        return rank;
    }
    rank->rows = malloc((end - begin + 1) * 6 * sizeof *rank->rows);
    if (!rank->rows) {
        close_rank(rank);
        return NULL;
    }
    rank_scene_make(job->kind, job->box_count, begin, end, rank->rows);
    rank->boxes.float_boxes = rank->rows;
    return rank;
}

static bool run_rank(void *state, MeteredExchange *metered)
{
    PairsRank *rank = state;
    imp_RankDef def = {.stats = &rank->stats};
    rank->stats = (imp_RankStats){0};
    metered_exchange_watch(metered, rank->stats.work_ns, rank->stats.exchange_ns, IMP_RANK_PART_COUNT);
    return impi_rank_pairs_find(&metered->exchange, rank->context, &rank->boxes, &def, &rank->found) ==
           IMP_STATUS_OK;
}

static bool look_at_rank(void *state, void *argument)
{
    const PairsRank *rank = state;
    RankPairsJob *job = argument;
    RankPairsSummary *summary = &job->summary;
    const imp_RankStats *stats = &rank->stats;
    const imp_RankPairs *found = &rank->found;
    if (job->expected)
        summary->is_wrong |=
            found->total != job->expected_count || found->first + found->count > found->total ||
            (found->count > 0 &&
             memcmp(found->pairs, job->expected + found->first, found->count * sizeof *found->pairs) != 0);
    summary->is_wrong |= found->first != summary->pair_count || found->first + found->count > found->total;
    summary->pair_count += found->count;
    summary->total = found->total;
    summary->own_count += stats->box_count;
    summary->halo_count += stats->halo_count;
    summary->block_pairs += stats->block_pairs;
    summary->move_count = stats->move_count;
    if (stats->box_count > summary->most_own_count)
        summary->most_own_count = stats->box_count;
    if (stats->block_pairs > summary->most_block_pairs)
        summary->most_block_pairs = stats->block_pairs;
    double bytes =
        (double)(rank->meter.most - found->count * sizeof *found->pairs) / (double)(stats->box_count + 1);
    if (bytes > summary->most_bytes_per_box)
        summary->most_bytes_per_box = bytes;
    return true;
}

RankProgram rank_pairs_program(RankPairsJob *job)
{
    return (RankProgram){open_rank, run_rank, look_at_rank, close_rank, job};
}

double rank_pairs_box_surplus(const RankPairsSummary *summary, uint32_t rank_count)
{
    return (double)summary->most_own_count * rank_count / (double)summary->own_count;
}

double rank_pairs_block_surplus(const RankPairsSummary *summary, uint32_t rank_count)
{
    return (double)summary->most_block_pairs * rank_count / (double)summary->block_pairs;
}
