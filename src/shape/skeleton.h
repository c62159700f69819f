/// The medial axis of a body by spheres: many small steps of a skeleton, each with the points of the surface
/// that it touches.
#ifndef IMPINGE_SHAPE_SKELETON_H
#define IMPINGE_SHAPE_SKELETON_H

#include "shape/surface_points.h"

/// In the local frame. It holds its points; there is none of them inside of it.
typedef struct impi_SkeletonSphere {
    imp_Vec3 center;
    double radius;
    uint32_t points[4]; // its forming points
    uint32_t point_count;
} impi_SkeletonSphere;

/// Two spheres that are neighbours.
typedef struct impi_SkeletonLink {
    uint32_t a, b;
} impi_SkeletonLink;

/// Points form a sphere, but for those that coincide with others. Memory comes from the context's allocator.
typedef struct impi_Skeleton {
    impi_SurfacePoints points;
    IMPI_ARRAY(impi_SkeletonSphere) spheres;
    IMPI_ARRAY(impi_SkeletonLink) links; // some may stand there twice
    bool is_solid;                       // the normals of its points turn outward
} impi_Skeleton;

/// From about so many points, at least 1. A failure is one of impi_qhull_delaunay, IMP_STATUS_OUT_OF_MEMORY
/// or what a watch says; the skeleton may then hold anything, and is the caller's to free all the same.
imp_Status impi_skeleton_find(imp_Context *context, const impi_SurfaceField *field, bool is_solid,
                              size_t point_count, impi_Skeleton *skeleton);
void impi_skeleton_free(const imp_Allocator *allocator, impi_Skeleton *skeleton);

#endif
