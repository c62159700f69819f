#include "arguments.h"
#include "file_options.h"
#include "octree_job.h"
#include "picture_options.h"
#include "playback/pose_text.h"

#include <stdio.h>

static const char *const rules[] = {
    [IMP_MOVE_OVERLAP] = "overlap", [IMP_MOVE_CENTRE] = "centre", [IMP_MOVE_TOUCH] = "touch"};
static const char *const methods[] = {[IMP_MOVE_BEST] = "best",
                                      [IMP_MOVE_PAPER] = "paper",
                                      [IMP_MOVE_PARTIAL] = "partial",
                                      [IMP_MOVE_TRANSLATE] = "translate"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static CommandResult parse_motion(const OctreeJob *job, imp_OctreeMoveDef *def)
{
    const Options *options = job->options;
    const char *pose = options_value(options, "pose"), *slack = options_value(options, "slack");
    impi_ParsedPose parsed = {0};
    size_t rule, method;
    if (!pose)
        return command_fail("octree move: --pose is missing; see 'impinge octree move --help'");
    if (impi_pose_parse(job->context, IMPI_NO_PLACE, "--pose", pose, &parsed) != IMP_STATUS_OK)
        return command_fail_in(job->context);
    if (slack && !argument_length("slack", slack, &def->slack))
        return COMMAND_FAILED;
    if (octree_job_choose(job, "rule", rules, COUNT(rules), &rule) != COMMAND_DONE ||
        octree_job_choose(job, "method", methods, COUNT(methods), &method) != COMMAND_DONE)
        return COMMAND_FAILED;
    def->pose = parsed.pose;
    def->rule = (imp_OctreeMoveRule)rule;
    def->method = (imp_OctreeMoveMethod)method;
    def->compact = options_has(options, "compact");
    return COMMAND_DONE;
}

// Of the result: what is asked for, and the source's where nothing is said.
static CommandResult choose_grid(const OctreeCube *cube, const imp_OctreeGrid *source, imp_OctreeGrid *grid)
{
    OctreeCube chosen = *cube;
    if (!cube->has_cube && cube->level) {
        chosen.origin = source->origin;
        chosen.edge = source->voxel * (double)(1u << source->level);
        chosen.has_cube = true;
    }
    return octree_cube_grid(&chosen, source->level, grid);
}

// With stats.
static CommandResult move(OctreeJob *job, imp_OctreeMoveDef *def, const OctreeFile *source)
{
    char origin[IMP_MAX_ERROR_MESSAGE];
    imp_Octree *octree = NULL;
    imp_OctreeInfo info;
    CommandResult result = COMMAND_DONE;
    if (imp_octree_get_info(source->octree, &info) != IMP_STATUS_OK)
        return command_fail("%s: an octree without information", source->path);
    if (choose_grid(&job->cube, &info.grid, &def->grid) != COMMAND_DONE)
        return COMMAND_FAILED;
    job->watch = impi_stopwatch_start(); // reading is not moving
    if (imp_octree_move(job->context, source->octree, def, &octree) != IMP_STATUS_OK)
        return command_fail("%s: %s", source->path, imp_context_get_error(job->context)->message);
    snprintf(origin, sizeof origin, "%s, moved, %s", source->path, rules[def->rule]);
    result = octree_job_finish(job, octree, origin, def->stats);
    imp_octree_release(octree);
    return result;
}

static CommandResult run_move(const Options *options, impi_Text *output)
{
    OctreeJob job;
    OctreeFile source = {0};
    imp_OctreeMoveStats stats = {0};
    imp_OctreeMoveDef def = {.stats = &stats};
    const OctreeCube none = {0}; // --cube and --level are those of the result
    CommandResult result = octree_job_begin(&job, options, options_value(options, "output"), output);
    if (result == COMMAND_DONE)
        result = parse_motion(&job, &def);
    if (result == COMMAND_DONE)
        result = octree_file_load(job.context, options, options->arguments[0], &none, &source);
    if (result == COMMAND_DONE)
        result = move(&job, &def, &source);
    if (result == COMMAND_DONE)
        octree_file_remark(&source);
    imp_octree_release(source.octree);
    octree_job_end(&job);
    return result;
}

static const OptionSpec move_options[] = {
    OCTREE_OUTPUT_OPTION,
    {.name = "pose",
     .value_count = 1,
     .values = "\"tx ty tz qw qx qy qz\"",
     .help = "turn by the quaternion qw qx qy qz, then shift by tx ty tz; also\n"
             "\"tx ty tz\" alone, \"tx ty tz axis x y z DEGREES\", or a matrix\n"
             "of 3x4 or 4x4 numbers by rows"},
    {.name = "rule",
     .value_count = 1,
     .values = "overlap|centre|touch",
     .help = "which voxels are black: those that have volume in common with\n"
             "a moved cell (overlap, the default), those whose center lies\n"
             "in one (centre), those that share a point with one (touch)"},
    {.name = "slack",
     .value_count = 1,
     .values = "S",
     .help = "take voxels for smaller by this much of their edge on each\n"
             "side, 0 to below 0.5, by overlap and touch (default 0): turns\n"
             "by right angles are off by 1e-16, which adds voxels"},
    OCTREE_CUBE_OPTION("the cube of the result (default: that of the octree)"),
    OCTREE_LEVEL_OPTION("of the result's voxels (default: that of the octree)"),
    {.name = "compact", .help = "move few cubes of any size instead of the black cells"},
    {.name = "method",
     .value_count = 1,
     .values = "best|paper|partial|translate",
     .help = "how it is found, of which the result does not depend: by\n"
             "lists of cubes as Smith & Kitamura (paper), by octrees of\n"
             "parts (partial), by shifting axes (translate)"},
    OCTREE_UNKNOWN_OPTION,
    PICTURE_OPTIONS,
    OCTREE_THREADS_OPTION,
    OCTREE_JSON_OPTION,
    FILE_SIZE_OPTION,
};

const Command command_octree_move = {
    .name = "octree move",
    .summary = "put one in another pose",
    .details = "Turns and shifts each black cell, exactly, and tells which voxels of the cube are black\n"
               "then. What leaves the cube is cut.\n",
    .examples = "  impinge octree move bunny.oct --pose \"0.5 0 0\" -o moved.oct\n"
                "  impinge octree move bunny.oct --pose \"0 0 0 axis 0 0 1 30\" -o turned.oct --rule centre\n"
                "  impinge octree move part.oct --pose \"0 0 0 axis 0 0 1 90\" --slack 1e-9 -o turned.oct\n"
                "  impinge octree move part.oct --pose \"0 0 0\" --cube \"-2 -2 -2 4\" -o larger.oct\n",
    .options = {move_options, sizeof move_options / sizeof *move_options, 1, 1, "FILE"},
    .run = run_move,
};
