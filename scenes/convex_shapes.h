/// Convex bodies made by code: those that the separating-vector paper measures with.
#ifndef IMPINGE_SCENES_CONVEX_SHAPES_H
#define IMPINGE_SCENES_CONVEX_SHAPES_H

#include <impinge/math.h>

/// All of them ellipsoids around the origin, so that they are strictly convex: then every point of the
/// surface is a vertex of the hull. Semi-axes along x, y, z:
typedef enum SceneConvexKind {
    SCENE_ELLIPSOID, ///< 1, 0.8, 0.6
    SCENE_ROD,       ///< 1, 0.1, 0.1
    SCENE_PLATE,     ///< 1, 1, 0.1
    SCENE_CONVEX_KIND_COUNT
} SceneConvexKind;

/// "ellipsoid", "rod" or "plate".
const char *scene_convex_name(SceneConvexKind kind);

/// `count` points on the surface: points spread evenly over the unit sphere, times the semi-axes. The same
/// arguments give the same bits on every machine. Rounding moves points off the surface by 1e-16 or so, which
/// matters to their being vertices only where two of them are nearer than 1e-7: not to be expected up to
/// a million points.
void scene_convex_points(SceneConvexKind kind, size_t count, uint64_t seed, imp_Vec3 *points);

#endif
