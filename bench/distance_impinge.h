/// Our own distances, as systems of the area `distance`.
#ifndef IMPINGE_BENCH_DISTANCE_IMPINGE_H
#define IMPINGE_BENCH_DISTANCE_IMPINGE_H

#include "distance_peers.h"

/// 0 until there are imp_meshes_distance, imp_world_distance and imp_world_clearance: then peers are measured
/// alone, and FCL tells what is right.
#define DISTANCE_HAS_IMPINGE 1

#if DISTANCE_HAS_IMPINGE
/// imp_meshes_distance, all poses in one call where no limits are asked for. Can't deform.
extern const DistancePeer impinge_query_distance;

/// imp_world_distance between two bodies, with one thread and with two.
extern const DistancePeer impinge_world_distance, impinge_world_distance_2;
#endif

#endif
