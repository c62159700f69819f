#include "file_options.h"
#include "octree_job.h"
#include "picture_options.h"

// What was read, written under another name.
static CommandResult save(OctreeJob *job, const OctreeFile *file)
{
    OctreeFile written = *file;
    OctreeReport report = {.file = &written};
    impi_Text saved;
    impi_text_begin(&saved);
    written.path = job->out_path;
    CommandResult result = octree_output_save(job->context, file->octree, job->out_path, &job->look, &saved);
    if (result == COMMAND_DONE && options_has(job->options, "json"))
        octree_report_put_json(&report, 1, job->output);
    else if (result == COMMAND_DONE)
        impi_text_append(job->output, saved.bytes.data, saved.bytes.count);
    impi_text_free(&saved);
    return result;
}

static CommandResult run_convert(const Options *options, impi_Text *output)
{
    OctreeJob job;
    OctreeFile file = {0};
    CommandResult result = octree_job_begin(&job, options, options->arguments[1], output);
    job.look.title = options->arguments[0];
    if (result == COMMAND_DONE)
        result = octree_cube_check(&job.cube, options->arguments, 1); // not of the one that is written
    if (result == COMMAND_DONE)
        result = octree_file_load(job.context, options, options->arguments[0], &job.cube, &file);
    if (result == COMMAND_DONE)
        result = save(&job, &file);
    if (result == COMMAND_DONE)
        octree_file_remark(&file);
    imp_octree_release(file.octree);
    octree_job_end(&job);
    return result;
}

static const OptionSpec convert_options[] = {
    OCTREE_CUBE_OPTION("the cube of .df and .npy files, which do not tell it\n"
                       "(default: voxels of 1, from 0 0 0 on)"),
    OCTREE_LEVEL_OPTION("of voxels, for .df files (default: of the deepest cells)"),
    OCTREE_UNKNOWN_OPTION,
    PICTURE_OPTIONS,
    OCTREE_JSON_OPTION,
    FILE_SIZE_OPTION,
};

const Command command_octree_convert = {
    .name = "octree convert",
    .summary = "write one in another format, or its surface, or a picture",
    .details = "The ending of OUT decides: .oct, .df, .bt (OctoMap) and .npy hold the octree; .obj, .stl,\n"
               ".ply and .off hold the surface of what is black, two triangles for each wall; .svg is a\n"
               "picture of it. OUT appears whole or not at all.\n",
    .examples = "  impinge octree convert bunny.oct bunny.npy\n"
                "  impinge octree convert map.bt map.oct --unknown black\n"
                "  impinge octree convert voxels.npy part.stl --cube \"0 0 0 12.8\"\n"
                "  impinge octree convert bunny.oct bunny.svg --view left\n",
    .options = {convert_options, sizeof convert_options / sizeof *convert_options, 2, 2, "FILE OUT"},
    .run = run_convert,
};
