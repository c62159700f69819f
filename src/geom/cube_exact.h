/// Boxes along a direction, in integers, for all finite doubles.
#ifndef IMPINGE_GEOM_CUBE_EXACT_H
#define IMPINGE_GEOM_CUBE_EXACT_H

#include "geom/cube_cube.h"
#include "geom/exact_integer.h"

/// Bits to spare in entries of a matrix, and in coordinates.
#define IMPI_CUBE_MATRIX_HEADROOM     4
#define IMPI_CUBE_COORDINATE_HEADROOM 6
#define IMPI_CUBE_MATRIX_WORDS        IMPI_MAX_GRID_WORDS(IMPI_CUBE_MATRIX_HEADROOM)
#define IMPI_CUBE_COORDINATE_WORDS    IMPI_MAX_GRID_WORDS(IMPI_CUBE_COORDINATE_HEADROOM)

typedef struct impi_ExactMatrix {
    int n; // words
    uint64_t rows[3][3][IMPI_CUBE_MATRIX_WORDS], one[IMPI_CUBE_MATRIX_WORDS];
} impi_ExactMatrix;

void impi_exact_matrix_init(impi_ExactMatrix *matrix, const imp_Transform *transform);

/// Directions by number: 0 to 2 axes, 3 to 5 the cross products of the other two columns of the matrix, and
/// 6 + 3 a + j that of axis a and column j. These are the signs of its coordinates.
void impi_exact_direction_signs(const impi_ExactMatrix *matrix, int direction, int signs[3]);

/// A pair of boxes and the motion.
typedef struct impi_ExactCubes {
    impi_ExactMatrix matrix;
    int n;                                             // words of coordinates
    uint64_t target[2][3][IMPI_CUBE_COORDINATE_WORDS]; // least and largest, less t, doubled
    uint64_t source[2][3][IMPI_CUBE_COORDINATE_WORDS]; // doubled
} impi_ExactCubes;

void impi_exact_cubes_init(impi_ExactCubes *cubes, const imp_Transform *transform,
                           const impi_SourceBox *source, const impi_TargetBox *target);

/// Signs of the gaps between both boxes along a direction.
typedef struct impi_CubeGaps {
    int above, below; // of the target's least less the source's largest; the other way round
} impi_CubeGaps;

impi_CubeGaps impi_exact_cube_gaps(const impi_ExactCubes *cubes, int direction);

/// Signs of the target's ends along a direction less those of the source.
typedef struct impi_CubeEnds {
    int least, largest;
} impi_CubeEnds;

impi_CubeEnds impi_exact_cube_ends(const impi_ExactCubes *cubes, int direction);

#endif
