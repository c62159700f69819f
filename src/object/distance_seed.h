/// A first bound for a search of the closest faces, where nothing is known.
#ifndef IMPINGE_OBJECT_DISTANCE_SEED_H
#define IMPINGE_OBJECT_DISTANCE_SEED_H

#include "object/distance_worker.h"

/// About the middle of a body, in the world.
imp_Vec3 impi_posed_centre(const impi_Body *body);

/// Go back and forth between the surfaces, each time to the nearest vertex, and lower the bound to what that
/// comes to. The frame and its trees must stand; `way` and `origin` of the search are set.
void impi_distance_seed(impi_DistanceWorker *worker);

#endif
