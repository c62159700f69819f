/// A world's report, wherever it was made, as a frame that was played.
#ifndef IMPINGE_PLAYBACK_REPORTED_FRAME_H
#define IMPINGE_PLAYBACK_REPORTED_FRAME_H

#include "playback/history.h"

typedef struct impi_ReportedFrame {
    imp_Context *context;
    impi_History history; // of this frame alone
    impi_PlayedFrame frame;
} impi_ReportedFrame;

/// Bodies of the report have the slots 1, 2, ..., and at most `most_triangles` faces. Nothing of the report
/// is kept. On failure there is nothing to free.
imp_Status impi_reported_frame_make(imp_Context *context, const imp_Report *report, size_t most_triangles,
                                    impi_ReportedFrame *reported);
void impi_reported_frame_free(impi_ReportedFrame *reported);

#endif
