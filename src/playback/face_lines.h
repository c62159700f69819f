/// Touching faces as lines of a table.
#ifndef IMPINGE_PLAYBACK_FACE_LINES_H
#define IMPINGE_PLAYBACK_FACE_LINES_H

#include "playback/history.h"

typedef struct impi_FaceLine {
    uint32_t body_a, face_a, body_b, face_b;
} impi_FaceLine;

/// The face pairs of a frame, sorted by the first column, then by the next. `lines` has room for
/// frame->face_pair_count of them.
imp_Status impi_face_lines_list(imp_Context *context, const impi_PlayedFrame *frame, impi_FaceLine *lines);

#endif
