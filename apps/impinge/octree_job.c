#include "octree_job.h"

#include "arguments.h"
#include "file_options.h"

#include <stdio.h>
#include <string.h>

CommandResult octree_job_begin(OctreeJob *job, const Options *options, const char *out_path,
                               impi_Text *output)
{
    const char *threads = options_value(options, "threads");
    uint32_t thread_count = 0;
    *job = (OctreeJob){.options = options, .output = output, .out_path = out_path};
    if (threads && !argument_integer("threads", threads, 1, IMP_MAX_THREADS, &thread_count))
        return COMMAND_FAILED;
    if (octree_cube_parse(options, &job->cube) != COMMAND_DONE ||
        octree_output_parse(options, out_path, &job->look) != COMMAND_DONE)
        return COMMAND_FAILED;
    job->context = file_options_create_context(options, thread_count);
    if (!job->context)
        return COMMAND_FAILED;
    job->progress = impi_progress_begin();
    command_show_progress(job->context, job->progress);
    job->watch = impi_stopwatch_start();
    return COMMAND_DONE;
}

void octree_job_end(OctreeJob *job)
{
    if (!job->context)
        return;
    command_show_progress(job->context, NULL);
    impi_progress_end(job->progress);
    imp_context_destroy(job->context);
}

CommandResult octree_job_choose(const OctreeJob *job, const char *option, const char *const *words,
                                size_t count, size_t *chosen)
{
    const char *word = options_value(job->options, option);
    char expected[128] = "";
    *chosen = 0;
    for (size_t i = 0; i < count; ++i) {
        if (word && strcmp(word, words[i]) == 0)
            *chosen = i;
        size_t length = strlen(expected);
        snprintf(expected + length, sizeof expected - length, "%s%s",
                 i == 0          ? ""
                 : i + 1 < count ? ", "
                                 : " or ",
                 words[i]);
    }
    if (word && strcmp(word, words[*chosen]) != 0)
        return command_fail("--%s: expected %s, got \"%s\"", option, expected, word);
    return COMMAND_DONE;
}

CommandResult octree_job_finish(OctreeJob *job, imp_Octree *octree, const char *origin,
                                const imp_OctreeMoveStats *moved)
{
    double seconds = (double)impi_stopwatch_ns(&job->watch) * 1e-9;
    OctreeFile made = {.path = job->out_path, .octree = octree};
    OctreeReport report = {.file = &made, .origin = origin, .seconds = seconds, .moved = moved};
    impi_Text saved;
    impi_text_begin(&saved);
    job->look.title = origin;
    CommandResult result = octree_output_save(job->context, octree, job->out_path, &job->look, &saved);
    if (result == COMMAND_DONE && options_has(job->options, "json")) {
        octree_report_put_json(&report, 1, job->output);
    } else if (result == COMMAND_DONE) {
        octree_report_put(&report, 1, job->output);
        if (saved.bytes.count > 0)
            impi_text_put(job->output, "\n");
        impi_text_append(job->output, saved.bytes.data, saved.bytes.count);
    }
    impi_text_free(&saved);
    return result;
}
