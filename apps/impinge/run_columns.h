/// Frames side by side in columns, for timelines and plots.
#ifndef IMPINGE_APPS_RUN_COLUMNS_H
#define IMPINGE_APPS_RUN_COLUMNS_H

#include <stddef.h>

/// Frames that share a column when `frame_count` of them are drawn side by side in `column_count` columns.
/// Where there are more columns than frames, neighbouring ones show the same frame.
typedef struct RunFrameSpan {
    size_t first, last;
} RunFrameSpan;

RunFrameSpan run_frames_of_column(size_t column, size_t column_count, size_t frame_count);

#endif
