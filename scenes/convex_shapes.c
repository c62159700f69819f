#include "scenes/convex_shapes.h"

#include "scenes/shapes.h"

#include <math.h>

static const struct {
    const char *name;
    imp_Vec3 semi_axes;
} kinds[SCENE_CONVEX_KIND_COUNT] = {
    {"ellipsoid", {1, 0.8, 0.6}},
    {"rod", {1, 0.1, 0.1}},
    {"plate", {1, 1, 0.1}},
};

const char *scene_convex_name(SceneConvexKind kind)
{
    return kinds[kind].name;
}

// A point of the unit disc, moved up to the sphere so that areas stay in proportion (Marsaglia 1972). Only
// arithmetic and a square root, so that all machines agree to the bit.
static imp_Vec3 random_direction(uint64_t *state)
{
    double u, v, s;
    do {
        u = 2 * scene_random_unit(state) - 1;
        v = 2 * scene_random_unit(state) - 1;
        s = u * u + v * v;
    } while (s >= 1);
    double scale = 2 * sqrt(1 - s);
    return (imp_Vec3){scale * u, scale * v, 1 - 2 * s};
}

void scene_convex_points(SceneConvexKind kind, size_t count, uint64_t seed, imp_Vec3 *points)
{
    imp_Vec3 axes = kinds[kind].semi_axes;
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 direction = random_direction(&seed);
        points[i] = (imp_Vec3){axes.x * direction.x, axes.y * direction.y, axes.z * direction.z};
    }
}
