#include "pairs_frames.h"

#include "cluster/rank_pairs.h"
#include "pair_changes.h"

#include <stdlib.h>

// What a rank needs for a box of a frame of its own: rows as read and as kept, keys, lanes of the octree,
// and pairs of this frame and the one before, where boxes touch a few others.
#define BYTES_PER_BOX 400

static CommandResult fail_in_first_file(const PairsRun *run, const char *message)
{
    return command_fail("%s: %s", run->sets[0].path, message);
}

// ---- runs of frames

static imp_Status load_frame(PairsRun *run, size_t frame)
{
    FrameRun *own = (FrameRun *)run; // its first member
    imp_Status status = pairs_input_read_frame(own->input, frame, run->sets, &own->order);
    own->has_read_error = status != IMP_STATUS_OK;
    return status;
}

static void keep_failure(RankJob *job, const FrameRun *own, imp_Status status)
{
    if (status == IMP_STATUS_OK || own->has_read_error) {
        rank_job_keep(job, status, own->order);
        return;
    }
    // Memory may have run out here rather than in the context.
    const char *message = status == IMP_STATUS_OUT_OF_MEMORY ? imp_status_name(status)
                                                             : imp_context_get_error(job->context)->message;
    rank_job_keep_result(job, fail_in_first_file(&own->run, message));
}

static CommandResult find_runs(PairsInput *input, FrameRows *rows)
{
    RankJob *job = input->job;
    const PairsRun *all = input->run;
    PairsRun *run = &rows->own.run;
    uint32_t rank = rank_job_rank(job), rank_count = rank_job_rank_count(job);
    imp_Status status = IMP_STATUS_OK;
    rows->own = (FrameRun){.run = *all, .input = input, .order = IMPI_CLUSTER_NO_ORDER};
    run->context = job->context;
    run->first_frame = (size_t)rank_share_start(all->frame_count, rank, rank_count);
    run->frame_count = (size_t)rank_share_start(all->frame_count, rank + 1, rank_count) - run->first_frame;
    run->has_frame_before = run->first_frame > 0;
    run->load_frame = load_frame;
    run->frames = all->frames + run->first_frame;
    impi_cluster_enter(&job->cluster, IMP_RANK_SEARCH);
    if (run->frame_count > 0)
        status = pairs_find_frames(run, NULL);
    keep_failure(job, &rows->own, status);
    job->stats.box_count += (uint64_t)run->frame_count * pairs_run_box_count(all);
    rows->lengths = rank_job_allocate(job, 1, sizeof *rows->lengths);
    if (rank_job_agree(job) != COMMAND_DONE)
        return COMMAND_FAILED;
    // What each rank has counted stands where others have zeros.
    impi_cluster_all_reduce(&job->cluster, (uint64_t *)all->frames,
                            all->frame_count * (sizeof *all->frames / sizeof(uint64_t)), IMPI_REDUCE_SUM);
    rows->lengths[0] = run->row_count / MAX_PAIR_COLUMNS;
    rows->stretch_count = 1;
    rows->numbers = run->rows;
    return COMMAND_DONE;
}

// ---- frames that all ranks share

static CommandResult keep_rows(RankJob *job, const PairsRun *run, size_t frame, const imp_RankPairs *found,
                               FrameRows *rows, size_t *used)
{
    uint32_t first_b = run->set_count == 2 ? (uint32_t)run->sets[0].boxes.box_count : 0;
    size_t needed = *used + found->count;
    uint32_t *grown = rows->shared;
    if (found->count > 0)
        grown = realloc(rows->shared, needed * MAX_PAIR_COLUMNS * sizeof *grown);
    if (found->count > 0 && !grown)
        rank_job_keep(job, impi_fail_out_of_memory(job->context), IMPI_CLUSTER_NO_ORDER);
    else
        rows->shared = grown;
    if (rank_job_agree(job) != COMMAND_DONE || (found->count > 0 && !grown))
        return COMMAND_FAILED;
    for (size_t i = 0; i < found->count; ++i) {
        uint32_t *row = grown + MAX_PAIR_COLUMNS * (*used + i);
        row[0] = (uint32_t)frame;
        row[1] = found->pairs[i].a;
        row[2] = found->pairs[i].b - first_b;
    }
    *used = needed;
    rows->lengths[frame] = found->count;
    return COMMAND_DONE;
}

static CommandResult find_shared_frame(PairsInput *input, size_t frame, PairChanges *changes,
                                       imp_RankPairs *found)
{
    RankJob *job = input->job;
    const PairsRun *run = input->run;
    imp_BoxArray own;
    impi_cluster_enter(&job->cluster, IMP_RANK_READ);
    if (pairs_input_read_share(input, frame, &own) != COMMAND_DONE)
        return COMMAND_FAILED;
    imp_RankDef def = {.first_set_count = run->set_count == 2 ? run->sets[0].boxes.box_count : 0,
                       .stats = &job->stats};
    rank_job_pause(job);
    imp_Status status = impi_rank_pairs_find(&job->mpi.exchange, job->context, &own, &def, found);
    rank_job_resume(job, IMP_RANK_ORDER);
    if (status != IMP_STATUS_OK)
        return fail_in_first_file(run, imp_context_get_error(job->context)->message);
    return pair_changes_step(job, found, changes, &run->frames[frame]);
}

static CommandResult find_shared(PairsInput *input, FrameRows *rows)
{
    PairsRun *run = input->run;
    PairChanges changes = {0};
    imp_RankPairs found;
    size_t used = 0;
    rows->lengths = rank_job_allocate(input->job, run->frame_count, sizeof *rows->lengths);
    rows->stretch_count = run->frame_count;
    CommandResult result = rank_job_agree(input->job);
    for (size_t frame = 0; frame < run->frame_count && result == COMMAND_DONE; ++frame) {
        result = find_shared_frame(input, frame, &changes, &found);
        if (result == COMMAND_DONE && run->wants_file)
            result = keep_rows(input->job, run, frame, &found, rows, &used);
    }
    rows->numbers = rows->shared;
    pair_changes_free(&changes);
    return result;
}

CommandResult pairs_frames_find(PairsInput *input, uint64_t memory, FrameRows *rows)
{
    bool is_large = pairs_run_box_count(input->run) > memory / BYTES_PER_BOX;
    return is_large ? find_shared(input, rows) : find_runs(input, rows);
}

void pairs_frames_free(FrameRows *rows)
{
    pairs_run_free_boxes(&rows->own.run);
    free(rows->shared);
    free(rows->lengths);
}
