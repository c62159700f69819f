#include "arguments.h"
#include "cluster/rank_pairs.h"
#include "commands.h"
#include "pair_rows.h"
#include "pairs_frames.h"
#include "pairs_options.h"
#include "pairs_output.h"
#include "rank_figures.h"

#include <stdlib.h>

typedef struct PairsJob {
    RankJob job;
    PairsRun run; // of all ranks: what is printed
    PairsInput input;
    FrameRows frame_rows;
    imp_RankPairs found; // without frames
    size_t found_length; // of them, as a stretch
} PairsJob;

// Between two sets of which one is empty there is nothing to find; and a first set without boxes would mean
// that there is only one.
static bool has_empty_set(const PairsRun *run)
{
    return run->set_count == 2 && (run->sets[0].boxes.box_count == 0 || run->sets[1].boxes.box_count == 0);
}

static CommandResult find_once(PairsJob *pairs)
{
    RankJob *job = &pairs->job;
    PairsRun *run = &pairs->run;
    imp_BoxArray own;
    imp_RankDef def = {.count_only = !run->wants_list && !run->wants_file,
                       .first_set_count = run->set_count == 2 ? run->sets[0].boxes.box_count : 0,
                       .stats = &job->stats};
    if (pairs_input_read_share(&pairs->input, 0, &own) != COMMAND_DONE)
        return COMMAND_FAILED;
    if (has_empty_set(run))
        return COMMAND_DONE;
    rank_job_pause(job);
    imp_Status status = impi_rank_pairs_find(&job->mpi.exchange, job->context, &own, &def, &pairs->found);
    rank_job_resume(job, IMP_RANK_ORDER);
    if (status != IMP_STATUS_OK)
        return command_fail("%s: %s", run->sets[0].path, imp_context_get_error(job->context)->message);
    run->frames[0].pair_count = pairs->found.total;
    pairs->found_length = pairs->found.count;
    return COMMAND_DONE;
}

static CommandResult find_pairs(PairsJob *pairs, uint64_t memory)
{
    PairsRun *run = &pairs->run;
    if (pairs_input_open(&pairs->input, &pairs->job, run) != COMMAND_DONE)
        return COMMAND_FAILED;
    run->frames = rank_job_allocate(&pairs->job, run->frame_count, sizeof *run->frames);
    if (rank_job_agree(&pairs->job) != COMMAND_DONE)
        return COMMAND_FAILED;
    return run->has_frames ? pairs_frames_find(&pairs->input, memory, &pairs->frame_rows) : find_once(pairs);
}

// ---- what was found

static PairRows rows_of(const PairsJob *pairs)
{
    const PairsRun *run = &pairs->run;
    if (run->has_frames)
        return (PairRows){pairs->frame_rows.numbers, true, 0, pairs->frame_rows.lengths,
                          pairs->frame_rows.stretch_count};
    uint32_t first_b = run->set_count == 2 ? (uint32_t)run->sets[0].boxes.box_count : 0;
    return (PairRows){(const uint32_t *)pairs->found.pairs, false, first_b, &pairs->found_length, 1};
}

// On rank 0; a list of pairs is there already.
static void put_answer(const PairsRun *run, const Options *options, const RankFigures *figures,
                       impi_Text *output)
{
    const char *out_path = options_value(options, "output");
    bool count = options_has(options, "count"), csv = options_has(options, "csv");
    if (options_has(options, "json")) {
        impi_JsonWriter json = pairs_begin_json(run, out_path, output);
        if (run->wants_stats)
            rank_figures_put_json(figures, &json);
        impi_json_end_document(&json);
        return;
    }
    if (count)
        pairs_put_counts(run, output);
    else if (csv && run->has_frames)
        pairs_put_csv(run, output);
    else if (!csv)
        pairs_put_summary(run, out_path, output);
    // Output for programs stays free of figures for people.
    if (run->wants_stats)
        rank_figures_put(figures, count || csv ? &rank_notes : output);
}

static CommandResult put_found(PairsJob *pairs, const Options *options, impi_Text *output)
{
    RankJob *job = &pairs->job;
    PairsRun *run = &pairs->run;
    RankFigures figures = {0};
    PairRows rows = rows_of(pairs);
    const char *out_path = options_value(options, "output");
    CommandResult result = COMMAND_DONE;
    impi_cluster_enter(&job->cluster, IMP_RANK_WRITE);
    if (run->wants_list && !run->has_frames)
        result = pair_rows_put(job, &rows, output);
    if (result == COMMAND_DONE && out_path)
        result = pair_rows_save(job, &rows, pairs_run_total(run), out_path);
    if (result == COMMAND_DONE && run->wants_stats)
        result = rank_figures_gather(job, &figures);
    if (result == COMMAND_DONE && rank_job_rank(job) == 0)
        put_answer(run, options, &figures, output);
    rank_figures_free(&figures);
    return result;
}

static CommandResult read_memory(const Options *options, const RankJob *job, uint64_t *memory)
{
    const char *text = options_value(options, "memory");
    *memory = job->share.memory_bytes / 2;
    return !text || argument_large_integer("memory", text, memory) ? COMMAND_DONE : COMMAND_FAILED;
}

static CommandResult run_pairs(const Options *options, impi_Text *output)
{
    PairsJob pairs = {0};
    uint64_t memory;
    // Ranks may see different files, and so differ in what they refuse.
    if (rank_errors_agree(pairs_options_read(options, &pairs.run)) != COMMAND_DONE)
        return COMMAND_FAILED;
    CommandResult result = rank_job_begin(&pairs.job, &pairs.run.def);
    if (result == COMMAND_DONE)
        result = read_memory(options, &pairs.job, &memory);
    if (result == COMMAND_DONE)
        result = find_pairs(&pairs, memory);
    if (result == COMMAND_DONE)
        result = put_found(&pairs, options, output);
    pairs_frames_free(&pairs.frame_rows);
    pairs_input_close(&pairs.input);
    free(pairs.run.frames);
    rank_job_end(&pairs.job);
    return result;
}

static const OptionSpec pairs_options[] = {
    PAIRS_OPTIONS,
    {.name = "threads",
     .value_count = 1,
     .values = "N",
     .help = "of each rank; default: its share of the cores that they may use"},
    {.name = "stats",
     .help = "tell time, bytes and messages of each part of the work; on standard\n"
             "error with --count and --csv"},
    PAIRS_MEMORY_OPTION,
    FILE_SIZE_OPTION,
};

const Command rank_command_pairs = {
    .name = "pairs",
    .summary = "which of many boxes touch, in one or between two arrays",
    .details = "What 'impinge pairs' finds and prints, found by all processes that mpirun has\n"
               "started. Each reads its share of the boxes, so all of them must see the same files.\n"
               "Of frames each process takes a run.\n"
               "The answer is the same for any number of processes and threads.\n",
    .examples = "  mpirun -n 8 impinge-mpi pairs boxes.npy -o pairs.npy\n"
                "  mpirun -n 8 --hostfile machines impinge-mpi pairs boxes.npy --count --stats\n",
    .options = {pairs_options, sizeof pairs_options / sizeof *pairs_options, 1, 2, "BOXES.npy [OTHERS.npy]"},
    .run = run_pairs,
};
