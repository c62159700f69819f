/// Meetings: bodies that begin to touch on their way from one frame to the next.
#ifndef IMPINGE_PLAYBACK_MEETINGS_H
#define IMPINGE_PLAYBACK_MEETINGS_H

#include "playback/history.h"

#include <impinge/world_sweep.h>

typedef struct impi_Meeting {
    uint32_t body_a, body_b;
    uint32_t frame;                          // in which they do not touch yet
    double time;                             // when they do first: from 0, that frame, to 1, the next
    bool is_certain;                         // contact is proven
    imp_PathKind path;                       // straight if both go straight, otherwise rigid
    size_t first_face_pair, face_pair_count; // that touch first, in face_pairs
} impi_Meeting;

/// All zero is none.
typedef struct impi_Meetings {
    IMPI_ARRAY(impi_Meeting) list; // sorted by frames, then bodies
    IMPI_ARRAY(imp_FacePair) face_pairs;
} impi_Meetings;

void impi_meetings_free(imp_Context *context, impi_Meetings *meetings);

/// Note those of a sweep from a frame on, which comes after those noted before; pairs that touch at its start
/// are left out. Bodies of the report have the slots 1, 2, ... in the order of the motion. What fails leaves
/// the meetings as they were.
imp_Status impi_meetings_note(imp_Context *context, impi_Meetings *meetings, uint32_t frame,
                              const imp_SweepReport *report);

/// Do the bodies touch in the next frame, too, so that they are seen there?
bool impi_meeting_is_seen(const impi_Meeting *meeting, const impi_History *history);

#endif
