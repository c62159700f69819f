/// A rank's part of a world: the bodies of the pairs that it compares.
#ifndef IMPINGE_CLUSTER_ASSIGNED_WORLD_H
#define IMPINGE_CLUSTER_ASSIGNED_WORLD_H

#include "cluster/rank_meshes.h"

typedef struct impi_AssignedWorld {
    imp_World *world;
    const imp_Report *report; // of the assigned pairs; its slots are those of the world
    const uint32_t *bodies;   // by slot, from 1: the body's number among all; ascending
    uint64_t *pairs;          // assigned ones, sorted: slot a < slot b, slot a in the upper half
    size_t pair_count;
} impi_AssignedWorld;

/// Put the bodies of the pairs (body a < body b) into a world, with the meshes that are here, and compare
/// those pairs alone. Keeps a failure. Calls public functions. Destroy it in any case; until then it may not
/// be moved.
void impi_assigned_world_detect(impi_RankMeshes *meshes, const imp_IndexPair *pairs, size_t count,
                                imp_DetectMode mode, impi_AssignedWorld *assigned);
void impi_assigned_world_destroy(impi_AssignedWorld *assigned);

#endif
