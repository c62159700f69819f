// Keys at the times of frames, in single precision as files hold them: a frame whose time is a little before
// the rounded key showed the key before.
#include "harness.h"
#include "io/track.h"

#include <math.h>

#define KEYS 200

static int wrong_frames(impi_Interpolation interpolation, double rate, bool accumulate)
{
    double times[KEYS], values[KEYS];
    float sum = 0;
    int wrong = 0;
    for (int i = 0; i < KEYS; ++i) {
        float key = accumulate ? sum : (float)(i / rate);
        times[i] = (double)key;
        values[i] = i % 2 ? 5 : i;
        sum += (float)(1 / rate);
    }
    impi_Track track = {.interpolation = interpolation,
                        .width = 1,
                        .key_count = accumulate ? 20 : KEYS, // sums drift
                        .times = times,
                        .values = values};
    for (size_t i = 0; i < track.key_count; ++i) {
        double value = NAN;
        impi_track_sample(&track, (double)i / rate, &value);
        wrong += value != values[i];
    }
    return wrong;
}

TEST(frames_show_their_own_keys)
{
    static const double rates[] = {24, 25, 30, 59.94, 60, 120};
    for (int i = 0; i < 6; ++i) {
        CHECK_INT(wrong_frames(IMPI_INTERPOLATE_STEP, rates[i], false), 0);
        CHECK_INT(wrong_frames(IMPI_INTERPOLATE_LINEAR, rates[i], false), 0);
        CHECK_INT(wrong_frames(IMPI_INTERPOLATE_STEP, rates[i], true), 0);
    }
}

TEST(between_keys_nothing_is_rounded)
{
    double times[] = {0, 1}, values[] = {0, 8}, value = 0;
    impi_Track track = {.width = 1, .key_count = 2, .times = times, .values = values};
    impi_track_sample(&track, 0.25, &value);
    CHECK_DOUBLE(value, 2);
    impi_track_sample(&track, 1 - 1e-5, &value);
    CHECK(value < 8);
    track.interpolation = IMPI_INTERPOLATE_STEP;
    impi_track_sample(&track, 1 - 1e-5, &value);
    CHECK_DOUBLE(value, 0);
}
