/// One run of `impinge pairs`: boxes from a file, the pairs among them, and what finding them took.
#ifndef IMPINGE_APPS_PAIRS_RUN_H
#define IMPINGE_APPS_PAIRS_RUN_H

#include "command.h"
#include "kit/memory_meter.h"
#include "kit/npy_reader.h"

typedef struct PairsFrame {
    uint64_t pair_count, begun_count, ended_count;
} PairsFrame;

/// Rows of a file of pairs: box and box, behind the frame where there are frames.
#define MAX_PAIR_COLUMNS 3

typedef struct PairsRun {
    const char *path;
    bool wants_list;    // of pairs, for text; without frames only
    bool wants_file;    // of pairs, to be saved
    bool wants_stats;   // levels, times, memory
    imp_ContextDef def; // its allocator is replaced
    imp_Context *context;
    impi_NpyBoxes boxes;

    PairsFrame *frames;             // boxes.frame_count of them; begun and ended only when boxes.has_frames
    const imp_IndexPair *pairs;     // wanted without frames: in memory of the context
    uint32_t *rows;                 // wanted for a file, with frames: frame, box, box
    size_t row_count, row_capacity; // numbers

    imp_SearchStats stats;
    uint64_t total_ns; // of all searches
    impi_MemoryMeter memory;
} PairsRun;

/// `run` has its first five fields set, the rest zero. Says what is wrong. Call pairs_run_free in any case.
CommandResult pairs_run(PairsRun *run);
void pairs_run_free(PairsRun *run);

/// All frames together.
uint64_t pairs_run_total(const PairsRun *run);

/// Write the pairs, which must have been wanted, to a NumPy file: (pairs, 2), or (pairs, 3) with the frame
/// first.
CommandResult pairs_run_save(const PairsRun *run, const char *path);

#endif
