// The scenes of the benchmark `broad` (bench/broad_scene.c), where 100,000 boxes make `clusters` and `mixed`:
// with other numbers of boxes the world grows or shrinks with them.
#include "rank_scenes.h"

#include "scenes/shapes.h"

#include <math.h>

#define CLUSTERS      10
#define CLUSTER_SIGMA 12.15
#define CLUSTER_WORLD 1000
#define MIXED_WORLD   250
#define WORLD_BOXES   100000.0 // of the two

const char *const rank_scene_names[RANK_SCENE_KINDS] = {"uniform", "clusters", "mixed"};

// A stream of random numbers for each box, however near the numbers of two boxes are (the finalizer of
// splitmix64).
static uint64_t seed_of(uint64_t number)
{
    uint64_t z = (number + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static double random_normal(uint64_t *state)
{
    return sqrt(-2 * log(1 - scene_random_unit(state))) * cos(6.283185307179586 * scene_random_unit(state));
}

// Clusters' centres are numbered from the other end, so that no box has their random numbers.
static double cluster_centre(int cluster, int axis)
{
    uint64_t state = seed_of(UINT64_MAX - 1 - (uint64_t)(3 * cluster + axis));
    return scene_random_unit(&state);
}

static double make_box(RankSceneKind kind, double total, uint64_t number, double centre[3])
{
    uint64_t state = seed_of(number);
    double growth = cbrt(total / WORLD_BOXES);
    int cluster = (int)(CLUSTERS * scene_random_unit(&state));
    for (int axis = 0; axis < 3; ++axis) {
        if (kind == RANK_SCENE_CLUSTERS)
            centre[axis] = growth * (CLUSTER_WORLD * cluster_centre(cluster, axis) +
                                     CLUSTER_SIGMA * random_normal(&state));
        else
            centre[axis] = scene_random_unit(&state) *
                           (kind == RANK_SCENE_MIXED ? growth * MIXED_WORLD : 2 * cbrt(total));
    }
    if (kind == RANK_SCENE_MIXED)
        return scene_random_unit(&state) < 0.01 ? 20.02 : 0.02;
    return 1;
}

void rank_scene_make(RankSceneKind kind, size_t total, size_t begin, size_t end, float *rows)
{
    for (size_t i = begin; i < end; ++i) {
        double centre[3], side = make_box(kind, (double)total, i, centre);
        float *row = rows + 6 * (i - begin);
        for (int axis = 0; axis < 3; ++axis) {
            row[axis] = (float)(centre[axis] - side / 2);
            row[3 + axis] = (float)(centre[axis] + side / 2);
        }
    }
}
