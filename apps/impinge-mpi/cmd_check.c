#include "arguments.h"
#include "commands.h"
#include "file_options.h"
#include "rank_check.h"
#include "rank_figures.h"

static const char *const exclusions[][2] = {{"csv", "json"}};

static CommandResult read_options(const Options *options, RankCheckDef *def, imp_ContextDef *context_def)
{
    const char *threads = options_value(options, "threads");
    *def = (RankCheckDef){.path = options->arguments[0]};
    *context_def = (imp_ContextDef){0};
    if (threads && !argument_integer("threads", threads, 1, IMP_MAX_THREADS, &context_def->thread_count))
        return COMMAND_FAILED;
    if (command_refuse_both(options, exclusions, sizeof exclusions / sizeof *exclusions) != COMMAND_DONE ||
        check_listing_parse(options, &def->listing) != COMMAND_DONE)
        return COMMAND_FAILED;
    return file_options_parse(options, context_def);
}

static CommandResult check(RankJob *job, const RankCheckDef *def, bool wants_stats, impi_Text *output)
{
    RankFigures figures = {0};
    rank_job_pause(job);
    CommandResult result = rank_check_run(&job->mpi.exchange, job->context, def, output);
    // Rank 0 may have failed alone, as it printed.
    result = rank_errors_agree(result);
    rank_job_resume(job, IMP_RANK_WRITE);
    command_take_remarks(&rank_notes); // rank 0 alone has any
    if (result == COMMAND_FAILED || !wants_stats)
        return result;
    if (rank_figures_gather(job, &figures) != COMMAND_DONE)
        result = COMMAND_FAILED;
    else if (rank_job_rank(job) == 0)
        rank_figures_put(&figures, &rank_notes);
    rank_figures_free(&figures);
    return result;
}

static CommandResult run_check(const Options *options, impi_Text *output)
{
    RankJob job;
    RankCheckDef def;
    imp_ContextDef context_def;
    command_use_file_style();
    if (read_options(options, &def, &context_def) != COMMAND_DONE)
        return COMMAND_FAILED;
    CommandResult result = rank_job_begin(&job, &context_def);
    def.stats = &job.stats;
    if (result == COMMAND_DONE)
        result = check(&job, &def, options_has(options, "stats"), output);
    rank_job_end(&job);
    return result;
}

static const OptionSpec check_options[] = {
    CHECK_LISTING_OPTIONS,
    CHECK_MAX_OPTION,
    {.name = "threads",
     .value_count = 1,
     .values = "N",
     .help = "of each rank; default: its share of the cores that they may use"},
    {.name = "stats", .help = "tell time, bytes and messages of each part of the work, on standard\nerror"},
    FILE_SIZE_OPTION,
    FILE_PLACE_OPTION,
};

const Command rank_command_check = {
    .name = "check",
    .summary = "which of thousands of bodies touch, with which faces",
    .details = "What 'impinge check' finds and prints, found by all processes that mpirun has\n"
               "started, of the bodies in a manifest: a text with a body in each line,\n"
               "\n"
               "  FILE [tx ty tz qw qx qy qz]\n"
               "\n"
               "the file relative to the folder of the manifest, and the pose as --pose of 'impinge\n"
               "check' has it. Lines that begin with '#' are comments. Each file is one body, also of\n"
               "several nodes, and is read by one process; all of them must see the same files. A\n"
               "file that is named more than once is read once.\n"
               "The answer is the same for any number of processes and threads.\n"
               "\n"
               "Exit status: 0 nothing touches or is inside, 1 something does, 2 error.\n",
    .examples = "  mpirun -n 8 impinge-mpi check plant.txt --pairs\n"
                "  mpirun -n 8 --hostfile machines impinge-mpi check plant.txt --csv >faces.csv\n",
    .options = {check_options, sizeof check_options / sizeof *check_options, 1, 1, "MANIFEST"},
    .run = run_check,
};
