/// Poses as people write them.
#ifndef IMPINGE_PLAYBACK_POSE_TEXT_H
#define IMPINGE_PLAYBACK_POSE_TEXT_H

#include "base/status.h"

#include <impinge/math.h>

typedef struct impi_ParsedPose {
    imp_Pose pose;
    // The rotation that was written is none, but for the rounding of its digits, and `pose` has the nearest.
    bool was_normalised;
} impi_ParsedPose;

/// Read a pose: numbers separated by blanks or commas.
///
///     tx ty tz                         translation
///     tx ty tz qw qx qy qz             translation and rotation
///     tx ty tz axis ax ay az DEGREES   turned about an axis of any length, then moved
///     12 numbers                       a 3 x 4 matrix by rows, the translation last in each row
///     16 numbers                       a 4 x 4 matrix by rows, the last of which is 0 0 0 1
///
/// Rotations may be off by 1e-3: the length of a quaternion, lengths and angles of the columns of a matrix.
/// Errors begin with the place and with `subject`, if that is not null ("link3", "--pose link3"), and say
/// what is expected, or whether a matrix scales, shears or mirrors: IMP_STATUS_BAD_FILE if the place is a
/// line of a file, otherwise IMP_STATUS_BAD_ARGUMENT.
imp_Status impi_pose_parse(imp_Context *context, impi_Place place, const char *subject, const char *text,
                           impi_ParsedPose *pose);

/// The same of 3, 7, 12 or 16 finite numbers.
imp_Status impi_pose_from_numbers(imp_Context *context, impi_Place place, const char *subject,
                                  const double *numbers, size_t count, impi_ParsedPose *pose);

#endif
