#include "file_options.h"
#include "octree_job.h"
#include "picture_options.h"

#include <stdio.h>

static const char *const rules[] = {
    [IMP_OCTREE_OUTER] = "outer", [IMP_OCTREE_INNER] = "inner",   [IMP_OCTREE_CENTRE] = "centre",
    [IMP_OCTREE_TOUCH] = "touch", [IMP_OCTREE_SEALED] = "sealed", [IMP_OCTREE_FACES] = "faces"};

#define SOLID_RULE_COUNT 5 // those that --rule takes: faces have an option of their own

static CommandResult choose_rule(const OctreeJob *job, imp_OctreeRule *rule)
{
    static const char *const apart[][2] = {{"rule", "faces"}};
    size_t chosen;
    if (command_refuse_both(job->options, apart, 1) != COMMAND_DONE ||
        octree_job_choose(job, "rule", rules, SOLID_RULE_COUNT, &chosen) != COMMAND_DONE)
        return COMMAND_FAILED;
    *rule = options_has(job->options, "faces") ? IMP_OCTREE_FACES : (imp_OctreeRule)chosen;
    return COMMAND_DONE;
}

static CommandResult build(OctreeJob *job, imp_OctreeRule rule, const char *path)
{
    char origin[IMP_MAX_ERROR_MESSAGE];
    imp_Octree *octree = NULL;
    imp_OctreeDef def = {.rule = rule};
    if (octree_cube_grid(&job->cube, IMP_DEFAULT_OCTREE_LEVEL, &def.grid) != COMMAND_DONE)
        return COMMAND_FAILED;
    if (job->out_path && command_is_same_file(job->out_path, path))
        return command_fail("%s would be written over the mesh that the octree is made of", job->out_path);
    def.mesh = command_load_mesh(job->context, path);
    if (!def.mesh)
        return COMMAND_FAILED;
    CommandResult result = COMMAND_DONE;
    job->watch = impi_stopwatch_start(); // reading is not building
    if (imp_octree_create(job->context, &def, &octree) != IMP_STATUS_OK)
        result = command_fail("%s: %s", path, imp_context_get_error(job->context)->message);
    snprintf(origin, sizeof origin, "%s, %s", path, rules[rule]);
    if (result == COMMAND_DONE)
        result = octree_job_finish(job, octree, origin, NULL);
    imp_octree_release(octree);
    imp_mesh_release(def.mesh);
    return result;
}

static CommandResult run_build(const Options *options, impi_Text *output)
{
    OctreeJob job;
    imp_OctreeRule rule;
    CommandResult result = octree_job_begin(&job, options, options_value(options, "output"), output);
    if (result == COMMAND_DONE)
        result = choose_rule(&job, &rule);
    if (result == COMMAND_DONE)
        result = build(&job, rule, options->arguments[0]);
    octree_job_end(&job);
    return result;
}

static const OptionSpec build_options[] = {
    OCTREE_OUTPUT_OPTION,
    OCTREE_LEVEL_OPTION("2^L voxels along each edge of the cube, L from 1 to 16\n"
                        "(default 6)"),
    OCTREE_CUBE_OPTION("the cube, from x y z on (default: around the mesh, of voxels\n"
                       "whose size is a power of two, on multiples of it)"),
    {.name = "rule",
     .value_count = 1,
     .values = "outer|inner|centre|touch|sealed",
     .help = "what becomes of voxels that the surface goes through: all are\n"
             "black (outer, the default), none is (inner), those whose\n"
             "center is in the solid (centre); touch takes those that only\n"
             "share boundary points, too. sealed is for open meshes: what\n"
             "faces touch, and what can't be reached from outside"},
    {.name = "faces",
     .help = "any mesh, no inside: black are voxels that faces touch; to\n"
             "a .csv file, each voxel with the faces that touch it"},
    PICTURE_OPTIONS,
    OCTREE_THREADS_OPTION,
    OCTREE_JSON_OPTION,
    FILE_SIZE_OPTION,
    FILE_PLACE_OPTION,
};

const Command command_octree_build = {
    .name = "octree build",
    .summary = "make one of a mesh",
    .details = "Divides a cube around the mesh, or the one that is asked for, into voxels, and tells which\n"
               "of them belong to it, exactly: the mesh is taken as the solid that it bounds.\n",
    .examples = "  impinge octree build bunny.obj                              how many voxels?\n"
                "  impinge octree build bunny.obj -o bunny.oct --level 8\n"
                "  impinge octree build bunny.obj -o bunny.svg --rule centre   a picture\n"
                "  impinge octree build part.stl -o part.npy --cube \"0 0 0 128\" --level 7\n"
                "  impinge octree build scan.ply -o scan.bt --rule sealed\n"
                "  impinge octree build scan.ply -o faces.csv --faces\n",
    .options = {build_options, sizeof build_options / sizeof *build_options, 1, 1, "MESH"},
    .run = run_build,
};
