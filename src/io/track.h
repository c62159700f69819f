/// Values that change in time, between keys.
#ifndef IMPINGE_IO_TRACK_H
#define IMPINGE_IO_TRACK_H

#include <impinge/math.h>

typedef enum impi_Interpolation {
    IMPI_INTERPOLATE_LINEAR, // rotations: along the shorter arc, at constant speed
    IMPI_INTERPOLATE_STEP,
    IMPI_INTERPOLATE_CUBIC,
} impi_Interpolation;

/// Before the first key as at the first, after the last as at the last, and within a millionth of a key (of
/// the time, or of a second) as at the key. Times ascend; all numbers are finite.
typedef struct impi_Track {
    impi_Interpolation interpolation;
    bool is_rotation; // values are quaternions x, y, z, w; what is sampled has unit length
    unsigned width;   // numbers per key
    size_t key_count; // at least 1
    double *times;    // seconds
    double *values;
    double *tangents; // of cubic splines: for each key those before it, then those behind it
} impi_Track;

/// `values` holds `width` numbers.
void impi_track_sample(const impi_Track *track, double seconds, double *values);

/// Does it stay within `tolerance`, relative to the largest value of the first key, all the time?
bool impi_track_is_constant(const impi_Track *track, double tolerance);

#endif
