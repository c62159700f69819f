/// Shapes made by code: the papers' objects, and meshes that test what is hard.
///
/// The same arguments give the same bits on every machine. Shapes are closed and turned outward unless it
/// says otherwise. Each function makes a new mesh with one reference; arguments out of range are refused
/// with IMP_STATUS_BAD_ARGUMENT, and the other statuses are those of imp_mesh_create.
#ifndef IMPINGE_SCENES_SHAPES_H
#define IMPINGE_SCENES_SHAPES_H

#include <impinge/mesh.h>

typedef struct SceneTurn {
    double cosine, sine;
} SceneTurn;

/// Cosine and sine of `step` / `step_count` of a full turn, with errors below 2^-52, by a polynomial of our
/// own because those of C libraries differ in the last bit. Exactly symmetric between the octants.
SceneTurn scene_turn(uint64_t step, uint32_t step_count);

/// Numbers from a seed (splitmix64), in [0, 1).
double scene_random_unit(uint64_t *state);
double scene_random_between(uint64_t *state, double low, double high);
/// Each coordinate in [low, high).
imp_Vec3 scene_random_vector(uint64_t *state, double low, double high);

/// A sphere around the origin with its poles on the z axis: 2 * meridians * (bands - 1) triangles.
/// At least 3 meridians and 2 bands.
imp_Status scene_sphere(imp_Context *context, uint32_t meridians, uint32_t bands, double radius,
                        imp_Mesh **mesh);

/// The sphere with this many triangles and the meridians nearest to twice the bands: the counts of the
/// papers (8, 10, 24, 48, 54, 80, 120, 168, 224, 360, 528, 728, 960, 3968) and others. Refused when there is
/// no such sphere.
imp_Status scene_sphere_of_faces(imp_Context *context, uint32_t face_count, double radius, imp_Mesh **mesh);

/// A sphere whose vertices are moved along their radii by up to `amplitude` (below 1) times the radius,
/// either way: concave, never self-intersecting.
imp_Status scene_bumpy_sphere(imp_Context *context, uint32_t meridians, uint32_t bands, double radius,
                              double amplitude, uint64_t seed, imp_Mesh **mesh);

/// A sphere with a spherical cavity.
imp_Status scene_hollow_sphere(imp_Context *context, uint32_t meridians, uint32_t bands, double radius,
                               double cavity_radius, imp_Mesh **mesh);

/// Around the z axis: 2 * major_steps * minor_steps triangles. At least 3 of both.
imp_Status scene_torus(imp_Context *context, uint32_t major_steps, uint32_t minor_steps, double major_radius,
                       double minor_radius, imp_Mesh **mesh);

/// Twelve triangles.
imp_Status scene_box(imp_Context *context, imp_Vec3 min, imp_Vec3 max, imp_Mesh **mesh);

/// An L of arms 1 wide and 2 long, from the origin along x and y, between z = 0 and z = height.
imp_Status scene_l_prism(imp_Context *context, double height, imp_Mesh **mesh);

/// A star with `points` points (at least 2) on a circle of radius 1 and as many dents at `dent_radius`,
/// between z = 0 and z = height.
imp_Status scene_star_prism(imp_Context *context, uint32_t points, double dent_radius, double height,
                            imp_Mesh **mesh);

/// A thin rod along z of length 1: each of its `sides` (at least 3) is two slivers.
imp_Status scene_needle(imp_Context *context, uint32_t sides, double radius, imp_Mesh **mesh);

/// Open: triangles anywhere in the unit cube, corners up to `size` apart along each axis.
imp_Status scene_soup(imp_Context *context, uint32_t triangle_count, double size, uint64_t seed,
                      imp_Mesh **mesh);

/// Open: triangles with corners on the integer points from 0 to `grid` - 1, so that many are degenerate,
/// coplanar, or share corners and edges.
imp_Status scene_grid_soup(imp_Context *context, uint32_t triangle_count, uint32_t grid, uint64_t seed,
                           imp_Mesh **mesh);

/// Both meshes in one, the faces of `a` first.
imp_Status scene_join(imp_Context *context, const imp_Mesh *a, const imp_Mesh *b, imp_Mesh **mesh);

/// Inside out: each triangle with its last two corners swapped.
imp_Status scene_flip(imp_Context *context, const imp_Mesh *mesh, imp_Mesh **flipped);

/// Each vertex times `scale`, plus `offset`.
imp_Status scene_place(imp_Context *context, const imp_Mesh *mesh, double scale, imp_Vec3 offset,
                       imp_Mesh **placed);

#endif
