/// Which of a cell's eight octants does a triangle meet? Exact, like geom/touch.h, and most of the time
/// without asking for each octant.
#ifndef IMPINGE_GEOM_TRIANGLE_OCTANTS_H
#define IMPINGE_GEOM_TRIANGLE_OCTANTS_H

#include <impinge/math.h>

#include <stdint.h>

/// A cell cut in two along each axis: planes[axis] are where it begins, where it is cut, and where it ends.
/// They ascend. Octant i has x in bit 0, y in bit 1, z in bit 2, set for the upper half.
typedef struct impi_Octants {
    double planes[3][3];
    bool is_open; // octants are, and what only touches their boundary does not meet them
    // For the filter, from impi_octants_make.
    double center[3][2],
        half[3][2]; // of the two halves: their centers, from the cut on, and half their edges
    double extent;  // no coordinate of the cell is farther from the cut
} impi_Octants;

void impi_octants_make(impi_Octants *octants);

/// Bit i: octant i. Coordinates are finite, the floating-point mode the default one.
uint8_t impi_triangle_octants(const imp_Triangle *triangle, const impi_Octants *octants);

#endif
