/// Sphere trees: spheres that hold all of a mesh's surface, level by level, each level closer to it.
///
/// What is promised of every tree, however it was made: each point of the surface lies, at each level, in a
/// sphere whose ancestors hold it too, up to the root. That is proven when the tree is made, in real
/// arithmetic on the doubles of mesh and spheres (docs/spheres.md). So whoever descends from spheres to those
/// of their children that meet something loses nothing.
///
/// A tree given with a body lets a detect with a budget say how far apart undecided bodies can be at most:
/// see imp_BodyDef and imp_Estimate in world.h.
#ifndef IMPINGE_SPHERES_H
#define IMPINGE_SPHERES_H

#include <impinge/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Immutable after creation and shared by reference counting, like a mesh. It holds a reference to its mesh.
typedef struct imp_SphereTree imp_SphereTree;

typedef enum imp_SphereMethod {
    IMP_SPHERES_FIT = 0, ///< ours: spheres are fitted to parts of the surface, level by level
    IMP_SPHERES_MEDIAL,  ///< Hubbard 1996: spheres around the medial axis are merged; needs qhull
    IMP_SPHERES_OCTREE,  ///< around the cells of an octree that the surface meets; quick and loose
} imp_SphereMethod;

typedef enum imp_SphereCover {
    IMP_COVER_SURFACE = 0, ///< spheres hold the surface
    IMP_COVER_SOLID,       ///< spheres hold the inside of a closed mesh as well
} imp_SphereCover;

#define IMP_MAX_SPHERE_BRANCH 1024
#define IMP_MAX_SPHERE_DEPTH  20
#define IMP_MAX_SPHERE_COUNT  (1u << 22) ///< in one tree
#define IMP_NO_SPHERE         UINT32_MAX

/// How to make a tree: by levels, or as a flat set of spheres below the root.
typedef struct imp_SphereTreeDef {
    imp_Mesh *mesh;
    imp_SphereMethod method;
    imp_SphereCover cover;
    uint32_t branch;      ///< children of a sphere, at most; 0 is 8
    uint32_t depth;       ///< levels below the root; 0 is 3
    uint32_t count;       ///< a flat set of at most so many spheres instead of levels; 0: none
    double protrusion;    ///< a flat set of spheres that protrude no more than this, few of them; 0: none
    uint64_t reserved[4]; ///< zero
} imp_SphereTreeDef;

/// One sphere of a tree. Numbers are in the mesh's frame and units.
typedef struct imp_Sphere {
    imp_Vec3 center;
    double radius;
    uint32_t parent;                   ///< IMP_NO_SPHERE for the root
    uint32_t level;                    ///< 0 is the root's
    uint32_t first_child, child_count; ///< children follow each other; at the last level there are none
    /// No point of the ball is farther than this from the body: proven. A closed mesh counts as a solid here,
    /// so that points inside of it are not away from it at all.
    double protrusion;
    double surface_protrusion; ///< the same with every mesh as a surface
    /// A point of the body: of its surface the one nearest to the center, as well as rounding lets one tell,
    /// and on `face` but for rounding by no more than 2^-48 of the mesh's largest coordinate. Where the ball
    /// does not reach the surface and the center is inside of the body, it is the center.
    imp_Vec3 point;
    uint32_t face; ///< IMP_NO_FACE where the point is the center
} imp_Sphere;

/// Make a tree with one reference. The context's watch can end it, and hears how far it is.
///
/// Spheres are fewer than were asked for where more would be of no use. None has a larger protrusion than its
/// parent: where one would, it is a copy of its parent's. With a largest protrusion, that is
/// the protrusion of imp_Sphere; a flat set that would take more than IMP_MAX_SPHERE_COUNT spheres is refused
/// (IMP_STATUS_TOO_LARGE), as are levels that could. Refused: a mesh without faces, the inside of an open
/// mesh (IMP_STATUS_BAD_SHAPE); spheres beyond the largest double, a protrusion that is negative or not
/// finite (IMP_STATUS_BAD_NUMBER); count, protrusion and levels at once, a branch of 1 or beyond its limit, a
/// depth beyond its limit (IMP_STATUS_BAD_ARGUMENT); the medial method without qhull
/// (IMP_STATUS_UNSUPPORTED). Nothing of the result depends on the number of threads.
IMP_CHECKED imp_Status imp_sphere_tree_create(imp_Context *context, const imp_SphereTreeDef *def,
                                              imp_SphereTree **tree);

/// Spheres that come from elsewhere, as from a file.
typedef struct imp_GivenSphere {
    imp_Vec3 center;
    double radius;
    uint32_t parent; ///< an earlier one; IMP_NO_SPHERE for the first sphere, and only for that
} imp_GivenSphere;

typedef struct imp_GivenSpheresDef {
    imp_Mesh *mesh;
    imp_SphereCover cover;
    const imp_GivenSphere *spheres; ///< level by level, in the order of their parents
    size_t count;
    uint64_t reserved[4]; ///< zero
} imp_GivenSpheresDef;

/// A tree of given spheres, which keep their numbers. What imp_sphere_tree_create promises is proven anew;
/// where it can't be, the status is IMP_STATUS_BAD_SHAPE, the message names a face that is not covered and
/// the error's index is that face, or IMP_NOWHERE where it is a part of the inside. The proof leaves room for
/// rounding, so spheres have to hold a mesh by some 2^-44 of its size more than just so. Also refused: a
/// center or radius that is not finite or a negative radius (IMP_STATUS_BAD_NUMBER, with the index); spheres
/// out of order, or that end before the last level (IMP_STATUS_BAD_ARGUMENT, with the index). The context's
/// watch can end it.
IMP_CHECKED imp_Status imp_sphere_tree_create_from_spheres(imp_Context *context,
                                                           const imp_GivenSpheresDef *def,
                                                           imp_SphereTree **tree);

/// As imp_mesh_retain and imp_mesh_release.
IMP_API imp_SphereTree *imp_sphere_tree_retain(imp_SphereTree *tree);
IMP_API void imp_sphere_tree_release(imp_SphereTree *tree);

/// Owned by the tree, here and below. Null and 0 for a null tree.
IMP_API imp_Mesh *imp_sphere_tree_get_mesh(const imp_SphereTree *tree);
IMP_API imp_SphereCover imp_sphere_tree_get_cover(const imp_SphereTree *tree);
/// Does `protrusion` take the mesh as a solid?
IMP_API bool imp_sphere_tree_is_solid(const imp_SphereTree *tree);
/// Level by level, the root first, in the order of their parents.
IMP_API const imp_Sphere *imp_sphere_tree_get_spheres(const imp_SphereTree *tree, size_t *count);
/// The root's level among them.
IMP_API size_t imp_sphere_tree_get_level_count(const imp_SphereTree *tree);

/// What the spheres of one level have in common. Means are rounded up, so that they are bounds as well.
typedef struct imp_SphereLevel {
    uint32_t first, count; ///< of its spheres
    double largest_protrusion, mean_protrusion;
    double largest_surface_protrusion, mean_surface_protrusion;
} imp_SphereLevel;

/// IMP_STATUS_BAD_ARGUMENT when an argument is null, IMP_STATUS_BAD_INDEX when there is no such level.
IMP_CHECKED imp_Status imp_sphere_tree_get_level(const imp_SphereTree *tree, size_t level,
                                                 imp_SphereLevel *info);

#ifdef __cplusplus
}
#endif

#endif
