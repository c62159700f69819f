/// What touched when: the contacts of all frames of a run.
#ifndef IMPINGE_APPS_RUN_HISTORY_H
#define IMPINGE_APPS_RUN_HISTORY_H

#include "run_scene.h"

/// Two bodies in one frame. Bodies count from 0 in the order of the scene, body_a < body_b.
typedef struct RunPair {
    uint32_t body_a, body_b;
    uint32_t relations;                          // imp_Relation bits
    size_t first_face_pair, face_pair_count;     // in RunHistory.face_pairs
    uint32_t touching_faces_a, touching_faces_b; // how many faces of each take part
} RunPair;

typedef struct RunFrame {
    size_t first_pair, pair_count; // in RunHistory.pairs
    double milliseconds;           // that the detect took
} RunFrame;

/// A body that some frame has in the box of an open one, which has no inside.
typedef struct RunOpenContainer {
    uint32_t inner, outer;
} RunOpenContainer;

/// All of it is kept: eight bytes per pair of faces and frame are most of it.
typedef struct RunHistory {
    RunFrame *frames; // as many as the scene has
    size_t frame_count;
    RunPair *pairs; // sorted by frame, then bodies
    size_t pair_count;
    imp_FacePair *face_pairs; // sorted within each pair
    size_t face_pair_count;
    RunOpenContainer *open_containers; // sorted, each once
    size_t open_container_count;
} RunHistory;

/// Play all frames of a scene and note what touches, with a progress bar. Says what went wrong; free the
/// history in any case.
CommandResult run_history_record(const RunScene *scene, imp_Context *context, RunHistory *history);

void run_history_free(RunHistory *history);

/// How many pairs of faces touch in a frame.
size_t run_history_face_pairs(const RunHistory *history, size_t frame);

/// The first frame in which the most pairs of faces touch. All zero when none do.
typedef struct RunPeak {
    size_t frame, face_pairs;
} RunPeak;

RunPeak run_history_peak(const RunHistory *history);

/// Milliseconds of the frames: in all, of the one in the middle, and of the slowest.
typedef struct RunTimes {
    double total, median, most;
    size_t slowest_frame;
} RunTimes;

/// All zero where there are no frames. False when out of memory.
bool run_history_times(const RunHistory *history, RunTimes *times);

/// Frames that share a column when `frame_count` of them are drawn side by side in `column_count` columns.
/// Where there are more columns than frames, neighbouring ones show the same frame.
typedef struct RunFrameSpan {
    size_t first, last;
} RunFrameSpan;

RunFrameSpan run_frames_of_column(size_t column, size_t column_count, size_t frame_count);

#endif
