#include "run_columns.h"

RunFrameSpan run_frames_of_column(size_t column, size_t column_count, size_t frame_count)
{
    return (RunFrameSpan){column * frame_count / column_count,
                          ((column + 1) * frame_count - 1) / column_count};
}
