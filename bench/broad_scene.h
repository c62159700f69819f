/// Boxes of the broad-phase benchmark, and their motion.
#ifndef IMPINGE_BENCH_BROAD_SCENE_H
#define IMPINGE_BENCH_BROAD_SCENE_H

#include <stdbool.h>
#include <stddef.h>

/// frames[f] holds `count` rows of min x, y, z, max x, y, z. Numbers of boxes say nothing about their places.
typedef struct BroadScene {
    size_t count, frame_count;
    float **frames;
} BroadScene;

/// "uniform-10k" ... "uniform-10m": cubes of side 1 in a world of edge 2 N^(1/3). "mixed-100k": 1 % of side
/// 20.02, the rest of side 0.02, world of edge 250. "clusters-100k": cubes of side 1 in ten Gaussians of
/// sigma 12.15, world of edge 1000. In each frame a box moves by 5 % of its side, in a direction of its own.
/// False when out of memory.
bool broad_scene_make(BroadScene *scene, const char *name, size_t count, size_t frame_count);
void broad_scene_free(BroadScene *scene);

#endif
