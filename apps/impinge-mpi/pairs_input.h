/// Boxes from files, of which each rank reads its share.
#ifndef IMPINGE_APPS_PAIRS_INPUT_H
#define IMPINGE_APPS_PAIRS_INPUT_H

#include "pairs_run.h"
#include "rank_job.h"

typedef struct PairsInput {
    RankJob *job;
    PairsRun *run; // its sets tell what is in the files, and have no rows
    impi_NpyBoxFile files[2];
    size_t open_count;
    impi_NpyBoxes parts[2]; // what this rank has read last
    void *joined;           // the same as rows of one array, where parts of both sets are wanted as one
} PairsInput;

/// Look at the files of `run`, and fill in what it says of them. All ranks see the same ones, or fail. Close
/// it in any case.
CommandResult pairs_input_open(PairsInput *input, RankJob *job, PairsRun *run);
void pairs_input_close(PairsInput *input);

/// Read this rank's share of the boxes of a frame, those of the second set counted behind those of the first,
/// which then overlap where they are near enough. `own` is valid until the next call. All ranks fail when one
/// does.
CommandResult pairs_input_read_share(PairsInput *input, size_t frame, imp_BoxArray *own);

/// Read a whole frame into `sets`, of which those of `run` are the pattern; on this rank alone. `*order` is
/// where its failure stands among those of other ranks.
imp_Status pairs_input_read_frame(PairsInput *input, size_t frame, PairsSet *sets, uint64_t *order);

#endif
