/// Rows of pairs that are spread over the ranks, as one file or text.
#ifndef IMPINGE_APPS_PAIR_ROWS_H
#define IMPINGE_APPS_PAIR_ROWS_H

#include "pairs_run.h"
#include "rank_job.h"

/// What this rank has. All rows stand stretch by stretch, and in each of them rank by rank; all ranks have as
/// many stretches.
typedef struct PairRows {
    const uint32_t *numbers;
    bool has_frames;       // a row is the frame, box, box; else box, box
    uint32_t first_b;      // what the second box counts from
    const size_t *lengths; // of the stretches, in rows
    size_t stretch_count;
} PairRows;

/// Write them to a file, .npy or .csv, which appears whole or not at all. `total` rows of all ranks. All
/// ranks fail when one does.
CommandResult pair_rows_save(RankJob *job, const PairRows *rows, uint64_t total, const char *path);

/// Put them into a text on rank 0, in CSV with a line of names.
CommandResult pair_rows_put(RankJob *job, const PairRows *rows, impi_Text *output);

#endif
