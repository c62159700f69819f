#include "arguments.h"
#include "file_options.h"
#include "kit/argument_text.h"
#include "pairs_file.h"
#include "pairs_output.h"
#include "pairs_sample.h"

#include <stdio.h>
#include <string.h>

#define MAX_SAMPLE_FRAMES 10000

static CommandResult write_sample(const Options *options, impi_Text *output)
{
    static const char *const others[] = {"output",  "count", "csv",    "json",
                                         "threads", "stats", "margin", "max-file-bytes"};
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

static CommandResult check_formats(const Options *options)
{
    static const char *const formats[] = {"count", "csv", "json"};
    const char *chosen = NULL;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
        if (!options_has(options, formats[i]))
            continue;
        if (chosen)
            return command_fail("--%s and --%s exclude each other", chosen, formats[i]);
        chosen = formats[i];
    }
    if (options_has(options, "frames"))
        return command_fail("--frames is for --sample");
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

static CommandResult run_pairs(const Options *options, impi_Text *output)
{
    const char *threads = options_value(options, "threads"), *out_path = options_value(options, "output");
    const char *margin = options_value(options, "margin");
    PairsRun run = {.set_count = options->argument_count,
                    .wants_list = options_has(options, "csv"),
                    .wants_file = out_path != NULL,
                    .wants_stats = options_has(options, "stats"),
                    .def = {.thread_count = IMP_ALL_CORES}};
    if (options_has(options, "sample"))
        return write_sample(options, output);
    if (check_formats(options) != COMMAND_DONE || (out_path && pairs_file_check(out_path) != COMMAND_DONE) ||
        (margin && !argument_length("margin", margin, &run.margin)) ||
        (threads && !argument_integer("threads", threads, 1, IMP_MAX_THREADS, &run.def.thread_count)))
        return COMMAND_FAILED;
    for (size_t i = 0; i < options->argument_count; ++i) {
        run.sets[i].path = options->arguments[i];
        if (out_path && command_is_same_file(out_path, run.sets[i].path))
            return command_fail("%s would be written over the boxes", out_path);
    }
    if (file_options_parse(options, &run.def) != COMMAND_DONE)
        return COMMAND_FAILED;
    CommandResult result = pairs_run(&run);
    if (result == COMMAND_DONE && out_path)
        result = pairs_file_save(&run, out_path);
    if (result == COMMAND_DONE)
        put_run(&run, options, output);
    pairs_run_free(&run);
    return result;
}

static const OptionSpec pairs_options[] = {
    {.name = "output",
     .letter = 'o',
     .value_count = 1,
     .values = "PAIRS",
     .help = "write the pairs: .npy as an array of shape (pairs, 2), uint32,\n"
             "sorted; with frames (pairs, 3), the frame first; .csv as\n"
             "box_a,box_b, with frames frame,box_a,box_b"},
    {.name = "margin",
     .value_count = 1,
     .values = "D",
     .help = "boxes that are at most D apart along each axis are pairs too"},
    {.name = "count", .help = "print the number of pairs alone; with frames, one per line"},
    {.name = "csv", .help = "list the pairs: box_a,box_b; with frames frame,pairs,begun,ended"},
    {.name = "json", .help = "print JSON, for programs"},
    {.name = "threads", .value_count = 1, .values = "N", .help = "default: all cores that it may use"},
    {.name = "stats",
     .help = "tell levels, occupancy, time per stage and memory; on standard\n"
             "error with --count and --csv"},
    {.name = "sample",
     .value_count = 1,
     .values = "N",
     .help = "write N random cubes to BOXES.npy instead, to try things on"},
    {.name = "frames", .value_count = 1, .values = "F", .help = "with --sample: in motion, F frames"},
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
               "The answer is exact and the same for any number of threads.\n",
    .examples = "  impinge pairs boxes.npy -o pairs.npy        all pairs\n"
                "  impinge pairs boxes.npy --count             how many?\n"
                "  impinge pairs walls.npy ducts.npy --csv     which duct meets which wall?\n"
                "  impinge pairs boxes.npy --margin 0.5        which come as near as that?\n"
                "  impinge pairs motion.npy --csv              what happens from frame to frame?\n"
                "  impinge pairs --sample 1000000 boxes.npy    a million cubes to try it on\n"
                "  impinge pairs boxes.npy --stats             what does it take?\n",
    .options = {pairs_options, sizeof pairs_options / sizeof *pairs_options, 1, 2, "BOXES.npy [OTHERS.npy]"},
    .run = run_pairs,
};
