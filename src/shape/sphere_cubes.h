/// Pieces of the inside of a solid.
#ifndef IMPINGE_SHAPE_SPHERE_CUBES_H
#define IMPINGE_SHAPE_SPHERE_CUBES_H

#include "shape/distance_grid.h"

/// Add cubes of the grid that lie inside. What is between them and the surface, less than a cell or two, is
/// left to the balls of the surface, and to mending. In the scratch arena of the context.
/// IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_sphere_pieces_add_cubes(imp_Context *context, const impi_DistanceGrid *grid,
                                        impi_SpherePieces *pieces);

#endif
