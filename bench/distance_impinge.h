/// Our own distances, as systems of the area `distance`.
#ifndef IMPINGE_BENCH_DISTANCE_IMPINGE_H
#define IMPINGE_BENCH_DISTANCE_IMPINGE_H

#include "distance_peers.h"

/// imp_meshes_distance, all poses in one call where no limits are asked for. Can't deform.
extern const DistancePeer impinge_query_distance;

/// imp_world_distance between two bodies, with one thread and with two.
extern const DistancePeer impinge_world_distance, impinge_world_distance_2;

#endif
