#include "file_options.h"

#include <inttypes.h>

#define LARGEST_LIMIT ((uint64_t)1000000000000000000)

CommandResult file_options_parse(const Options *options, imp_ContextDef *def)
{
    const char *text = options_value(options, "max-file-bytes"), *digit = text;
    uint64_t value = 0;
    for (; digit && *digit >= '0' && *digit <= '9' && value <= LARGEST_LIMIT; ++digit)
        value = 10 * value + (uint64_t)(*digit - '0');
    if (text && (value == 0 || value > LARGEST_LIMIT || *digit))
        return command_fail("--max-file-bytes: expected a whole number from 1 to %" PRIu64 ", got \"%s\"",
                            LARGEST_LIMIT, text);
    def->max_file_bytes = value;
    def->allow_outside_files = options_has(options, "outside-files");
    return COMMAND_DONE;
}

imp_Context *file_options_create_context(const Options *options, uint32_t thread_count)
{
    imp_ContextDef def = {.thread_count = thread_count};
    return file_options_parse(options, &def) == COMMAND_DONE ? command_create_context(&def) : NULL;
}
