/// The inside of imp_SphereTree.
#ifndef IMPINGE_SHAPE_SPHERE_TREE_H
#define IMPINGE_SHAPE_SPHERE_TREE_H

#include "shape/local_frame.h"
#include "shape/shape.h"
#include "shape/sphere_cover.h"
#include "shape/sphere_lanes.h"

#include <impinge/spheres.h>

struct imp_SphereTree {
    impi_Shape shape; // bounds are the mesh's
    imp_Mesh *mesh;   // one reference
    imp_SphereCover cover;
    bool is_solid;  // the mesh is closed
    bool has_seams; // some of its vertices have equal coordinates, and may part where a body deforms
    imp_Sphere *spheres;
    size_t count;
    size_t level_first[IMP_MAX_SPHERE_DEPTH + 2]; // of each level, and the count behind the last
    size_t level_count;
    impi_SphereFaces faces; // of the last level's spheres
    impi_SphereLanes lanes;
};

/// The public functions without their checks of null arguments, in the default floating-point mode
/// (base/float_guard.h). They use the context's scratch arena.
imp_Status impi_sphere_tree_create(imp_Context *context, const imp_SphereTreeDef *def, imp_SphereTree **tree);
imp_Status impi_sphere_tree_create_from_spheres(imp_Context *context, const imp_GivenSpheresDef *def,
                                                imp_SphereTree **tree);

/// See imp_sphere_tree_get_level.
imp_Status impi_sphere_tree_get_level(const imp_SphereTree *tree, size_t level, imp_SphereLevel *info);

/// When the last reference goes.
void impi_sphere_tree_destroy(imp_SphereTree *tree);

#endif
