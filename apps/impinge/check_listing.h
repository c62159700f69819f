/// Which list of what touches is printed, and the options that say so.
#ifndef IMPINGE_APPS_CHECK_LISTING_H
#define IMPINGE_APPS_CHECK_LISTING_H

#include "command.h"

typedef enum CheckFormat { CHECK_TABLE, CHECK_CSV, CHECK_PAIRS_CSV, CHECK_JSON } CheckFormat;

typedef struct CheckListing {
    CheckFormat format;
    bool without_faces;  // body pairs only
    bool first_only;     // the search stopped at the first pair
    size_t max_listed;   // face pairs
    const char *written; // a line about the files that were written, for tables; null: none
} CheckListing;

/// In the table of a command.
#define CHECK_LISTING_OPTIONS                                                                                \
    {.name = "csv", .help = "list the touching faces: body_a,face_a,body_b,face_b"},                         \
        {.name = "pairs", .help = "list bodies instead: body_a,body_b,relation,name_a,name_b"},              \
    {                                                                                                        \
        .name = "json", .help = "print JSON, for programs; with --pairs without faces"                       \
    }
#define CHECK_MAX_OPTION                                                                                     \
    {                                                                                                        \
        .name = "max", .value_count = 1, .values = "N", .help = "list the first N face pairs only"           \
    }

/// Take these options over, and --first where a command has it; --csv and --json have been told apart. Says
/// what is wrong.
CommandResult check_listing_parse(const Options *options, CheckListing *listing);

#endif
