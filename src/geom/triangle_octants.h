/// Which of a cell's eight octants do triangles meet? Exact, like geom/touch.h, and most of the time without
/// asking for each octant.
#ifndef IMPINGE_GEOM_TRIANGLE_OCTANTS_H
#define IMPINGE_GEOM_TRIANGLE_OCTANTS_H

#include <impinge/math.h>

#include <stddef.h>
#include <stdint.h>

/// Triangles that are looked at together.
#define IMPI_OCTANT_LANES 4

/// A cell cut in two along each axis: planes[axis] are where it begins, where it is cut, and where it ends.
/// They ascend. Octant i has x in bit 0, y in bit 1, z in bit 2, set for the upper half.
typedef struct impi_Octants {
    double planes[3][3];
    bool is_open; // octants are, and what only touches their boundary does not meet them
    // For the filter, from impi_octants_make.
    double center[3][2]; // of the two halves, from the cut on: in size, half their edges
    double extent;       // no coordinate of the cell is farther from the cut
} impi_Octants;

void impi_octants_make(impi_Octants *octants);

/// Of triangles[i], bit k of masks[i]: octant k. 1 to IMPI_OCTANT_LANES triangles, which take about as long
/// as one. Coordinates are finite, the floating-point mode the default one.
void impi_triangles_octants(const imp_Triangle *triangles, size_t count, const impi_Octants *octants,
                            uint8_t *masks);

/// What the filter tells of a triangle, with bits for octants: those that are missed for certain, and those
/// that may be met or not. All others are met.
typedef struct impi_OctantLane {
    uint8_t missed, unknown;
} impi_OctantLane;

/// The filter, once for each instruction set; all give the same, and of each triangle what they give of it
/// whatever the others are. All are read.
typedef void impi_OctantsDecide(const imp_Triangle *const triangles[IMPI_OCTANT_LANES],
                                const impi_Octants *octants, impi_OctantLane lanes[IMPI_OCTANT_LANES]);

impi_OctantsDecide impi_octants_decide_portable, impi_octants_decide_avx2;

#endif
