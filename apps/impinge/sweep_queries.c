#include "sweep_queries.h"

#include "arguments.h"
#include "file_options.h"
#include "kit/argument_text.h"
#include "kit/json_writer.h"
#include "kit/npy_queries.h"
#include "kit/npy_writer.h"
#include "kit/safe_text.h"
#include "sweep_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA_VERSION 1

typedef imp_Status (*SweepFn)(imp_Context *context, const imp_SweepQuery *queries, size_t count,
                              double *times);

typedef struct QueryKind {
    const char *name;
    SweepFn sweep;
} QueryKind;

static const QueryKind kinds[] = {{"vertex-face", imp_sweep_vertex_faces}, {"edge-edge", imp_sweep_edges}};

// One run, and what it has found.
typedef struct QueriesRun {
    const QueryKind *kind;
    const char *in_path, *out_path; // out: null for none
    imp_Context *context;
    impi_NpyQueries queries;
    double *times;
    size_t touch_count;
    double first_time; // NaN: none touches
} QueriesRun;

// ---- the command line

static CommandResult find_kind(const char *name, const QueryKind **kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (strcmp(name, kinds[i].name) == 0) {
            *kind = &kinds[i];
            return COMMAND_DONE;
        }
    return command_fail("--queries: expected vertex-face or edge-edge, got \"%s\"", name);
}

static CommandResult check_npy(const char *path, const char *what)
{
    if (impi_file_ends_in(path, "npy"))
        return COMMAND_DONE;
    return command_fail("%s: %s are written as .npy, and the name does not end in it", path, what);
}

// Everything but what is about files and sizes belongs to meshes.
static CommandResult check_options(const Options *options)
{
    static const char *const own[] = {"queries", "output",  "csv",           "json",
                                      "sample",  "threads", "max-file-bytes"};
    for (size_t i = 0; i < options->use_count; ++i) {
        const char *name = options->uses[i].spec->name;
        size_t k = 0;
        while (k < sizeof own / sizeof *own && strcmp(own[k], name) != 0)
            ++k;
        if (k == sizeof own / sizeof *own)
            return command_fail("--queries and --%s exclude each other", name);
    }
    if (options->argument_count > 1)
        return command_fail("--queries reads one file, unexpected argument '%s'", options->arguments[1]);
    if (options_has(options, "csv") && options_has(options, "json"))
        return command_fail("--csv and --json exclude each other");
    return COMMAND_DONE;
}

static CommandResult write_sample(const Options *options, impi_Text *output)
{
    static const char *const others[] = {"output", "csv", "json", "threads", "max-file-bytes"};
    const char *path = options->arguments[0];
    uint32_t count;
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        if (options_has(options, others[i]))
            return command_fail("--sample writes queries and answers none, so --%s makes no sense with it",
                                others[i]);
    if (check_npy(path, "queries") != COMMAND_DONE ||
        !argument_integer("sample", options_value(options, "sample"), 1, UINT32_MAX, &count) ||
        sweep_sample_save(path, count) != COMMAND_DONE)
        return COMMAND_FAILED;
    impi_text_put_shown(output, path);
    impi_text_printf(output, ": %u queries\n", count);
    return COMMAND_DONE;
}

// ---- the run

static CommandResult load_queries(QueriesRun *run)
{
    if (impi_npy_load_queries(run->context, run->in_path, &run->queries) != IMP_STATUS_OK)
        return command_fail_in(run->context);
    run->times = calloc(run->queries.count + 1, sizeof *run->times);
    return run->times ? COMMAND_DONE
                      : command_fail("%s: out of memory for %zu times", run->in_path, run->queries.count);
}

static CommandResult find_times(QueriesRun *run)
{
    impi_Progress *progress = impi_progress_begin();
    command_show_progress(run->context, progress);
    imp_Status status = run->kind->sweep(run->context, run->queries.queries, run->queries.count, run->times);
    command_show_progress(run->context, NULL);
    impi_progress_end(progress);
    if (status != IMP_STATUS_OK)
        return command_fail("%s: %s", run->in_path, imp_context_get_error(run->context)->message);
    run->first_time = (double)NAN;
    for (size_t i = 0; i < run->queries.count; ++i) {
        run->touch_count += !isnan(run->times[i]);
        run->first_time = fmin(run->first_time, run->times[i]);
    }
    return COMMAND_DONE;
}

static CommandResult save_times(const QueriesRun *run)
{
    const impi_NpyArray array = {IMPI_NPY_FLOAT64, 1, {run->queries.count}, run->times};
    if (run->out_path && impi_npy_save(run->context, run->out_path, &array) != IMP_STATUS_OK)
        return command_fail_in(run->context);
    return COMMAND_DONE;
}

// ---- output

static void put_summary(const QueriesRun *run, impi_Text *output)
{
    impi_text_put_shown(output, run->in_path);
    impi_text_printf(output, ": %zu queries (%s), %zu touch", run->queries.count,
                     impi_npy_type_name(run->queries.type), run->touch_count);
    if (run->touch_count > 0) {
        impi_text_put(output, ", the first at ");
        impi_text_put_double(output, run->first_time);
    }
    impi_text_put(output, "\n");
    if (run->out_path) {
        impi_text_put_shown(output, run->out_path);
        impi_text_printf(output, ": %zu times (float64), NaN for none\n", run->queries.count);
    } else if (run->touch_count > 0) {
        impi_text_put(output, "-o TIMES.npy writes them to a file, --csv lists them\n");
    }
}

static void put_csv(const QueriesRun *run, impi_Text *output)
{
    impi_text_put(output, "query,time\n");
    for (size_t i = 0; i < run->queries.count; ++i) {
        impi_text_put_integer(output, (int64_t)i);
        impi_text_put(output, ",");
        if (!isnan(run->times[i]))
            impi_text_put_double(output, run->times[i]);
        impi_text_put(output, "\n");
    }
}

static void put_json(const QueriesRun *run, impi_Text *output)
{
    impi_JsonWriter json = impi_json_begin_document(output, SCHEMA_VERSION);
    impi_json_put_key(&json, "file");
    impi_json_put_string(&json, run->in_path);
    impi_json_put_key(&json, "type");
    impi_json_put_string(&json, impi_npy_type_name(run->queries.type));
    impi_json_put_key(&json, "queries");
    impi_json_put_string(&json, run->kind->name);
    impi_json_put_key(&json, "query_count");
    impi_json_put_integer(&json, run->queries.count);
    impi_json_put_key(&json, "touch_count");
    impi_json_put_integer(&json, run->touch_count);
    impi_json_put_key(&json, "first_time");
    impi_json_put_double(&json, run->first_time);
    impi_json_put_key(&json, "output");
    if (run->out_path)
        impi_json_put_string(&json, run->out_path);
    else
        impi_json_put_null(&json);
    impi_json_end_document(&json);
}

CommandResult sweep_queries(const Options *options, impi_Text *output)
{
    QueriesRun run = {.in_path = options->arguments[0], .out_path = options_value(options, "output")};
    const char *threads = options_value(options, "threads");
    uint32_t thread_count = 0;
    if (find_kind(options_value(options, "queries"), &run.kind) != COMMAND_DONE ||
        check_options(options) != COMMAND_DONE)
        return COMMAND_FAILED;
    if (options_has(options, "sample"))
        return write_sample(options, output);
    if ((run.out_path && check_npy(run.out_path, "times") != COMMAND_DONE) ||
        (threads && !argument_integer("threads", threads, 1, IMP_MAX_THREADS, &thread_count)))
        return COMMAND_FAILED;
    if (run.out_path && command_is_same_file(run.out_path, run.in_path))
        return command_fail("%s would be written over the queries", run.out_path);
    run.context = file_options_create_context(options, thread_count);
    if (!run.context)
        return COMMAND_FAILED;
    CommandResult result = load_queries(&run);
    if (result == COMMAND_DONE)
        result = find_times(&run);
    if (result == COMMAND_DONE)
        result = save_times(&run);
    if (result == COMMAND_DONE)
        (options_has(options, "json")  ? put_json
         : options_has(options, "csv") ? put_csv
                                       : put_summary)(&run, output);
    free(run.times);
    impi_npy_free_queries(run.context, &run.queries);
    imp_context_destroy(run.context);
    return result;
}
