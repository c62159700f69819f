#include "pairs_run.h"

#include "kit/npy_writer.h"
#include "kit/progress.h"
#include "kit/stopwatch.h"

#include <stdlib.h>
#include <string.h>

static CommandResult create_context(PairsRun *run)
{
    run->def.allocator = impi_memory_meter_allocator(&run->memory);
    imp_Status status = imp_context_create(&run->def, &run->context);
    if (status != IMP_STATUS_OK)
        return command_fail("%s", imp_status_name(status));
    if (run->wants_stats && imp_pairs_measure(run->context, &run->stats) != IMP_STATUS_OK)
        return command_fail_in(run->context);
    return COMMAND_DONE;
}

// ---- one array of boxes

static imp_Status find_once(PairsRun *run)
{
    imp_BoxArray boxes = impi_npy_frame(&run->boxes, 0);
    if (!run->wants_list && !run->wants_file)
        return imp_pairs_find(run->context, &boxes, NULL, 0, &run->frames[0].pair_count);
    size_t count = 0;
    imp_Status status = imp_pairs_list(run->context, &boxes, &run->pairs, &count);
    run->frames[0].pair_count = count;
    return status;
}

// ---- frames

// What is found counts as memory that finding it takes.
static bool reserve_rows(PairsRun *run, size_t needed)
{
    imp_Allocator allocator = impi_memory_meter_allocator(&run->memory);
    if (needed <= run->row_capacity)
        return true;
    size_t capacity = needed > 2 * run->row_capacity ? needed : 2 * run->row_capacity;
    uint32_t *grown = capacity <= SIZE_MAX / sizeof *grown
                          ? allocator.allocate(capacity * sizeof *grown, allocator.user)
                          : NULL;
    if (!grown)
        return false;
    if (run->rows) {
        memcpy(grown, run->rows, run->row_count * sizeof *grown);
        allocator.release(run->rows, run->row_capacity * sizeof *grown, allocator.user);
    }
    run->rows = grown;
    run->row_capacity = capacity;
    return true;
}

static imp_Status keep_rows(PairsRun *run, size_t frame, const imp_BroadResult *result)
{
    if (!reserve_rows(run, run->row_count + MAX_PAIR_COLUMNS * result->pair_count))
        return IMP_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < result->pair_count; ++i) {
        uint32_t *row = run->rows + run->row_count;
        row[0] = (uint32_t)frame;
        row[1] = result->pairs[i].a - 1; // slots count from 1
        row[2] = result->pairs[i].b - 1;
        run->row_count += MAX_PAIR_COLUMNS;
    }
    return IMP_STATUS_OK;
}

static imp_Status find_frame(PairsRun *run, imp_Broad *broad, imp_BroadId *ids, size_t frame)
{
    const imp_BroadResult *result;
    imp_BoxArray boxes = impi_npy_frame(&run->boxes, frame);
    imp_Status status =
        frame == 0 ? imp_broad_add_many(broad, &boxes, ids) : imp_broad_move_many(broad, ids, &boxes);
    if (status == IMP_STATUS_OK)
        status = imp_broad_update(broad, &result);
    if (status != IMP_STATUS_OK)
        return status;
    run->frames[frame] = (PairsFrame){result->pair_count, result->begun_count, result->ended_count};
    return run->wants_file ? keep_rows(run, frame, result) : IMP_STATUS_OK;
}

// On failure `*frame` is the one that is at fault.
static imp_Status find_frames(PairsRun *run, impi_Progress *progress, size_t *frame)
{
    imp_Broad *broad = NULL;
    imp_BroadDef def = {.precision = run->boxes.is_float ? IMP_BROAD_FLOAT : IMP_BROAD_DOUBLE,
                        .expected_count = run->boxes.box_count};
    imp_BroadId *ids = calloc(run->boxes.box_count, sizeof *ids);
    imp_Status status = ids ? imp_broad_create(run->context, &def, &broad) : IMP_STATUS_OUT_OF_MEMORY;
    for (; status == IMP_STATUS_OK && *frame < run->boxes.frame_count; ++*frame) {
        impi_progress_set(progress, "frames", *frame, run->boxes.frame_count);
        status = find_frame(run, broad, ids, *frame);
        if (status != IMP_STATUS_OK)
            break;
    }
    imp_broad_destroy(broad);
    free(ids);
    return status;
}

CommandResult pairs_run(PairsRun *run)
{
    size_t frame = 0;
    if (create_context(run) != COMMAND_DONE)
        return COMMAND_FAILED;
    if (impi_npy_load_boxes(run->context, run->path, &run->boxes) != IMP_STATUS_OK)
        return command_fail_in(run->context);
    if (run->boxes.frame_count == 0)
        return COMMAND_DONE;
    run->frames = calloc(run->boxes.frame_count, sizeof *run->frames);
    if (!run->frames)
        return command_fail("%s: out of memory for %zu frames", run->path, run->boxes.frame_count);
    impi_Progress *progress = impi_progress_begin();
    impi_progress_set(progress, "finding pairs", 0, 0);
    command_show_progress(run->context, progress);
    impi_Stopwatch watch = impi_stopwatch_start();
    imp_Status status = run->boxes.has_frames ? find_frames(run, progress, &frame) : find_once(run);
    run->total_ns = impi_stopwatch_ns(&watch);
    command_show_progress(run->context, NULL);
    impi_progress_end(progress);
    // Memory may have run out here rather than in the context.
    const char *message = status == IMP_STATUS_OUT_OF_MEMORY ? imp_status_name(status)
                                                             : imp_context_get_error(run->context)->message;
    if (status == IMP_STATUS_OK)
        return COMMAND_DONE;
    return run->boxes.has_frames ? command_fail("%s: frame %zu: %s", run->path, frame, message)
                                 : command_fail("%s: %s", run->path, message);
}

void pairs_run_free(PairsRun *run)
{
    if (run->context) {
        impi_npy_free_boxes(run->context, &run->boxes);
        imp_context_destroy(run->context);
    }
    if (run->rows) {
        imp_Allocator allocator = impi_memory_meter_allocator(&run->memory);
        allocator.release(run->rows, run->row_capacity * sizeof *run->rows, allocator.user);
    }
    free(run->frames);
}

uint64_t pairs_run_total(const PairsRun *run)
{
    uint64_t total = 0;
    for (size_t i = 0; i < run->boxes.frame_count; ++i)
        total += run->frames[i].pair_count;
    return total;
}

CommandResult pairs_run_save(const PairsRun *run, const char *path)
{
    impi_NpyArray array = {IMPI_NPY_UINT32, 2, {(size_t)pairs_run_total(run), 2, 0}, run->pairs};
    if (run->boxes.has_frames) {
        array.shape[1] = MAX_PAIR_COLUMNS;
        array.numbers = run->rows;
    }
    return impi_npy_save(run->context, path, &array) == IMP_STATUS_OK ? COMMAND_DONE
                                                                      : command_fail_in(run->context);
}
