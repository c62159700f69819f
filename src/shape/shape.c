#include "shape/shape.h"

#include "shape/convex.h"
#include "shape/mesh.h"
#include "shape/octree.h"
#include "shape/sphere_tree.h"

static void destroy_mesh(impi_Shape *shape)
{
    impi_mesh_destroy((imp_Mesh *)shape);
}

static imp_Mesh *surface_of_mesh(const impi_Shape *shape)
{
    return (imp_Mesh *)shape;
}

static void destroy_convex(impi_Shape *shape)
{
    impi_convex_destroy((imp_Convex *)shape);
}

static imp_Mesh *surface_of_convex(const impi_Shape *shape)
{
    return ((const imp_Convex *)shape)->mesh;
}

static void destroy_sphere_tree(impi_Shape *shape)
{
    impi_sphere_tree_destroy((imp_SphereTree *)shape);
}

static imp_Mesh *surface_of_sphere_tree(const impi_Shape *shape)
{
    return ((const imp_SphereTree *)shape)->mesh;
}

static void destroy_octree(impi_Shape *shape)
{
    impi_octree_destroy((imp_Octree *)shape);
}

static imp_Mesh *surface_of_octree(const impi_Shape *shape)
{
    (void)shape;
    return NULL;
}

static const struct {
    void (*destroy)(impi_Shape *shape);
    imp_Mesh *(*surface)(const impi_Shape *shape);
} kinds[IMPI_ALL_SHAPE_KINDS] = {
    [IMPI_SHAPE_MESH] = {destroy_mesh, surface_of_mesh},
    [IMPI_SHAPE_CONVEX] = {destroy_convex, surface_of_convex},
    [IMPI_SHAPE_SPHERE_TREE] = {destroy_sphere_tree, surface_of_sphere_tree},
    [IMPI_SHAPE_OCTREE] = {destroy_octree, surface_of_octree},
};

void impi_shape_init(impi_Shape *shape, impi_ShapeKind kind, const imp_Context *context,
                     const imp_Box *bounds)
{
    shape->kind = kind;
    shape->allocator = context->allocator;
    shape->bounds = *bounds;
    atomic_init(&shape->reference_count, 1);
}

impi_Shape *impi_shape_retain(impi_Shape *shape)
{
    if (shape)
        atomic_fetch_add_explicit(&shape->reference_count, 1, memory_order_relaxed);
    return shape;
}

void impi_shape_release(impi_Shape *shape)
{
    // What other threads did with it before they let go of it must come before it is freed.
    if (shape && atomic_fetch_sub_explicit(&shape->reference_count, 1, memory_order_acq_rel) == 1)
        kinds[shape->kind].destroy(shape);
}

imp_Mesh *impi_shape_surface(const impi_Shape *shape)
{
    return kinds[shape->kind].surface(shape);
}
