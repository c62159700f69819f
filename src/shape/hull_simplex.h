/// Points to begin a hull with.
#ifndef IMPINGE_SHAPE_HULL_SIMPLEX_H
#define IMPINGE_SHAPE_HULL_SIMPLEX_H

#include "base/watch.h"
#include "shape/hull_points.h"

/// Find points that span as much as all of them do: the dimension of their affine hull, exactly, is the
/// result (0 to 3), and the first dimension + 1 of `simplex` are points that span it, each the first of those
/// equal to it. In space, the last one lies below the others: they turn counter-clockwise seen from the other
/// side. At least one point, all finite. Linear. IMPI_HULL_ENDED when the watch says so.
#define IMPI_HULL_ENDED (-1)
int impi_hull_simplex(impi_Watch *watch, const impi_HullPoints *points, uint32_t simplex[4]);

/// At most so many: the directions to the sides, edges and corners of a cube.
#define IMPI_HULL_MAX_SEEDS 26

/// Points that are farthest in a few directions, up to rounding: each once, ascending, and of equal points
/// the first. Returns how many there are. `box` is the bounding box of the points. Linear. Looks at fewer
/// points when the watch says so.
size_t impi_hull_seeds(impi_Watch *watch, const impi_HullPoints *points, const imp_Box *box,
                       uint32_t seeds[IMPI_HULL_MAX_SEEDS]);

#endif
