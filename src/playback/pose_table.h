/// Poses of many bodies in many configurations, from CSV.
///
///     configuration,body,x,y,z,qw,qx,qy,qz
///     home,link1,0,0,0.3,1,0,0,0
///     home,link2,0,0,0.7,1,0,0,0
///     reach,link2,0.1,0,0.7,0.924,0,0.383,0
///
/// The first row names the columns, in any order: `configuration` (any text) or `time` (seconds, ascending);
/// `body` (one body, as in body_names.h); and the pose: `x`, `y`, `z`, with `qw`, `qx`, `qy`, `qz` or
/// without, or `pose` (pose_text.h, in quotes where it has commas), or `m00` to `m23` (row and column of a
/// 3 x 4 matrix). Rows of one configuration stand together. A body that a configuration leaves out is where
/// it stands without a table, since each configuration is a question of its own; with times it stays where
/// the last time put it.
#ifndef IMPINGE_PLAYBACK_POSE_TABLE_H
#define IMPINGE_PLAYBACK_POSE_TABLE_H

#include "playback/body_names.h"

#include <impinge/math.h>

typedef struct impi_PoseTable {
    size_t configuration_count; // at least 1
    const char *const *labels;  // of the configurations, as written
    const double *times;        // null where they have no times
    size_t moving_count;        // bodies that the table places
    const uint32_t *moving;     // ascending
    const imp_Pose *poses;      // configuration after configuration, of the moving bodies
    size_t normalised_count;    // rotations that were not quite one; see impi_ParsedPose
} impi_PoseTable;

/// More poses than this are refused: a few rows can ask for as many as there are bodies times configurations.
#define IMPI_MAX_TABLE_POSES ((size_t)1 << 28)

/// `base` are the poses of all bodies without the table; null: all are the identity. Everything is copied.
/// IMP_STATUS_BAD_FILE with line and name for anything that is not as above, a body that is unknown or twice
/// in a configuration, rows that are ragged, numbers that are none; IMP_STATUS_TOO_LARGE, or the status of
/// the file's source.
imp_Status impi_pose_table_load(imp_Context *context, const char *path, const impi_BodyNames *names,
                                const imp_Pose *base, impi_PoseTable **table);

/// The same of the bytes of such a file; `path` is only what errors call it.
imp_Status impi_pose_table_read(imp_Context *context, const void *bytes, size_t size, const char *path,
                                const impi_BodyNames *names, const imp_Pose *base, impi_PoseTable **table);

/// Null is fine.
void impi_pose_table_destroy(imp_Context *context, impi_PoseTable *table);

/// The pose of a body in a configuration; null when the table does not place it.
const imp_Pose *impi_pose_table_find(const impi_PoseTable *table, size_t configuration, size_t body);

#endif
