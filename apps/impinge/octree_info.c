#include "file_options.h"
#include "octree_job.h"

#include <stdlib.h>

static CommandResult look_at(OctreeJob *job, OctreeFile *files, OctreeReport *reports)
{
    const Options *options = job->options;
    CommandResult result = octree_cube_check(&job->cube, options->arguments, options->argument_count);
    for (size_t i = 0; i < options->argument_count && result == COMMAND_DONE; ++i) {
        result = octree_file_load(job->context, options, options->arguments[i], &job->cube, &files[i]);
        reports[i].file = &files[i];
    }
    if (result == COMMAND_DONE && options_has(options, "json"))
        octree_report_put_json(reports, options->argument_count, job->output);
    else if (result == COMMAND_DONE)
        octree_report_put(reports, options->argument_count, job->output);
    return result;
}

static CommandResult run_info(const Options *options, impi_Text *output)
{
    size_t count = options->argument_count;
    OctreeJob job;
    OctreeFile *files = calloc(count, sizeof *files);
    OctreeReport *reports = calloc(count, sizeof *reports);
    CommandResult result = octree_job_begin(&job, options, NULL, output);
    if (!files || !reports)
        result = command_fail("out of memory");
    else if (result == COMMAND_DONE)
        result = look_at(&job, files, reports);
    for (size_t i = 0; i < count && files; ++i)
        imp_octree_release(files[i].octree);
    free(files);
    free(reports);
    octree_job_end(&job);
    return result;
}

static const OptionSpec info_options[] = {
    OCTREE_CUBE_OPTION("the cube of .df and .npy files, which do not tell it\n"
                       "(default: voxels of 1, from 0 0 0 on)"),
    OCTREE_LEVEL_OPTION("of voxels, for .df files (default: of the deepest cells)"),
    OCTREE_UNKNOWN_OPTION,
    OCTREE_JSON_OPTION,
    FILE_SIZE_OPTION,
};

const Command command_octree_info = {
    .name = "octree info",
    .summary = "what octrees hold",
    .details = "Tells the cube and its voxels, how many are black, their volume and bounds, and the cells\n"
               "of each level: gray ones are divided. Files: .oct, .df, .bt (OctoMap) and .npy.\n",
    .examples = "  impinge octree info bunny.oct\n"
                "  impinge octree info map.bt --unknown black\n"
                "  impinge octree info --json a.oct b.oct\n",
    .options = {info_options, sizeof info_options / sizeof *info_options, 1, 0, "FILE..."},
    .run = run_info,
};
