/// Areas and volumes from exact sums, for triangles that doubles are too coarse or too short for. Finite
/// coordinates expected.
#ifndef IMPINGE_GEOM_EXACT_MEASURE_H
#define IMPINGE_GEOM_EXACT_MEASURE_H

#include "geom/exact_integer.h"
#include "geom/exact_round.h"

#include <impinge/math.h>

/// Twice the area of a triangle, off by less than 8 * 2^-53 of it.
impi_WideNumber impi_exact_twice_area(const imp_Triangle *triangle);

/// Coordinates take a bit more for the sign.
#define IMPI_VOLUME_MAX_WORDS IMPI_MAX_GRID_WORDS(1)

/// Six times the volume between triangles and the origin: of a closed surface, six times what it encloses.
typedef struct impi_VolumeSum {
    int step;       // exponent of the grid
    int word_count; // of a coordinate
    uint64_t words[3 * IMPI_VOLUME_MAX_WORDS + 1];
} impi_VolumeSum;

/// Begin with none, for triangles whose coordinates lie within the span; fewer than 2^60 of them.
void impi_volume_sum_begin(impi_VolumeSum *sum, impi_GridSpan span);
void impi_volume_sum_add(impi_VolumeSum *sum, const imp_Triangle *triangle);

/// Off by no more than its rounding.
impi_WideNumber impi_volume_sum_round(const impi_VolumeSum *sum);

#endif
