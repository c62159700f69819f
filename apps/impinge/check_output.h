/// What `impinge check` prints.
#ifndef IMPINGE_APPS_CHECK_OUTPUT_H
#define IMPINGE_APPS_CHECK_OUTPUT_H

#include "check_scene.h"

typedef enum CheckFormat { CHECK_TABLE, CHECK_CSV, CHECK_PAIRS_CSV, CHECK_JSON } CheckFormat;

typedef struct CheckListing {
    CheckFormat format;
    bool without_faces;  // body pairs only
    bool first_only;     // the search stopped at the first pair
    size_t max_listed;   // face pairs
    const char *written; // a line about the files that were written, for tables; null: none
} CheckListing;

/// Remarks go to standard error where the format has no room for them.
void check_put(const CheckScene *scene, const CheckListing *listing, impi_Text *output);

#endif
