/// Which pairs are compared, how far apart they shall be and how deep they may touch: options and rules
/// files.
#ifndef IMPINGE_APPS_RULE_OPTIONS_H
#define IMPINGE_APPS_RULE_OPTIONS_H

#include "command.h"
#include "playback/pair_rules.h"

#define RULE_OPTIONS                                                                                         \
    {.name = "ignore",                                                                                       \
     .value_count = 1,                                                                                       \
     .repeatable = true,                                                                                     \
     .values = "A,B",                                                                                        \
     .help = "never compare bodies A and B; names, numbers or patterns,\n"                                   \
             "as in 'link*,tool'"},                                                                          \
        {.name = "ignore-file",                                                                              \
         .value_count = 1,                                                                                   \
         .repeatable = true,                                                                                 \
         .values = "FILE",                                                                                   \
         .help = "the same for each line of a file"},                                                        \
        {.name = "between",                                                                                  \
         .value_count = 2,                                                                                   \
         .repeatable = true,                                                                                 \
         .values = "A B",                                                                                    \
         .help = "compare only bodies A with bodies B, as 'duct*' 'wall*'"},                                 \
        {.name = "group",                                                                                    \
         .value_count = 1,                                                                                   \
         .repeatable = true,                                                                                 \
         .values = "PATTERN",                                                                                \
         .help = "bodies that match belong together: don't compare them with\n"                              \
                 "each other"},                                                                              \
    {                                                                                                        \
        .name = "rules", .value_count = 1, .repeatable = true, .values = "FILE",                             \
        .help = "rules, one a line: between A B, ignore A B, group A,\n"                                     \
                "clearance D [A B], touch-depth T [A B]"                                                     \
    }

/// Read the rules of files, then those of options, and bind them to bodies. `*bound` stays null where there
/// are none. Says what is wrong; remarks on rules that do nothing.
CommandResult rule_options_take(imp_Context *context, const Options *options, const impi_BodyNames *names,
                                impi_PairRules **bound);

#endif
