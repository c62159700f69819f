/// Pairs of frames: each rank takes a run of them, or where a frame is too much for one rank all share each.
#ifndef IMPINGE_APPS_PAIRS_FRAMES_H
#define IMPINGE_APPS_PAIRS_FRAMES_H

#include "pairs_input.h"

/// The frames of one rank.
typedef struct FrameRun {
    PairsRun run;
    PairsInput *input;
    bool has_read_error;
    uint64_t order; // of that error
} FrameRun;

/// Rows that this rank has found. Begin with zero; free them in any case, before the job ends.
typedef struct FrameRows {
    const uint32_t *numbers; // frame, box, box
    size_t *lengths;         // of stretches (pair_rows.h), in rows
    size_t stretch_count;
    FrameRun own;     // has the numbers where each rank takes a run of frames
    uint32_t *shared; // or else these are they
} FrameRows;

/// Find the pairs of all frames and count them in run->frames, which has room for all of them and is zero, on
/// all ranks; with run->wants_file, keep them. `memory` is what a rank may take for a frame of its own. All
/// ranks fail when one does.
CommandResult pairs_frames_find(PairsInput *input, uint64_t memory, FrameRows *rows);
void pairs_frames_free(FrameRows *rows);

#endif
