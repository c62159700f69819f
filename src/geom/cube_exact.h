/// Boxes along a direction, in integers, for all finite doubles.
#ifndef IMPINGE_GEOM_CUBE_EXACT_H
#define IMPINGE_GEOM_CUBE_EXACT_H

#include "geom/cube_cube.h"

/// Directions by number: 0 to 2 axes, 3 to 5 the cross products of the other two columns of the matrix, and
/// 6 + 3 a + j that of axis a and column j.
#define IMPI_EXACT_DIRECTIONS 15

/// Signs of the gaps between both boxes along a direction.
typedef struct impi_CubeGaps {
    int above, below; // of the target's least less the source's largest; the other way round
} impi_CubeGaps;

impi_CubeGaps impi_exact_cube_gaps(const imp_Transform *transform, int direction,
                                   const impi_SourceBox *source, const impi_TargetBox *target);

/// Is the target between the source's faces, or on them, along the normal 3 to 5?
bool impi_exact_cube_between(const imp_Transform *transform, int direction, const impi_SourceBox *source,
                             const impi_TargetBox *target);

/// Signs of a direction's coordinates.
void impi_exact_cube_direction(const imp_Transform *transform, int direction, int signs[3]);

#endif
