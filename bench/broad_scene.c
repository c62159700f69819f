#include "broad_scene.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CLUSTERS      10
#define CLUSTER_SIGMA 12.15
#define STEP          0.05 // of a box's side

static uint64_t random_state;

static double random_unit(void)
{
    uint64_t z = random_state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double random_normal(void)
{
    return sqrt(-2 * log(1 - random_unit())) * cos(6.283185307179586 * random_unit());
}

static void random_direction(double direction[3])
{
    double length = 0;
    while (length < 1e-3) {
        length = 0;
        for (int k = 0; k < 3; ++k) {
            direction[k] = random_normal();
            length += direction[k] * direction[k];
        }
    }
    for (int k = 0; k < 3; ++k)
        direction[k] /= sqrt(length);
}

typedef struct Making {
    bool is_mixed, is_clusters;
    double edge, cluster_centers[CLUSTERS][3];
} Making;

static double place_box(const Making *making, double center[3])
{
    const double *cluster = making->cluster_centers[(int)(random_unit() * CLUSTERS)];
    for (int k = 0; k < 3; ++k)
        center[k] =
            making->is_clusters ? cluster[k] + CLUSTER_SIGMA * random_normal() : making->edge * random_unit();
    if (making->is_mixed)
        return random_unit() < 0.01 ? 20.02 : 0.02;
    return 1;
}

bool broad_scene_make(BroadScene *scene, const char *name, size_t count, size_t frame_count)
{
    Making making = {
        strstr(name, "mixed") != NULL, strstr(name, "clusters") != NULL, 2 * cbrt((double)count), {{0}}};
    random_state = 1;
    making.edge = making.is_mixed ? 250 : making.is_clusters ? 1000 : making.edge;
    for (int i = 0; i < 3 * CLUSTERS; ++i)
        making.cluster_centers[i / 3][i % 3] = making.edge * random_unit();
    *scene = (BroadScene){count, frame_count, calloc(frame_count, sizeof(float *))};
    for (size_t f = 0; scene->frames && f < frame_count; ++f) {
        scene->frames[f] = malloc(count * 6 * sizeof(float));
        if (!scene->frames[f]) {
            broad_scene_free(scene);
            return false;
        }
    }
    for (size_t i = 0; scene->frames && i < count; ++i) {
        double center[3], direction[3], side = place_box(&making, center);
        random_direction(direction);
        for (size_t f = 0; f < frame_count; ++f) {
            for (int k = 0; k < 3; ++k) {
                double at = center[k] + direction[k] * STEP * side * (double)f;
                scene->frames[f][6 * i + (size_t)k] = (float)(at - side / 2);
                scene->frames[f][6 * i + 3 + (size_t)k] = (float)(at + side / 2);
            }
        }
    }
    return scene->frames;
}

void broad_scene_free(BroadScene *scene)
{
    for (size_t f = 0; scene->frames && f < scene->frame_count; ++f)
        free(scene->frames[f]);
    free(scene->frames);
    *scene = (BroadScene){0, 0, NULL};
}
