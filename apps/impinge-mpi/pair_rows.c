// Ranks write into one file, each at its own places. Not by MPI-IO: the component that Open MPI 4.1.4 takes
// by default answers success for collective writes that failed.
#include "pair_rows.h"

#include "kit/argument_text.h"
#include "kit/npy_writer.h"
#include "kit/partial_file.h"
#include "pairs_file.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_ROWS      ((size_t)1 << 14)
#define MAX_ROW_BYTES   36 // three numbers of ten digits, and what parts them
#define MAX_COLUMNS     MAX_PAIR_COLUMNS
#define MAX_CHUNK_BYTES (CHUNK_ROWS * MAX_ROW_BYTES)

// ---- rows as bytes

typedef struct Encoder {
    const PairRows *rows;
    bool is_csv;
    impi_Text bytes; // of the rows that were encoded last
} Encoder;

static size_t column_count(const PairRows *rows)
{
    return rows->has_frames ? 3 : 2;
}

static void encode_row(Encoder *encoder, const uint32_t *numbers, size_t columns)
{
    uint32_t row[MAX_COLUMNS];
    memcpy(row, numbers, columns * sizeof *row);
    row[columns - 1] -= encoder->rows->first_b;
    if (encoder->is_csv) {
        pairs_put_row(&encoder->bytes, row, columns);
    } else {
        impi_npy_make_little_endian(row, columns);
        impi_text_append(&encoder->bytes, (const char *)row, columns * sizeof *row);
    }
}

// False when memory is short.
static bool encode(Encoder *encoder, size_t first, size_t count)
{
    size_t columns = column_count(encoder->rows);
    encoder->bytes.bytes.count = 0;
    for (size_t i = first; i < first + count; ++i)
        encode_row(encoder, encoder->rows->numbers + columns * i, columns);
    return !encoder->bytes.out_of_memory;
}

static void encode_heading(Encoder *encoder, uint64_t total)
{
    encoder->bytes.bytes.count = 0;
    if (encoder->is_csv) {
        pairs_put_heading(encoder->rows->has_frames, &encoder->bytes);
    } else {
        char header[IMPI_NPY_MAX_HEADER_SIZE];
        impi_NpyArray array = {IMPI_NPY_UINT32, 2, {(size_t)total, column_count(encoder->rows)}, NULL};
        impi_text_append(&encoder->bytes, header, impi_npy_format_header(&array, header));
    }
}

static size_t chunk_length(size_t left)
{
    return left < CHUNK_ROWS ? left : CHUNK_ROWS;
}

// How many bytes rows become.
static uint64_t measure(RankJob *job, Encoder *encoder, size_t first, size_t count)
{
    uint64_t size = 0;
    if (!encoder->is_csv)
        return (uint64_t)count * column_count(encoder->rows) * sizeof(uint32_t);
    for (size_t done = 0, step; done < count; done += step) {
        step = chunk_length(count - done);
        if (!encode(encoder, first + done, step)) {
            rank_job_keep(job, impi_fail_out_of_memory(job->context), IMPI_CLUSTER_NO_ORDER);
            return size;
        }
        size += encoder->bytes.bytes.count;
    }
    return size;
}

// ---- into a file

// Where each of this rank's stretches goes, and in `*size` how long all becomes. Null when memory is short on
// any rank.
static uint64_t *place_stretches(RankJob *job, Encoder *encoder, uint64_t *size)
{
    const PairRows *rows = encoder->rows;
    uint64_t *offsets = rank_job_allocate(job, rows->stretch_count, sizeof *offsets);
    size_t first = 0;
    if (rank_job_agree(job) != COMMAND_DONE) {
        free(offsets);
        return NULL;
    }
    for (size_t i = 0; i < rows->stretch_count; ++i) {
        uint64_t own = measure(job, encoder, first, rows->lengths[i]), all = own;
        offsets[i] = *size + impi_cluster_prefix_sum(&job->cluster, own);
        impi_cluster_all_reduce(&job->cluster, &all, 1, IMPI_REDUCE_SUM);
        *size += all;
        first += rows->lengths[i];
    }
    if (rank_job_agree(job) == COMMAND_DONE)
        return offsets;
    free(offsets);
    return NULL;
}

static imp_Status write_stretch(impi_PartialFile *file, Encoder *encoder, uint64_t offset, size_t first,
                                size_t count)
{
    imp_Status status = IMP_STATUS_OK;
    for (size_t done = 0, step; done < count && status == IMP_STATUS_OK; done += step) {
        step = chunk_length(count - done);
        if (!encode(encoder, first + done, step))
            return impi_fail_out_of_memory(file->context);
        status = impi_partial_file_write(file, offset, encoder->bytes.bytes.data, encoder->bytes.bytes.count);
        offset += encoder->bytes.bytes.count;
    }
    return status;
}

static imp_Status write_own(impi_PartialFile *file, Encoder *encoder, const uint64_t *offsets)
{
    imp_Status status = IMP_STATUS_OK;
    size_t first = 0;
    for (size_t i = 0; i < encoder->rows->stretch_count && status == IMP_STATUS_OK; ++i) {
        status = write_stretch(file, encoder, offsets[i], first, encoder->rows->lengths[i]);
        first += encoder->rows->lengths[i];
    }
    return status == IMP_STATUS_OK ? impi_partial_file_sync(file) : status;
}

// Rank 0 makes the file, all of them fill it, rank 0 gives it its name.
static CommandResult write_together(RankJob *job, Encoder *encoder, impi_PartialFile *file, uint64_t total)
{
    bool is_first = rank_job_rank(job) == 0;
    encode_heading(encoder, total);
    if (encoder->bytes.out_of_memory)
        rank_job_keep(job, impi_fail_out_of_memory(job->context), IMPI_CLUSTER_NO_ORDER);
    uint64_t size = encoder->bytes.bytes.count;
    if (rank_job_agree(job) != COMMAND_DONE)
        return COMMAND_FAILED;
    uint64_t *offsets = place_stretches(job, encoder, &size);
    if (!offsets)
        return COMMAND_FAILED;
    CommandResult result = COMMAND_FAILED;
    if (is_first) {
        imp_Status status = impi_partial_file_create(file, size);
        encode_heading(encoder, total);
        if (status == IMP_STATUS_OK)
            status = impi_partial_file_write(file, 0, encoder->bytes.bytes.data, encoder->bytes.bytes.count);
        rank_job_keep(job, status, 0);
    }
    if (rank_job_agree(job) != COMMAND_DONE)
        goto cleanup;
    imp_Status status = is_first ? IMP_STATUS_OK : impi_partial_file_open(file);
    if (status == IMP_STATUS_OK)
        status = write_own(file, encoder, offsets);
    rank_job_keep(job, status, rank_job_rank(job));
    if (rank_job_agree(job) != COMMAND_DONE)
        goto cleanup;
    if (is_first)
        rank_job_keep(job, impi_partial_file_commit(file), 0);
    result = rank_job_agree(job);
cleanup:
    if (is_first && result != COMMAND_DONE)
        impi_partial_file_remove(file);
    free(offsets);
    return result;
}

// ---- to rank 0

// Rank 0 gets rows that another rank has encoded, in a round that all take part in.
static CommandResult send_chunk(RankJob *job, Encoder *encoder, uint32_t sender, impi_Routes *routes,
                                char *received, impi_Text *output)
{
    uint32_t rank_count = rank_job_rank_count(job);
    size_t size = rank_job_rank(job) == sender ? encoder->bytes.bytes.count : 0;
    impi_ArenaMark mark = impi_arena_mark(&job->context->scratch);
    for (uint32_t i = 1; i <= rank_count; ++i)
        routes->sent_starts[i] = size;
    imp_Status status = impi_cluster_post(&job->cluster, routes);
    if (status != IMP_STATUS_OK)
        return rank_job_fail(job);
    impi_cluster_deliver(&job->cluster, 1, encoder->bytes.bytes.data, received, routes);
    impi_cluster_deliver_own(&job->cluster, 1, encoder->bytes.bytes.data, received, routes);
    impi_text_append(output, received, impi_routes_received(&job->cluster, routes));
    if (output->out_of_memory)
        rank_job_keep(job, impi_fail_out_of_memory(job->context), IMPI_CLUSTER_NO_ORDER);
    impi_arena_rewind(&job->context->scratch, mark);
    return COMMAND_DONE;
}

typedef struct Gathering {
    uint64_t *counts; // rows of each rank in a stretch
    char *received;
    impi_Routes routes;
} Gathering;

static CommandResult gather_stretch(RankJob *job, Encoder *encoder, Gathering *gathering, size_t first,
                                    size_t own_count, impi_Text *output)
{
    uint64_t own = own_count;
    impi_cluster_all_gather(&job->cluster, &own, sizeof own, gathering->counts);
    for (uint32_t rank = 0; rank < rank_job_rank_count(job); ++rank)
        for (uint64_t done = 0; done < gathering->counts[rank]; done += CHUNK_ROWS) {
            size_t step = chunk_length((size_t)(gathering->counts[rank] - done));
            if (rank == rank_job_rank(job) && !encode(encoder, first + (size_t)done, step))
                rank_job_keep(job, impi_fail_out_of_memory(job->context), IMPI_CLUSTER_NO_ORDER);
            if (send_chunk(job, encoder, rank, &gathering->routes, gathering->received, output) !=
                COMMAND_DONE)
                return COMMAND_FAILED;
        }
    return COMMAND_DONE;
}

// The rows of all ranks, behind each other, in the text of rank 0.
static CommandResult gather(RankJob *job, Encoder *encoder, impi_Text *output)
{
    const PairRows *rows = encoder->rows;
    Gathering gathering = {
        .counts = impi_cluster_allocate(&job->cluster, rank_job_rank_count(job), sizeof *gathering.counts),
        .received = impi_cluster_allocate(&job->cluster, 1, MAX_CHUNK_BYTES),
        .routes = impi_cluster_routes(&job->cluster)};
    size_t first = 0;
    if (rank_job_agree(job) != COMMAND_DONE)
        return COMMAND_FAILED;
    for (size_t i = 0; i < rows->stretch_count; ++i) {
        if (gather_stretch(job, encoder, &gathering, first, rows->lengths[i], output) != COMMAND_DONE)
            return COMMAND_FAILED;
        first += rows->lengths[i];
    }
    return rank_job_agree(job);
}

CommandResult pair_rows_put(RankJob *job, const PairRows *rows, impi_Text *output)
{
    Encoder encoder = {.rows = rows, .is_csv = true};
    impi_text_begin(&encoder.bytes);
    pairs_put_heading(rows->has_frames, output);
    CommandResult result = gather(job, &encoder, output);
    impi_text_free(&encoder.bytes);
    return result;
}

// A device or a pipe has no places to write at: rank 0 writes all.
static CommandResult save_stream(RankJob *job, Encoder *encoder, uint64_t total, const char *path)
{
    impi_Text content;
    impi_text_begin(&content);
    encode_heading(encoder, total);
    impi_text_append(&content, encoder->bytes.bytes.data, encoder->bytes.bytes.count);
    CommandResult result = gather(job, encoder, &content);
    if (result == COMMAND_DONE) {
        if (rank_job_rank(job) == 0)
            rank_job_keep(job, impi_text_save(job->context, &content, path), 0);
        result = rank_job_agree(job);
    }
    impi_text_free(&content);
    return result;
}

CommandResult pair_rows_save(RankJob *job, const PairRows *rows, uint64_t total, const char *path)
{
    impi_PartialFile file = {.descriptor = -1};
    Encoder encoder = {.rows = rows, .is_csv = impi_file_ends_in(path, "csv")};
    uint64_t is_stream = rank_job_rank(job) == 0 && impi_partial_file_is_stream(path);
    CommandResult result = COMMAND_FAILED;
    impi_text_begin(&encoder.bytes);
    impi_cluster_all_reduce(&job->cluster, &is_stream, 1, IMPI_REDUCE_MAX);
    if (is_stream) {
        result = save_stream(job, &encoder, total, path);
    } else {
        rank_job_keep(job, impi_partial_file_begin(job->context, path, &file), rank_job_rank(job));
        if (rank_job_agree(job) == COMMAND_DONE)
            result = write_together(job, &encoder, &file, total);
        impi_partial_file_end(&file);
    }
    impi_text_free(&encoder.bytes);
    return result;
}
