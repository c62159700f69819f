/// Spheres as triangles, to look at.
#ifndef IMPINGE_APPS_SPHERE_BALLS_H
#define IMPINGE_APPS_SPHERE_BALLS_H

#include <impinge/spheres.h>

/// Balls of as many triangles each as is of use for so many of them.
typedef struct SphereBalls {
    imp_Vec3 *vertices;
    uint32_t *indices; // three per triangle
    size_t vertex_count, triangle_count;
    size_t ball_triangle_count; // of each
} SphereBalls;

/// A triangulated ball for each sphere, in their order: around the sphere, or to look at, with the vertices
/// on it. False when out of memory; free them in any case.
bool sphere_balls_create(const imp_Sphere *spheres, size_t count, bool is_around, SphereBalls *balls);
void sphere_balls_free(SphereBalls *balls);

#endif
