#include "file_options.h"

#include "arguments.h"

CommandResult file_options_parse(const Options *options, imp_ContextDef *def)
{
    const char *text = options_value(options, "max-file-bytes");
    uint64_t value = 0;
    if (text && !argument_large_integer("max-file-bytes", text, &value))
        return COMMAND_FAILED;
    def->max_file_bytes = value;
    def->allow_outside_files = options_has(options, "outside-files");
    return COMMAND_DONE;
}

imp_Context *file_options_create_context(const Options *options, uint32_t thread_count)
{
    imp_ContextDef def = {.thread_count = thread_count};
    return file_options_parse(options, &def) == COMMAND_DONE ? command_create_context(&def) : NULL;
}
