/// What stands in which column of a table of poses. For pose_table.c.
#ifndef IMPINGE_PLAYBACK_POSE_COLUMNS_H
#define IMPINGE_PLAYBACK_POSE_COLUMNS_H

#include "kit/csv_reader.h"

#define IMPI_MAX_POSE_NUMBERS 12

/// Columns by number, counting from 0.
typedef struct impi_PoseColumns {
    size_t column_count;
    size_t key; // configuration or time
    bool has_times;
    size_t body;
    size_t number_count;                   // 3, 7 or 12; 0 where the pose is one field
    size_t numbers[IMPI_MAX_POSE_NUMBERS]; // where they are, or the pose at the first place
} impi_PoseColumns;

/// From the header, which is the row that was just read. IMP_STATUS_BAD_FILE names the column that is
/// missing, unknown, there twice, or not to be had beside another.
imp_Status impi_pose_columns_read(const impi_CsvReader *header, impi_PoseColumns *columns);

/// What the column of a number is called, time or one of the pose's.
const char *impi_pose_columns_name(const impi_PoseColumns *columns, size_t column);

#endif
