/// Are two triangles at most so far apart? Exact for all finite doubles.
#ifndef IMPINGE_GEOM_TRIANGLE_WITHIN_H
#define IMPINGE_GEOM_TRIANGLE_WITHIN_H

#include <impinge/math.h>

/// Is the square of the distance of two closed triangles, in real arithmetic on their doubles, at most
/// distance * distance? For 0: do they touch? Coordinates and the distance must be finite, the distance not
/// negative, and the floating-point mode the default one.
bool impi_triangles_within(const imp_Triangle *a, const imp_Triangle *b, double distance);

typedef enum impi_Decision {
    IMPI_DECISION_OPEN,
    IMPI_DECISION_WITHIN,
    IMPI_DECISION_BEYOND,
} impi_Decision;

/// What doubles can tell: a part of the above, so that tests can count how far they go.
impi_Decision impi_triangles_within_filter(const imp_Triangle *a, const imp_Triangle *b, double distance);

#endif
