/// Boxes of any number of ranks, each of which makes its own: a box depends on its number alone.
#ifndef IMPINGE_EXPERIMENTS_RANK_SCENES_H
#define IMPINGE_EXPERIMENTS_RANK_SCENES_H

#include <stddef.h>

typedef enum RankSceneKind {
    RANK_SCENE_UNIFORM,  // cubes of side 1 in a world of edge 2 n^(1/3)
    RANK_SCENE_CLUSTERS, // cubes of side 1 around ten points; as dense for any n
    RANK_SCENE_MIXED,    // cubes of side 0.02, and 20.02 for one in a hundred; as dense for any n
    RANK_SCENE_KINDS,
} RankSceneKind;

extern const char *const rank_scene_names[RANK_SCENE_KINDS];

/// Rows of min x, y, z, max x, y, z of the boxes [begin, end) of `total`, which are in no order: those of one
/// rank lie everywhere in the world.
void rank_scene_make(RankSceneKind kind, size_t total, size_t begin, size_t end, float *rows);

#endif
