#include "pairs_input.h"

#include <stdlib.h>
#include <string.h>

#define ROW_LENGTH 6

// ---- the same files

static const char *const fact_names[] = {"size", "modification time", "header"};
#define FACT_COUNT (sizeof fact_names / sizeof *fact_names)

static CommandResult compare_file(RankJob *job, const char *path, const impi_NpyBoxFile *file)
{
    const uint64_t own[FACT_COUNT] = {file->source.size, file->time_ns, file->checksum};
    uint64_t first[FACT_COUNT] = {0};
    if (rank_job_rank(job) == 0)
        memcpy(first, own, sizeof own);
    impi_cluster_all_reduce(&job->cluster, first, FACT_COUNT, IMPI_REDUCE_SUM); // others have zeros
    for (size_t i = 0; i < FACT_COUNT; ++i)
        if (own[i] != first[i])
            return command_fail("%s: rank %u sees another file than rank 0: their %s differs", path,
                                rank_job_rank(job), fact_names[i]);
    return COMMAND_DONE;
}

static CommandResult open_file(PairsInput *input, size_t set)
{
    RankJob *job = input->job;
    const char *path = input->run->sets[set].path;
    imp_Status status = impi_npy_box_file_open(job->context, path, &input->files[set]);
    input->open_count += status == IMP_STATUS_OK;
    rank_job_keep(job, status, rank_job_rank(job));
    if (rank_job_agree(job) != COMMAND_DONE)
        return COMMAND_FAILED;
    rank_job_keep_result(job, compare_file(job, path, &input->files[set]));
    input->run->sets[set].boxes = input->files[set].all;
    return rank_job_agree(job);
}

CommandResult pairs_input_open(PairsInput *input, RankJob *job, PairsRun *run)
{
    *input = (PairsInput){.job = job, .run = run};
    for (size_t i = 0; i < run->set_count; ++i)
        if (open_file(input, i) != COMMAND_DONE)
            return COMMAND_FAILED;
    // All see the same files, so all come to the same result.
    if (run->set_count == 2 && pairs_check_sets(run) != COMMAND_DONE)
        return COMMAND_FAILED;
    run->has_frames = run->sets[0].boxes.has_frames;
    run->frame_count = run->sets[0].boxes.frame_count;
    return COMMAND_DONE;
}

static void free_parts(PairsInput *input)
{
    for (size_t i = 0; i < 2; ++i)
        impi_npy_free_boxes(input->job->context, &input->parts[i]);
    free(input->joined);
    input->joined = NULL;
}

void pairs_input_close(PairsInput *input)
{
    if (!input->job)
        return;
    free_parts(input);
    while (input->open_count > 0)
        impi_npy_box_file_close(&input->files[--input->open_count]);
}

// ---- boxes

// Errors come in the order in which one process would find them: file by file, frame by frame.
static uint64_t order_of_error(const PairsInput *input, size_t set, size_t frame)
{
    uint64_t index = imp_context_get_error(input->job->context)->index;
    const PairsSet *sets = input->run->sets;
    if (index == IMP_NOWHERE)
        return IMPI_CLUSTER_NO_ORDER;
    uint64_t before = set ? (uint64_t)sets[0].boxes.frame_count * sets[0].boxes.box_count : 0;
    return before + (uint64_t)frame * sets[set].boxes.box_count + index;
}

static CommandResult read_part(PairsInput *input, size_t set, const impi_NpyPart *part)
{
    RankJob *job = input->job;
    imp_Status status = impi_npy_part_read(&input->files[set], part, &input->parts[set]);
    rank_job_keep(job, status, order_of_error(input, set, part->frame));
    if (rank_job_agree(job) != COMMAND_DONE)
        return COMMAND_FAILED;
    status = impi_npy_part_check(&input->files[set], part, &input->parts[set]);
    rank_job_keep(job, status, order_of_error(input, set, part->frame));
    if (rank_job_agree(job) != COMMAND_DONE)
        return COMMAND_FAILED;
    rank_job_keep(job, impi_npy_apply_margin(job->context, &input->parts[set], input->run->margin),
                  IMPI_CLUSTER_NO_ORDER);
    return rank_job_agree(job);
}

static void copy_rows(const imp_BoxArray *boxes, bool to_floats, void *rows, size_t first)
{
    size_t begin = ROW_LENGTH * first, count = ROW_LENGTH * boxes->count;
    if (to_floats) {
        if (count > 0)
            memcpy((float *)rows + begin, boxes->float_boxes, count * sizeof(float));
    } else {
        for (size_t i = 0; i < count; ++i)
            ((double *)rows)[begin + i] = boxes->boxes ? boxes->boxes[i] : (double)boxes->float_boxes[i];
    }
}

// Numbers are floats only where those of both sets are.
static CommandResult join_parts(PairsInput *input, imp_BoxArray *own)
{
    RankJob *job = input->job;
    imp_BoxArray first = impi_npy_frame(&input->parts[0], 0), second = impi_npy_frame(&input->parts[1], 0);
    size_t count = first.count + second.count;
    bool to_floats = input->files[0].all.is_float && input->files[1].all.is_float;
    input->joined = rank_job_allocate(job, count, ROW_LENGTH * (to_floats ? sizeof(float) : sizeof(double)));
    if (rank_job_agree(job) != COMMAND_DONE)
        return COMMAND_FAILED;
    copy_rows(&first, to_floats, input->joined, 0);
    copy_rows(&second, to_floats, input->joined, first.count);
    *own = (imp_BoxArray){.count = count};
    if (to_floats)
        own->float_boxes = input->joined;
    else
        own->boxes = input->joined;
    return COMMAND_DONE;
}

CommandResult pairs_input_read_share(PairsInput *input, size_t frame, imp_BoxArray *own)
{
    const PairsRun *run = input->run;
    uint32_t rank = rank_job_rank(input->job), rank_count = rank_job_rank_count(input->job);
    size_t total = pairs_run_box_count(run), skipped = 0;
    size_t begin = (size_t)rank_share_start(total, rank, rank_count);
    size_t end = (size_t)rank_share_start(total, rank + 1, rank_count);
    free_parts(input);
    for (size_t i = 0; i < run->set_count; ++i) {
        size_t count = run->sets[i].boxes.box_count;
        size_t first = begin > skipped ? begin - skipped : 0, last = end > skipped ? end - skipped : 0;
        first = first < count ? first : count;
        last = last < count ? last : count;
        if (read_part(input, i, &(impi_NpyPart){frame, first, last - first}) != COMMAND_DONE)
            return COMMAND_FAILED;
        skipped += count;
    }
    if (run->set_count == 2)
        return join_parts(input, own);
    *own = impi_npy_frame(&input->parts[0], 0);
    return COMMAND_DONE;
}

imp_Status pairs_input_read_frame(PairsInput *input, size_t frame, PairsSet *sets, uint64_t *order)
{
    imp_Context *context = input->job->context;
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < input->run->set_count && status == IMP_STATUS_OK; ++i) {
        impi_NpyPart part = {frame, 0, input->run->sets[i].boxes.box_count};
        impi_npy_free_boxes(context, &sets[i].boxes);
        status = impi_npy_part_read(&input->files[i], &part, &sets[i].boxes);
        if (status == IMP_STATUS_OK)
            status = impi_npy_part_check(&input->files[i], &part, &sets[i].boxes);
        if (status == IMP_STATUS_OK)
            status = impi_npy_apply_margin(context, &sets[i].boxes, input->run->margin);
        if (status != IMP_STATUS_OK)
            *order = order_of_error(input, i, frame);
    }
    return status;
}
