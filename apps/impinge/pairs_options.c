#include "pairs_options.h"

#include "arguments.h"
#include "pairs_file.h"

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
    return COMMAND_DONE;
}

CommandResult pairs_options_read(const Options *options, PairsRun *run)
{
    const char *threads = options_value(options, "threads"), *out_path = options_value(options, "output");
    const char *margin = options_value(options, "margin");
    run->set_count = options->argument_count;
    run->wants_list = options_has(options, "csv");
    run->wants_file = out_path != NULL;
    run->wants_stats = options_has(options, "stats");
    if (check_formats(options) != COMMAND_DONE || (out_path && pairs_file_check(out_path) != COMMAND_DONE) ||
        (margin && !argument_length("margin", margin, &run->margin)) ||
        (threads && !argument_integer("threads", threads, 1, IMP_MAX_THREADS, &run->def.thread_count)))
        return COMMAND_FAILED;
    for (size_t i = 0; i < options->argument_count; ++i) {
        run->sets[i].path = options->arguments[i];
        if (out_path && command_is_same_file(out_path, run->sets[i].path))
            return command_fail("%s would be written over the boxes", out_path);
    }
    return file_options_parse(options, &run->def);
}
