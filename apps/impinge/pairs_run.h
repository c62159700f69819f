/// One run of `impinge pairs`: boxes from files, the pairs among or between them, and what finding them took.
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

/// Boxes of one file.
typedef struct PairsSet {
    const char *path;
    impi_NpyBoxes boxes;
} PairsSet;

typedef struct PairsRun {
    PairsSet sets[2];
    size_t set_count;   // 1: pairs among the boxes; 2: pairs between the sets
    double margin;      // that boxes of a pair may be apart, along each axis
    bool wants_list;    // of pairs, for text; without frames only
    bool wants_file;    // of pairs, to be saved
    bool wants_stats;   // levels, times, memory
    imp_ContextDef def; // its allocator is replaced
    imp_Context *context;

    bool has_frames;       // in every set, and as many
    size_t frame_count;    // 1 without frames
    size_t first_frame;    // where frames are only some of those of the files
    bool has_frame_before; // and the one before them is looked at, for what begins and ends
    imp_Status (*load_frame)(struct PairsRun *run, size_t frame); // puts one frame into the sets; null: all
                                                                  // of them are there
    PairsFrame *frames;                                           // begun and ended only when has_frames
    const imp_IndexPair *pairs;     // wanted without frames: in memory of the context
    uint32_t *rows;                 // wanted for a file, with frames: frame, box, box
    size_t row_count, row_capacity; // numbers

    imp_SearchStats stats;
    uint64_t total_ns; // of all searches
    impi_MemoryMeter memory;
} PairsRun;

/// `run` has the paths and what stands before `context` set, the rest zero. Says what is wrong. Call
/// pairs_run_free in any case.
CommandResult pairs_run(PairsRun *run);
void pairs_run_free(PairsRun *run);

/// What pairs_run does once boxes are there, of two files and of frames. The first says what is wrong; after
/// the second the context may have no error when memory is short.
CommandResult pairs_check_sets(const PairsRun *run);
imp_Status pairs_find_frames(PairsRun *run, impi_Progress *progress);

/// What pairs_run_free does, but for the context and the frames, which are somebody else's.
void pairs_run_free_boxes(PairsRun *run);

/// Pairs of all frames together.
uint64_t pairs_run_total(const PairsRun *run);

/// Boxes of all sets together.
size_t pairs_run_box_count(const PairsRun *run);

#endif
