#include "file_options.h"
#include "octree_job.h"
#include "picture_options.h"

#include <stdlib.h>
#include <string.h>

static const char *const operations[] = {[IMP_OCTREE_UNION] = "union",
                                         [IMP_OCTREE_INTERSECTION] = "intersection",
                                         [IMP_OCTREE_DIFFERENCE] = "difference",
                                         "complement"};

#define OPERATION_COUNT (sizeof operations / sizeof *operations)
#define COMPLEMENT      (OPERATION_COUNT - 1) // which takes one octree

static const char *operation_name(size_t index)
{
    return index < OPERATION_COUNT ? operations[index] : NULL;
}

static CommandResult find_operation(const Options *options, size_t *operation)
{
    const char *word = options->arguments[0];
    size_t file_count = options->argument_count - 1;
    for (*operation = 0; *operation < OPERATION_COUNT && strcmp(word, operations[*operation]) != 0;)
        ++*operation;
    if (*operation == OPERATION_COUNT)
        return command_fail(
            "octree combine: expected union, intersection, difference or complement, got '%s'", word);
    if (*operation == COMPLEMENT && file_count > 1)
        return command_fail("octree combine: complement is of one octree, not of %zu", file_count);
    if (*operation != COMPLEMENT && file_count < 2)
        return command_fail("octree combine: %s is of two octrees or more", word);
    return COMMAND_DONE;
}

// One more operand, which becomes the result of all so far. Its octree does not stay in `file`.
static CommandResult add_operand(OctreeJob *job, size_t operation, const char *path, OctreeFile *file,
                                 imp_Octree **octree)
{
    imp_Octree *result = NULL;
    CommandResult loaded = octree_file_load(job->context, job->options, path, &job->cube, file);
    imp_Octree *operand = file->octree;
    file->octree = NULL;
    if (loaded != COMMAND_DONE) {
        imp_octree_release(operand);
        return loaded;
    }
    if (!*octree && operation != COMPLEMENT) {
        *octree = operand;
        return COMMAND_DONE;
    }
    imp_Status status =
        operation == COMPLEMENT
            ? imp_octree_complement(job->context, operand, &result)
            : imp_octree_combine(job->context, (imp_OctreeOperation)operation, *octree, operand, &result);
    imp_octree_release(operand);
    imp_octree_release(*octree);
    *octree = result;
    return status == IMP_STATUS_OK
               ? COMMAND_DONE
               : command_fail("%s: %s", path, imp_context_get_error(job->context)->message);
}

// With room for all files.
static CommandResult combine_all(OctreeJob *job, OctreeFile *files, size_t count)
{
    const Options *options = job->options;
    size_t operation = 0;
    imp_Octree *octree = NULL;
    CommandResult result = find_operation(options, &operation);
    if (result == COMMAND_DONE)
        result = octree_cube_check(&job->cube, options->arguments + 1, count);
    for (size_t i = 0; i < count && result == COMMAND_DONE; ++i)
        result = add_operand(job, operation, options->arguments[i + 1], &files[i], &octree);
    if (result == COMMAND_DONE)
        result = octree_job_finish(job, octree, operations[operation], NULL);
    for (size_t i = 0; i < count && result == COMMAND_DONE; ++i)
        octree_file_remark(&files[i]);
    imp_octree_release(octree);
    return result;
}

static CommandResult run_combine(const Options *options, impi_Text *output)
{
    OctreeJob job;
    size_t count = options->argument_count - 1;
    OctreeFile *files = calloc(count, sizeof *files);
    CommandResult result = octree_job_begin(&job, options, options_value(options, "output"), output);
    if (!files)
        result = command_fail("out of memory");
    else if (result == COMMAND_DONE)
        result = combine_all(&job, files, count);
    free(files);
    octree_job_end(&job);
    return result;
}

static const OptionSpec combine_options[] = {
    OCTREE_OUTPUT_OPTION,
    OCTREE_CUBE_OPTION("the cube of .df and .npy files, which do not tell it\n"
                       "(default: voxels of 1, from 0 0 0 on)"),
    OCTREE_LEVEL_OPTION("of voxels, for .df files (default: of the deepest cells)"),
    OCTREE_UNKNOWN_OPTION,
    PICTURE_OPTIONS,
    OCTREE_JSON_OPTION,
    FILE_SIZE_OPTION,
};

const Command command_octree_combine = {
    .name = "octree combine",
    .summary = "unite, intersect, subtract",
    .details = "OPERATION is union, intersection, difference (the first without the others) or complement\n"
               "(of a single octree). All have to have the same cube and the same voxels; 'impinge octree\n"
               "move --cube' takes one into another cube.\n",
    .examples = "  impinge octree combine union a.oct b.oct -o both.oct\n"
                "  impinge octree combine difference block.oct tool.oct -o left.oct\n"
                "  impinge octree combine intersection a.oct b.oct        how much do they share?\n"
                "  impinge octree combine complement part.oct -o mould.oct\n",
    .options = {combine_options, sizeof combine_options / sizeof *combine_options, 2, 0, "OPERATION FILE..."},
    .argument_choice = operation_name,
    .run = run_combine,
};
