#include "io/track.h"

#include <math.h>

// Beyond this cosine two rotations are so close that the straight line between them is the arc, to the last
// digit.
#define STRAIGHT_COSINE (1 - 1e-12)

// Files hold times in single precision, where a frame's time is seldom exact: a time this near to a key,
// relative to itself or to a second, is the key's.
#define KEY_TOLERANCE 1e-6

static double tolerance_at(double seconds)
{
    return KEY_TOLERANCE * fmax(fabs(seconds), 1);
}

// The last key that is not later; 0 when all are.
static size_t find_key(const impi_Track *track, double seconds)
{
    double latest = seconds + tolerance_at(seconds);
    size_t low = 0, high = track->key_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (track->times[middle] <= latest)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void normalize(double q[4])
{
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; norm > 0 && i < 4; ++i)
        q[i] /= norm;
}

static void slerp(const double *from, const double *to, double fraction, double *q)
{
    double a[4], b[4];
    for (int i = 0; i < 4; ++i) {
        a[i] = from[i];
        b[i] = to[i];
    }
    normalize(a);
    normalize(b);
    double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    double sign = cosine < 0 ? -1 : 1;
    cosine = fmin(fabs(cosine), 1);
    double weight_a = 1 - fraction, weight_b = fraction;
    if (cosine < STRAIGHT_COSINE) {
        double angle = acos(cosine), sine = sin(angle);
        weight_a = sin((1 - fraction) * angle) / sine;
        weight_b = sin(fraction * angle) / sine;
    }
    for (int i = 0; i < 4; ++i)
        q[i] = weight_a * a[i] + sign * weight_b * b[i];
}

// Hermite's cubic through two values with the slopes that the file gives.
static void spline(const impi_Track *track, size_t key, double span, double f, double *values)
{
    unsigned width = track->width;
    const double *from = track->values + key * width, *to = from + width;
    const double *leaving = track->tangents + (2 * key + 1) * width, *arriving = leaving + width;
    double f2 = f * f, f3 = f2 * f;
    for (unsigned i = 0; i < width; ++i)
        values[i] = (2 * f3 - 3 * f2 + 1) * from[i] + span * (f3 - 2 * f2 + f) * leaving[i] +
                    (3 * f2 - 2 * f3) * to[i] + span * (f3 - f2) * arriving[i];
}

static void interpolate(const impi_Track *track, size_t key, double seconds, double *values)
{
    const double *from = track->values + key * track->width, *to = from + track->width;
    double span = track->times[key + 1] - track->times[key];
    double fraction = (seconds - track->times[key]) / span;
    if (track->interpolation == IMPI_INTERPOLATE_CUBIC) {
        spline(track, key, span, fraction, values);
    } else if (track->is_rotation) {
        slerp(from, to, fraction, values);
    } else {
        for (unsigned i = 0; i < track->width; ++i)
            values[i] = from[i] + fraction * (to[i] - from[i]);
    }
}

void impi_track_sample(const impi_Track *track, double seconds, double *values)
{
    size_t key = find_key(track, seconds);
    bool is_at_key = seconds <= track->times[key] + tolerance_at(seconds) || key + 1 == track->key_count ||
                     track->interpolation == IMPI_INTERPOLATE_STEP;
    if (is_at_key)
        for (unsigned i = 0; i < track->width; ++i)
            values[i] = track->values[key * track->width + i];
    else
        interpolate(track, key, seconds, values);
    if (track->is_rotation)
        normalize(values);
}

bool impi_track_is_constant(const impi_Track *track, double tolerance)
{
    double limit = 0;
    for (unsigned i = 0; i < track->width; ++i)
        limit = fmax(limit, tolerance * fabs(track->values[i]));
    for (size_t i = 0; i < track->key_count * track->width; ++i)
        if (!(fabs(track->values[i] - track->values[i % track->width]) <= limit))
            return false;
    if (track->key_count > 1 && track->interpolation == IMPI_INTERPOLATE_CUBIC)
        for (size_t i = 0; i < 2 * track->key_count * track->width; ++i)
            if (track->tangents[i] != 0)
                return false;
    return true;
}
