/// A sphere tree as detection reads it: eight children at a time, in single precision, in the tree's own
/// frame.
#ifndef IMPINGE_SHAPE_SPHERE_LANES_H
#define IMPINGE_SHAPE_SPHERE_LANES_H

#include "shape/local_frame.h"
#include "shape/sphere_cover.h"
#include "shape/surface.h"

#define IMPI_SPHERE_LANES 8

/// How far a center or point may be from where the tree has it, for being rounded to single precision and
/// posed in single precision, per sum of the sizes of its coordinates: by half an ulp for each of six
/// roundings on each axis. Radii and protrusions are larger by as much.
#define IMPI_SPHERE_LANE_ERROR 0x1p-20

/// Children of one sphere. A sphere has the faces that have a piece in a leaf below it: these touch no face
/// that is farther from the point than the reach, which is far less than the ball where that is deep inside
/// of the body. Lanes beyond the last child hold zeros.
typedef struct impi_SphereGroup {
    _Alignas(64) float center[3][IMPI_SPHERE_LANES];
    float radius[IMPI_SPHERE_LANES];
    float point[3][IMPI_SPHERE_LANES]; // of the body
    float reach[IMPI_SPHERE_LANES];    // from the point to the faces of the sphere, the farthest of them
    float protrusion[IMPI_SPHERE_LANES];
    float depth[IMPI_SPHERE_LANES]; // a ball of this radius around the center is inside; -INFINITY: none is
} impi_SphereGroup;

/// The same of one sphere, and its children.
typedef struct impi_SphereNode {
    float center[3], radius;
    float point[3], reach, protrusion, depth;
    uint32_t first_child, child_count; // none at the last level
    uint32_t first_group;              // of its children
} impi_SphereNode;

/// Around a face.
typedef struct impi_FaceBall {
    float center[3], radius;
} impi_FaceBall;

typedef struct impi_SphereLanes {
    impi_LocalFrame frame;
    impi_SphereNode *nodes; // by sphere
    size_t node_count;
    impi_SphereGroup *groups; // the first one has the root alone
    size_t group_count;
    size_t first_leaf;     // the first sphere of the last level
    const size_t *first;   // of a leaf's faces, by leaf from first_leaf on, and the count behind the last
    impi_BlockFace *faces; // leaf by leaf
    impi_FaceBall *balls;  // around them
    size_t face_count;
    float mean_leaf_radius;
} impi_SphereLanes;

/// What it is made of; the arrays must stay as long as the lanes do.
typedef struct impi_SphereLanesDef {
    const imp_Mesh *mesh;
    const imp_Sphere *spheres;
    size_t count, first_leaf;
    bool is_solid;
    const double *depths; // by sphere, negative: none; null where the surface is not in one piece
    const impi_SphereFaces *faces;
} impi_SphereLanesDef;

/// Memory comes from the context's allocator. On failure there is nothing to free. IMP_STATUS_OUT_OF_MEMORY,
/// what a watch says, or OK.
imp_Status impi_sphere_lanes_make(imp_Context *context, const impi_SphereLanesDef *def,
                                  impi_SphereLanes *lanes);
void impi_sphere_lanes_free(const imp_Allocator *allocator, impi_SphereLanes *lanes);

static inline size_t impi_sphere_group_count(size_t child_count)
{
    return (child_count + IMPI_SPHERE_LANES - 1) / IMPI_SPHERE_LANES;
}

#endif
