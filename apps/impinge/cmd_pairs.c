#include "arguments.h"
#include "kit/argument_text.h"
#include "pairs_file.h"
#include "pairs_options.h"
#include "pairs_output.h"
#include "pairs_sample.h"
#include "ranks.h"

#include <stdio.h>
#include <string.h>

#define MAX_SAMPLE_FRAMES 10000

static CommandResult write_sample(const Options *options, impi_Text *output)
{
    static const char *const others[] = {"output", "count",          "csv",   "json",     "threads", "stats",
                                         "margin", "max-file-bytes", "ranks", "hostfile", "memory"};
    uint32_t box_count, frame_count = 0;
    const char *frames = options_value(options, "frames"), *path = options->arguments[0];
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        if (options_has(options, others[i]))
            return command_fail("--sample writes boxes and finds no pairs, so --%s makes no sense with it",
                                others[i]);
    if (options->argument_count > 1)
        return command_fail("--sample writes one file, unexpected argument '%s'", options->arguments[1]);
    if (!impi_file_ends_in(path, "npy"))
        return command_fail("%s: boxes are written as .npy, and the name does not end in it", path);
    if (!argument_integer("sample", options_value(options, "sample"), 1, UINT32_MAX - 1, &box_count))
        return COMMAND_FAILED;
    if (frames && !argument_integer("frames", frames, 1, MAX_SAMPLE_FRAMES, &frame_count))
        return COMMAND_FAILED;
    if (pairs_sample_save(path, box_count, frame_count) != COMMAND_DONE)
        return COMMAND_FAILED;
    impi_text_printf(output, "%s: %u boxes", path, box_count);
    if (frames)
        impi_text_printf(output, " in %u frames", frame_count);
    impi_text_put(output, "\n");
    return COMMAND_DONE;
}

// Output for programs stays free of figures for people.
static void put_stats_apart(const PairsRun *run)
{
    impi_Text text;
    impi_text_begin(&text);
    pairs_put_stats(run, &text);
    fwrite(text.bytes.data, 1, text.bytes.count, stderr);
    impi_text_free(&text);
}

static void put_run(const PairsRun *run, const Options *options, impi_Text *output)
{
    const char *out_path = options_value(options, "output");
    bool count = options_has(options, "count"), csv = options_has(options, "csv");
    if (options_has(options, "json")) {
        pairs_put_json(run, out_path, output);
        return;
    }
    if (count)
        pairs_put_counts(run, output);
    else if (csv)
        pairs_put_csv(run, output);
    else
        pairs_put_summary(run, out_path, output);
    if (run->wants_stats && (count || csv))
        put_stats_apart(run);
    else if (run->wants_stats)
        pairs_put_stats(run, output);
}

static CommandResult check_companions(const Options *options)
{
    static const char *const companions[][2] = {
        {"frames", "sample"}, {"hostfile", "ranks"}, {"memory", "ranks"}};
    for (size_t i = 0; i < sizeof companions / sizeof *companions; ++i)
        if (options_has(options, companions[i][0]) && !options_has(options, companions[i][1]))
            return command_fail("--%s is for --%s", companions[i][0], companions[i][1]);
    return COMMAND_DONE;
}

static CommandResult run_pairs(const Options *options, impi_Text *output)
{
    const char *out_path = options_value(options, "output");
    PairsRun run = {.def = {.thread_count = IMP_ALL_CORES}};
    if (options_has(options, "sample"))
        return write_sample(options, output);
    if (check_companions(options) != COMMAND_DONE || pairs_options_read(options, &run) != COMMAND_DONE)
        return COMMAND_FAILED;
    if (options_has(options, "ranks"))
        return ranks_run(&command_pairs, options, output);
    CommandResult result = pairs_run(&run);
    if (result == COMMAND_DONE && out_path)
        result = pairs_file_save(&run, out_path);
    if (result == COMMAND_DONE)
        put_run(&run, options, output);
    pairs_run_free(&run);
    return result;
}

static const OptionSpec pairs_options[] = {
    PAIRS_OPTIONS,
    {.name = "threads", .value_count = 1, .values = "N", .help = "default: all cores that it may use"},
    {.name = "stats",
     .help = "tell levels, occupancy, time per stage and memory; on standard\n"
             "error with --count and --csv"},
    {.name = "sample",
     .value_count = 1,
     .values = "N",
     .help = "write N random cubes to BOXES.npy instead, to try things on"},
    {.name = "frames", .value_count = 1, .values = "F", .help = "with --sample: in motion, F frames"},
    RANKS_OPTIONS,
    PAIRS_MEMORY_OPTION,
    FILE_SIZE_OPTION,
};

const Command command_pairs = {
    .name = "pairs",
    .summary = "which of many boxes touch, in one or between two arrays",
    .details = "BOXES.npy is a NumPy array of shape (boxes, 6), rows min x, y, z, max x, y, z, or\n"
               "(boxes, 2, 3), min and max; of flat boxes (boxes, 4) or (boxes, 2, 2); or with frames\n"
               "before the boxes, which then move. Floats or integers, in C or Fortran order. Boxes are\n"
               "closed: touching counts. With OTHERS.npy, pairs are a box of the one and a box of the\n"
               "other file. With frames, a line for each tells how many pairs there are, how many of\n"
               "them have begun since the frame before, and how many have ended.\n"
               "The answer is exact and the same for any number of threads, and of ranks.\n",
    .examples = "  impinge pairs boxes.npy -o pairs.npy        all pairs\n"
                "  impinge pairs boxes.npy --count             how many?\n"
                "  impinge pairs walls.npy ducts.npy --csv     which duct meets which wall?\n"
                "  impinge pairs boxes.npy --margin 0.5        which come as near as that?\n"
                "  impinge pairs motion.npy --csv              what happens from frame to frame?\n"
                "  impinge pairs --sample 1000000 boxes.npy    a million cubes to try it on\n"
                "  impinge pairs boxes.npy --stats             what does it take?\n"
                "  impinge pairs boxes.npy --ranks 8           eight processes, by Open MPI\n",
    .options = {pairs_options, sizeof pairs_options / sizeof *pairs_options, 1, 2, "BOXES.npy [OTHERS.npy]"},
    .run = run_pairs,
};
