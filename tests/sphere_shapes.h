/// Shapes of all kinds with sphere trees of all kinds, for tests of detection with these.
#ifndef IMPINGE_TESTS_SPHERE_SHAPES_H
#define IMPINGE_TESTS_SPHERE_SHAPES_H

#include "harness.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <stdio.h>

#define MAX_SHAPE_TREES 8

/// A mesh, or a convex polytope and its mesh. Trees differ in their levels, and in what they cover.
typedef struct SphereShape {
    const char *name;
    imp_Mesh *mesh;
    imp_Convex *convex; // or null
    bool is_closed;
    imp_SphereTree *trees[MAX_SHAPE_TREES];
    size_t tree_count;
} SphereShape;

static inline void sphere_shape_release(SphereShape *shape)
{
    for (size_t i = 0; i < shape->tree_count; ++i)
        imp_sphere_tree_release(shape->trees[i]);
    if (shape->convex)
        imp_convex_release(shape->convex);
    else
        imp_mesh_release(shape->mesh);
}

static inline imp_SphereTree *octree_spheres(imp_Context *context, imp_Mesh *mesh, uint32_t branch,
                                             uint32_t depth)
{
    imp_SphereTree *tree = NULL;
    imp_SphereTreeDef def = {.mesh = mesh, .method = IMP_SPHERES_OCTREE, .branch = branch, .depth = depth};
    CHECK_INT(imp_sphere_tree_create(context, &def, &tree), IMP_STATUS_OK);
    return tree;
}

/// Of a mesh, of which it takes the reference.
static inline SphereShape sphere_shape_make(imp_Context *context, const char *name, imp_Mesh *mesh)
{
    SphereShape shape = {.name = name, .mesh = mesh};
    CHECK_INT(imp_mesh_is_closed(context, mesh, &shape.is_closed), IMP_STATUS_OK);
    return shape;
}

/// The same of its convex hull.
static inline SphereShape convex_shape_make(imp_Context *context, const char *name, imp_Mesh *mesh)
{
    SphereShape shape = {.name = name, .is_closed = true};
    imp_ConvexDef def = {.points = &imp_mesh_get_vertices(mesh)->x,
                         .point_count = imp_mesh_get_vertex_count(mesh)};
    CHECK_INT(imp_convex_create(context, &def, &shape.convex), IMP_STATUS_OK);
    shape.mesh = imp_convex_get_mesh(shape.convex);
    imp_mesh_release(mesh);
    return shape;
}

/// Add a tree.
static inline void sphere_shape_add(imp_Context *context, SphereShape *shape, imp_SphereTreeDef def)
{
    def.mesh = shape->mesh;
    if (def.cover == IMP_COVER_SOLID && !shape->is_closed)
        def.cover = IMP_COVER_SURFACE;
    if (!CHECK_INT(imp_sphere_tree_create(context, &def, &shape->trees[shape->tree_count]), IMP_STATUS_OK))
        printf("no spheres for %s: %s\n", shape->name, imp_context_get_error(context)->message);
    else
        ++shape->tree_count;
}

// ---- meshes that scenes/shapes.h has not

static inline imp_Mesh *mesh_of(imp_Context *context, const double *vertices, size_t vertex_count,
                                const uint32_t *indices, size_t triangle_count)
{
    imp_Mesh *mesh = NULL;
    imp_MeshDef def = {.vertices = vertices,
                       .vertex_count = vertex_count,
                       .indices = indices,
                       .triangle_count = triangle_count};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

/// One triangle whose corners are all at `place`.
static inline imp_Mesh *point_mesh(imp_Context *context, double place)
{
    const double vertices[9] = {place, place, place, place, place, place, place, place, place};
    return mesh_of(context, vertices, 3, (const uint32_t[]){0, 1, 2}, 1);
}

/// Open: a square from -1 to 1 in the plane z = 0, `steps` by `steps` squares of two triangles.
#define MAX_SHEET_STEPS 16
static inline imp_Mesh *sheet_mesh(imp_Context *context, uint32_t steps)
{
    static double vertices[3 * (MAX_SHEET_STEPS + 1) * (MAX_SHEET_STEPS + 1)];
    static uint32_t indices[6 * MAX_SHEET_STEPS * MAX_SHEET_STEPS];
    size_t vertex_count = 0, index_count = 0;
    for (uint32_t i = 0; i <= steps; ++i)
        for (uint32_t k = 0; k <= steps; ++k, ++vertex_count) {
            vertices[3 * vertex_count] = 2.0 * i / steps - 1;
            vertices[3 * vertex_count + 1] = 2.0 * k / steps - 1;
        }
    for (uint32_t i = 0; i < steps; ++i)
        for (uint32_t k = 0; k < steps; ++k) {
            uint32_t corner = i * (steps + 1) + k, above = corner + steps + 1;
            const uint32_t square[6] = {corner, above, corner + 1, above, above + 1, corner + 1};
            for (int at = 0; at < 6; ++at)
                indices[index_count++] = square[at];
        }
    return mesh_of(context, vertices, vertex_count, indices, index_count / 3);
}

/// Open: a mesh without its last faces.
static inline imp_Mesh *cut_mesh(imp_Context *context, imp_Mesh *mesh, size_t left_out)
{
    imp_Mesh *cut = mesh_of(context, &imp_mesh_get_vertices(mesh)->x, imp_mesh_get_vertex_count(mesh),
                            imp_mesh_get_indices(mesh), imp_mesh_get_triangle_count(mesh) - left_out);
    imp_mesh_release(mesh);
    return cut;
}

/// A mesh and a copy of it, moved: they run through each other. Takes the reference.
static inline imp_Mesh *doubled_mesh(imp_Context *context, imp_Mesh *mesh, imp_Vec3 offset)
{
    imp_Mesh *other = NULL, *joined = NULL;
    CHECK_INT(scene_place(context, mesh, 1, offset, &other), IMP_STATUS_OK);
    CHECK_INT(scene_join(context, mesh, other, &joined), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    imp_mesh_release(other);
    return joined;
}

static inline imp_Mesh *scaled_mesh(imp_Context *context, imp_Mesh *mesh, double scale)
{
    imp_Mesh *scaled = NULL;
    CHECK_INT(scene_place(context, mesh, scale, (imp_Vec3){0, 0, 0}, &scaled), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return scaled;
}

#endif
