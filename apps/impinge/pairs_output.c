#include "pairs_output.h"

#include "kit/argument_text.h"
#include "pairs_file.h"

#include <inttypes.h>

#define SCHEMA_VERSION 1
#define NS_PER_MS      1e6
#define BYTES_PER_MIB  (1024.0 * 1024.0)

static void put_sets(const PairsRun *run, impi_Text *output)
{
    for (size_t i = 0; i < run->set_count; ++i)
        impi_text_printf(output, "%s: %zu boxes (%s), ", run->sets[i].path, run->sets[i].boxes.box_count,
                         impi_npy_type_name(run->sets[i].boxes.type));
}

static void put_total(const PairsRun *run, impi_Text *output)
{
    impi_text_printf(output, "%" PRIu64 " pairs ", pairs_run_total(run));
    if (run->margin > 0) {
        impi_text_put(output, "at most ");
        impi_text_put_double(output, run->margin);
        impi_text_put(output, " apart\n");
    } else {
        impi_text_put(output, "touch\n");
    }
}

void pairs_put_summary(const PairsRun *run, const char *out_path, impi_Text *output)
{
    uint64_t total = pairs_run_total(run);
    if (run->has_frames) {
        impi_text_printf(output, "%10s %12s %12s %12s\n", "frame", "pairs", "begun", "ended");
        for (size_t i = 0; i < run->frame_count; ++i)
            impi_text_printf(output, "%10zu %12" PRIu64 " %12" PRIu64 " %12" PRIu64 "\n", i,
                             run->frames[i].pair_count, run->frames[i].begun_count,
                             run->frames[i].ended_count);
    } else {
        put_sets(run, output);
        put_total(run, output);
    }
    if (out_path)
        impi_text_printf(output, "%s: %" PRIu64 " rows%s of %s\n", out_path, total,
                         impi_file_ends_in(out_path, "npy") ? " (uint32)" : "",
                         run->has_frames ? "frame, box, box" : "box, box");
    else if (total > 0 && !run->has_frames)
        impi_text_put(output, "-o PAIRS.npy writes them to a file, --csv lists them\n");
}

void pairs_put_counts(const PairsRun *run, impi_Text *output)
{
    for (size_t i = 0; i < run->frame_count; ++i)
        impi_text_printf(output, "%" PRIu64 "\n", run->frames[i].pair_count);
}

void pairs_put_csv(const PairsRun *run, impi_Text *output)
{
    if (!run->has_frames) {
        pairs_put_rows(run, output);
        return;
    }
    impi_text_put(output, "frame,pairs,begun,ended\n");
    for (size_t i = 0; i < run->frame_count; ++i)
        impi_text_printf(output, "%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", i, run->frames[i].pair_count,
                         run->frames[i].begun_count, run->frames[i].ended_count);
}

// ---- figures

static double occupancy(const PairsRun *run)
{
    uint64_t lanes = run->stats.block_counts[0] * IMP_SEARCH_BLOCK_SIZE;
    return lanes ? (double)pairs_run_box_count(run) / (double)lanes : 0;
}

static double stage_ms(const PairsRun *run, imp_SearchStage stage)
{
    return (double)run->stats.stage_ns[stage] / NS_PER_MS;
}

// What is left over: pairs are sorted; with frames, boxes are moved, pairs that a search found for several
// frames are tested, and the result is compared with the frame before.
static double finish_ms(const PairsRun *run)
{
    double rest = (double)run->total_ns / NS_PER_MS;
    for (int stage = 0; stage < IMP_SEARCH_STAGE_COUNT; ++stage)
        rest -= stage_ms(run, stage);
    return rest;
}

static double blocks_met(const PairsRun *run)
{
    double blocks = (double)run->stats.block_counts[0] * (double)run->stats.search_count;
    return blocks > 0 ? (double)run->stats.block_pairs / blocks : 0;
}

void pairs_put_stats(const PairsRun *run, impi_Text *output)
{
    const imp_SearchStats *stats = &run->stats;
    size_t peak = atomic_load(&run->memory.peak);
    impi_text_printf(output, "threads    %u\n", imp_context_get_thread_count(run->context));
    impi_text_printf(output, "levels     %u, of", stats->level_count);
    for (unsigned level = stats->level_count; level-- > 0;)
        impi_text_printf(output, " %" PRIu64, stats->block_counts[level]);
    impi_text_printf(output, " blocks\n");
    impi_text_printf(output, "occupancy  %.1f %% of the lowest blocks, which hold %d boxes each\n",
                     100 * occupancy(run), IMP_SEARCH_BLOCK_SIZE);
    impi_text_printf(output, "overlap    %.1f others met by each block\n", blocks_met(run));
    impi_text_printf(output, "sort       %.3f ms, in %" PRIu64 " of %" PRIu64 " searches\n",
                     stage_ms(run, IMP_SEARCH_SORT), stats->sort_count, stats->search_count);
    impi_text_printf(output, "fill       %.3f ms\n", stage_ms(run, IMP_SEARCH_FILL));
    impi_text_printf(output, "search     %.3f ms\n", stage_ms(run, IMP_SEARCH_PAIRS));
    impi_text_printf(output, "finish     %.3f ms\n", finish_ms(run));
    impi_text_printf(output, "total      %.3f ms\n", (double)run->total_ns / NS_PER_MS);
    impi_text_printf(output, "memory     %.3f MiB at most, what is found included",
                     (double)peak / BYTES_PER_MIB);
    if (pairs_run_box_count(run))
        impi_text_printf(output, " (%.1f bytes per box)", (double)peak / (double)pairs_run_box_count(run));
    impi_text_put(output, "\n");
}

static void put_json_stats(const PairsRun *run, impi_JsonWriter *json)
{
    const imp_SearchStats *stats = &run->stats;
    impi_json_put_key(json, "stats");
    impi_json_begin_object(json);
    impi_json_put_key(json, "thread_count");
    impi_json_put_integer(json, imp_context_get_thread_count(run->context));
    impi_json_put_key(json, "block_counts");
    impi_json_begin_inline_array(json);
    for (unsigned level = stats->level_count; level-- > 0;)
        impi_json_put_integer(json, stats->block_counts[level]);
    impi_json_end_array(json);
    const struct {
        const char *key;
        double value;
    } numbers[] = {
        {"occupancy", occupancy(run)},
        {"blocks_met_per_block", blocks_met(run)},
        {"sort_ms", stage_ms(run, IMP_SEARCH_SORT)},
        {"fill_ms", stage_ms(run, IMP_SEARCH_FILL)},
        {"search_ms", stage_ms(run, IMP_SEARCH_PAIRS)},
        {"finish_ms", finish_ms(run)},
        {"total_ms", (double)run->total_ns / NS_PER_MS},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        impi_json_put_key(json, numbers[i].key);
        impi_json_put_double(json, numbers[i].value);
    }
    impi_json_put_key(json, "sort_count");
    impi_json_put_integer(json, stats->sort_count);
    impi_json_put_key(json, "memory_bytes");
    impi_json_put_integer(json, atomic_load(&run->memory.peak));
    impi_json_end_object(json);
}

static void put_json_frames(const PairsRun *run, impi_JsonWriter *json)
{
    impi_json_put_key(json, "frames");
    impi_json_begin_array(json);
    for (size_t i = 0; i < run->frame_count; ++i) {
        impi_json_begin_object(json);
        impi_json_put_key(json, "frame");
        impi_json_put_integer(json, i);
        impi_json_put_key(json, "pair_count");
        impi_json_put_integer(json, run->frames[i].pair_count);
        impi_json_put_key(json, "begun_count");
        impi_json_put_integer(json, run->frames[i].begun_count);
        impi_json_put_key(json, "ended_count");
        impi_json_put_integer(json, run->frames[i].ended_count);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
}

static void put_json_set(const PairsSet *set, impi_JsonWriter *json)
{
    impi_json_put_key(json, "file");
    impi_json_put_string(json, set->path);
    impi_json_put_key(json, "type");
    impi_json_put_string(json, impi_npy_type_name(set->boxes.type));
    impi_json_put_key(json, "box_count");
    impi_json_put_integer(json, set->boxes.box_count);
}

static void put_json_others(const PairsRun *run, impi_JsonWriter *json)
{
    impi_json_put_key(json, "others");
    if (run->set_count == 2) {
        impi_json_begin_object(json);
        put_json_set(&run->sets[1], json);
        impi_json_end_object(json);
    } else {
        impi_json_put_null(json);
    }
}

impi_JsonWriter pairs_begin_json(const PairsRun *run, const char *out_path, impi_Text *output)
{
    impi_JsonWriter json = impi_json_begin_document(output, SCHEMA_VERSION);
    put_json_set(&run->sets[0], &json);
    put_json_others(run, &json);
    impi_json_put_key(&json, "margin");
    impi_json_put_double(&json, run->margin);
    if (run->has_frames) {
        put_json_frames(run, &json);
    } else {
        impi_json_put_key(&json, "pair_count");
        impi_json_put_integer(&json, run->frames[0].pair_count);
    }
    impi_json_put_key(&json, "output");
    if (out_path)
        impi_json_put_string(&json, out_path);
    else
        impi_json_put_null(&json);
    return json;
}

void pairs_put_json(const PairsRun *run, const char *out_path, impi_Text *output)
{
    impi_JsonWriter json = pairs_begin_json(run, out_path, output);
    if (run->wants_stats)
        put_json_stats(run, &json);
    impi_json_end_document(&json);
}
