// Rows are cut into blocks, which threads share; each block knows where its rows for each rank begin.
#include "cluster/mailing.h"

#include "base/tasks.h"
#include "cluster/key_cuts.h"

#include <string.h>

#define ROWS_PER_BLOCK 16384

// ---- who gets what

typedef struct MakeJob {
    const uint64_t *keys, *cuts;
    size_t rank_count;
    const impi_Mailing *mailing;
} MakeJob;

static void make_block(size_t begin, size_t end, size_t block, void *argument)
{
    const MakeJob *job = argument;
    size_t *counts = job->mailing->positions + block * job->rank_count;
    memset(counts, 0, job->rank_count * sizeof *counts);
    for (size_t i = begin; i < end; ++i) {
        size_t rank = impi_key_stretch(job->cuts, job->rank_count - 1, job->keys[i]);
        job->mailing->ranks[i] = (uint32_t)rank;
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

void impi_mailing_make(impi_Cluster *cluster, const uint64_t *keys, size_t count, const uint64_t *cuts,
                       const impi_Routes *routes, impi_Mailing *mailing)
{
    size_t rank_count = cluster->exchange->rank_count, block_count = impi_block_count(count, ROWS_PER_BLOCK);
    mailing->count = count;
    mailing->ranks = impi_cluster_allocate(cluster, count, sizeof *mailing->ranks);
    mailing->positions = impi_cluster_allocate(cluster, block_count, rank_count * sizeof *mailing->positions);
    if (!mailing->ranks || !mailing->positions || !routes->sent_starts)
        return;
    MakeJob job = {keys, cuts, rank_count, mailing};
    impi_parallel_for(&cluster->context->executor, count, ROWS_PER_BLOCK, make_block, &job);
    place_blocks(mailing, rank_count, routes->sent_starts);
}

// ---- packing

typedef struct PackJob {
    const impi_Mailing *mailing;
    size_t rank_count, row_size;
    const char *rows;
    char *packed;
} PackJob;

// Called with constant sizes, so that a row is a few moves.
static inline void pack_rows(const PackJob *job, size_t *positions, size_t begin, size_t end, size_t row_size)
{
    const uint32_t *ranks = job->mailing->ranks;
    for (size_t i = begin; i < end; ++i)
        memcpy(job->packed + row_size * positions[ranks[i]]++, job->rows + row_size * i, row_size);
}

static void pack_block(size_t begin, size_t end, size_t block, void *argument)
{
    const PackJob *job = argument;
    size_t *positions = job->mailing->positions + block * job->rank_count;
    switch (job->row_size) {
    case sizeof(uint32_t):
        pack_rows(job, positions, begin, end, sizeof(uint32_t));
        break;
    case sizeof(uint64_t):
        pack_rows(job, positions, begin, end, sizeof(uint64_t));
        break;
    case 6 * sizeof(float):
        pack_rows(job, positions, begin, end, 6 * sizeof(float));
        break;
    case 6 * sizeof(double):
        pack_rows(job, positions, begin, end, 6 * sizeof(double));
        break;
    default:
        pack_rows(job, positions, begin, end, job->row_size);
    }
    // Back to where the block began, for the next kind of rows.
    for (size_t i = begin; i < end; ++i)
        --positions[job->mailing->ranks[i]];
}

void impi_mailing_pack(const impi_Cluster *cluster, const impi_Mailing *mailing, size_t row_size,
                       const void *rows, void *packed)
{
    PackJob job = {mailing, cluster->exchange->rank_count, row_size, rows, packed};
    impi_parallel_for(&cluster->context->executor, mailing->count, ROWS_PER_BLOCK, pack_block, &job);
}
