/// Boxes as the caller keeps them: rows of six numbers, min x y z, max x y z, in float or double.
#ifndef IMPINGE_BROAD_BOX_ROWS_H
#define IMPINGE_BROAD_BOX_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// Exactly one of the two arrays is set. A row whose min is not <= its max, or that is not finite, holds no
/// box.
///
/// Doubles are searched as floats: (float)((x - origin) * scale). Each of the three roundings is monotone,
/// and so is overflow to infinity, so closed boxes that overlap still do; boxes that don't may seem to, and
/// have to be compared again. Floats are searched as they are.
typedef struct impi_BoxRows {
    const float *float_rows;
    const double *double_rows;
    size_t count;
    double origin[3], scale;
} impi_BoxRows;

/// Choose origin and scale for doubles: none (0 and 1) where a sample of the rows consists of floats; else
/// such that most boxes lie about zero at a size of about 1, where floats are densest, whatever a few far
/// ones do.
void impi_box_rows_choose_map(impi_BoxRows *rows);

/// Is it certain that `x` is a float? Normal floats, zeros and infinities are, and so is NaN. Tells by the
/// bits: the 29 that a float lacks, and the exponent. (Rounding and comparing would do as well, but gcc 12
/// leaves such roundings out when it turns them into vectors.)
static inline bool impi_is_float(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t exponent = bits >> 52 & 0x7FF;
    bool has_exponent = (exponent - 897 < 254) | (exponent == 0x7FF) | (bits << 1 == 0);
    return has_exponent & ((bits & 0x1FFFFFFF) == 0);
}

/// Is row `index` a box?
bool impi_box_rows_is_box(const impi_BoxRows *rows, size_t index);

/// Do boxes `a` and `b`, given in double, share a point?
static inline bool impi_double_rows_overlap(const double *rows, size_t a, size_t b)
{
    const double *p = rows + 6 * a, *q = rows + 6 * b;
    return (p[0] <= q[3]) & (q[0] <= p[3]) & (p[1] <= q[4]) & (q[1] <= p[4]) & (p[2] <= q[5]) &
           (q[2] <= p[5]);
}

#endif
