/// Options of `impinge pairs` that hold as well where ranks find the pairs.
#ifndef IMPINGE_APPS_PAIRS_OPTIONS_H
#define IMPINGE_APPS_PAIRS_OPTIONS_H

#include "file_options.h"
#include "pairs_run.h"

/// In the table of a command.
#define PAIRS_OPTIONS                                                                                        \
    {.name = "output",                                                                                       \
     .letter = 'o',                                                                                          \
     .value_count = 1,                                                                                       \
     .values = "PAIRS",                                                                                      \
     .help = "write the pairs: .npy as an array of shape (pairs, 2), uint32,\n"                              \
             "sorted; with frames (pairs, 3), the frame first; .csv as\n"                                    \
             "box_a,box_b, with frames frame,box_a,box_b"},                                                  \
        {.name = "margin",                                                                                   \
         .value_count = 1,                                                                                   \
         .values = "D",                                                                                      \
         .help = "boxes that are at most D apart along each axis are pairs too"},                            \
        {.name = "count", .help = "print the number of pairs alone; with frames, one per line"},             \
        {.name = "csv", .help = "list the pairs: box_a,box_b; with frames frame,pairs,begun,ended"},         \
    {                                                                                                        \
        .name = "json", .help = "print JSON, for programs"                                                   \
    }

#define PAIRS_MEMORY_OPTION                                                                                  \
    {                                                                                                        \
        .name = "memory", .value_count = 1, .values = "BYTES",                                               \
        .help = "ranks share a frame that takes a rank more than this (default:\n"                           \
                "half of a machine's memory over its ranks)"                                                 \
    }

/// Take them over into a run that is zero but for its threads. Says what is wrong.
CommandResult pairs_options_read(const Options *options, PairsRun *run);

#endif
