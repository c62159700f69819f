#include "pairs_run.h"

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

// ---- boxes

CommandResult pairs_check_sets(const PairsRun *run)
{
    const PairsSet *a = &run->sets[0], *b = &run->sets[1];
    if (a->boxes.is_flat != b->boxes.is_flat)
        return command_fail("%s has boxes of %d dimensions, %s of %d", a->path, a->boxes.is_flat ? 2 : 3,
                            b->path, b->boxes.is_flat ? 2 : 3);
    if (a->boxes.has_frames != b->boxes.has_frames)
        return command_fail("%s has frames, %s has none; expected frames in both or in neither",
                            a->boxes.has_frames ? a->path : b->path, a->boxes.has_frames ? b->path : a->path);
    if (a->boxes.frame_count != b->boxes.frame_count)
        return command_fail("%s has %zu frames, %s has %zu; expected the same number in both", a->path,
                            a->boxes.frame_count, b->path, b->boxes.frame_count);
    return COMMAND_DONE;
}

static CommandResult load_sets(PairsRun *run)
{
    for (size_t i = 0; i < run->set_count; ++i)
        if (impi_npy_load_boxes(run->context, run->sets[i].path, &run->sets[i].boxes) != IMP_STATUS_OK)
            return command_fail_in(run->context);
    if (run->set_count == 2 && pairs_check_sets(run) != COMMAND_DONE)
        return COMMAND_FAILED;
    for (size_t i = 0; i < run->set_count; ++i)
        if (impi_npy_apply_margin(run->context, &run->sets[i].boxes, run->margin) != IMP_STATUS_OK)
            return command_fail_in(run->context);
    run->has_frames = run->sets[0].boxes.has_frames;
    run->frame_count = run->sets[0].boxes.frame_count;
    return COMMAND_DONE;
}

size_t pairs_run_box_count(const PairsRun *run)
{
    return run->sets[0].boxes.box_count + run->sets[1].boxes.box_count;
}

// ---- once

static imp_Status count_once(PairsRun *run, const imp_BoxArray *boxes, const imp_BoxArray *others)
{
    uint64_t *count = &run->frames[0].pair_count;
    return run->set_count == 2 ? imp_pairs_find_between(run->context, boxes, others, NULL, 0, count)
                               : imp_pairs_find(run->context, boxes, NULL, 0, count);
}

static imp_Status find_once(PairsRun *run)
{
    imp_BoxArray boxes = impi_npy_frame(&run->sets[0].boxes, 0),
                 others = impi_npy_frame(&run->sets[1].boxes, 0);
    if (!run->wants_list && !run->wants_file)
        return count_once(run, &boxes, &others);
    size_t count = 0;
    imp_Status status = run->set_count == 2
                            ? imp_pairs_list_between(run->context, &boxes, &others, &run->pairs, &count)
                            : imp_pairs_list(run->context, &boxes, &run->pairs, &count);
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
    // Slots count from 1, those of a second set behind those of the first.
    uint32_t first_b = run->set_count == 2 ? 1 + (uint32_t)run->sets[0].boxes.box_count : 1;
    if (!reserve_rows(run, run->row_count + MAX_PAIR_COLUMNS * result->pair_count))
        return IMP_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < result->pair_count; ++i) {
        uint32_t *row = run->rows + run->row_count;
        row[0] = (uint32_t)frame;
        row[1] = result->pairs[i].a - 1;
        row[2] = result->pairs[i].b - first_b;
        run->row_count += MAX_PAIR_COLUMNS;
    }
    return IMP_STATUS_OK;
}

// Boxes of each of two sets are in a category that they ignore.
static imp_Status part_sets(const PairsRun *run, imp_Broad *broad, const imp_BroadId *ids)
{
    size_t count = run->set_count == 2 ? pairs_run_box_count(run) : 0,
           first_count = run->sets[0].boxes.box_count;
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < count && status == IMP_STATUS_OK; ++i) {
        uint64_t category = i < first_count ? 1 : 2;
        status = imp_broad_set_filter(broad, ids[i], category, category);
    }
    return status;
}

static imp_Status place_boxes(PairsRun *run, imp_Broad *broad, imp_BroadId *ids, size_t frame, bool is_first)
{
    imp_Status status = run->load_frame ? run->load_frame(run, frame) : IMP_STATUS_OK;
    for (size_t i = 0; i < run->set_count && status == IMP_STATUS_OK; ++i) {
        imp_BoxArray boxes = impi_npy_frame(&run->sets[i].boxes, run->load_frame ? 0 : frame);
        status = is_first ? imp_broad_add_many(broad, &boxes, ids) : imp_broad_move_many(broad, ids, &boxes);
        ids += boxes.count;
    }
    return status;
}

static imp_Status find_frame(PairsRun *run, imp_Broad *broad, imp_BroadId *ids, size_t frame, bool is_first)
{
    const imp_BroadResult *result;
    imp_Status status = place_boxes(run, broad, ids, frame, is_first);
    if (status == IMP_STATUS_OK && is_first)
        status = part_sets(run, broad, ids);
    if (status == IMP_STATUS_OK)
        status = imp_broad_update(broad, &result);
    if (status != IMP_STATUS_OK || frame < run->first_frame)
        return status;
    run->frames[frame - run->first_frame] =
        (PairsFrame){result->pair_count, result->begun_count, result->ended_count};
    return run->wants_file ? keep_rows(run, frame, result) : IMP_STATUS_OK;
}

imp_Status pairs_find_frames(PairsRun *run, impi_Progress *progress)
{
    imp_Broad *broad = NULL;
    size_t box_count = pairs_run_box_count(run);
    bool has_floats = run->sets[0].boxes.is_float && (run->set_count == 1 || run->sets[1].boxes.is_float);
    imp_BroadDef def = {.precision = has_floats ? IMP_BROAD_FLOAT : IMP_BROAD_DOUBLE,
                        .expected_count = box_count};
    size_t begin = run->first_frame - run->has_frame_before, end = run->first_frame + run->frame_count;
    imp_BroadId *ids = calloc(box_count, sizeof *ids);
    imp_Status status = ids ? imp_broad_create(run->context, &def, &broad) : IMP_STATUS_OUT_OF_MEMORY;
    for (size_t frame = begin; status == IMP_STATUS_OK && frame < end; ++frame) {
        impi_progress_set(progress, "frames", frame - begin, end - begin);
        status = find_frame(run, broad, ids, frame, frame == begin);
    }
    imp_broad_destroy(broad);
    free(ids);
    return status;
}

CommandResult pairs_run(PairsRun *run)
{
    if (create_context(run) != COMMAND_DONE || load_sets(run) != COMMAND_DONE)
        return COMMAND_FAILED;
    if (run->frame_count == 0)
        return COMMAND_DONE;
    run->frames = calloc(run->frame_count, sizeof *run->frames);
    if (!run->frames)
        return command_fail("%s: out of memory for %zu frames", run->sets[0].path, run->frame_count);
    impi_Progress *progress = impi_progress_begin();
    impi_progress_set(progress, "finding pairs", 0, 0);
    command_show_progress(run->context, progress);
    impi_Stopwatch watch = impi_stopwatch_start();
    imp_Status status = run->has_frames ? pairs_find_frames(run, progress) : find_once(run);
    run->total_ns = impi_stopwatch_ns(&watch);
    command_show_progress(run->context, NULL);
    impi_progress_end(progress);
    if (status == IMP_STATUS_OK)
        return COMMAND_DONE;
    // Memory may have run out here rather than in the context.
    const char *message = status == IMP_STATUS_OUT_OF_MEMORY ? imp_status_name(status)
                                                             : imp_context_get_error(run->context)->message;
    return command_fail("%s: %s", run->sets[0].path, message);
}

void pairs_run_free_boxes(PairsRun *run)
{
    for (size_t i = 0; run->context && i < run->set_count; ++i)
        impi_npy_free_boxes(run->context, &run->sets[i].boxes);
    if (run->rows) {
        imp_Allocator allocator = impi_memory_meter_allocator(&run->memory);
        allocator.release(run->rows, run->row_capacity * sizeof *run->rows, allocator.user);
    }
}

void pairs_run_free(PairsRun *run)
{
    pairs_run_free_boxes(run);
    imp_context_destroy(run->context);
    free(run->frames);
}

uint64_t pairs_run_total(const PairsRun *run)
{
    uint64_t total = 0;
    for (size_t i = 0; i < run->frame_count; ++i)
        total += run->frames[i].pair_count;
    return total;
}
