/// What touched when: the reports of all frames that were played.
#ifndef IMPINGE_PLAYBACK_HISTORY_H
#define IMPINGE_PLAYBACK_HISTORY_H

#include "base/array.h"

#include <impinge/clearance.h>

/// Two bodies in one frame. Bodies count from 0 in the order of the motion, body_a < body_b.
typedef struct impi_PlayedPair {
    uint32_t body_a, body_b;
    uint32_t relations;                          // imp_Relation bits
    bool overlaps;                               // deeper than touching, where that was asked for
    uint32_t touching_faces_a, touching_faces_b; // how many faces of each take part
    size_t first_face_pair, face_pair_count;     // in the frame's face_pairs
} impi_PlayedPair;

/// Two bodies that are near each other in one frame.
typedef struct impi_NearPair {
    uint32_t body_a, body_b;
    imp_Distance distance;
} impi_NearPair;

/// A body in the box of an open one, which has no inside.
typedef struct impi_OpenContainer {
    uint32_t inner, outer;
} impi_OpenContainer;

/// What was found in one frame. Everything is empty, and `is_played` false, for a frame that was not played.
typedef struct impi_PlayedFrame {
    bool is_played;
    double milliseconds;          // that the detect and, where it was asked for, the clearance took
    const impi_PlayedPair *pairs; // sorted by bodies
    size_t pair_count;
    const impi_NearPair *near_pairs; // sorted by bodies; none where no clearance was asked for
    size_t near_pair_count;
    const imp_FacePair *face_pairs; // sorted within each pair
    size_t face_pair_count;
    const impi_OpenContainer *open_containers; // sorted by the pair of bodies
    size_t open_container_count;
} impi_PlayedFrame;

/// Where the parts of a frame begin in the history's arrays.
typedef struct impi_FrameRecord {
    bool is_played;
    uint32_t pair_count, near_pair_count, open_container_count;
    size_t first_pair, first_near_pair, first_face_pair, face_pair_count, first_open_container;
    double milliseconds;
} impi_FrameRecord;

/// All of it is kept: eight bytes per pair of faces and frame are most of it. All zero is an empty one.
typedef struct impi_History {
    IMPI_ARRAY(impi_FrameRecord) frames; // up to the last one played
    IMPI_ARRAY(impi_PlayedPair) pairs;
    IMPI_ARRAY(impi_NearPair) near_pairs;
    IMPI_ARRAY(imp_FacePair) face_pairs;
    IMPI_ARRAY(impi_OpenContainer) frame_containers; // of each frame
    IMPI_ARRAY(impi_OpenContainer) open_containers;  // of all frames, sorted, each once
    // For counting faces: the last pair of bodies that each face of a and of b took part in.
    IMPI_ARRAY(uint64_t) marks_a, marks_b;
} impi_History;

void impi_history_free(const imp_Allocator *allocator, impi_History *history);

/// What was found in a frame. Bodies of the reports have the slots 1, 2, ... in the order of the motion.
typedef struct impi_Findings {
    const imp_Report *report;
    const bool *overlaps; // of the report's contacts, see playback/overlaps.h; null: was not asked for
    const impi_NearPair *near_pairs; // sorted by bodies
    size_t near_pair_count;
    double milliseconds;
} impi_Findings;

/// Note what was found in a frame that was not played before, about bodies of at most `most_triangles` faces.
/// False when out of memory, with the history as it was.
bool impi_history_note(const imp_Allocator *allocator, impi_History *history, uint32_t frame,
                       const impi_Findings *found, size_t most_triangles);

/// Any frame. What it points to is valid until another frame is noted.
impi_PlayedFrame impi_history_frame(const impi_History *history, size_t frame);

/// What was found of two bodies in a frame, body_a < body_b; null: nothing.
const impi_PlayedPair *impi_frame_find_pair(const impi_PlayedFrame *frame, uint32_t body_a, uint32_t body_b);

/// The first frame in which the most pairs of faces touch. All zero when none do.
typedef struct impi_Peak {
    size_t frame, face_pairs;
} impi_Peak;

impi_Peak impi_history_peak(const impi_History *history);

/// The least distance of two bodies in any frame, where a clearance was asked for: the first such pair.
/// Null where none are near.
const impi_NearPair *impi_history_nearest(const impi_History *history, size_t *frame);

/// Milliseconds of the frames that were played: in all, of the one in the middle, and of the slowest.
typedef struct impi_PlayTimes {
    double total, median, most;
    size_t slowest_frame;
} impi_PlayTimes;

/// All zero where there are no frames.
imp_Status impi_history_times(imp_Context *context, const impi_History *history, impi_PlayTimes *times);

#endif
