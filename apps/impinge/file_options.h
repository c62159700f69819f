/// The options of commands that read files: how much may be read, and from where.
#ifndef IMPINGE_APPS_FILE_OPTIONS_H
#define IMPINGE_APPS_FILE_OPTIONS_H

#include "command.h"

/// In the table of a command.
#define FILE_SIZE_OPTION                                                                                     \
    {                                                                                                        \
        .name = "max-file-bytes", .value_count = 1, .values = "N",                                           \
        .help = "refuse files of more than N bytes (default: 64 GiB, and 1 GiB\n"                            \
                "of what has no size, as pipes)"                                                             \
    }
#define FILE_PLACE_OPTION                                                                                    \
    {                                                                                                        \
        .name = "outside-files", .help = "let files name others outside of their folder, as scenes do\n"     \
                                         "with their buffers"                                                \
    }

/// Take them over into the def of a context; those that a command does not have are left alone. Says what is
/// wrong.
CommandResult file_options_parse(const Options *options, imp_ContextDef *def);

/// command_create_context with them. Null after saying why.
imp_Context *file_options_create_context(const Options *options, uint32_t thread_count);

#endif
