#include "shape/local_frame.h"

// The power of two above the longest side of a box. Where that exceeds the largest double, half of it does
// not.
static int size_exponent(const imp_Box *box)
{
    int exponent;
    imp_Vec3 extent = impi_subtract(box->max, box->min);
    if (isfinite(impi_longest(extent))) {
        frexp(impi_longest(extent), &exponent);
        return exponent;
    }
    imp_Vec3 half = impi_subtract(impi_scale(box->max, 0.5), impi_scale(box->min, 0.5));
    frexp(impi_longest(half), &exponent);
    return exponent + 1;
}

static bool is_single_point(const imp_Box *bounds)
{
    return impi_is_equal(&bounds->min, &bounds->max);
}

impi_LocalFrame impi_local_frame_make(const imp_Box *bounds)
{
    impi_LocalFrame frame = {.origin = {bounds->min.x / 2 + bounds->max.x / 2,
                                        bounds->min.y / 2 + bounds->max.y / 2,
                                        bounds->min.z / 2 + bounds->max.z / 2},
                             .is_point = is_single_point(bounds)};
    if (frame.is_point)
        frame.origin = bounds->min;
    else // the origin is rounded, and may lie anywhere in the bounds
        frame.exponent = -size_exponent(bounds);
    return frame;
}

double impi_length_from_local_up(const impi_LocalFrame *frame, double length)
{
    double scaled = impi_times_power(length, -frame->exponent);
    return impi_times_power(scaled, frame->exponent) < length ? nextafter(scaled, INFINITY) : scaled;
}

double impi_length_to_local_down(const impi_LocalFrame *frame, double length)
{
    double scaled = impi_times_power(length, frame->exponent);
    return impi_times_power(scaled, -frame->exponent) > length ? nextafter(scaled, 0) : scaled;
}
