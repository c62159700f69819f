// Rows are cut into blocks, which threads share; each block knows where its rows for each rank begin.
#include "cluster/mailing.h"

#include "base/tasks.h"

#include <string.h>

#define ROWS_PER_BLOCK 16384

// ---- who gets what

// The top bits of a key say at which cut to begin to look. Most often no cut has the same, and that is all.
#define GUIDE_BITS 12

typedef struct Guide {
    unsigned shift;
    uint32_t first_cut[1 << GUIDE_BITS]; // that is above the least key with these top bits
} Guide;

static void make_guide(unsigned bit_count, const uint64_t *cuts, size_t cut_count, Guide *guide)
{
    size_t cut = 0;
    guide->shift = bit_count > GUIDE_BITS ? bit_count - GUIDE_BITS : 0;
    for (uint64_t top = 0; top < (uint64_t)1 << GUIDE_BITS; ++top) {
        while (cut < cut_count && cuts[cut] <= top << guide->shift)
            ++cut;
        guide->first_cut[top] = (uint32_t)cut;
    }
}

typedef struct MakeJob {
    const uint64_t *keys, *cuts;
    size_t rank_count;
    const impi_Mailing *mailing;
    Guide guide;
} MakeJob;

static void make_block(size_t begin, size_t end, size_t block, void *argument)
{
    const MakeJob *job = argument;
    size_t *restrict counts = job->mailing->positions + block * job->rank_count;
    uint32_t *restrict ranks = job->mailing->ranks;
    memset(counts, 0, job->rank_count * sizeof *counts);
    for (size_t i = begin; i < end; ++i) {
        uint64_t key = job->keys[i];
        size_t rank = job->guide.first_cut[key >> job->guide.shift];
        while (job->cuts[rank] <= key) // ends at the last one, which no key reaches
            ++rank;
        ranks[i] = (uint32_t)rank;
        ++counts[rank];
    }
}

static void place_blocks(const impi_Mailing *mailing, size_t rank_count, size_t *starts)
{
    size_t position = 0, block_count = impi_block_count(mailing->count, ROWS_PER_BLOCK);
    for (size_t rank = 0; rank < rank_count; ++rank) {
        starts[rank] = position;
        for (size_t block = 0; block < block_count; ++block) {
            size_t *at = &mailing->positions[block * rank_count + rank], count = *at;
            *at = position;
            position += count;
        }
    }
    starts[rank_count] = position;
}

void impi_mailing_make(impi_Cluster *cluster, const uint64_t *keys, size_t count, unsigned bit_count,
                       uint64_t *cuts, const impi_Routes *routes, impi_Mailing *mailing)
{
    size_t rank_count = cluster->exchange->rank_count, block_count = impi_block_count(count, ROWS_PER_BLOCK);
    mailing->count = count;
    mailing->ranks = impi_cluster_allocate(cluster, count, sizeof *mailing->ranks);
    mailing->positions = impi_cluster_allocate(cluster, block_count, rank_count * sizeof *mailing->positions);
    mailing->next = impi_cluster_allocate(cluster, block_count, rank_count * sizeof *mailing->next);
    mailing->routes = routes;
    if (!mailing->ranks || !mailing->positions || !mailing->next || !routes->sent_starts)
        return;
    MakeJob job = {.keys = keys, .cuts = cuts, .rank_count = rank_count, .mailing = mailing};
    cuts[rank_count - 1] = UINT64_MAX;
    make_guide(bit_count, cuts, rank_count - 1, &job.guide);
    impi_parallel_for(&cluster->context->executor, count, ROWS_PER_BLOCK, make_block, &job);
    place_blocks(mailing, rank_count, routes->sent_starts);
}

// ---- packing

typedef struct PackJob {
    const impi_Mailing *mailing;
    uint32_t own_rank, rank_count;
    size_t row_size;
    const char *rows;
    char *packed, *received;
} PackJob;

// Called with constant sizes, so that a row is a few moves.
static inline void pack_rows(const PackJob *job, char **restrict next, size_t begin, size_t end,
                             size_t row_size)
{
    const uint32_t *restrict ranks = job->mailing->ranks;
    const char *restrict rows = job->rows;
    for (size_t i = begin; i < end; ++i) {
        char *to = next[ranks[i]];
        next[ranks[i]] = to + row_size;
        memcpy(to, rows + row_size * i, row_size);
    }
}

static char **begin_block(const PackJob *job, size_t block)
{
    const impi_Mailing *mailing = job->mailing;
    const impi_Routes *routes = mailing->routes;
    const size_t *positions = mailing->positions + block * job->rank_count;
    char **next = mailing->next + block * job->rank_count;
    uint32_t own = job->own_rank;
    for (uint32_t rank = 0; rank < job->rank_count; ++rank)
        next[rank] = job->packed + job->row_size * positions[rank];
    next[own] = job->received +
                job->row_size * (routes->received_starts[own] + positions[own] - routes->sent_starts[own]);
    return next;
}

static void pack_block(size_t begin, size_t end, size_t block, void *argument)
{
    const PackJob *job = argument;
    char **next = begin_block(job, block);
    switch (job->row_size) {
    case sizeof(uint32_t):
        pack_rows(job, next, begin, end, sizeof(uint32_t));
        break;
    case sizeof(uint64_t):
        pack_rows(job, next, begin, end, sizeof(uint64_t));
        break;
    case 6 * sizeof(float):
        pack_rows(job, next, begin, end, 6 * sizeof(float));
        break;
    case 6 * sizeof(double):
        pack_rows(job, next, begin, end, 6 * sizeof(double));
        break;
    default:
        pack_rows(job, next, begin, end, job->row_size);
    }
}

void impi_mailing_pack(const impi_Cluster *cluster, const impi_Mailing *mailing, size_t row_size,
                       const void *rows, void *packed, void *received)
{
    const impi_Exchange *exchange = cluster->exchange;
    PackJob job = {mailing, exchange->rank, exchange->rank_count, row_size, rows, packed, received};
    impi_parallel_for(&cluster->context->executor, mailing->count, ROWS_PER_BLOCK, pack_block, &job);
}
