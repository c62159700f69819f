/// Boxes that are near each other, as boxes that overlap.
#ifndef IMPINGE_KIT_BOX_MARGIN_H
#define IMPINGE_KIT_BOX_MARGIN_H

#include <stddef.h>

/// Replace the min of each of `count` boxes (rows of min x, y, z, max x, y, z, all good) by min - margin,
/// rounded up to a number of the type. Then two boxes overlap if and only if min_a - margin <= max_b and
/// min_b - margin <= max_a held on each axis, in exact arithmetic: whatever x is, x <= max if and only if x
/// rounded up is, since max is a number of the type. `margin` is finite and not negative. Boxes stay finite,
/// and min <= max.
void impi_boxes_apply_margin(double *rows, size_t count, double margin);
void impi_float_boxes_apply_margin(float *rows, size_t count, double margin);

#endif
